"""Searching for concepts by what somebody types: the beginning of a title, or nearly that."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import marisa_trie
import numpy as np

from snapshots.names import ARTICLE, Name, Names
from snapshots.spelling import Spellings
from snapshots.strings import StringTable
from wiki.folding import fold

Match = Literal["prefix", "near"]

LONGEST = 255
"""Characters of a query that are looked at: no title has more bytes."""

_SAMPLED = 2000
"""Titles, from all over the wiki, that say which letters it is written with."""

_LETTERS = 48
"""Letters that are tried where one may be missing or wrong: the most frequent."""

_ONE_EDIT, _TWO_EDITS = 3, 6
"""From how many letters on one edit is allowed, and two: fewer letters are near to everything."""


@dataclass(frozen=True, slots=True)
class SearchHit:
    """A concept that was found, and how.

    ``title`` is that of its article; ``redirect`` the one that matched, where it was not the article's.
    """

    concept: int
    title: str
    match: Match
    redirect: str | None = None


class TitleSearch:
    """Finds concepts by what their titles and redirects begin with. Usable from several threads."""

    def __init__(self, names: Names, variants: marisa_trie.RecordTrie, concept_titles: StringTable) -> None:
        """``variants``: the trie of folded titles (``snapshots.layout.TRIES``)."""
        self._names = names
        self._variants = variants
        self._titles = concept_titles

    def find(self, text: str, limit: int) -> list[SearchHit]:
        """Concepts of which a title begins with ``text``, or else nearly so; up to ``limit``.

        Case and accents do not matter. Those that begin so come by their in-links; of the others the nearest
        come first, and of those as near the most linked. A title is near that begins with the text but for
        one edit; or for two, where the text has six letters and no title begins so; and where none does, one
        that begins with whole words of the text that are half of it or more.
        """
        # One letter may become eighteen.
        folded = fold(text[:LONGEST])[:LONGEST]
        if not folded or not _encodable(folded):
            return []
        found: dict[int, SearchHit] = {}
        for name in self._names.beginning_with(folded, limit):
            found[name.concept] = self._found(name, "prefix")
        if len(found) < limit:
            most = 1 if found else 2
            for name in self._near(folded, limit, most) or self._alike(folded, limit):
                if name.concept not in found:
                    found[name.concept] = self._found(name, "near")
                if len(found) == limit:
                    break
        return list(found.values())

    def _near(self, folded: str, limit: int, most: int) -> list[Name]:
        """Names that nearly begin with ``folded``: the nearest and then the most linked ones.

        Two edits, if ``most`` allows them, are tried where one does not lead to enough. Of letters that begin
        many titles, those are known that are named so exactly, some that begin so, and those among the most
        linked of the wiki.
        """
        names: list[Name] = []
        allowed = (len(folded) >= _ONE_EDIT) + (len(folded) >= _TWO_EDITS)
        for edits in range(1, min(allowed, most) + 1):
            names = self._ranked(self._spellings.near(folded, edits))
            if len({name.concept for name in names}) >= limit:
                break
        return names

    def _ranked(self, spellings: dict[str, int]) -> list[Name]:
        """Names that begin with one of ``spellings``, by how many edits these are, then by their in-links."""
        # Of as many edits the longest first: they begin the fewest titles.
        order = sorted(spellings, key=lambda spelling: (spellings[spelling], -len(spelling), spelling))
        found = {*self._names.spelt(order), *self._names.completed(order)}
        found.update(name for spelling in order for name in self._names.popular(spelling))
        lengths = {len(spelling) for spelling in order}

        def rank(name: Name) -> tuple[int, int, int, str]:
            edits = min(spellings.get(name.folded[:length], _TWO_EDITS) for length in lengths)
            return edits, -name.in_links, name.kind, name.folded

        return sorted(found, key=rank)

    def _alike(self, folded: str, limit: int) -> list[Name]:
        """Names that begin with as many whole words of ``folded`` as any does, if these are half of it."""
        known = self._spellings.known_beginning(folded)
        words = known.rpartition(" ")[0]
        return self._names.beginning_with(words, limit) if 2 * len(words) >= len(folded) else []

    def _found(self, name: Name, match: Match) -> SearchHit:
        redirect = None if name.kind == ARTICLE else name.title
        return SearchHit(name.concept, self._titles[name.concept], match, redirect)

    @cached_property
    def _spellings(self) -> Spellings:
        rows = len(self._titles)
        sampled = np.linspace(0, rows - 1, min(rows, _SAMPLED)).astype(np.int64)
        counts = Counter(letter for row in sampled.tolist() for letter in fold(self._titles[row]))
        # Of equally frequent ones always the same.
        letters = sorted(counts, key=lambda letter: (-counts[letter], letter))[:_LETTERS]
        return Spellings(self._variants, "".join(letters))


def _encodable(text: str) -> bool:
    """Whether ``text`` could stand in a file: half of a surrogate pair cannot."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
