"""Writes a snapshot: beside its destination, and there in one step."""

from __future__ import annotations

import datetime
import os
import shutil
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import Any

import marisa_trie
from numpy.typing import NDArray

from building.arrays import save_array, save_arrays, save_strings
from building.target import check_target
from snapshots.arrays import read_entry
from snapshots.csr import CSR
from snapshots.layout import FORMAT, STRINGS, TABLES, TRIES, Table
from snapshots.manifest import (
    MANIFEST,
    FileEntry,
    Manifest,
    TableEntry,
    checksum,
    content_digest,
    write_manifest,
)
from snapshots.scaled import ScaledVectors, parts
from snapshots.snapshot import Snapshot
from snapshots.strings import StringTable


class SnapshotWriter:
    """Writes a snapshot beside its destination; ``finish`` puts it there in one step.

    Until then nothing stands under the destination's name, so a build that is killed leaves no half
    snapshot behind, only a ``.partial`` folder, which the next writer clears. ``tables``: what is declared.
    """

    def __init__(self, target: Path, tables: Sequence[Table] = TABLES) -> None:
        check_target(target)
        self.target = target
        self.folder = target.with_name(target.name + ".partial")
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir(parents=True)
        self._declared = {table.name: table for table in tables}
        self._tables: dict[str, TableEntry] = {}

    def csr(self, name: str, table: CSR) -> None:
        """Write the sparse table ``name``."""
        if not self._declared[name].sparse:
            raise KeyError(f"{name} is a plain array")
        self._tables[name] = save_arrays(self.folder, name, table)

    def array(self, name: str, array: NDArray[Any]) -> None:
        """Write the plain array ``name``."""
        if self._declared[name].sparse or self._declared[name].scaled:
            raise KeyError(f"{name} is no plain array")
        save_array(self.folder / f"{name}.npy", array)

    def scaled(self, name: str, table: ScaledVectors) -> None:
        """Write the scaled vectors ``name``."""
        if not self._declared[name].scaled:
            raise KeyError(f"{name} has no scales")
        for part, array in parts(table).items():
            save_array(self.folder / f"{name}{part}.npy", array)

    def table(self, name: str, table: CSR | ScaledVectors | NDArray[Any]) -> None:
        """Write the table ``name``, in the form that it has."""
        if isinstance(table, CSR):
            self.csr(name, table)
        elif isinstance(table, ScaledVectors):
            self.scaled(name, table)
        else:
            self.array(name, table)

    def adopt(self, folder: Path, name: str) -> None:
        """Take over the table ``name`` that a stage left in ``folder``.

        Raises:
            FileNotFoundError: it left none.
        """
        files = sorted(folder.glob(f"{name}.*npy"))
        if not files:
            raise FileNotFoundError(f"{folder} has no table {name}, which its stage is declared to write")
        for path in files:
            self.adopt_file(path, path.name)
        if self._declared[name].sparse:
            self._tables[name] = read_entry(folder, name)

    def adopt_file(self, path: Path, name: str) -> None:
        """Take over a file under ``name``: linked where the file system can, else copied."""
        target = self.file(name)
        try:
            os.link(path, target)
        except OSError:
            shutil.copyfile(path, target)

    def adopt_files(self, folder: Path, prefix: str) -> None:
        """Take over the files of ``folder`` whose names begin with ``prefix``."""
        for path in sorted(folder.glob(f"{prefix}*")):
            self.adopt_file(path, path.name)

    def strings(self, name: str, strings: Iterable[str]) -> None:
        """Write the table of strings ``name``."""
        if name not in {known for known, _, _ in STRINGS}:
            raise KeyError(name)
        save_strings(self.folder, name, StringTable.of(strings))

    def trie(self, name: str, record: str, entries: Iterable[tuple[str, tuple[int, ...]]]) -> None:
        """Write the look-up ``name`` from (key, record) entries; ``record`` is their struct format."""
        if name not in {known for known, _ in TRIES}:
            raise KeyError(name)
        marisa_trie.RecordTrie(record, entries).save(str(self.folder / f"{name}.marisa"))

    def file(self, name: str) -> Path:
        """Where to write another file of the snapshot."""
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        return path

    def finish(self, describe: Callable[[str], dict[str, Any]]) -> Snapshot:
        """Write the manifest and move the snapshot to its destination.

        ``describe`` is given a digest of the content and returns the manifest's fields that the writer
        does not know: id, wiki, language, dump_date, siteinfo, sources, settings, counts, licence,
        attribution, and where they apply works, invented_ids_from, parent and stages. It is called twice,
        first without a digest: what it says is part of the content.
        """
        files = {
            path.relative_to(self.folder).as_posix(): FileEntry(path.stat().st_size, checksum(path))
            for path in sorted(self.folder.rglob("*"))
            if path.is_file() and path.name != MANIFEST
        }
        written = partial(
            Manifest,
            format=FORMAT,
            created=datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds"),
            code_version=version("wort-server"),
            tables=self._tables,
            files=files,
        )
        digest = content_digest(written(**describe("")))
        manifest = write_manifest(self.folder, written(**describe(digest)))
        _flush(self.folder)
        self.folder.rename(self.target)
        return Snapshot(self.target, manifest, tables=tuple(self._declared.values()))


def _flush(folder: Path) -> None:
    """Wait until everything in ``folder`` is on the disk, so that the rename never precedes the content."""
    for path in [*folder.rglob("*"), folder]:
        descriptor = os.open(path, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
