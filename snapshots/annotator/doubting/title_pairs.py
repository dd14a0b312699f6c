"""Words that stand side by side in titles: in "the Red Cross", Red is no colour.

The title "International Red Cross and Red Crescent Movement" tells it, although no title is "Red Cross".
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from snapshots.naming.names import Names
from snapshots.naming.word_counts import WordCounts
from snapshots.strings import StringTable
from wiki.folding import fold

WordPair = tuple[str, str]
"""Two words as they are written, in this order."""

WALKED = 2000
"""Concepts with the rarer of two words that are looked through for those with both."""

TITLES = 40
"""Concepts with both words whose titles are looked at, the most linked."""

REMEMBERED = 20_000
"""Pairs of which it is remembered whether titles have them."""


class TitlePairs:
    """Tells which two words stand side by side in titles. Reads only; usable from several threads."""

    def __init__(self, names: Names, titles: StringTable, counted: WordCounts) -> None:
        """``names`` and ``titles``: of the concepts; ``counted``: says which of two words is rarer."""
        self._names, self._titles, self._counted = names, titles, counted
        self._kept: dict[WordPair, frozenset[int]] = {}

    def concepts(self, pairs: Iterable[WordPair]) -> dict[WordPair, frozenset[int]]:
        """By each pair of words the concepts in whose titles they stand side by side, written just so."""
        kept = self._kept
        asked = list(dict.fromkeys(pairs))
        unknown = [pair for pair in asked if pair not in kept]
        found = self._names.most_linked_with_both(list(map(self._rarer_first, unknown)), WALKED, TITLES)
        fresh = {pair: self._with_pair(pair, both) for pair, both in zip(unknown, found, strict=True)}
        known = {pair: fresh[pair] if pair in fresh else kept[pair] for pair in asked}
        if len(kept) + len(fresh) > REMEMBERED:
            self._kept = kept = {}  # another thread goes on with the old one
        kept.update(fresh)
        return known

    def _rarer_first(self, pair: WordPair) -> WordPair:
        first, second = map(fold, pair)
        rarer = self._counted.sentences(first) <= self._counted.sentences(second)
        return (first, second) if rarer else (second, first)

    def _with_pair(self, pair: WordPair, concepts: Iterable[int]) -> frozenset[int]:
        beside = re.compile(rf"\b{re.escape(pair[0])} {re.escape(pair[1])}\b")
        return frozenset(each for each in concepts if beside.search(self._titles[each]) is not None)
