"""Reading bzip2 piece by piece, and finding the streams of a multistream file.

A Wikipedia multistream dump is a row of bzip2 streams, each readable by itself: the header, then 100 pages
a stream, then the closing tag. An official index names the offset of each stream. It is not needed to find
them: a stream starts at a byte, with ten bytes of which nine are fixed ("BZh", a digit, and the 48-bit block
mark), which 20 GB of compressed data hold by chance less than once in 10^12 files. So a file without its
index is scanned at the places where a chunk should end, and read in parallel just the same.
"""

from __future__ import annotations

import bz2
import re
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from wiki.errors import CorruptDump, DamagedDump, IndexMismatch, TruncatedDump

PIECE_BYTES = 64 << 10
_WINDOW_BYTES = 1 << 20
_STREAM_START = re.compile(rb"BZh[1-9]1AY&SY")
_START_BYTES = 10
_CLOSING_STREAM_BYTES = 4096  # more than "</mediawiki>" ever takes


def decompressed(path: str | Path, start: int, end: int) -> Iterator[tuple[int, bytes]]:
    """Yield what the streams in bytes ``start`` to ``end`` of the file hold, in pieces of at most 64 KiB.

    Each piece comes with the offset up to which the file was read for it. Raises CorruptDump where the data
    is damaged and TruncatedDump where it ends within a stream, after yielding what is whole before.
    """
    position = start
    stream = bz2.BZ2Decompressor()
    pending = b""
    inside = False
    with Path(path).open("rb") as file:
        file.seek(start)
        while True:
            if not pending and stream.needs_input:
                pending = file.read(min(PIECE_BYTES, end - position))
                position += len(pending)
                if not pending:
                    break
            try:
                data = stream.decompress(pending, PIECE_BYTES)
            except OSError as error:
                raise CorruptDump(str(path), position, detail="its bzip2 data is damaged") from error
            pending = b""
            inside = not stream.eof
            if data:
                yield position - len(stream.unused_data), data
            if stream.eof:
                pending = stream.unused_data
                stream = bz2.BZ2Decompressor()
    if inside:
        raise TruncatedDump(str(path), position, detail="its last bzip2 stream is not finished")


def first_stream(path: Path) -> tuple[int, bytes] | None:
    """Return where the first stream of the file ends and what it holds; None unless it is a short one."""
    with path.open("rb") as file:
        block = file.read(_WINDOW_BYTES)
    stream = bz2.BZ2Decompressor()
    try:
        data = stream.decompress(block, _WINDOW_BYTES)
    except OSError:
        return None
    return (len(block) - len(stream.unused_data), data) if stream.eof else None


def begins_page(path: Path, offset: int) -> bool:
    """Return whether a stream of pages starts at ``offset``; a damaged stream is taken for one."""
    with path.open("rb") as file:
        file.seek(offset)
        if not _STREAM_START.match(file.read(_START_BYTES)):
            return False
    try:
        _, data = next(decompressed(path, offset, path.stat().st_size), (0, b""))
    except DamagedDump:
        return True
    return data.lstrip().startswith(b"<page>")


def next_stream(path: Path, offset: int, size: int) -> int:
    """Return where the first stream of pages at or after ``offset`` starts, ``size`` if there is none."""
    with path.open("rb") as file:
        while offset < size:
            file.seek(offset)
            match = _STREAM_START.search(file.read(_WINDOW_BYTES + _START_BYTES - 1))
            if match is None:
                offset += _WINDOW_BYTES
                continue
            offset += match.start()
            if size - offset > _CLOSING_STREAM_BYTES or begins_page(path, offset):
                return offset
            offset += 1
    return size


class StreamIndex:
    """The index of a multistream dump: where its streams start.

    The file has a line "offset:page id:title" for each page, and is compressed or plain text.
    """

    def __init__(self, path: Path, dump: Path) -> None:
        self.path = path
        self.dump = dump

    def offsets(self) -> Iterator[int]:
        """Yield the offsets of the streams, ascending. Raises IndexMismatch if the file is no such list."""
        last = b""
        offset = -1
        with self.path.open("rb") as file:
            compressed = file.read(3) == b"BZh"
        try:
            with bz2.open(self.path) if compressed else self.path.open("rb") as lines:
                for line in lines:
                    field = line.partition(b":")[0]
                    if field == last:
                        continue
                    previous, offset, last = offset, int(field), field
                    if offset <= previous:
                        raise self._mismatch(f"offset {offset:,} follows {previous:,}")
                    yield offset
        except ValueError:
            raise self._mismatch(f"{line[:60]!r} is no line 'offset:page id:title'") from None
        except (EOFError, OSError) as error:
            raise self._mismatch(f"it cannot be read to its end ({error})") from error

    def check(self, first: int, streams: int = 8) -> None:
        """Raise IndexMismatch unless pages start at ``first`` and the first few offsets are streams."""
        offsets = list(islice(self.offsets(), streams))
        if offsets[:1] != [first]:
            raise self._mismatch(f"its first offset is {offsets[:1]}, but the first pages start at {first:,}")
        for offset in offsets:
            self.check_stream(offset)

    def check_stream(self, offset: int) -> None:
        """Raise IndexMismatch unless a stream starts at ``offset``, or the dump ends before."""
        with self.dump.open("rb") as file:
            file.seek(offset)
            start = file.read(_START_BYTES)
        if len(start) == _START_BYTES and not _STREAM_START.match(start):
            raise self._mismatch(f"no stream starts at byte {offset:,} of the dump")

    def _mismatch(self, reason: str) -> IndexMismatch:
        return IndexMismatch(
            f"The index {self.path} does not belong to the dump {self.dump}: {reason}. Fetch both of the "
            "same date, or remove the index: the dump can be read without it."
        )
