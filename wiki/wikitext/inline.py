"""A line of text → its words, and the links where they stand in them."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from html import unescape
from html.entities import html5
from itertools import pairwise
from typing import Final

from wiki.page import Link
from wiki.titles import TitleRules
from wiki.wikitext.html import without_html
from wiki.wikitext.marks import CUT
from wiki.wikitext.quotes import apostrophes_marked, without_quotes
from wiki.wikitext.syntax import LINK
from wiki.wikitext.targets import Kind, target

NOWHERE: Final = -1

_REFERENCE = re.compile(r"&(?:#[0-9]{1,7}|#[xX][0-9A-Fa-f]{1,6}|[A-Za-z][A-Za-z0-9]*+);")
_QUALIFIED = re.compile(r"(.*?\S)\s*+\([^()]*+\)")
_PARENTHESES = re.compile(rf" ?\(([ ,;{CUT}]*+)\)")  # if what stood in them was cut, they go too
_SPACE = re.compile(r"\s++")


@dataclass(slots=True)
class Found:
    """The links and categories of a page found so far."""

    links: list[Link] = field(default_factory=list)
    categories: list[str] = field(default_factory=list)


def read_line(line: str, rules: TitleRules, paragraph: int, found: Found) -> str:
    """Return the words of ``line``; its links go to ``found``, placed in ``paragraph``.

    White space is single, and none stands at either end of the line or of an anchor.
    """
    line = _prepared(line)
    parts = LINK.split(line)
    links = len(parts) // 4
    is_plain = "&" not in line and "''" not in line and CUT not in line
    is_plain = is_plain and line.count("[[") == links == line.count("]]")
    if not links:
        return line if is_plain else _words(line).strip()
    pieces: list[str] = []
    placed: list[tuple[str, str, int]] = []
    length = 0
    for gap, raw, label, trail in zip(parts[:-1:4], parts[1::4], parts[2::4], parts[3::4], strict=True):
        words = gap if is_plain else _words(gap)
        pieces.append(words)
        length += len(words)
        kind, title = target(rules, raw)
        if kind is Kind.ARTICLE or kind is Kind.OTHER:
            words = (label or _implied(raw, label)) + trail
            if not is_plain:
                words = _words(words)
            pieces.append(words)
            if kind is Kind.ARTICLE:
                anchor = words.strip(" ")
                if anchor:
                    placed.append((title, anchor, length + words.index(anchor)))
                else:
                    found.links.append(Link(title, _words(raw).strip(), NOWHERE, NOWHERE))
            length += len(words)
        elif kind is Kind.CATEGORY:
            found.categories.append(title)
    pieces.append(parts[-1] if is_plain else _words(parts[-1]))
    text = "".join(pieces)
    if "  " in text or text[:1] == " " or text[-1:] == " ":
        text, starts = _respaced(text, [start for _, _, start in placed])
        placed = [(title, anchor, start) for (title, anchor, _), start in zip(placed, starts, strict=True)]
    found.links += [Link(title, anchor, paragraph, start) for title, anchor, start in placed]
    return text


def _prepared(line: str) -> str:
    """Return ``line`` with single spaces, without parentheses that nothing is left in, its quotes clear."""
    if "  " in line or not line.isprintable():
        line = " ".join(line.split())
    if CUT in line:
        line = _PARENTHESES.sub(lambda found: "" if CUT in found[1] else found[0], line)
    return apostrophes_marked(line) if "''" in line else line


def _respaced(text: str, places: list[int]) -> tuple[str, list[int]]:
    """Return ``text`` with single spaces and none at its ends, and where ``places`` (ascending) are then.

    A place is where an anchor starts, so no space stands there.
    """
    moved: list[int] = []
    pieces: list[str] = []
    length = 0
    after_space = True
    for start, end in pairwise([0, *places, len(text)]):
        moved.append(length)
        piece = _SPACE.sub(" ", text[start:end])
        if after_space:
            piece = piece.lstrip(" ")
        if piece:
            pieces.append(piece)
            length += len(piece)
            after_space = piece[-1] == " "
    return "".join(pieces).rstrip(" "), moved[1:]


def read_hidden(text: str, rules: TitleRules, found: Found) -> None:
    """Put the links of a text that no paragraph shows into ``found``."""
    for raw, label, trail in LINK.findall(text):
        kind, title = target(rules, raw)
        if kind is Kind.CATEGORY:
            found.categories.append(title)
        elif kind is Kind.ARTICLE:
            words = " ".join(without_html((label or _implied(raw, None)) + trail).split())
            anchor = _words(words).strip() or _words(" ".join(raw.split()))
            found.links.append(Link(title, anchor, NOWHERE, NOWHERE))


def _implied(raw: str, label: str | None) -> str:
    """Return the words of a link that has none of its own: its target, as it is written.

    With an empty ``label``, "[[Foo (bar)|]]", MediaWiki's pipe trick: without prefix and qualifier.
    """
    shown = raw.lstrip().removeprefix(":")
    if label is None:
        return shown
    shown = shown.rpartition(":")[2]
    qualified = _QUALIFIED.fullmatch(shown.rstrip())
    return qualified[1] if qualified else shown.partition(", ")[0]


def _words(text: str) -> str:
    """Return ``text``, whose white space is single, without marks and left-over brackets, decoded."""
    if "''" in text:
        text = without_quotes(text)
    text = text.replace(CUT, "").replace("[[", "").replace("]]", "")
    if "&" in text:
        return _SPACE.sub(" ", _REFERENCE.sub(_character, text))
    return _SPACE.sub(" ", text) if "  " in text else text


def _character(reference: re.Match[str]) -> str:
    name = reference[0]
    return unescape(name) if name[1] == "#" else html5.get(name[1:], name)
