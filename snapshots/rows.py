"""Choosing rows and entries of sparse tables, many at a time."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from measures.arrays import Ints, boundaries
from measures.ranks import greatest
from snapshots.csr import CSR

_NONE = np.zeros(0, np.int64)


def rows_of_entries(table: CSR) -> Ints:
    """The row of every entry."""
    return np.repeat(np.arange(table.rows), np.diff(table.indptr))


def with_entries(table: CSR, keep: NDArray[np.bool_]) -> CSR:
    """The table with only the entries where ``keep`` holds."""
    indptr = boundaries(np.bincount(rows_of_entries(table)[keep], minlength=table.rows))
    values = None if table.values is None else table.values[keep]
    return CSR(indptr, table.indices[keep], values, table.columns, table.scale)


def with_rows(table: CSR, rows: Ints) -> CSR:
    """Some rows of a table."""
    sizes = table.sizes(rows)
    indptr = boundaries(sizes)
    places = np.repeat(table.indptr[rows] - indptr[:-1], sizes) + np.arange(indptr[-1])
    values = None if table.values is None else table.values[places]
    return CSR(indptr, table.indices[places], values, table.columns, table.scale, table.source)


def union(left: CSR, right: CSR) -> CSR:
    """The entries of ``left`` or ``right``: tables of one shape, without values, whose rows ascend.

    Its arrays are read-only, as those of tables that are mapped: kernels are compiled for such.
    """
    rows, columns = next(merged(left, right, left.entries + right.entries), (_NONE, _NONE))
    indptr, indices = boundaries(np.bincount(rows, minlength=left.rows)), columns.astype(left.indices.dtype)
    for array in (indptr, indices):
        array.flags.writeable = False
    return CSR(indptr, indices, None, left.columns)


def merged(left: CSR, right: CSR, entries_at_once: int) -> Iterator[tuple[Ints, Ints]]:
    """Rows and columns of the entries of both tables, in order and each once, of whole rows at a time."""
    ends = left.indptr + right.indptr
    start = 0
    while start < left.rows:
        stop = int(np.searchsorted(ends, ends[start] + entries_at_once, side="right")) - 1
        stop = max(stop, start + 1)
        keys = np.concatenate([_keys(left, start, stop), _keys(right, start, stop)])
        keys.sort(kind="stable")  # which finds that each half is in order
        keys = keys[np.diff(keys, prepend=-1) > 0]
        yield keys >> 32, keys & 0xFFFFFFFF
        start = stop


def _keys(table: CSR, start: int, stop: int) -> Ints:
    """Row and column of each entry of some rows, as one number."""
    rows = np.repeat(np.arange(start, stop), np.diff(table.indptr[start : stop + 1]))
    return rows << 32 | table.indices[table.indptr[start] : table.indptr[stop]]


def unit_top_k(table: CSR, k: int) -> CSR:
    """The ``k`` greatest entries of each row, scaled to unit length."""
    among = np.ones(table.entries, np.bool_)
    for row in np.flatnonzero(np.diff(table.indptr) > k):
        start, end = table.indptr[row : row + 2]
        among[start:end] = False
        among[start + greatest(table.weights[start:end], k)] = True
    kept = with_entries(table, among)
    weights = kept.weights.astype(np.float64)
    rows = rows_of_entries(kept)
    lengths = np.sqrt(np.bincount(rows, weights**2, kept.rows))
    return CSR(kept.indptr, kept.indices, weights / np.maximum(lengths[rows], 1e-300), kept.columns)


def most_frequent(counts: Ints, number: int) -> NDArray[np.bool_]:
    """Which concepts are the ``number`` most frequent; of equals the smaller ids."""
    chosen = np.zeros(len(counts), np.bool_)
    chosen[greatest(counts, number)] = True
    return chosen & (counts > 0)
