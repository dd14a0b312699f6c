"""Titles of a numbered series, by how they begin: the First Amendment to the United States Constitution.

Where each title of a series goes on with the same words, texts leave these out. A title by itself does not
tell that: the "National Assembly" is not that of Azerbaijan wherever a snapshot has no other.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

import marisa_trie

from snapshots.annotator.names.spelt import Spelt
from snapshots.naming.names import DISAMBIGUATION

SERIES = 5
"""Titles that differ in their ordinal alone, from which on they are a series."""

FEW = 8
"""Titles with the same beginning that are looked at."""

_ENGLISH = "First Second Third Fourth Fifth Sixth Seventh Eighth Ninth Tenth"
_ORDINALS = {"en": tuple(_ENGLISH.split())}
"""By language, the first ordinals, which tell whether there is a series."""

_ORDINAL = {"en": r"(?:\w+-)?(?i:first|second|third|[^\W\d_]+th)"}
"""By language, what an ordinal looks like."""

_GOES_ON = {"en": ("to ", "of ")}
"""By language, what stands before the words that a series has in common."""

REMEMBERED = 10_000
"""Beginnings of titles of which it is remembered what they lead to."""


class NumberedTitles:
    """Finds the beginnings of such titles in texts. Reads only; usable from several threads."""

    def __init__(self, leading: marisa_trie.RecordTrie, language: str) -> None:
        """``leading``: whatever leads somewhere (``snapshots.naming.names.RECORD``)."""
        self._leading, self._goes_on = leading, _GOES_ON.get(language, ())
        self._ordinals = _ORDINALS.get(language, ())
        first, noun = rf"(?=[^\W\d_a-z]){_ORDINAL.get(language, '(?!)')}", r"[^\W\d_a-z][^\W\d_]+"
        self._signs = re.compile(rf"(?<![\w-])(?P<first>{first})[ \u00a0](?P<noun>{noun})\b")
        self._kept: dict[tuple[str, str], int] = {}

    def found(self, text: str) -> Iterator[Spelt]:
        """The ordinals with a noun behind, both with capitals, that begin the title of such a series."""
        for sign in self._signs.finditer(text):
            words = sign["first"], sign["noun"]
            concept = self._kept.get(words)
            if concept is None:
                concept = self._concept(*words)
                if len(self._kept) >= REMEMBERED:
                    self._kept = {}
                self._kept[words] = concept
            if concept >= 0:
                yield Spelt(sign.start(), sign.end(), concept)

    def _concept(self, first: str, noun: str) -> int:
        """The concept of the only title with such a beginning; -1 where it is none of a series."""
        begun = list(islice(self._leading.iterkeys(f"{first} {noun} "), FEW))
        if len(begun) != 1:
            return -1
        rest = begun[0].removeprefix(f"{first} ")
        kind, concept = self._leading[begun[0]][0]
        if kind == DISAMBIGUATION or not rest.removeprefix(f"{noun} ").startswith(self._goes_on):
            return -1
        of_series = sum(f"{ordinal} {rest}" in self._leading for ordinal in self._ordinals)
        return int(concept) if of_series >= SERIES else -1
