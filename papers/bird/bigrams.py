"""The terms of a benchmark of bigrams as places in a list of words."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from measures.arrays import Bools, Floats, Ints
from training.benchmarks.judgements import Benchmark


@dataclass(frozen=True, slots=True)
class BigramPairs:
    """Pairs of terms of one or two words each, and their scores.

    ``words``: the different words, in order of first appearance. ``left`` and ``right``: int64[n, 2], the
    places in ``words`` of each term's first and last word, the same place twice for a term of one word.
    ``bigram_left`` and ``bigram_right``: bool[n]. ``scores``: float64[n]. ``rows``: int64[n], the places of
    the pairs among the benchmark's judgements.
    """

    words: tuple[str, ...]
    left: Ints
    right: Ints
    bigram_left: Bools
    bigram_right: Bools
    scores: Floats
    rows: Ints

    @property
    def transposed(self) -> Bools:
        """Which pairs are AB–BA: a bigram, and its words in the other order."""
        both = self.bigram_left & self.bigram_right
        swapped: Bools = both & (self.left == self.right[:, ::-1]).all(axis=1)
        return swapped

    def among(self, kept: Bools) -> BigramPairs:
        """The pairs whose words are all ``kept``, bool[words]; the list of words stays."""
        held = (kept[self.left] & kept[self.right]).all(axis=1)
        return BigramPairs(
            self.words,
            self.left[held],
            self.right[held],
            self.bigram_left[held],
            self.bigram_right[held],
            self.scores[held],
            self.rows[held],
        )


def bigram_pairs(benchmark: Benchmark) -> BigramPairs:
    """The pairs of a benchmark of terms, cut into words at white space and lower-cased.

    A word with a hyphen or an apostrophe is one word, as in BiRD. A pair with a term of more than two words,
    or of none, is left out.
    """
    place: dict[str, int] = {}
    lefts: list[list[int]] = []
    rights: list[list[int]] = []
    rows: list[int] = []
    for row, judgement in enumerate(benchmark.judgements):
        left, right = judgement.left.lower().split(), judgement.right.lower().split()
        if 1 <= len(left) <= 2 and 1 <= len(right) <= 2:
            lefts.append([place.setdefault(word, len(place)) for word in left])
            rights.append([place.setdefault(word, len(place)) for word in right])
            rows.append(row)
    scores = [benchmark.judgements[row].score for row in rows]
    return BigramPairs(
        tuple(place),
        _ends(lefts),
        _ends(rights),
        np.array([len(term) == 2 for term in lefts], np.bool_),
        np.array([len(term) == 2 for term in rights], np.bool_),
        np.array(scores, np.float64),
        np.array(rows, np.int64),
    )


def _ends(terms: list[list[int]]) -> Ints:
    """The first and the last word of each term: int64[n, 2]."""
    return np.array([[term[0], term[-1]] for term in terms], np.int64).reshape(-1, 2)
