"""Lists of names as people paste them: with bullets or numbers before them, in tables, or with commas."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Callable, Sequence
from itertools import pairwise
from string import ascii_lowercase

_BULLET = re.compile(r"[-–—*+•‣⁃·∙▪▫◦●○■□▸►➤✓✔✗✘☐☑☒]\s+(?=\S)")
"""What stands before the lines of a list. No title begins so."""

_NUMBER = re.compile(r"\(?(\d{1,3})(?:[.)]|(?=\t))\s+(?=\S)")
"""The number of a line, which is the group. One in a cell of its own has no sign behind it."""

_LETTER = re.compile(r"\(?([A-Za-z])[.)]\s+(?=\S)")
"""The letter of a line, which is the group."""

_BOX = re.compile(r"(?:(?:[-*+]|\d+[.)])\s+)?\[[ xX]?\]\s+(?=\S)")
"""What Markdown has before the lines of a list to be ticked off. No title begins with a square bracket."""

_RULE = re.compile(r"[:-]{2,}")
"""A cell of the line below the heads of a table in Markdown."""

_SEMICOLONS, _SLASHES, _COMMAS = (
    re.compile(r";\s*"),
    re.compile(r"\s+/\s+"),
    re.compile(r",(?!(?<=\d,)\d)\s*"),
)
"""What stands between names in a line. Between digits a comma is part of a number, and beside semicolons or
slashes of a name; a slash without blanks around it is of a name, too."""

_AND = re.compile(r"\s+(?:and|or|&)\s+")
"""What may stand between the last two names of a list in place of a comma."""

_LINK = re.compile(r"\[\[([^\[\]|]+)(?:\|[^\[\]]*)?\]\]")
"""A link as wikitext has it, to what the group names."""

_STRING = re.compile(r"\"([^\"\\]*)\"|'([^'\\]*)'")
"""A text of a program, without escapes."""

_BETWEEN_QUOTES = re.compile(r'"\s*,\s*"')
"""What stands between two cells of a CSV file that are quoted."""


def unlisted(lines: Sequence[str]) -> list[str]:
    """The lines of a list without the bullets or numbers before them; one line alone is no list.

    Titles may begin with a number, as that of "1. FC Köln" does: numbers are left out only where all lines
    have one, and they count from 1 on; letters likewise, from a on. A line that ends with a colon, where
    others have bullets or such numbers, says what these are.

    >>> unlisted(["- Dog", "* Cat", "Tea"]), unlisted(["1. Tea", "2) Milk"])
    (['Dog', 'Cat', 'Tea'], ['Tea', 'Milk'])
    >>> unlisted(["a) Dog", "b) Cat"]), unlisted(["A. Milne", "B. King"]), unlisted(["C. Dog", "D. Cat"])
    (['Dog', 'Cat'], ['Milne', 'King'], ['C. Dog', 'D. Cat'])
    >>> unlisted(["1. FC Köln"]), unlisted(["1. FC Köln", "1. FC Nürnberg"])
    (['1. FC Köln'], ['1. FC Köln', '1. FC Nürnberg'])
    >>> unlisted(["Drinks:", "☐ Tea", "☐ Milk"])
    ['Tea', 'Milk']
    """
    named = [line for line in lines if not line.endswith(":")]
    if len(lines) < 2 or not named:
        return list(lines)
    counted = ((_NUMBER, [str(count) for count in range(1, len(named) + 1)]), (_LETTER, ascii_lowercase))
    for mark, counts in counted:
        marks = [found for line in named if (found := mark.match(line)) is not None]
        if len(marks) == len(named) and [one[1].lower() for one in marks] == list(counts[: len(named)]):
            return [line[one.end() :] for line, one in zip(named, marks, strict=True)]
    bare = [_BULLET.sub("", line, count=1) if _BULLET.match(line) else line for line in named]
    return list(lines) if bare == named else bare


def without_heads(lines: Sequence[str]) -> list[str]:
    """The lines without those that name the columns of a table in Markdown: one stands above a rule.

    >>> without_heads(["| Animal |", "|---|", "| Cat |"]), without_heads(["---", "Cat"])
    (['|---|', '| Cat |'], ['---', 'Cat'])
    """
    below = [*lines[1:], ""]
    return [line for line, rule in zip(lines, below, strict=True) if not (_is_row(line) and _is_rule(rule))]


def _is_row(line: str) -> bool:
    return line.lstrip().startswith("|")


def _is_rule(line: str) -> bool:
    return _is_row(line) and "-" in line and not cells(line)


def cells(line: str) -> list[str]:
    r"""The names that stand in a line: in cells, where it is of a table, and without a box to be ticked.

    A spreadsheet puts tabs between cells, Markdown bars around them; no title has either. In a CSV file they
    may be quoted, and in a program they may stand in brackets, too. Of a link of wikitext its target is left.

    >>> cells('"Washington, D.C.","Cat"')
    ['Washington, D.C.', 'Cat']
    >>> cells('["Cat", "Dog"]'), cells("* [[Cat]]"), cells("[[Dog|dogs]], [[Cat]]")
    (['Cat', 'Dog'], ['* Cat'], ['Dog, Cat'])
    >>> cells("Cat\tDog\t"), cells("| Cat | Dog |"), cells("|---|:-:|"), cells("- [ ] Cat"), cells("[x] Cat")
    (['Cat', 'Dog'], ['Cat', 'Dog'], [], ['Cat'], ['Cat'])
    """
    line = _LINK.sub(r"\1", line.strip())
    parts = _quoted(line) or bracketed(line) or line.split("|" if line.startswith("|") else "\t")
    names = (part.strip() for part in parts)
    return [_BOX.sub("", name, count=1) for name in names if name and not _RULE.fullmatch(name)]


def _quoted(row: str) -> list[str]:
    """The cells of a row of a CSV file, where the first and the last are quoted; none of any other line."""
    if row[:1] != '"' or row[-1:] != '"' or not _BETWEEN_QUOTES.search(row):
        return []
    try:
        return next(csv.reader([row], skipinitialspace=True))
    except csv.Error:
        return []


def bracketed(text: str) -> list[str]:
    r"""The names of a list as JSON or Python writes it, on one line or several; none of any other text.

    >>> bracketed('["Cat", "Ohm\'s law"]'), bracketed("['Cat', 'Dog',]"), bracketed("[x]"), bracketed("[1]")
    (['Cat', "Ohm's law"], ['Cat', 'Dog'], [], [])
    """
    text = text.strip()
    if text[:1] != "[" or text[-1:] != "]":
        return []
    try:
        listed = json.loads(text)
    except (ValueError, RecursionError):
        found = list(_STRING.finditer(text[1:-1]))
        between = _STRING.sub("", text[1:-1]).replace(",", "").strip()
        listed = [] if between else [one[1] or one[2] or "" for one in found]
    names = [" ".join(name.split()) for name in listed if isinstance(name, str)]
    return names if len(names) == len(listed) else []


def parted(line: str) -> list[str]:
    """The names that semicolons part in a line, or else slashes, or else commas, each once.

    >>> parted("Dog, Cat, and Tea, Dog"), parted("Dog"), parted("10,000 metres")
    (['Dog', 'Cat', 'Tea'], ['Dog'], ['10,000 metres'])
    >>> parted("Dog / Cat / AC/DC"), parted("Dog, Cat and Tea")
    (['Dog', 'Cat', 'AC/DC'], ['Dog', 'Cat and Tea'])
    >>> parted("Cat; Washington, D.C."), parted("Cat,10,000 metres,Dog")
    (['Cat', 'Washington, D.C.'], ['Cat', '10,000 metres', 'Dog'])
    """
    between = next((sign for sign in (_SEMICOLONS, _SLASHES) if sign.search(line)), _COMMAS)
    names = (re.sub(r"^(?:and|or)\s+", "", part.strip(" ,;")) for part in between.split(line))
    return list(dict.fromkeys(name for name in names if name))


def rejoined(parts: Sequence[str], are_titles: Callable[[list[str]], list[bool]]) -> list[str]:
    """The names that commas part in a line, but those together that only together are a title.

    Args:
        parts: what stands between the commas.
        are_titles: says of each of some names whether an article is called so.

    >>> parts = ["Washington", "D.C.", "White House"]
    >>> rejoined(parts, lambda names: [name == "Washington, D.C." for name in names])
    ['Washington, D.C.', 'White House']
    """
    pairs = [", ".join(pair) for pair in pairwise(parts)]
    found = dict(zip(pairs, are_titles(pairs), strict=True))
    names: list[str] = []
    place = 0
    while place < len(parts):
        together = ", ".join(parts[place : place + 2])
        is_one = found.get(together, False)
        names.append(together if is_one else parts[place])
        place += 1 + is_one
    return names


def ended(names: Sequence[str], is_name: Callable[[str], bool]) -> list[str]:
    """The names of a list, the last of which is two where "and" or "or" parts it and it names nothing.

    Args:
        names: what stands between the commas.
        is_name: says whether something is called so.

    >>> ended(["Dog", "Cat and Horse"], lambda name: name == "Simon and Garfunkel")
    ['Dog', 'Cat', 'Horse']
    >>> ended(["Dog", "Simon and Garfunkel"], lambda name: name == "Simon and Garfunkel")
    ['Dog', 'Simon and Garfunkel']
    """
    signs = list(_AND.finditer(names[-1])) if names else []
    if not signs or is_name(names[-1]):
        return list(names)
    last = signs[-1]
    return [*names[:-1], names[-1][: last.start()], names[-1][last.end() :]]
