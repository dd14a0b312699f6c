"""Writing tables as ``.npy`` files, filled where they are mapped."""

from __future__ import annotations

import errno
import math
import os
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from numpy.typing import DTypeLike, NDArray

from snapshots.csr import CSR
from snapshots.manifest import TableEntry
from snapshots.strings import StringTable


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
    describe(folder, name, save_arrays(folder, name, table))


def save_arrays(folder: Path, name: str, table: CSR) -> TableEntry:
    """Write the arrays of a sparse table into ``folder``; return what they do not say."""
    for part in ("indptr", "indices", "values"):
        array = getattr(table, part)
        if array is not None:
            save_array(folder / f"{name}.{part}.npy", array)
    return TableEntry(table.columns, table.scale)


def save_strings(folder: Path, name: str, table: StringTable) -> None:
    """Write a table of strings into ``folder``."""
    save_array(folder / f"{name}.offsets.npy", table.offsets)
    save_array(folder / f"{name}.data.npy", table.data)


def describe(folder: Path, name: str, entry: TableEntry) -> None:
    """Write what the arrays of the sparse table ``name`` do not say."""
    (folder / f"{name}.json").write_bytes(msgspec.json.encode(entry))
