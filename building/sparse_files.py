"""Sparse tables as files, filled in order: memory does not grow with them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from building.arrays import create_array, describe, save_array
from building.dataset import read_batches, row_count
from snapshots.csr import CSR
from snapshots.manifest import TableEntry
from snapshots.rows import merged


def csr_from_dataset(
    dataset: Path, folder: Path, name: str, shape: tuple[int, int], values: DTypeLike | None = None
) -> None:
    """Write the sparse table ``name`` from a data set of (row, column[, value]) without repeats.

    The data set's rows come in order of row and column, as a query with ``ORDER BY`` writes them; they
    are copied batch by batch, so that memory does not grow with the table.

    Raises:
        ValueError: the rows are out of order, or one is there twice.
    """
    entries = row_count(dataset)
    indices = create_array(folder / f"{name}.indices.npy", np.int32, (entries,))
    weights = None if values is None else create_array(folder / f"{name}.values.npy", values, (entries,))
    counts = np.zeros(shape[0] + 1, np.int64)
    position, last = 0, -1
    for batch in read_batches(dataset, rows=1 << 20):
        if batch.num_rows == 0:
            continue
        rows, columns = batch.column(0).to_numpy().astype(np.int64), batch.column(1).to_numpy()
        keys = rows << 32 | columns
        if keys[0] <= last or (np.diff(keys) <= 0).any():
            raise ValueError(f"{dataset} is not ordered by row and column, each pair once")
        last = int(keys[-1])
        count_rows(counts[1:], rows)
        end = position + len(rows)
        indices[position:end] = columns
        if weights is not None:
            weights[position:end] = batch.column(2).to_numpy()
        position = end
    save_array(folder / f"{name}.indptr.npy", np.cumsum(counts))
    describe(folder, name, TableEntry(shape[1]))


def csr_from_union(left: CSR, right: CSR, folder: Path, name: str, entries_at_once: int = 1 << 20) -> None:
    """Write the sparse table ``name`` of the entries of ``left`` or ``right``: one shape, no values.

    They are merged some rows at a time, twice, first to count: memory does not grow with the tables.
    """
    counts = np.zeros(left.rows + 1, np.int64)
    for rows, _ in merged(left, right, entries_at_once):
        count_rows(counts[1:], rows)
    indptr = np.cumsum(counts)
    save_array(folder / f"{name}.indptr.npy", indptr)
    indices = create_array(folder / f"{name}.indices.npy", np.int32, (int(indptr[-1]),))
    position = 0
    for _, columns in merged(left, right, entries_at_once):
        indices[position : position + len(columns)] = columns
        position += len(columns)
    describe(folder, name, TableEntry(left.columns))


def count_rows(counts: NDArray[np.int64], rows: NDArray[Any]) -> None:
    """Add to ``counts`` how often each of ``rows`` is there; they are ascending."""
    if not len(rows):
        return
    # From the first to the last alone: a batch is of few rows, of the millions that there may be.
    added = np.bincount(rows - rows[0])
    counts[rows[0] : rows[0] + len(added)] += added
