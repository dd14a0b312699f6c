"""How often a word stands in the articles of a snapshot."""

from __future__ import annotations

import math
from typing import Self

import marisa_trie
import numpy as np
from numpy.typing import NDArray

from snapshots.snapshot import Snapshot
from snapshots.stop_words import stop_words_of


class WordCounts:
    """How often single words stand in the articles, stop words in every sentence."""

    def __init__(
        self, words: marisa_trie.RecordTrie, counts: NDArray[np.int64], stops: frozenset[str]
    ) -> None:
        self._words, self._counts, self._stops = words, counts, stops

    @classmethod
    def of_snapshot(cls, snapshot: Snapshot) -> Self:
        """Those of a snapshot."""
        words, counts = snapshot.trie("words", "<I"), snapshot.array("word_counts")
        return cls(words, counts, stop_words_of(snapshot.manifest))

    def is_stop(self, word: str) -> bool:
        """Whether it is a stop word of the language."""
        return word in self._stops

    def sentences(self, word: str) -> float:
        """The sentences with a word; 0 where it is not known as one, and infinitely many of a stop word."""
        if self.is_stop(word):
            return math.inf
        records = self._words.get(word)
        return float(self._counts[records[0][0]]) if records else 0.0
