"""What holds of the tables of a snapshot whatever stands in their files, so that no damage ends a process.

Row pointers, offsets and the shapes of arrays are checked as a whole when a table is opened: that is 8 bytes
a row. Columns are not: there are some thousand million of them in a large wiki. Kernels compare them, which
is safe whatever they are; where one is used as a place, it is checked there: in ``CSR.row`` and ``CSR.at``,
and in the kernels that do so. A look-up trie, which a library of another language reads, is opened only if
its checksum is that of the manifest. What this leaves are other answers, which the checksums of all files
find: ``wort verify``, and a server's check in the background.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from snapshots.csr import CSR
from snapshots.errors import damaged
from snapshots.layout import Axis, Table
from snapshots.manifest import FileEntry, Manifest, checksum
from snapshots.scaled import MOST_DIMENSIONS, ScaledVectors
from snapshots.strings import StringTable

_COLUMNS = (np.dtype(np.uint16), np.dtype(np.int32))
"""What columns are stored as."""

_SMALL = (np.dtype(np.uint8), np.dtype(np.uint16), np.dtype(np.int32))
"""What values may be stored as, besides what their table declares, where they have a scale."""

_AT_ONCE = 1 << 16
"""Pointers that are compared at once: few enough to stay in the processor's cache."""


def check_sparse(table: Table, csr: CSR, manifest: Manifest) -> None:
    """Do nothing where ``csr`` can be the table ``table`` of a snapshot.

    Raises:
        DamagedSnapshot: its arrays do not fit each other, the declaration, or the counts of the manifest.
    """
    _check_type(csr, "indptr", csr.indptr, (np.dtype(np.int64),))
    _check_type(csr, "indices", csr.indices, _COLUMNS)
    if table.values is not None and csr.values is not None:
        _check_type(csr, "values", csr.values, (np.dtype(table.values), *_SMALL))
        if len(csr.values) != len(csr.indices):
            raise damaged(csr.source, f"it has {len(csr.values):,} values of {len(csr.indices):,} entries")
    if len(csr.indptr) == 0:
        raise damaged(csr.source, "it has no row pointers")
    _check_rows(csr.source, table, csr.rows, manifest)
    most = _count(manifest, table.columns)
    if most is not None and csr.columns > most:
        raise damaged(csr.source, f"it has {csr.columns:,} columns where there are {most:,} {table.columns}")
    check_pointers(csr.source, csr.indptr, len(csr.indices), table.longest_row)


def check_plain(table: Table, array: NDArray[Any], path: Path, manifest: Manifest) -> None:
    """Do nothing where ``array``, of the file ``path``, can be the table ``table`` of a snapshot.

    Raises:
        DamagedSnapshot: it is of another type or shape.
    """
    if array.dtype != np.dtype(table.values) or array.ndim != (2 if table.vector else 1):
        raise damaged(path, f"it holds {array.dtype} in {array.ndim} dimensions")
    _check_rows(path, table, len(array), manifest)


def check_scales(scaled: ScaledVectors, path: Path) -> None:
    """Do nothing where the vectors of a table are as many as its scales, of the file ``path``.

    Raises:
        DamagedSnapshot: they are not, or too long to be multiplied.
    """
    if scaled.scales.dtype != np.float32 or scaled.scales.ndim != 1:
        raise damaged(path, f"it holds {scaled.scales.dtype} in {scaled.scales.ndim} dimensions")
    if len(scaled.scales) != len(scaled.vectors):
        raise damaged(path, f"it has {len(scaled.scales):,} scales of {len(scaled.vectors):,} vectors")
    if scaled.dimensions > MOST_DIMENSIONS:
        raise damaged(path, f"its vectors have {scaled.dimensions:,} dimensions")


def check_axes(scaled: ScaledVectors, path: Path) -> None:
    """Do nothing where a table of vectors has no axes, or as many, of the file ``path``, as dimensions.

    Raises:
        DamagedSnapshot: it has others.
    """
    axes = scaled.axes
    if axes is None:
        return
    if axes.dtype != np.float32 or axes.ndim != 2:
        raise damaged(path, f"it holds {axes.dtype} in {axes.ndim} dimensions")
    if len(axes) != scaled.dimensions:
        raise damaged(path, f"it has {len(axes):,} axes of vectors of {scaled.dimensions:,} dimensions")


def check_strings(table: StringTable, rows: Axis, manifest: Manifest) -> None:
    """Do nothing where ``table`` can be the table of strings of the ``rows`` of a snapshot.

    Raises:
        DamagedSnapshot: its arrays do not fit each other, or the counts of the manifest.
    """
    offsets, data = table.offsets, table.data
    if offsets.dtype != np.int64 or offsets.ndim != 1 or data.dtype != np.uint8 or data.ndim != 1:
        raise damaged(table.source, f"it holds {offsets.dtype} and {data.dtype}")
    count = _count(manifest, rows)
    if len(offsets) == 0 or (count is not None and len(table) != count):
        raise damaged(table.source, f"it has {len(offsets) - 1:,} strings, and its rows are {rows}")
    check_pointers(table.source, offsets, len(data))


def check_pointers(source: object, pointers: NDArray[np.int64], end: int, longest: int | None = None) -> None:
    """Do nothing where ``pointers`` start at 0, never fall, and end at ``end``.

    ``longest``: the most that two of them may lie apart.

    Raises:
        DamagedSnapshot: they do not; ``source`` is what it names.
    """
    if pointers[0] != 0 or pointers[-1] != end:
        raise damaged(
            source, f"its rows run from {pointers[0]:,} to {pointers[-1]:,} where 0 to {end:,} belong"
        )
    for start in range(0, len(pointers) - 1, _AT_ONCE):
        some = pointers[start : start + _AT_ONCE + 1]
        if (some[1:] < some[:-1]).any():
            row = start + int((some[1:] < some[:-1]).argmax())
            raise damaged(source, f"row {row:,} ends before it begins")
        if longest is not None and (some[1:] - some[:-1]).max() > longest:
            raise damaged(source, f"a row has more than the {longest:,} entries that one can have")


def check_file(path: Path, entry: FileEntry | None) -> None:
    """Do nothing where the bytes of ``path`` have the checksum of the manifest.

    Raises:
        DamagedSnapshot: they have another, or the manifest does not know the file.
    """
    if entry is None:
        raise damaged(path, "the manifest does not name it")
    if checksum(path) != entry.blake2b:
        raise damaged(path, "its checksum is not the manifest's")


def _check_type(csr: CSR, part: str, array: NDArray[Any], allowed: tuple[np.dtype[Any], ...]) -> None:
    if array.dtype not in allowed or array.ndim != 1:
        raise damaged(f"{csr.source}.{part}.npy", f"it holds {array.dtype} in {array.ndim} dimensions")


def _check_rows(source: object, table: Table, rows: int, manifest: Manifest) -> None:
    count = _count(manifest, table.rows)
    if count is None or rows == count or (rows < count and table.may_end_early):
        return
    raise damaged(source, f"it has {rows:,} rows where there are {count:,} {table.rows}")


def _count(manifest: Manifest, axis: Axis | None) -> int | None:
    """How many there are of an axis; None where the manifest does not say."""
    return None if axis is None else manifest.counts.get(axis)
