"""The manifest: what a snapshot says about itself, written last."""

from __future__ import annotations

import hashlib
import math
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec

from snapshots.errors import DamagedSnapshot, NotASnapshot, WrongFormat
from snapshots.layout import FORMAT

MANIFEST = "manifest.json"
"""The manifest's file name. A folder without it is not a snapshot, whatever else it holds."""


_BLOCK = 1 << 22

_LARGEST = 1 << 26
"""Bytes of a manifest that are read; one has some thousand."""

_CHECKSUM = re.compile(rb'\A\{\s*"format": \d+,\s*"checksum": "([0-9a-f]{64})"')
"""How a manifest begins: its checksum stands where no other field can be taken for it."""


class FileEntry(msgspec.Struct, frozen=True):
    """A file as it was written: its size in bytes and the BLAKE2b-256 of its bytes, in hex."""

    size: int
    blake2b: str


class TableEntry(msgspec.Struct, frozen=True):
    """What a sparse table's arrays do not say: its number of columns, and what a stored unit is worth."""

    columns: int
    scale: float = 1.0


class DumpFile(msgspec.Struct, frozen=True):
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

    ``checksum`` is the BLAKE2b-256, in hex, of the file's own bytes with that field empty, so that no part of
    it can be changed unnoticed. ``counts`` holds at least concepts, universe (the N of the formulas), words,
    sentences and paragraphs. ``works``: the names of the works that the dump was made of, where it is not
    that of one wiki alone; what they are is told in ``attribution``, too. ``invented_ids_from``: the page ids
    from there on are made up, and ``counts`` has their number as ``invented_ids``. ``parent`` names the
    snapshot that an excerpt was taken from.
    """

    format: int
    checksum: str = ""
    id: str
    wiki: str
    language: str
    dump_date: str
    created: str
    code_version: str
    siteinfo: dict[str, Any]
    sources: list[DumpFile]
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
        DamagedSnapshot: it was changed after it was written.
    """
    path = folder / MANIFEST
    try:
        content = _content(path)
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
                "Build it again with this version, or use the version of wort that wrote it."
            )
        _check_unchanged(path, content)
        manifest = msgspec.json.decode(content, type=Manifest)
    except (KeyError, TypeError):
        raise _no_manifest(path, "it says no format") from None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise _no_manifest(path, str(error)) from None
    _check_numbers(path, manifest)
    return manifest


def write_manifest(folder: Path, manifest: Manifest) -> Manifest:
    """Write the manifest into ``folder``, readable by people; return it with its checksum."""
    blank = _bytes(msgspec.structs.replace(manifest, checksum=""))
    signed = msgspec.structs.replace(manifest, checksum=_digest(blank))
    (folder / MANIFEST).write_bytes(_bytes(signed))
    return signed


def content_digest(manifest: Manifest) -> str:
    """What ids end with: a digest of all of a manifest that scores rest on, the checksums of files included.

    When, from which copy of a dump, how fast, and without which stages it was built is no part of it: the
    same tables with the same settings have the same id.
    """
    content = {
        "files": {name: entry.blake2b for name, entry in manifest.files.items()},
        "tables": manifest.tables,
        "counts": manifest.counts,
        "settings": {name: value for name, value in manifest.settings.items() if name != "without"},
        "siteinfo": manifest.siteinfo,
        "language": manifest.language,
        "invented_ids_from": manifest.invented_ids_from,
    }
    return hashlib.blake2b(msgspec.json.encode(content, order="deterministic"), digest_size=4).hexdigest()


def _no_manifest(path: Path, reason: str) -> NotASnapshot:
    """The error that says what to do with a file that has the name of a manifest, and why it is none."""
    return NotASnapshot(
        f"{path} is not a snapshot's manifest: {reason}. Copy the snapshot again or build it again, "
        "or name another folder."
    )


def _content(path: Path) -> bytes:
    if not path.is_file():  # a pipe would be waited for
        raise FileNotFoundError(path)
    with path.open("rb") as file:
        content = file.read(_LARGEST)
        if file.read(1):
            raise _no_manifest(path, f"it has more than {_LARGEST:,} bytes")
    return content


def _check_unchanged(path: Path, content: bytes) -> None:
    match = _CHECKSUM.match(content)
    if match is None or _digest(content[: match.start(1)] + content[match.end(1) :]) != match[1].decode():
        raise DamagedSnapshot(
            f"{path} is damaged: it was changed after it was written. A snapshot is never edited: "
            "copy it again or build it again."
        )


def _check_numbers(path: Path, manifest: Manifest) -> None:
    """Do nothing where every number of a manifest is one that its field can have."""
    for count, number in manifest.counts.items():
        if not 0 <= number < 2**63:
            raise _no_manifest(path, f"it counts {number:,} {count}")
    for name, entry in manifest.tables.items():
        if not 0 <= entry.columns < 2**63 or not (math.isfinite(entry.scale) and entry.scale > 0):
            raise _no_manifest(
                path,
                f"no table has {entry.columns:,} columns and the scale {entry.scale}, as {name} would",
            )


def _bytes(manifest: Manifest) -> bytes:
    return msgspec.json.format(msgspec.json.encode(manifest), indent=2) + b"\n"


def _digest(content: bytes) -> str:
    return hashlib.blake2b(content, digest_size=32).hexdigest()


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
