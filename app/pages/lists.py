"""Lists of names as people paste them: with bullets or numbers before them, in tables, or with commas."""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Sequence
from itertools import pairwise

_MARK = re.compile(r"(?:[-–—*+•‣⁃·∙▪▫◦●○■□▸►➤✓✔✗✘☐☑☒]|\(?(\d{1,3})(?:[.)]|(?=\t)))\s+(?=\S)")
"""What a list has before each of its lines: a bullet, or a number, which is the group. A number in a cell of
its own has no sign behind it."""

_BOX = re.compile(r"(?:(?:[-*+]|\d+[.)])\s+)?\[[ xX]?\]\s+(?=\S)")
"""What Markdown has before the lines of a list to be ticked off. No title begins with a square bracket."""

_RULE = re.compile(r"[:-]{2,}")
"""A cell of the line below the heads of a table in Markdown."""

_SEMICOLONS, _COMMAS = re.compile(r";\s*"), re.compile(r",(?!(?<=\d,)\d)\s*")
"""What stands between names in a line. Between digits a comma is part of a number, and beside semicolons of a
name."""

_BETWEEN_QUOTES = re.compile(r'"\s*,\s*"')
"""What stands between two cells of a CSV file that are quoted."""


def unlisted(lines: Sequence[str]) -> list[str]:
    """The lines of a list without the marks before them; lines as they are where one has none.

    Titles may begin so, as that of "1. FC Köln" does: one line alone is no list, and numbers are marks only
    where they count from 1 on. A line without a mark that ends with a colon says what the list is of.

    >>> unlisted(["- Dog", "* Cat"]), unlisted(["1. Tea", "2) Milk"])
    (['Dog', 'Cat'], ['Tea', 'Milk'])
    >>> unlisted(["1. FC Köln"]), unlisted(["1. FC Köln", "1. FC Nürnberg"]), unlisted(["- Tea", "Milk"])
    (['1. FC Köln'], ['1. FC Köln', '1. FC Nürnberg'], ['- Tea', 'Milk'])
    >>> unlisted(["Drinks:", "☐ Tea", "☐ Milk"])
    ['Tea', 'Milk']
    """
    listed = [line for line in lines if _MARK.match(line) is not None or not line.endswith(":")]
    if len(listed) < len(lines) and (found := unlisted(listed)) != listed:
        return found
    marks = [mark for line in lines if (mark := _MARK.match(line)) is not None]
    numbers = [mark[1] for mark in marks]
    counted = [str(number) for number in range(1, len(lines) + 1)]
    if len(lines) < 2 or len(marks) < len(lines) or (any(numbers) and numbers != counted):
        return list(lines)
    return [line[mark.end() :] for line, mark in zip(lines, marks, strict=True)]


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
    may be quoted.

    >>> cells('"Washington, D.C.","Cat"')
    ['Washington, D.C.', 'Cat']
    >>> cells("Cat\tDog\t"), cells("| Cat | Dog |"), cells("|---|:-:|"), cells("- [ ] Cat"), cells("[x] Cat")
    (['Cat', 'Dog'], ['Cat', 'Dog'], [], ['Cat'], ['Cat'])
    """
    parts = _quoted(line.strip()) or line.split("|" if line.lstrip().startswith("|") else "\t")
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


def parted(line: str) -> list[str]:
    """The names that semicolons part in a line, or else commas, each once.

    >>> parted("Dog, Cat, and Tea, Dog"), parted("Dog"), parted("10,000 metres")
    (['Dog', 'Cat', 'Tea'], ['Dog'], ['10,000 metres'])
    >>> parted("Cat; Washington, D.C."), parted("Cat,10,000 metres,Dog")
    (['Cat', 'Washington, D.C.'], ['Cat', '10,000 metres', 'Dog'])
    """
    between = _SEMICOLONS if _SEMICOLONS.search(line) else _COMMAS
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
