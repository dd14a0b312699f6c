"""The evidence of pairs by SciPy and NumPy alone: what tests hold ``features.gathering`` to.

It returns the same ``Gathered``, so that the measures take either. Counts and the dots of sparse rows are
equal to the last bit, since both add products in the order of columns. Those of word vectors are added in
another order, and are within 1e-12.
"""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from features.gathering import Friends, Gathered, Overlap, Rows, Tables, Titles, tables_of
from measures.arrays import Array, Floats, Ints
from snapshots.snapshot import Snapshot


class PlainGatherer:
    """The tables of a snapshot as SciPy's matrices, which share their memory."""

    def __init__(self, snapshot: Snapshot) -> None:
        self._tables = tables_of(snapshot)
        self._matrices = {
            name: _matrix(table, snapshot.csr(name).checked().columns)
            for name, table in zip(Tables._fields, self._tables, strict=True)
            if isinstance(table, Rows)
        }

    def gather(self, left: Ints, right: Ints) -> Gathered:
        """What is known of the concepts ``left[i]`` and ``right[i]``, int64[n] both, for each i."""
        tables, titles = self._tables, self._matrices["title_words"]
        blocks = [
            list(product(titles[[a]].indices, titles[[b]].indices))
            for a, b in zip(left.tolist(), right.tolist(), strict=True)
        ]
        words, others = np.array([pair for block in blocks for pair in block], np.int64).reshape(-1, 2).T
        return Gathered(
            self._overlap("in_links", left, right),
            self._overlap("out_links", left, right),
            self._overlap("links", left, right),
            self._overlap("categories", left, right),
            self._friends(left, right),
            self._friends(right, left),
            self._co_occurrence("comentions", tables.concept_counts, left, right),
            self._dots("contexts", "contexts", left, right),
            self._dots("tfidf", "tfidf", left, right),
            self._dots("esa", "esa", left, right),
            Titles(
                self._sizes("title_words", left),
                self._sizes("title_words", right),
                tables.title_lengths[left],
                tables.title_lengths[right],
            ),
            np.cumsum([0, *map(len, blocks)]),
            self._co_occurrence("word_pairs", tables.word_counts, words, others),
            _word_dots(tables.word_vectors, words, others),
        )

    def _overlap(self, name: str, left: Ints, right: Ints) -> Overlap:
        both = self._dots(name, name, left, right)
        return Overlap(both, self._sizes(name, left), self._sizes(name, right))

    def _friends(self, source: Ints, target: Ints) -> Friends:
        links = self._entries("out_links", source, target) > 0
        both = self._dots("out_links", "in_links", source, target)
        return Friends(links, both, self._sizes("out_links", source))

    def _dots(self, name: str, other: str, left: Ints, right: Ints) -> Floats:
        # Their products are exact in twice the digits.
        first = self._matrices[name][left].astype(np.float64)
        second = self._matrices[other][right].astype(np.float64)
        sums: Floats = first.multiply(second) @ np.ones(first.shape[1])
        return sums * (self._scale(name) * self._scale(other))

    def _entries(self, name: str, rows: Ints, columns: Ints) -> Floats:
        matrix, found = self._matrices[name], np.zeros(len(rows))
        inside = rows < matrix.shape[0]
        if inside.any():
            found[inside] = matrix[rows[inside], columns[inside]]
        return found * self._scale(name)

    def _co_occurrence(self, name: str, counts: Array, left: Ints, right: Ints) -> Overlap:
        both = self._entries(name, np.minimum(left, right), np.maximum(left, right))
        return Overlap(np.where(left == right, counts[left], both), counts[left], counts[right])

    def _sizes(self, name: str, rows: Ints) -> Ints:
        sizes: Ints = np.diff(self._matrices[name].indptr)[rows].astype(np.int64)
        return sizes

    def _scale(self, name: str) -> float:
        scale: float = getattr(self._tables, name).scale
        return scale


def _matrix(table: Rows, columns: int) -> sparse.csr_array:
    """The table as SciPy's; values unscaled, ones where only membership counts."""
    values = np.ones(len(table.indices), np.int8) if table.values is None else table.values
    return sparse.csr_array((values, table.indices, table.indptr), (len(table.indptr) - 1, columns))


def _word_dots(vectors: NDArray[Any], words: Ints, others: Ints) -> Floats:
    dots = np.zeros(len(words))
    inside = np.maximum(words, others) < len(vectors)
    left, right = (vectors[side[inside]].astype(np.float64) for side in (words, others))
    dots[inside] = np.einsum("wd,wd->w", left, right)
    return np.where((words == others) & (dots > 0), 1.0, dots)
