"""A line of text → its words, and the links where they stand in them."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import lru_cache
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
from wiki.wikitext.targets import TargetKind, target

NOWHERE: Final = -1

# Looked up once: an enumeration's members are found slowly, and there are links by the hundred million.
_ARTICLE: Final = TargetKind.ARTICLE
_CATEGORY: Final = TargetKind.CATEGORY
_OTHER: Final = TargetKind.OTHER
_REMEMBERED = 1 << 16  # links; a worker meets the same ones again and again

_REFERENCE = re.compile(r"&(?:#[0-9]{1,7}|#[xX][0-9A-Fa-f]{1,6}|[A-Za-z][A-Za-z0-9]*+);")
_QUALIFIED = re.compile(r"(.*?\S)\s*+\([^()]*+\)")
_PARENTHESES = re.compile(rf" ?\(([ ,;{CUT}]*+)\)")  # if what stood in them was cut, they go too
_SPACE = re.compile(r"\s++")
_SPACES = re.compile("  ++")
_OTHER_SPACES = [char for char in map(chr, range(0x3001)) if char.isspace() and char not in " \n"]


@dataclass(slots=True)
class Found:
    """The links and categories of a page found so far."""

    links: list[Link] = field(default_factory=list)
    categories: list[str] = field(default_factory=list)


def read_line(line: str, rules: TitleRules, paragraph: int, found: Found) -> str:
    """Return the words of ``line``; its links go to ``found``, placed in ``paragraph``.

    All white space in ``line`` is single spaces (``with_single_spaces``), none at its ends. Of the words
    that is true, too, and no anchor has any at its ends.
    """
    line = _prepared(line)
    parts = LINK.split(line)
    gaps = parts[::4]
    # Most lines are plain: nothing has to be looked for in the pieces of one.
    is_plain = not ("&" in line or CUT in line or ("'" in line and "''" in line))
    beside = "".join(gaps)
    is_plain = is_plain and not ("[" in beside or "]" in beside)
    if len(parts) == 1:
        return line if is_plain else _words(line).strip()
    if not is_plain:
        gaps = [_words(gap) for gap in gaps]
    is_even = is_plain  # no space has come beside another, or to an end
    pieces: list[str] = []
    placed: list[Link] = []
    length = 0
    for gap, raw, label, trail in zip(gaps[:-1], parts[1::4], parts[2::4], parts[3::4], strict=True):
        pieces.append(gap)
        length += len(gap)
        kind, title, words = _link(rules, raw, label)
        if kind is _ARTICLE or kind is _OTHER:
            words += trail
            if not is_plain:
                words = _words(words)
            anchor = words.strip(" ")
            start = length
            if anchor is not words or not anchor:
                is_even = False
                start += words.index(anchor)
            pieces.append(words)
            length += len(words)
            if kind is _OTHER:
                continue
            if anchor:
                placed.append(Link(title, anchor, paragraph, start))
            else:
                found.links.append(Link(title, _words(raw).strip(), NOWHERE, NOWHERE))
        else:
            is_even = False
            if kind is _CATEGORY:
                found.categories.append(title)
    pieces.append(gaps[-1])
    text = "".join(pieces)
    if not is_even and ("  " in text or text[:1] == " " or text[-1:] == " "):
        text, starts = _respaced(text, [link.start for link in placed])
        moved = zip(placed, starts, strict=True)
        placed = [Link(link.target, link.anchor, paragraph, start) for link, start in moved]
    found.links += placed
    return text


def _prepared(line: str) -> str:
    """Return ``line`` without parentheses that nothing is left in, its quotes clear."""
    if CUT in line:
        line = _PARENTHESES.sub(lambda found: "" if CUT in found[1] else found[0], line)
    return apostrophes_marked(line) if "'" in line and "''" in line else line


def with_single_spaces(text: str) -> str:
    """Return ``text`` with one space for each run of white space within a line."""
    for space in _OTHER_SPACES:
        if space in text:
            text = text.replace(space, " ")
    return _SPACES.sub(" ", text) if "  " in text else text


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
        kind, title, shown = _link(rules, raw, label or None)
        if kind is _CATEGORY:
            found.categories.append(title)
        elif kind is _ARTICLE:
            words = " ".join(without_html(shown + trail).split())
            anchor = _words(words).strip() or _words(" ".join(raw.split()))
            found.links.append(Link(title, anchor, NOWHERE, NOWHERE))


@lru_cache(_REMEMBERED)
def _link(rules: TitleRules, raw: str, label: str | None) -> tuple[TargetKind, str, str]:
    """Return what ``[[raw|label]]`` is, its title (see ``target``), and its words, as they are written."""
    return (*target(rules, raw), label or _implied(raw, label))


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
