"""A chunk: a piece of a dump that one worker reads by itself."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from wiki.bzip2 import PIECE_BYTES, decompressed
from wiki.errors import DamagedDump

_AHEAD_BYTES = 2 << 20


@dataclass(frozen=True, slots=True)
class Chunk:
    """Bytes ``start`` to ``end`` of the dump at ``path``: whole pages, the ``number``-th piece of the file.

    The chunks of a dump follow each other without gaps from the end of its header to the end of the file,
    the closing tag included. ``data`` holds the XML itself where the bytes cannot be read on their own
    (a bzip2 file of one stream); ``start`` and ``end`` then only say how far the file was read.
    """

    path: str
    number: int
    start: int
    end: int
    data: bytes | None = None

    def pieces(self) -> Iterator[tuple[int, bytes]]:
        """Yield the chunk's XML in pieces of at most 64 KiB, each with the offset of the file reached.

        Raises TruncatedDump and CorruptDump where the compressed data is damaged.
        """
        if self.data is not None:
            for start in range(0, len(self.data), PIECE_BYTES):
                yield self.end, self.data[start : start + PIECE_BYTES]
        elif self._is_compressed():
            yield from _ahead(decompressed(self.path, self.start, self.end))
        else:
            yield from stored(self.path, self.start, self.end)

    def digest(self) -> str:
        """Return the BLAKE2b hash of the bytes that the chunk covers, as 32 hexadecimal digits."""
        digest = hashlib.blake2b(digest_size=16)
        if self.data is not None:
            digest.update(self.data)
        else:
            for _, piece in stored(self.path, self.start, self.end):
                digest.update(piece)
        return digest.hexdigest()

    def _is_compressed(self) -> bool:
        with Path(self.path).open("rb") as file:
            return file.read(3) == b"BZh"


def stored(path: str | Path, start: int, end: int) -> Iterator[tuple[int, bytes]]:
    """Yield bytes ``start`` to ``end`` of the file in pieces of at most 64 KiB, each with where it ends."""
    with Path(path).open("rb") as file:
        file.seek(start)
        while start < end and (piece := file.read(min(PIECE_BYTES, end - start))):
            start += len(piece)
            yield start, piece


def _ahead(pieces: Iterator[tuple[int, bytes]]) -> Iterator[tuple[int, bytes]]:
    """Yield ``pieces``, made some megabytes at a time; those that come before damage are not lost to it.

    To undo a bzip2 block takes a table of 4 MB in the processor's caches, and reading pages pushes it out
    of them: piece by piece in turns, both together take a quarter longer.
    """
    held: list[tuple[int, bytes]] = []
    size = 0
    damage: DamagedDump | None = None
    try:
        for piece in pieces:
            held.append(piece)
            size += len(piece[1])
            if size >= _AHEAD_BYTES:
                yield from held
                held, size = [], 0
    except DamagedDump as error:
        damage = error
    yield from held
    if damage is not None:
        raise damage
