"""Sparse tables written down row by row."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from snapshots.csr import CSR


def csr_of_sets(rows: Sequence[Iterable[int]], columns: int) -> CSR:
    """A membership table from one collection of columns a row."""
    return CSR.from_entries(
        np.array([i for i, row in enumerate(rows) for _ in set(row)], np.int64),
        np.array([column for row in rows for column in set(row)], np.int64),
        None,
        shape=(len(rows), columns),
    )


def csr_of_mappings(rows: Sequence[dict[int, float]], columns: int) -> CSR:
    """A table of float32 values from one ``{column: value}`` a row."""
    return CSR.from_entries(
        np.array([i for i, row in enumerate(rows) for _ in row], np.int64),
        np.array([column for row in rows for column in row], np.int64),
        np.array([value for row in rows for value in row.values()], np.float32),
        shape=(len(rows), columns),
    )
