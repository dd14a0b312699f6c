"""How often a word stands in the articles of a snapshot."""

from __future__ import annotations

import math
from typing import Self

import marisa_trie
import numpy as np
from numpy.typing import NDArray

from snapshots.snapshot import Snapshot
from snapshots.stop_words import stop_words_of

RARE = 1e-4
"""The share of the sentences below which a word is rare: hardly anything but a name, where it has a capital.
1/1,000 would leave out twice as many annotations as words of longer names that have the words of an editor's
link and are right, and four fifths more of those within longer links."""


class WordCounts:
    """How often single words stand in the articles, stop words in every sentence."""

    def __init__(
        self,
        words: marisa_trie.RecordTrie,
        counts: NDArray[np.int64],
        stops: frozenset[str],
        total: int = 0,
    ) -> None:
        """``total``: the sentences of all articles."""
        self._total = total
        self._words, self._counts, self._stops = words, counts, stops

    @classmethod
    def of_snapshot(cls, snapshot: Snapshot) -> Self:
        """Those of a snapshot."""
        words, counts = snapshot.trie("words", "<I"), snapshot.array("word_counts")
        total = snapshot.manifest.counts.get("sentences", 0)
        return cls(words, counts, stop_words_of(snapshot.manifest), total)

    def is_stop(self, word: str) -> bool:
        """Whether it is a stop word of the language."""
        return word in self._stops

    def sentences(self, word: str) -> float:
        """The sentences with a word; 0 where it is not known as one, and infinitely many of a stop word."""
        if self.is_stop(word):
            return math.inf
        records = self._words.get(word)
        return float(self._counts[records[0][0]]) if records else 0.0

    def is_rare(self, word: str) -> bool:
        """Whether hardly any sentence has a word."""
        return self.sentences(word) < RARE * self._total

    def by_chance(self, name: str) -> float:
        """The sentences that have all words of a name by chance alone; of one word, those that have it.

        A stop word counts as if every sentence had it: "the city" stands where "city" does. 0 where a word is
        not known as one, or where the name has several and nobody counted all sentences.

        >>> words = marisa_trie.RecordTrie("<I", [("first", (0,)), ("book", (1,))])
        >>> counts = WordCounts(words, np.array([500, 200]), frozenset(["the"]), total=1000)
        >>> [counts.by_chance(name) for name in ("book", "the book", "first book", "the", "old book")]
        [200.0, 200.0, 100.0, inf, 0.0]
        """
        if " " not in name or not self._total:
            return self.sentences(name)
        content = [word for word in name.split() if not self.is_stop(word)]
        return self._total * math.prod(self.sentences(word) / self._total for word in content)
