"""The manifest: what a snapshot says about itself, written last."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec

from tables.errors import NotASnapshot, WrongFormat
from tables.layout import FORMAT

MANIFEST = "manifest.json"
"""The manifest's file name. A folder without it is not a snapshot, whatever else it holds."""


_BLOCK = 1 << 22


class FileEntry(msgspec.Struct, frozen=True):
    """A file as it was written: its size in bytes and the BLAKE2b-256 of its bytes, in hex."""

    size: int
    blake2b: str


class TableEntry(msgspec.Struct, frozen=True):
    """What a sparse table's arrays do not say: its number of columns, and what a stored unit is worth."""

    columns: int
    scale: float = 1.0


class Source(msgspec.Struct, frozen=True):
    """A file that the snapshot was built from."""

    name: str
    size: int
    blake2b: str


class StageEntry(msgspec.Struct, frozen=True):
    """What one stage of the build cost: seconds of wall time, and bytes of memory.

    ``share`` is its part of the seconds of all stages; a manifest of an earlier version has none, which reads
    as 0. ``peak_bytes`` is the largest resident size of one process, the main one or a worker, meanwhile.
    """

    name: str
    seconds: float
    peak_bytes: int = 0
    share: float = 0.0


class Manifest(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that identifies a snapshot and lets its files be checked.

    ``counts`` holds at least concepts, universe (the N of the formulas), words, sentences and paragraphs.
    ``works``: the names of the works that the dump was made of, where it is not that of one wiki alone; what
    they are is told in ``attribution``, too. ``invented_ids_from``: the page ids from there on are made up,
    and ``counts`` has their number as ``invented_ids``. ``parent`` names the snapshot that an excerpt was
    taken from.
    """

    format: int
    id: str
    wiki: str
    language: str
    dump_date: str
    created: str
    code_version: str
    siteinfo: dict[str, Any]
    sources: list[Source]
    settings: dict[str, Any]
    counts: dict[str, int]
    tables: dict[str, TableEntry]
    files: dict[str, FileEntry]
    licence: str
    attribution: str
    works: list[str] = []
    invented_ids_from: int | None = None
    parent: str | None = None
    stages: list[StageEntry] = []


def read_manifest(folder: Path) -> Manifest:
    """The manifest of the snapshot in ``folder``.

    Raises:
        NotASnapshot: there is none, or it cannot be read as one.
        WrongFormat: it was written by another version of the format.
    """
    path = folder / MANIFEST
    try:
        content = path.read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        raise NotASnapshot(
            f"{folder} is not a snapshot: it has no {MANIFEST}. Build one with `wort build`, "
            "or name another folder."
        ) from None
    try:
        version = msgspec.json.decode(content)["format"]
        if version != FORMAT:
            raise WrongFormat(
                f"{folder} has snapshot format {version!r}, and this version of wort reads format {FORMAT}. "
                "Build it again with this version."
            )
        return msgspec.json.decode(content, type=Manifest)
    except (msgspec.DecodeError, UnicodeDecodeError, KeyError, TypeError) as error:
        raise NotASnapshot(f"{path} is not a snapshot's manifest: {error}") from None


def write_manifest(folder: Path, manifest: Manifest) -> None:
    """Write the manifest into ``folder``, readable by people."""
    (folder / MANIFEST).write_bytes(msgspec.json.format(msgspec.json.encode(manifest), indent=2) + b"\n")


def checksum(path: Path, progress: Callable[[int, int], None] | None = None) -> str:
    """The BLAKE2b-256 of a file's bytes, in hex. ``progress`` is told the bytes read and all of them."""
    digest = hashlib.blake2b(digest_size=32)
    size = path.stat().st_size
    with path.open("rb") as file:
        while block := file.read(_BLOCK):
            digest.update(block)
            if progress is not None:
                progress(file.tell(), size)
    return digest.hexdigest()
