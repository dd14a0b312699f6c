"""The evidence of pairs by SciPy and NumPy alone: what tests hold ``features.gathering`` to.

It is read by the same names, so that features take either. Counts and the dots of sparse rows are equal to
the last bit, since both add products in the order of columns. Those of vectors are added in another order,
and are within 1e-12.
"""

from __future__ import annotations

from itertools import product

import numpy as np
from scipy import sparse

from features.kinds import (
    BestMatches,
    CoOccurrence,
    Kind,
    LinksBetween,
    Overlap,
    Parts,
    Total,
    Vectors,
    VectorsAcross,
)
from measures.arrays import Floats, Ints
from snapshots.scaled import ScaledVectors
from snapshots.snapshot import Snapshot


class PlainTables:
    """The tables of a snapshot as SciPy's matrices, which share their memory."""

    def __init__(self, snapshot: Snapshot) -> None:
        self.snapshot = snapshot
        self._matrices: dict[str, sparse.csr_array] = {}

    def matrix(self, name: str) -> sparse.csr_array:
        """A table as SciPy's; values unscaled, ones where only membership counts."""
        if name not in self._matrices:
            table = self.snapshot.csr(name).checked()
            values = np.ones(table.entries, np.int8) if table.values is None else table.values
            shape = (table.rows, table.columns)
            self._matrices[name] = sparse.csr_array((values, table.indices, table.indptr), shape)
        return self._matrices[name]

    def scale(self, name: str) -> float:
        return self.snapshot.csr(name).scale

    def sizes(self, name: str, rows: Ints) -> Ints:
        sizes: Ints = np.diff(self.matrix(name).indptr)[rows].astype(np.int64)
        return sizes

    def entries(self, name: str, rows: Ints, columns: Ints) -> Floats:
        matrix, found = self.matrix(name), np.zeros(len(rows))
        inside = rows < matrix.shape[0]
        if inside.any():
            found[inside] = matrix[rows[inside], columns[inside]]
        return found * self.scale(name)

    def dots(self, name: str, other: str, left: Ints, right: Ints) -> Floats:
        # Their products are exact in twice the digits.
        first = self.matrix(name)[left].astype(np.float64)
        second = self.matrix(other)[right].astype(np.float64)
        sums: Floats = first.multiply(second) @ np.ones(first.shape[1])
        return sums * (self.scale(name) * self.scale(other))


class PlainEvidence:
    """What is known of ``left[i]`` and ``right[i]``, int64[n] both, by kind."""

    def __init__(self, tables: PlainTables, left: Ints, right: Ints) -> None:
        self._tables, self._left, self._right = tables, left, right

    def __getitem__(self, item: Kind | Parts) -> Floats:
        if isinstance(item, Parts):
            return self[item.kind][list(item.places)]
        return np.array(self._rows(item), np.float64).reshape(len(item.parts), len(self._left))

    def _rows(self, kind: Kind) -> list[Floats | Ints]:  # noqa: PLR0911 - one for each kind
        tables, left, right = self._tables, self._left, self._right
        match kind:
            case Overlap(name, other):
                other = other or name
                return [
                    tables.dots(name, other, left, right),
                    tables.sizes(name, left),
                    tables.sizes(other, right),
                ]
            case LinksBetween(name):
                links = tables.entries(name, left, right), tables.entries(name, right, left)
                return [np.minimum(entries, 1.0) for entries in links]
            case CoOccurrence(name, counted):
                counts = tables.snapshot.array(counted)
                both = tables.entries(name, np.minimum(left, right), np.maximum(left, right))
                return [np.where(left == right, counts[left], both), counts[left], counts[right]]
            case Vectors(name):
                return [_dots(_vectors(tables.snapshot, name), left, right)]
            case VectorsAcross(name, other):
                first, second = (_vectors(tables.snapshot, table) for table in (name, other))
                return [_across(first, second, left, right), _across(first, second, right, left)]
            case Total(count):
                return [np.full(len(left), getattr(tables.snapshot, count))]
            case BestMatches():
                return self._matches(kind)
            case _:
                raise TypeError(kind)

    def _matches(self, kind: BestMatches) -> list[Floats | Ints]:
        titles, lengths = self._tables.matrix("title_words"), self._tables.snapshot.array("title_lengths")
        best = np.zeros((2, len(self._left)))
        for pair, (a, b) in enumerate(zip(self._left.tolist(), self._right.tolist(), strict=True)):
            words, others = titles[[a]].indices, titles[[b]].indices
            if not len(words) or not len(others):
                continue
            beside = np.array(list(product(words, others)), np.int64).T
            evidence = PlainEvidence(self._tables, *beside)
            taken = [row for item in kind.evidence for row in evidence[item]]
            block = kind.measure(*taken).reshape(len(words), len(others))
            for side, (matches, known, length) in enumerate(
                ((block.max(axis=1), len(others), lengths[b]), (block.max(axis=0), len(words), lengths[a]))
            ):
                # Beside a word that is unknown, and related to none, nothing matches less than 0.
                best[side, pair] = sum(max(match, 0.0) if known < length else match for match in matches)
        return [best[0], lengths[self._left], best[1], lengths[self._right]]


def _vectors(snapshot: Snapshot, name: str) -> Floats | ScaledVectors:
    table = snapshot.table(name)
    return table if isinstance(table, ScaledVectors) else np.asarray(table, np.float64)


def _across(first: Floats | ScaledVectors, second: Floats | ScaledVectors, left: Ints, right: Ints) -> Floats:
    """Dot products; of scaled vectors those of the integers, which are exact, times both scales."""
    if isinstance(first, ScaledVectors) and isinstance(second, ScaledVectors):
        rows = first.vectors[left].astype(np.int64), second.vectors[right].astype(np.int64)
        scales = first.scales[left].astype(np.float64) * second.scales[right].astype(np.float64)
        return np.asarray(np.einsum("wd,wd->w", *rows) * scales, np.float64)
    assert not isinstance(first, ScaledVectors)
    assert not isinstance(second, ScaledVectors)
    rows = first[left].astype(np.float64), second[right].astype(np.float64)
    return np.asarray(np.einsum("wd,wd->w", *rows), np.float64)


def _dots(vectors: Floats | ScaledVectors, left: Ints, right: Ints) -> Floats:
    dots = np.zeros(len(left))
    inside = np.maximum(left, right) < len(vectors)
    dots[inside] = _across(vectors, vectors, left[inside], right[inside])
    return np.where((left == right) & (dots > 0), 1.0, dots)
