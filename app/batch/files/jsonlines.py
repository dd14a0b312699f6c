"""JSON Lines: one object a line, whose keys may differ from line to line."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import isinf
from pathlib import Path
from typing import Any, BinaryIO

import msgspec

from app.batch.files.lines import Lines, decode
from app.batch.files.rows import BYTES, ROWS, Chunk, Columns, Position, Row
from app.errors import PairsError
from models.given import refuse_repeated_keys


def _number(digits: str) -> float:
    """The number that is written so.

    The decoder's own way takes a hundred times as long for numbers such as 5e-324, all threads waiting.

    Raises:
        ValueError: it is beyond all numbers.
    """
    number = float(digits)
    if isinf(number):
        raise ValueError("Number out of range")
    return number


_DECODER = msgspec.json.Decoder(dict[str, Any], float_hook=_number)


class JSONLinesReader:
    """Reads objects from ``stream``; the first one names the columns that a table would have."""

    uniform = False
    unit = "bytes"
    schema = None

    def __init__(self, stream: BinaryIO, size: int | None, pair: Columns) -> None:
        self.size = size
        self._stream = stream
        self._pair = pair
        self._lines = Lines(stream)
        self._first = next((row for row in self._rows() if row is not None), None)
        keys = tuple(self._first.record) if self._first is not None else ()
        missing = pair.missing(keys)
        if keys and missing:
            raise PairsError(
                f"the first object has no {' and no '.join(missing)}; it has {', '.join(keys)}. "
                "Name the keys with --left and --right."
            )
        self.columns = keys or (pair.left, pair.right)

    def chunks(self, start: Position | None = None) -> Iterator[Chunk]:
        """The rows from ``start`` to the end. Where very many lines are blank, a chunk may have none."""
        rows = [] if self._first is None else [self._first]
        if start is not None:
            self._stream.seek(start.offset)
            self._lines = Lines(self._stream, start.offset, start.line)
            rows = []
        begun = self._lines.work
        for read in self._rows():
            if read is not None:
                rows.append(read)
            if len(rows) == ROWS or self._lines.work - begun >= BYTES:
                yield self._chunk(rows)
                rows, begun = [], self._lines.work
        if rows:
            yield self._chunk(rows)

    def _chunk(self, rows: list[Row]) -> Chunk:
        return Chunk(rows, Position(self._lines.offset, self._lines.number))

    def _rows(self) -> Iterator[Row | None]:
        """The rows, and None for each blank line."""
        for line in self._lines:
            self._lines.mark()
            number = self._lines.number - 1
            if not line.strip():
                yield None
                continue
            _, fault = decode(line)
            if fault is not None:
                yield Row(number, {}, error=fault)
                continue
            try:
                record = _DECODER.decode(line)
                refuse_repeated_keys(line)
            except RecursionError:
                yield Row(number, {}, error="is nested too deeply")
            except msgspec.DecodeError as error:
                yield Row(number, {}, error=f"cannot be read as a JSON object: {error}")
            else:
                yield self._pair.row(number, record)


class JSONLinesWriter:
    """Writes objects: what the row held, then the answer."""

    tabular = False

    def __init__(self, added: Sequence[str]) -> None:
        self._added = added

    def head(self) -> bytes:
        """There is none."""
        return b""

    def encode(self, chunk: Chunk, answers: Sequence[Sequence[Any]]) -> bytes:
        """One object a row."""
        objects = (
            {**row.record, **dict(zip(self._added, answer, strict=True))}
            for row, answer in zip(chunk.rows, answers, strict=True)
        )
        return msgspec.json.Encoder().encode_lines(list(objects))

    def publish(self, grown: Path, output: Path) -> None:
        """The grown file is the output already."""
        grown.replace(output)
