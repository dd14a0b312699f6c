"""JSON Lines: one object a line, whose keys may differ from line to line."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import isinf
from typing import Any, BinaryIO

import msgspec

from app.batch.files.lines import LineReader, decode, text_of
from app.batch.files.rows import FileChunk, PairCells, PairRow, Position, Writer
from app.errors import PairsError
from models.given import json_fault, refuse_repeated_keys


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


class JSONLinesReader(LineReader):
    """Reads objects from ``stream``; the first one names the columns that a table would have."""

    uniform = False

    def __init__(self, stream: BinaryIO, size: int | None, pair: PairCells) -> None:
        super().__init__(stream, size, pair)
        self._first = next((row for row in self._rows() if row is not None), None)
        # No objects are no rows, as what is written of a table with a header alone.
        keys = tuple(self._first.record) if self._first is not None else ()
        missing = pair.missing(keys)
        if keys and missing:
            raise PairsError(
                f"the first object has no {' and no '.join(missing)}; it has {', '.join(keys)}. "
                "Name the keys with --left and --right."
            )
        if self._first is not None and keys:
            self._pair = pair.within(keys)
            self._first = self._pair.row(self._first.line, self._first.record)
        self.columns = keys or (pair.left, pair.right)

    def _begin(self, start: Position | None) -> list[PairRow]:
        super()._begin(start)
        return [self._first] if start is None and self._first is not None else []

    def _rows(self) -> Iterator[PairRow | None]:
        for line in self._lines:
            self._lines.mark()
            number = self._lines.number - 1
            if not line.strip():
                yield None
                continue
            record, fault = _object(line)
            if fault is None:
                yield self._pair.row(number, record)
            else:
                yield PairRow(number, {}, error=fault, unread=text_of([line]))


def _object(line: bytes) -> tuple[dict[str, Any], str | None]:
    """The object that a line holds, and why it holds none."""
    _, fault = decode(line)
    if fault is not None:
        return {}, fault
    try:
        record = _DECODER.decode(line)
        refuse_repeated_keys(line)
    except RecursionError:
        return {}, "is nested too deeply"
    except msgspec.DecodeError as error:
        return {}, f"cannot be read as a JSON object: {json_fault(error, line, _DECODER)}"
    return record, None


class JSONLinesWriter(Writer):
    """Writes objects: what the row held, then the result."""

    tabular = False

    def __init__(self, added: Sequence[str]) -> None:
        self._added = added

    def encode(self, chunk: FileChunk, results: Sequence[Sequence[Any]]) -> bytes:
        """One object a row."""
        objects = (
            {**row.record, **dict(zip(self._added, result, strict=True))}
            for row, result in zip(chunk.rows, results, strict=True)
        )
        return msgspec.json.Encoder().encode_lines(list(objects))
