"""The terms of a benchmark of bigrams as places in a list of words."""

from __future__ import annotations

from dataclasses import dataclass, replace

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
        of_pairs = ("left", "right", "bigram_left", "bigram_right", "scores", "rows")
        return replace(self, **{name: getattr(self, name)[held] for name in of_pairs})


def bigram_pairs(benchmark: Benchmark) -> BigramPairs:
    """The pairs of a benchmark of terms, cut into words at white space and lower-cased.

    A word with a hyphen or an apostrophe is one word, as in BiRD. A pair with a term of more than two words,
    or of none, is left out.
    """
    sides = [(pair.left.lower().split(), pair.right.lower().split()) for pair in benchmark.judgements]
    rows = [row for row, terms in enumerate(sides) if all(1 <= len(term) <= 2 for term in terms)]
    words = dict.fromkeys(word for row in rows for term in sides[row] for word in term)
    place = {word: number for number, word in enumerate(words)}
    # The first and the last word of each term, on the left and on the right.
    ends = [[[place[term[0]], place[term[-1]]] for term in sides[row]] for row in rows]
    bigram = np.array([[len(term) == 2 for term in sides[row]] for row in rows], np.bool_).reshape(-1, 2)
    left, right = np.array(ends, np.int64).reshape(-1, 2, 2).swapaxes(0, 1)
    scores = np.array([benchmark.judgements[row].score for row in rows], np.float64)
    return BigramPairs(
        tuple(words), left, right, bigram[:, 0], bigram[:, 1], scores, np.array(rows, np.int64)
    )
