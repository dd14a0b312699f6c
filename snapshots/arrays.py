"""Tables as ``.npy`` files, three for a sparse one, mapped."""

from __future__ import annotations

import errno
import math
import os
import re
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from snapshots.csr import CSR
from snapshots.errors import NotMapped, damaged
from snapshots.manifest import TableEntry

_START = b"\x93NUMPY\x01\x00"
"""How a file begins: the format's name and version. The length of the header comes next, in two bytes."""

_HEADER = re.compile(
    rb"\{'descr': '([<>|=][biuf][1248])', 'fortran_order': False, "
    rb"'shape': \(((?:[0-9]{1,18}(?:, |,|(?=\))))*)\), \} *\n"
)
"""The header of an array as ``building.arrays`` writes it: its type and its shape."""


def map_array(path: Path) -> NDArray[Any]:
    """The array in ``path``, memory-mapped. Several threads may map arrays at once.

    The header is matched, not evaluated: it says what ``building.arrays`` writes, or the file is damaged.

    Raises:
        DamagedSnapshot: the file is not an array, or not all of one.
        NotMapped: the machine has no room to map it.
    """
    with path.open("rb") as file:
        head = file.read(len(_START) + 2)
        header = file.read(int.from_bytes(head[len(_START) :], "little"))
        start, size = file.tell(), os.fstat(file.fileno()).st_size
    match = _HEADER.fullmatch(header) if head.startswith(_START) else None
    if match is None:
        raise damaged(path, "it does not begin as an array does")
    kind = np.dtype(match[1].decode())
    shape = tuple(int(part) for part in match[2].split(b",") if part.strip())
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
