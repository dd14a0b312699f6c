"""Mentions that a text spells otherwise than links do: the Second World War, World War 2, WW2, Mt. Everest.

Links and titles have a number behind as a Roman one, and words in full. In a text a word gives such a name
away: an ordinal or a short form at its beginning, or a number at its end, in figures or in letters. What
tells a son from his father stands behind a name in links, and in a text with no comma, or not at all.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

import marisa_trie

from snapshots.naming.aliases import LONGEST
from snapshots.naming.mentions import fold, mention_of
from wiki.spellings import begin_numbered_or_short, end_numbered, numbered_or_short

_BESIDE = 4
"""Words that are looked at before a number, or behind an ordinal or a short form."""

_ELECTRONIC = {"en": re.compile(r"\b[eE][-\u2010\u2011](?P<word>[^\W\d_]{2,40}+)\b")}
"""By language, what is joined to the noun behind it by a hyphen, or by none: "e-mail" is "email"."""

_GENERATIONS = {"en": ("jr.", "sr.")}
"""By language, what stands behind the name of a son or a father, as mentions have it."""

_NAME = r"[^\W\d_a-z][^\W\d_]+"
_NAMED = re.compile(rf"(?<![\w-])(?=(?P<name>{_NAME}(?:[ \u00a0]{_NAME}){{1,3}})(?![\w-]))")
_NAMED_IN_SMALL = re.compile(_NAMED.pattern.replace("a-z", ""))
"""Words with capitals one behind another, and any, for texts that have none."""

_BEFORE = re.compile(r"[^\W\d_][\w'’-]*[ \u00a0]$")
_BEHIND = re.compile(r"\.?[ \u00a0][^\W_][\w'’-]*")
_LONGEST_WORD = 40
"""Characters of the longest word beside."""


class OtherSpelling(NamedTuple):
    """What a text spells otherwise, and the mention that it is."""

    start: int
    end: int
    mention: int


class OtherSpellings:
    """Finds such mentions. Reads only; usable from several threads."""

    def __init__(self, mentions: marisa_trie.Trie, language: str) -> None:
        """``mentions``: the dictionary; ``language``: of the wiki, which says what ordinals there are."""
        self._mentions, self._language = mentions, language
        behind = sorted(end_numbered(language))
        in_front = sorted(word for word in begin_numbered_or_short(language) if word.isalnum())
        number = "|".join(["[0-9]{1,2}", *behind])
        self._electronic = _ELECTRONIC.get(language)
        self._generations = _GENERATIONS.get(language, ())
        written = "|".join(generation.rstrip(".") for generation in self._generations)
        self._generation = re.compile(rf",?[ \u00a0](?P<which>{written or '(?!)'})\b\.?", re.I)
        self._signs = re.compile(rf"\b(?:(?P<number>{number})|{'|'.join(in_front) or '(?!)'})\b", re.I)

    def found(self, text: str) -> Iterator[OtherSpelling]:
        """The longest of such mentions at each word that gives them away, from left to right."""
        for sign in self._signs.finditer(text):
            spans = _ending(text, sign) if sign["number"] else _beginning(text, sign)
            for start, end in spans:
                mention = self._meant(text[start:end])
                if mention >= 0:
                    yield OtherSpelling(start, end, mention)
                    break
        for word in self._joined(text):
            mention = self._mentions.get(f"e{fold(word['word'])}", -1)
            if mention >= 0:
                yield OtherSpelling(word.start(), word.end(), mention)

        yield from self._sons(text)

    def _sons(self, text: str) -> Iterator[OtherSpelling]:
        """The names that are mentions with a generation behind, and without it none, the longest of each."""
        behind = 0
        named = _NAMED_IN_SMALL if text.islower() else _NAMED
        for sign in named.finditer(text) if self._generations else ():
            end = sign.end("name")
            while sign.start() >= behind and end > sign.start():
                found = self._son(text, sign.start(), end)
                if found is not None:
                    behind = found.end
                    yield found
                end = max(text.rfind(" ", sign.start(), end), text.rfind("\u00a0", sign.start(), end))

    def _son(self, text: str, start: int, end: int) -> OtherSpelling | None:
        """What ``text[start:end]`` is with the generation behind it, or with any where it has none."""
        name = mention_of(text[start:end], LONGEST)
        if name is None or " " not in name:
            return None
        stated = self._generation.match(text, end)
        if stated is None and name in self._mentions:
            return None
        which = self._generations if stated is None else (f"{stated['which'].lower()}.",)
        keys = (f"{name}{comma} {generation}" for generation in which for comma in (",", ""))
        found = next((key for key in keys if key in self._mentions), None)
        if found is None:
            return None
        return OtherSpelling(start, end if stated is None else stated.end(), self._mentions[found])

    def are_parts(self, text: str) -> set[int]:
        """Where parts of words begin: no mail is meant in "e-mail"."""
        return {word.start("word") for word in self._joined(text)}

    def _joined(self, text: str) -> Iterator[re.Match[str]]:
        return iter(()) if self._electronic is None else self._electronic.finditer(text)

    def _meant(self, written: str) -> int:
        """The mention that another spelling of ``written`` is; -1 where there is none."""
        for spelling in numbered_or_short(written, self._language):
            folded = mention_of(spelling, LONGEST)
            if folded is not None and folded in self._mentions:
                return int(self._mentions.key_id(folded))
        return -1


def _ending(text: str, sign: re.Match[str]) -> list[tuple[int, int]]:
    """What ends with a number, the longest first: it has a word before it at the least."""
    starts: list[int] = []
    start = sign.start()
    while len(starts) < _BESIDE and (before := _BEFORE.search(text, max(0, start - _LONGEST_WORD), start)):
        start = before.start()
        starts.append(start)
    return [(start, sign.end()) for start in reversed(starts)]


def _beginning(text: str, sign: re.Match[str]) -> list[tuple[int, int]]:
    """What begins with a word, the longest first, the word itself at last."""
    ends = [sign.end()]
    while len(ends) <= _BESIDE and (behind := _BEHIND.match(text, ends[-1])):
        ends.append(behind.end())
    return [(sign.start(), end) for end in reversed(ends)]
