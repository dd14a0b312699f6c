"""Sparse tables as ``.npy`` files: three a table, mapped when read, filled in order when written."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from numpy.typing import DTypeLike, NDArray

from tables.csr import CSR
from tables.manifest import TableEntry


def map_array(path: Path) -> NDArray[Any]:
    """The array in ``path``, memory-mapped."""
    # A plain ndarray over the map: slicing numpy.memmap itself costs three times as much.
    return np.asarray(np.load(path, mmap_mode="r", allow_pickle=False))


def save_array(path: Path, array: NDArray[Any]) -> None:
    """Write a plain array."""
    np.save(path, array, allow_pickle=False)


def save_csr(folder: Path, name: str, table: CSR) -> None:
    """Write a sparse table into ``folder``, with what its arrays do not say in ``name.json``."""
    save_array(folder / f"{name}.indptr.npy", table.indptr)
    save_array(folder / f"{name}.indices.npy", table.indices)
    if table.values is not None:
        save_array(folder / f"{name}.values.npy", table.values)
    _describe(folder, name, TableEntry(table.columns, table.scale))


def map_csr(folder: Path, name: str) -> CSR:
    """The sparse table ``name`` of ``folder``, memory-mapped."""
    entry = read_entry(folder, name)
    values = folder / f"{name}.values.npy"
    return CSR(
        map_array(folder / f"{name}.indptr.npy"),
        map_array(folder / f"{name}.indices.npy"),
        map_array(values) if values.exists() else None,
        entry.columns,
        entry.scale,
    )


def read_entry(folder: Path, name: str) -> TableEntry:
    """What the arrays of the sparse table ``name`` of ``folder`` do not say."""
    return msgspec.json.decode((folder / f"{name}.json").read_bytes(), type=TableEntry)


def csr_from_dataset(
    dataset: Path, folder: Path, name: str, shape: tuple[int, int], values: DTypeLike | None = None
) -> None:
    """Write the sparse table ``name`` from a data set of (row, column[, value]) without repeats.

    The data set's rows come in order of row and column, as a query with ``ORDER BY`` writes them; they
    are copied batch by batch, so that memory does not grow with the table.

    Raises:
        ValueError: the rows are out of order.
    """
    import pyarrow.parquet as pq  # noqa: PLC0415 the service maps arrays and needs no Parquet

    files = sorted(dataset.glob("*.parquet"))
    entries = sum(pq.read_metadata(path).num_rows for path in files)
    indices = _create(folder / f"{name}.indices.npy", np.int32, entries)
    weights = None if values is None else _create(folder / f"{name}.values.npy", values, entries)
    counts = np.zeros(shape[0] + 1, np.int64)
    position, last = 0, -1
    for path in files:
        with pq.ParquetFile(path) as file:
            for batch in file.iter_batches(1 << 20):
                if batch.num_rows == 0:
                    continue
                rows = batch.column(0).to_numpy().astype(np.int64)
                if rows[0] < last or (np.diff(rows) < 0).any():
                    raise ValueError(f"{dataset} is not ordered by row")
                last = int(rows[-1])
                counts[1:] += np.bincount(rows, minlength=shape[0])
                end = position + len(rows)
                indices[position:end] = batch.column(1).to_numpy()
                if weights is not None:
                    weights[position:end] = batch.column(2).to_numpy()
                position = end
    save_array(folder / f"{name}.indptr.npy", np.cumsum(counts))
    _describe(folder, name, TableEntry(shape[1]))


def _create(path: Path, dtype: DTypeLike, size: int) -> NDArray[Any]:
    if size == 0:  # an empty file cannot be mapped
        save_array(path, np.zeros(0, dtype))
        return np.zeros(0, dtype)
    return np.lib.format.open_memmap(path, mode="w+", dtype=np.dtype(dtype), shape=(size,))


def _describe(folder: Path, name: str, entry: TableEntry) -> None:
    (folder / f"{name}.json").write_bytes(msgspec.json.encode(entry))
