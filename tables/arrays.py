"""Sparse tables as ``.npy`` files: three a table, mapped when read, filled in order when written."""

from __future__ import annotations

import errno
import math
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from numpy.typing import DTypeLike, NDArray

from tables.csr import CSR
from tables.errors import NotMapped, damaged
from tables.manifest import TableEntry

_START = b"\x93NUMPY\x01\x00"
"""How a file begins: the format's name and version. The length of the header comes next, in two bytes."""

_HEADER = re.compile(
    rb"\{'descr': '([<>|=][biuf][1248])', 'fortran_order': False, "
    rb"'shape': \(((?:[0-9]{1,18}(?:, |,|(?=\))))*)\), \} *\n"
)
"""The header of an array as ``create_array`` writes it: its type and its shape."""


def map_array(path: Path) -> NDArray[Any]:
    """The array in ``path``, memory-mapped. Several threads may map arrays at once.

    The header is matched, not evaluated: it says what ``create_array`` writes, or the file is damaged.

    Raises:
        DamagedSnapshot: the file is not an array, or not all of one.
        NotMapped: the machine has no room to map it.
    """
    with path.open("rb") as file:
        head = file.read(len(_START) + 2)
        header = file.read(int.from_bytes(head[len(_START) :], "little"))
        start, size = file.tell(), os.fstat(file.fileno()).st_size
    found = _HEADER.fullmatch(header) if head.startswith(_START) else None
    if found is None:
        raise damaged(path, "it does not begin as an array does")
    kind = np.dtype(found[1].decode())
    shape = tuple(int(part) for part in found[2].split(b",") if part.strip())
    if not kind.isnative or size != start + kind.itemsize * math.prod(shape):
        raise damaged(path, f"it has {size:,} bytes, and its header says {kind.str} of the shape {shape}")
    try:
        mapped = np.memmap(path, kind, "r", start, shape)
    except (MemoryError, OSError) as error:
        raise no_room(path, error) from None
    # A plain ndarray over the map: slicing numpy.memmap itself costs three times as much.
    return np.asarray(mapped)


def no_room(path: Path, error: Exception) -> Exception:
    """What to raise where a file could not be mapped: a sentence, if it is for want of room."""
    if isinstance(error, OSError) and error.errno != errno.ENOMEM:
        return error
    return NotMapped(
        f"{path} cannot be mapped: this process has no room for its {path.stat().st_size:,} bytes. Raise the "
        "limit of its address space (ulimit -v), or of the maps that it may have (vm.max_map_count)."
    )


def save_array(path: Path, array: NDArray[Any]) -> None:
    """Write a plain array."""
    create_array(path, array.dtype, array.shape)[...] = array


def create_array(path: Path, dtype: DTypeLike, shape: tuple[int, ...]) -> NDArray[Any]:
    """A new array of zeros in the file ``path``, memory-mapped, to be filled.

    Raises:
        OSError: the disk has no room for it. Writing to a map whose blocks are not there kills the process.
    """
    kind = np.dtype(dtype)
    with path.open("wb") as file:
        header = {"descr": np.lib.format.dtype_to_descr(kind), "fortran_order": False, "shape": shape}
        np.lib.format.write_array_header_1_0(file, header)
        file.flush()
        start, size = file.tell(), kind.itemsize * math.prod(shape)
        if size == 0:  # nothing cannot be mapped
            return np.zeros(shape, kind)
        _reserve(file.fileno(), start, size)
    return np.asarray(np.memmap(path, kind, "r+", start, shape))


def _reserve(descriptor: int, start: int, size: int) -> None:
    """Give a file the blocks of ``size`` zeros from ``start``, which is its end."""
    try:
        os.posix_fallocate(descriptor, start, size)
    except OSError as error:
        if error.errno not in (errno.EOPNOTSUPP, errno.EINVAL):
            raise
        # A file system that cannot reserve blocks can still be written to.
        block = bytes(1 << 20)
        for place in range(0, size, len(block)):
            os.pwrite(descriptor, block[: size - place], start + place)


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
        ValueError: the rows are out of order, or one is there twice.
    """
    import pyarrow.parquet as pq  # noqa: PLC0415 the service maps arrays and needs no Parquet

    from tables.dataset import row_count  # noqa: PLC0415 for the same reason

    entries = row_count(dataset)
    indices = create_array(folder / f"{name}.indices.npy", np.int32, (entries,))
    weights = None if values is None else create_array(folder / f"{name}.values.npy", values, (entries,))
    counts = np.zeros(shape[0] + 1, np.int64)
    position, last = 0, -1
    for path in sorted(dataset.glob("*.parquet")):
        with pq.ParquetFile(path) as file:
            for batch in file.iter_batches(1 << 20):
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
    _describe(folder, name, TableEntry(shape[1]))


def csr_from_union(left: CSR, right: CSR, folder: Path, name: str, entries_at_once: int = 1 << 20) -> None:
    """Write the sparse table ``name`` of the entries of ``left`` or ``right``: one shape, no values.

    They are merged some rows at a time, twice, first to count: memory does not grow with the tables.
    """
    counts = np.zeros(left.rows + 1, np.int64)
    for rows, _ in _merged(left, right, entries_at_once):
        count_rows(counts[1:], rows)
    indptr = np.cumsum(counts)
    save_array(folder / f"{name}.indptr.npy", indptr)
    indices = create_array(folder / f"{name}.indices.npy", np.int32, (int(indptr[-1]),))
    position = 0
    for _, columns in _merged(left, right, entries_at_once):
        indices[position : position + len(columns)] = columns
        position += len(columns)
    _describe(folder, name, TableEntry(left.columns))


def _merged(
    left: CSR, right: CSR, entries_at_once: int
) -> Iterator[tuple[NDArray[np.int64], NDArray[np.int64]]]:
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


def _keys(table: CSR, start: int, stop: int) -> NDArray[np.int64]:
    """Row and column of each entry of some rows, as one number."""
    rows = np.repeat(np.arange(start, stop), np.diff(table.indptr[start : stop + 1]))
    return rows << 32 | table.indices[table.indptr[start] : table.indptr[stop]]


def count_rows(counts: NDArray[np.int64], rows: NDArray[Any]) -> None:
    """Add to ``counts`` how often each of ``rows`` is there; they are ascending."""
    if not len(rows):
        return
    # From the first to the last alone: a batch is of few rows, of the millions that there may be.
    found = np.bincount(rows - rows[0])
    counts[rows[0] : rows[0] + len(found)] += found


def _describe(folder: Path, name: str, entry: TableEntry) -> None:
    (folder / f"{name}.json").write_bytes(msgspec.json.encode(entry))
