"""A snapshot: one build's tables, opened without reading them, or written whole or not at all."""

from __future__ import annotations

import mmap
from collections.abc import Callable, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, TypeVar

import marisa_trie
import numpy as np
from numpy.typing import NDArray

from snapshots.arrays import map_array, no_room
from snapshots.csr import CSR
from snapshots.errors import DamagedSnapshot, NotASnapshot, damaged, replaced
from snapshots.layout import STRINGS, TABLES, Table
from snapshots.manifest import (
    MANIFEST,
    Manifest,
    checksum,
    content_digest,
    read_manifest,
)
from snapshots.page_ids import PageIds
from snapshots.rows import union
from snapshots.scaled import ScaledVectors
from snapshots.soundness import (
    check_axes,
    check_file,
    check_plain,
    check_scales,
    check_sparse,
    check_strings,
)
from snapshots.strings import StringTable

_STRINGS = {name: rows for name, rows, _ in STRINGS}

LARGE = 256 << 20
"""Bytes from which on a file is read here and there only. Of a smaller one the kernel reads on around what is
asked for, so that it is soon in memory as a whole; of a large one that would be in vain, and slow."""

Trie = TypeVar("Trie", bound=Any)
"""A class of tries of marisa."""

Seal = tuple[tuple[str, int, int, int, int], ...]
"""A snapshot's files as they stand: name, size, time of the last change, device and place on it of each."""


class Snapshot:
    """The tables of one wiki at one date. Opening maps files; nothing is read until it is asked for.

    A table is checked when it is first asked for (``snapshots.soundness``): a damaged one raises
    DamagedSnapshot, and ends no process. Where the machine has no room to map one, NotMapped is raised.

    ``concepts``: rows, the ids 0 … concepts − 1 that can be asked for. ``universe``: the N of the formulas.
    ``sentences`` and ``paragraphs``: the totals behind word and concept frequencies. ``tables``: what is
    declared of each of its tables, by name.
    """

    def __init__(
        self,
        folder: Path,
        manifest: Manifest,
        seal: Seal = (),
        tables: Sequence[Table] = TABLES,
        large: int = LARGE,
    ) -> None:
        """``seal``: the files as they stood when this was opened; a file that differs later is not used."""
        self.folder = folder
        self.manifest = manifest
        self.seal = seal
        self._large = large
        self.tables = {table.name: table for table in tables}
        self._sealed = {entry[0]: entry for entry in seal}
        try:
            self.concepts = manifest.counts["concepts"]
            self.universe = manifest.counts["universe"]
            self.sentences = manifest.counts["sentences"]
            self.paragraphs = manifest.counts["paragraphs"]
        except KeyError as count:
            raise NotASnapshot(
                f"{folder} is not a snapshot: its {MANIFEST} has no count of {count}."
            ) from None
        self._opened: dict[str, Any] = {}

    @classmethod
    def open(cls, folder: Path | str, tables: Sequence[Table] = TABLES, large: int = LARGE) -> Snapshot:
        """Open the snapshot in ``folder``, with ``tables``; its version and its files' sizes are checked.

        Raises:
            SnapshotError: the folder is not a snapshot that this version reads, or a file is missing or
                has another size than the manifest says; the message names it and what to do.
        """
        folder = Path(folder)
        # The manifest's own place is taken before it is read: one that is replaced meanwhile is noticed.
        seal = [_sealed(folder, MANIFEST)] if (folder / MANIFEST).is_file() else []
        manifest = read_manifest(folder)
        for name, entry in manifest.files.items():
            path = folder / name
            if path.is_file():
                seal.append(_sealed(folder, name))
            size = seal[-1][1] if seal[-1][0] == name else None
            if size != entry.size:
                fault = "is missing" if size is None else f"has {size:,} bytes where {entry.size:,} belong"
                raise DamagedSnapshot(
                    f"{path} {fault}. Copy the snapshot again or build it again; "
                    f"`wort verify {folder}` checks every file."
                )
        return cls(folder, manifest, tuple(seal), tables, large)

    def check_unchanged(self, name: str) -> None:
        """Do nothing where the file ``name`` is the one that stood there when the snapshot was opened.

        To be called after the file was opened by its path, so that what is used is of one snapshot.

        Raises:
            DamagedSnapshot: it is another one, or is gone.
        """
        known = self._sealed.get(name)
        if known is None:
            return
        try:
            unchanged = _sealed(self.folder, name) == known
        except (FileNotFoundError, NotADirectoryError):
            unchanged = False
        if not unchanged:
            raise replaced(self.folder / name, "the snapshot")

    @property
    def id(self) -> str:
        """The name that answers, models and reports carry."""
        return self.manifest.id

    def has(self, name: str) -> bool:
        """Whether there is the table ``name``, or what it is the union of; else it reads as empty."""
        if name in self.manifest.tables:
            return True
        if any(file.startswith(f"{name}.") for file in self.manifest.files):
            return True
        parts = self.tables[name].union_of if name in self.tables else ()
        return bool(parts) and all(map(self.has, parts))

    def table(self, name: str) -> CSR | ScaledVectors | NDArray[Any]:
        """The table ``name``, as it is declared: sparse, scaled vectors, or a plain array."""
        if self.tables[name].sparse:
            return self.csr(name)
        return self.scaled(name) if self.tables[name].scaled else self.array(name)

    def csr(self, name: str) -> CSR:
        """The sparse table ``name`` of ``snapshots.layout``; empty where the build left it out."""
        table: CSR | None = self._opened.get(name)
        if table is None:
            # Of several threads that open it at once, all keep what the first one opened.
            table = self._opened.setdefault(name, self._open_csr(self.tables[name]))
        return table

    def array(self, name: str) -> NDArray[Any]:
        """The plain array ``name`` of ``snapshots.layout``; zeros where the build left it out."""
        array: NDArray[Any] | None = self._opened.get(name)
        if array is None:
            array = self._opened.setdefault(name, self._open_array(self.tables[name]))
        return array

    def scaled(self, name: str) -> ScaledVectors:
        """The scaled vectors ``name`` of ``snapshots.layout``; zeros where the build left them out."""
        vectors: ScaledVectors | None = self._opened.get(name)
        if vectors is None:
            vectors = self._opened.setdefault(name, self._open_scaled(self.tables[name]))
        return vectors

    def strings(self, name: str) -> StringTable:
        """The table of strings ``name``."""
        table: StringTable | None = self._opened.get(name)
        if table is None:
            source = str(self.folder / name)
            table = StringTable(self._map(f"{name}.offsets"), self._map(f"{name}.data"), source)
            check_strings(table, _STRINGS[name], self.manifest)
            self._opened[name] = table
        return table

    def trie(self, name: str, record: str) -> marisa_trie.RecordTrie:
        """The look-up ``name``, whose records have the struct format ``record``."""
        return self.mapped_trie(name, marisa_trie.RecordTrie(record))

    def mapped_trie(self, name: str, trie: Trie) -> Trie:
        """The look-up ``name``, mapped by ``trie``, which is empty.

        The whole file is read before, once: the library that reads it trusts every byte.
        """
        file = f"{name}.marisa"
        path = self.folder / file
        if file not in self._opened:
            check_file(path, self.manifest.files.get(file))
            self._opened[file] = path
        try:
            mapped: Trie = trie.mmap(str(path))
        except (MemoryError, OSError) as error:
            raise no_room(path, error) from None
        self.check_unchanged(file)
        return mapped

    @cached_property
    def concept_titles(self) -> StringTable:
        """Titles by concept id."""
        return self.strings("concept_titles")

    @cached_property
    def page_ids(self) -> PageIds:
        """Page ids by concept id, as they are shown and accepted."""
        return PageIds(self.array("page_ids"), self.manifest.invented_ids_from)

    def _rows(self, table: Table) -> int:
        return self.manifest.counts.get(table.rows, 0)

    def _open_csr(self, table: Table) -> CSR:
        if table.columns is None:
            raise KeyError(f"{table.name} is a plain array")
        entry = self.manifest.tables.get(table.name)
        if entry is None and table.union_of and self.has(table.name):
            left, right = (self.csr(part).checked() for part in table.union_of)
            return union(left, right)
        if entry is None:
            values = None if table.values is None else np.dtype(table.values)
            return CSR.empty(self._rows(table), self.manifest.counts.get(table.columns, 0), values)
        values_array = None if table.values is None else self._map(f"{table.name}.values")
        indptr, indices = self._map(f"{table.name}.indptr"), self._map(f"{table.name}.indices")
        source = str(self.folder / table.name)
        csr = CSR(indptr, indices, values_array, entry.columns, entry.scale, source)
        check_sparse(table, csr, self.manifest)
        return csr

    def _open_array(self, table: Table) -> NDArray[Any]:
        if table.sparse or table.scaled:
            raise KeyError(f"{table.name} is no plain array")
        if f"{table.name}.npy" not in self.manifest.files:
            shape = (self._rows(table), 1) if table.vector else (self._rows(table),)
            return np.zeros(shape, table.values)
        array = self._map(table.name)
        check_plain(table, array, self.folder / f"{table.name}.npy", self.manifest)
        return array

    def _open_scaled(self, table: Table) -> ScaledVectors:
        if not table.scaled:
            raise KeyError(f"{table.name} has no scales")
        if f"{table.name}.npy" not in self.manifest.files:
            return ScaledVectors.zeros(self._rows(table))
        cut = f"{table.name}.axes.npy" in self.manifest.files
        axes = self._map(f"{table.name}.axes") if cut else None
        scaled = ScaledVectors(self._map(table.name), self._map(f"{table.name}.scales"), axes)
        check_plain(table, scaled.vectors, self.folder / f"{table.name}.npy", self.manifest)
        check_scales(scaled, self.folder / f"{table.name}.scales.npy")
        check_axes(scaled, self.folder / f"{table.name}.axes.npy")
        return scaled

    def _map(self, name: str) -> NDArray[Any]:
        path = self.folder / f"{name}.npy"
        if path.name not in self.manifest.files:
            raise damaged(self.folder / MANIFEST, f"it names no file {path.name}")
        array = map_array(path)
        self.check_unchanged(path.name)
        if array.nbytes >= self._large:
            _read_here_and_there(array)
        return array


def _read_here_and_there(array: NDArray[Any]) -> None:
    """Tell the kernel that of a mapped array any row may be next."""
    mapped: Any = array.base
    while isinstance(mapped, np.ndarray):
        mapped = mapped.base
    if isinstance(mapped, mmap.mmap):
        mapped.madvise(mmap.MADV_RANDOM)


def _sealed(folder: Path, name: str) -> tuple[str, int, int, int, int]:
    file = (folder / name).stat()
    return name, file.st_size, file.st_mtime_ns, file.st_dev, file.st_ino


def verify(folder: Path, progress: Callable[[str, int], None] | None = None) -> list[str]:
    """What is wrong with the snapshot in ``folder``: one line a file, none where all is well.

    ``progress`` is called with each file's name and size once it is checked.
    """
    problems = []
    manifest = read_manifest(folder)
    for name, entry in manifest.files.items():
        path = folder / name
        if not path.is_file():
            problems.append(f"{name} is missing")
        elif path.stat().st_size != entry.size:
            problems.append(f"{name} has {path.stat().st_size:,} bytes where {entry.size:,} belong")
        elif checksum(path) != entry.blake2b:
            problems.append(f"{name} was altered: its checksum is not the manifest's")
        if progress is not None:
            progress(name, entry.size)
    if not manifest.id.endswith(content_digest(manifest)):
        problems.append(f"{MANIFEST} was altered: its id is not that of what it describes")
    known = {MANIFEST, *manifest.files}
    problems += [
        f"{path.relative_to(folder).as_posix()} does not belong to the snapshot"
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.relative_to(folder).as_posix() not in known
    ]
    return problems
