"""Rows of sparse tables, compared and cut, with scipy."""

from __future__ import annotations

import numpy as np
from scipy import sparse

import measures
from measures.arrays import Floats, Ints
from measures.ranks import greatest
from snapshots.csr import CSR


def as_sparse(table: CSR) -> sparse.csr_array:
    """A table as scipy has it, float64; what it keeps membership of alone is 1."""
    table = table.checked()
    values = np.ones(table.entries) if table.values is None else table.values.astype(np.float64) * table.scale
    # Copied: scipy may write to what it is given, and a table's file is mapped.
    columns, starts = np.array(table.indices, np.int32), np.array(table.indptr)
    return sparse.csr_array((values, columns, starts), shape=(table.rows, table.columns))


def heaviest(table: sparse.csr_array, kept: int) -> sparse.csr_array:
    """The ``kept`` greatest entries of each row; of equals those of the smaller columns."""
    table.sort_indices()
    among = np.ones(table.nnz, np.bool_)
    for row in np.flatnonzero(np.diff(table.indptr) > kept):
        start, end = table.indptr[row : row + 2]
        among[start:end] = False
        among[start + greatest(table.data[start:end], kept)] = True
    cut = table.copy()
    cut.data[~among] = 0.0
    cut.eliminate_zeros()
    return cut


def dots(table: sparse.csr_array, left: Ints, right: Ints) -> Floats:
    """The dot products of rows ``left`` and ``right``, int64[n]: float64[n]."""
    return np.asarray(table[left].multiply(table[right]).sum(axis=1), np.float64).reshape(-1)


def row_cosines(table: sparse.csr_array, left: Ints, right: Ints) -> Floats:
    """The cosines of rows ``left`` and ``right``, int64[n]: float64[n]; 0 with a row of zeros."""
    lengths = np.sqrt(np.asarray(table.multiply(table).sum(axis=1), np.float64).reshape(-1))
    return measures.cosine_of(dots(table, left, right), lengths[left], lengths[right])
