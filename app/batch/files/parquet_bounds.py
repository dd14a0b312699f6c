"""What a Parquet file from elsewhere may unfold to, looked at before anybody reads its values.

A page of a kilobyte may become gigabytes, a row group of a few bytes a billion rows. What a file says of
itself is compared with what its pages say, which readers go by. Nothing is decompressed for it.
Source: Apache Parquet, ``parquet-format``: ``README.md``, ``src/main/thrift/parquet.thrift``.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, BinaryIO

from app.batch.files.delimited import COLUMNS
from app.batch.files.lines import LONGEST
from app.batch.files.thrift import CompactReader, NotThrift, Struct, Truncated
from app.errors import FileTooLarge, PairsError

FOOTER = 1 << 20
"""Bytes of the footer: of some thousand columns in a row group, or of ten in some hundred. Looking
at it takes up to a second."""

LEAST = 1 << 10
"""A file may have one page more than the bound for each so many of its bytes."""

HEADER = 1 << 16
"""Bytes of a page's header."""

CELL = 2
"""Bytes that a cell takes in a table at the least: what it holds, and what separates it."""

TURN = 500
"""Pages that are looked at in one go: some milliseconds."""

_MAGIC = b"PAR1"
_VALUES = FOOTER // 2
_BYTE_ARRAY, _FIXED = 6, 7
_REPEATED = 2
_DATA, _DICTIONARY, _DATA_V2 = 0, 2, 3
_UNFOLDING = {6: "DELTA_LENGTH_BYTE_ARRAY", 7: "DELTA_BYTE_ARRAY"}
"""Encodings of text that a few bytes of may become any number of, before a reader can tell."""


@dataclass(frozen=True, slots=True)
class PartCounts:
    """How many parts a file may have: columns, columns of all row groups together, and pages."""

    columns: int = COLUMNS
    chunks: int = 10_000
    pages: int = 20_000


def checked(file: BinaryIO, most: int, counts: PartCounts = PartCounts()) -> Iterator[int]:
    """Look at the Parquet ``file``, a turn at a time; gives how many pages were looked at in each.

    ``most``: bytes that its pages may have, decompressed, and the rows as a table would write them.

    Raises:
        FileTooLarge: they have more; or the file has too many rows, columns, row groups or pages.
        PairsError: it is not Parquet, is damaged, or of a kind that is not read from elsewhere.
    """
    try:
        yield from _Check(file, most, counts).pages()
    except NotThrift as error:
        raise _damaged(str(error) or "it ends too early") from None


@dataclass(frozen=True, slots=True)
class _Chunk:
    """The values of a column in a row group: where its pages begin and end, and how many ``rows`` it has."""

    begin: int
    end: int
    rows: int
    text: bool


class _Check:
    """One look at a file."""

    def __init__(self, file: BinaryIO, most: int, counts: PartCounts) -> None:
        self._file = file
        self._most = most
        self._counts = counts
        self._size = file.seek(0, 2)
        self._unfolded = 0
        self._pages = 0

    def pages(self) -> Iterator[int]:
        """Look at the footer, then at all pages."""
        chunks = self._chunks()
        yield 0
        told = 0
        for chunk in chunks:
            at, rows = chunk.begin, 0
            while at < chunk.end and rows < chunk.rows:
                at, more = self._page(at, chunk)
                rows += more
                if self._pages - told >= TURN:
                    yield self._pages - told
                    told = self._pages
            if rows != chunk.rows:
                raise _damaged("its pages have another number of rows than it says")
        yield self._pages - told

    def _chunks(self) -> list[_Chunk]:
        footer = self._footer()
        elements, groups = _list(footer, 2), _list(footer, 4)
        if not elements or not all(isinstance(each, dict) for each in (*elements, *groups)):
            raise _damaged("its footer makes no sense")
        columns = elements[1:]
        if len(columns) > (most := self._counts.columns):
            raise FileTooLarge(
                f"the file has {len(columns):,} columns and may have {most:,}. Leave some of them out.", most
            )
        width = sum(map(_width, columns))
        rows = sum(_number(group, 3) for group in groups)
        if rows != _number(footer, 3):
            raise _damaged("its row groups have another number of rows than it says")
        if rows * width > self._most:
            raise self._too_large()
        if len(groups) * len(columns) > (most := self._counts.chunks):
            raise FileTooLarge(
                f"the file has {len(groups):,} row groups of {len(columns):,} columns, and may have "
                f"{most:,} of both together. Write it with larger row groups.",
                most,
            )
        return [chunk for group in groups for chunk in self._of_group(group, columns)]

    def _footer(self) -> Struct:
        self._file.seek(max(0, self._size - 8))
        tail = self._file.read(8)
        length = int.from_bytes(tail[:4], "little")
        if tail[4:] != _MAGIC or length > self._size - 12:
            raise PairsError(
                "the file is not Parquet, is not whole, or is encrypted: it does not end as Parquet does."
            )
        if length > FOOTER:
            raise FileTooLarge(
                f"the footer of the file has {length:,} bytes and may have {FOOTER:,}. "
                "Leave out columns, or write it with larger row groups.",
                FOOTER,
            )
        self._file.seek(self._size - 8 - length)
        return CompactReader(self._file.read(length), _VALUES).struct()

    def _of_group(self, group: Struct, columns: list[Struct]) -> Iterator[_Chunk]:
        chunks = _list(group, 1)
        if len(chunks) != len(columns):
            raise _damaged("a row group has other columns than it says")
        for chunk, column in zip(chunks, columns, strict=True):
            known = chunk.get(3) if isinstance(chunk, dict) else None
            if not isinstance(known, dict) or 1 in chunk:
                raise _damaged("the values of a column stand elsewhere")
            rows = _number(group, 3)
            begin, dictionary = _number(known, 9), _number(known, 11, 0)
            if 0 < dictionary < begin:
                begin = dictionary
            end = begin + _number(known, 7)
            if _number(known, 5) != rows or _number(known, 1) != _number(column, 1) or end > self._size:
                raise _damaged("a column has other values than its row group says")
            yield _Chunk(begin, end, rows, _number(column, 1) == _BYTE_ARRAY)

    def _page(self, at: int, chunk: _Chunk) -> tuple[int, int]:
        """Where the page that begins ``at`` ends, and how many rows it has."""
        self._pages += 1
        if self._pages > self._counts.pages + self._size // LEAST:
            raise FileTooLarge("the file has too many pages. Write it with larger ones.", self._counts.pages)
        header, size = self._header(at, chunk.end - at)
        whole, packed = _number(header, 2), _number(header, 3)
        self._unfolded += whole
        if self._unfolded > self._most:
            raise self._too_large()
        end = at + size + packed
        if end > chunk.end:
            raise _damaged("a page is longer than its column")
        kind = _number(header, 1)
        if kind == _DICTIONARY:
            if _number(_struct(header, 7), 1) > whole:
                raise _damaged("a dictionary has more values than bytes")
            return end, 0
        if kind not in (_DATA, _DATA_V2):
            return end, 0
        about = _struct(header, 5 if kind == _DATA else 8)
        encoding = _number(about, 2 if kind == _DATA else 4)
        if chunk.text and encoding in _UNFOLDING:
            raise PairsError(
                f"the file has text in the encoding {_UNFOLDING[encoding]}, which is not read here. "
                "Write it with dictionaries or plainly, as version 1 of Parquet does."
            )
        return end, _number(about, 1)

    def _header(self, at: int, most: int) -> tuple[Struct, int]:
        """The header of a page, and its length in bytes. Nearly all have less than a hundred."""
        for length in (min(256, most), min(HEADER, most)):
            self._file.seek(at)
            reader = CompactReader(self._file.read(length), _VALUES)
            try:
                return reader.struct(), reader.at
            except Truncated:
                continue
        raise Truncated

    def _too_large(self) -> FileTooLarge:
        return FileTooLarge(
            f"the file may have {self._most:,} bytes, unfolded: its pages decompressed, and its rows as a "
            "table would have them. Send it in several.",
            self._most,
        )


def _width(column: Struct) -> int:
    """Bytes that a cell of a column may take at the least, whatever it was folded into.

    Raises:
        PairsError: it is no plain column.
    """
    name = column.get(4)
    called = name.decode(errors="replace") if isinstance(name, bytes) else "?"
    if 5 in column or _number(column, 3, _REPEATED) == _REPEATED:
        raise PairsError(
            f"the column {called!r} holds lists or structs, which are not read here. Leave it out, or "
            "send JSON Lines."
        )
    if _number(column, 1) != _FIXED:
        return CELL
    if not 0 < (width := _number(column, 2)) <= LONGEST:
        raise PairsError(f"the column {called!r} holds values of {width:,} bytes, and may of {LONGEST:,}.")
    return CELL + width


def _number(fields: Struct, number: int, default: int | None = None) -> int:
    value = fields.get(number, default)
    if type(value) is not int or value < 0:
        raise _damaged("its footer or the header of a page makes no sense")
    return value


def _list(fields: Struct, number: int) -> list[Any]:
    value = fields.get(number)
    if not isinstance(value, list):
        raise _damaged("its footer makes no sense")
    return value


def _struct(fields: Struct, number: int) -> Struct:
    value = fields.get(number)
    if not isinstance(value, dict):
        raise _damaged("the header of a page makes no sense")
    return value


def _damaged(why: str) -> PairsError:
    return PairsError(f"the file is not Parquet, or damaged: {why}.")
