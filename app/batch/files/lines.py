"""Lines of a file or a pipe, with their place, in bounded memory."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from typing import BinaryIO

from app.batch.files.encodings import not_text
from app.batch.files.rows import BYTES, ROWS, FileChunk, PairCells, PairRow, Position
from app.errors import PairsError

LONGEST = 1 << 20
"""Bytes of a line that are kept; the rest of a longer one is skipped."""

LINE_COST = 64
"""Bytes that take as long to be handed out as a line takes beside its bytes."""

BYTE_ORDER_MARK = b"\xef\xbb\xbf"
"""What some programs begin a file in UTF-8 with: a spreadsheet takes one without it for another encoding."""


class Lines:
    """Iterates over the lines of ``stream``, as bytes with their line end.

    ``offset`` and ``number`` are where the next line begins, in bytes, and its number from 1. A byte order
    mark is skipped; ``marked`` says whether there was one. A line that is longer than ``LONGEST`` is cut to
    ``LONGEST + 1`` bytes. ``work``: the bytes handed out so far, those of lines that came again as often, and
    ``LINE_COST`` for each line.
    """

    def __init__(self, stream: BinaryIO, offset: int = 0, number: int = 1) -> None:
        self.offset = offset
        self.number = number
        self.work = 0
        self.marked = False
        self._stream = stream
        self._returned: deque[tuple[bytes, int]] = deque()
        self._lengths: deque[int] = deque()

    def __iter__(self) -> Iterator[bytes]:
        return self

    def __next__(self) -> bytes:
        line, length = self._returned.popleft() if self._returned else self._read()
        if not length:
            raise StopIteration
        self.offset += length
        self.number += 1
        self.work += len(line) + LINE_COST
        self._lengths.append(length)
        return line

    def mark(self) -> None:
        """Forget the lines handed out so far: from here on, lines can be given back."""
        self._lengths.clear()

    def give_back(self, lines: Sequence[bytes]) -> None:
        """Take back the last ``lines`` that were handed out since ``mark``; they come again."""
        for line in reversed(lines):
            length = self._lengths.pop()
            self.offset -= length
            self.number -= 1
            self._returned.appendleft((line, length))

    def _read(self) -> tuple[bytes, int]:
        line = self._stream.readline(LONGEST + 1)
        length = len(line)
        if self.offset == 0 and line.startswith((b"\xff\xfe", b"\xfe\xff")):
            raise PairsError("the file is UTF-16. Save it as UTF-8.")
        if self.offset == 0 and (what := not_text(line)) is not None:
            raise PairsError(f"{what}.")
        if length > LONGEST and not line.endswith(b"\n"):
            while True:
                rest = self._stream.readline(LONGEST)
                length += len(rest)
                if not rest or rest.endswith(b"\n"):
                    break
        if self.offset == 0 and line.startswith(BYTE_ORDER_MARK):
            self.marked = True
            line = line[len(BYTE_ORDER_MARK) :] or b"\n"
        return line, length


def decode(line: bytes) -> tuple[str, str | None]:
    """The text of ``line``, and what is wrong with it; bytes that are not UTF-8 become U+FFFD."""
    error = f"the line is longer than {LONGEST:,} bytes" if len(line) > LONGEST else None
    try:
        return line.decode(), error
    except UnicodeDecodeError as fault:
        byte = line[fault.start]
        return line.decode(errors="replace"), error or (
            f"byte 0x{byte:02x} at {fault.start + 1} is not UTF-8: save the file as UTF-8"
        )


def text_of(lines: Iterable[bytes]) -> str:
    """The text of some lines, without the end of the last."""
    return "".join(decode(line)[0] for line in lines).rstrip("\r\n")


class LineReader(ABC):
    """What reads the rows of a ``stream`` of ``size`` bytes, line by line; None if nobody knows the size."""

    unit = "bytes"
    schema = None

    def __init__(self, stream: BinaryIO, size: int | None, pair: PairCells) -> None:
        self.size = size
        self._stream = stream
        self._pair = pair
        self._lines = Lines(stream)

    def chunks(self, start: Position | None = None, rows: int = ROWS) -> Iterator[FileChunk]:
        """The rows from ``start`` to the end. Where very many lines are blank, a chunk may have none."""
        taken = self._begin(start)
        begun = self._lines.work
        for row in self._rows():
            if row is not None:
                taken.append(row)
            if len(taken) == rows or self._lines.work - begun >= BYTES:
                yield FileChunk(taken, self._position())
                taken, begun = [], self._lines.work
        if taken:
            yield FileChunk(taken, self._position())

    def _begin(self, start: Position | None) -> list[PairRow]:
        """Go to ``start``; returns what was read on the way to here and comes first."""
        if start is not None:
            self._stream.seek(start.offset)
            self._lines = Lines(self._stream, start.offset, start.line)
        return []

    def _position(self) -> Position:
        return Position(self._lines.offset, self._lines.number)

    @abstractmethod
    def _rows(self) -> Iterator[PairRow | None]:
        """The rows from here on, and None for each blank line."""
