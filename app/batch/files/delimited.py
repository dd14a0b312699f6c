"""CSV and TSV (RFC 4180): quoted cells, quoted newlines, any line ends, a header or none."""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import pairwise
from typing import Any, BinaryIO, Literal, NamedTuple

import msgspec

from app.batch.files.lines import LINE_COST, LONGEST, LineReader, decode, text_of
from app.batch.files.rows import FileChunk, PairCells, PairRow, Position, Writer
from app.errors import PairsError
from models.given import csv_fault

csv.field_size_limit(LONGEST)

LARGEST_ROW = 8 * LONGEST
"""Bytes that the lines of one row may have together, ``LINE_COST`` more counted for each line."""

READ_AGAIN = 32 * LONGEST
"""Bytes, counted likewise, that are read again at the most after quotes that are never closed, and four times
the file beside: every line of a file may open a quote that the rest of it does not close."""

COLUMNS = 10_000
"""The most columns: each row of the output has all of them, however short it is in the input."""

Decimal = Literal[".", ","]
"""The sign of decimals."""

LOOKED_AT, LINES_LOOKED_AT = 1 << 16, 50
"""Bytes, and lines, that say what stands between cells where no header does."""

_SEPARATOR_TOLD = re.compile(rb'"?sep=([!#$%&*,.:;^|~\t])"?[ \t]*\r?\n?', re.IGNORECASE)
"""A first line that tells a spreadsheet what stands between cells; some programs put it into quotes."""

NO_HEADER = " If that is a pair and the file has no header, add --no-header."
"""What is said besides of a first row that names neither column."""


class DelimitedRecord(NamedTuple):
    """A record: the number of its first line, its cells, what is wrong with it, its lines to give back.

    ``unread``: the line at fault, where it was not read as cells.
    """

    line: int
    cells: list[str]
    error: str | None
    taken: list[bytes]
    unread: list[bytes]


class DelimitedReader(LineReader):
    """Reads rows of cells from ``stream``; its first row names the columns, unless it has no header.

    ``delimiters``: what may stand between cells: that by which the first row has the pair, or which the first
    rows suggest where there is no header. ``delimiter``: what does. ``preface``: a line before all rows that
    tells it, whatever it is, as ``sep=;`` does; nothing where there is none. ``marked``: whether a byte order
    mark is before all. ``largest_row``, ``read_again``: see ``LARGEST_ROW`` and ``READ_AGAIN``.
    """

    uniform = True

    def __init__(
        self,
        stream: BinaryIO,
        size: int | None,
        pair: PairCells,
        delimiters: str,
        largest_row: int = LARGEST_ROW,
        read_again: int = READ_AGAIN,
    ) -> None:
        super().__init__(stream, size, pair)
        self._largest_row = largest_row
        self._read_again = read_again
        self._again = 0
        self.preface = self._told()
        told = _SEPARATOR_TOLD.fullmatch(self.preface)
        self.delimiters = delimiters
        line, cells, error, taken, _ = self._first(delimiters if told is None else told[1].decode())
        if error is not None:
            raise PairsError(f"line {line}: {error}")
        if not pair.header:
            self._lines.give_back(taken)
            cells = pair.names(len(cells))
        repeated = [name for name, times in Counter(cells).items() if times > 1]
        if repeated:
            hint = NO_HEADER if len(pair.missing(cells)) == 2 else ""
            raise PairsError(
                f"the header names the column {min(repeated)!r} twice. Rename one of them.{hint}"
            )
        if len(cells) > COLUMNS and not pair.missing(cells):
            raise PairsError(
                f"the header has {len(cells):,} columns and may have {COLUMNS:,}. Leave some of them out."
            )
        self.columns = tuple(cells)
        self.marked = self._lines.marked
        self._pair = pair.within(self.columns)

    def _told(self) -> bytes:
        """The first line, where it tells what stands between cells; it is no row then."""
        self._lines.mark()
        first = next(self._lines, b"")
        if _SEPARATOR_TOLD.fullmatch(first):
            return first
        if first:
            self._lines.give_back([first])
        return b""

    def _first(self, delimiters: str) -> DelimitedRecord:
        """The first row, by the first of ``delimiters`` that has the pair in it, else as the rows suggest."""
        named = delimiters if self._pair.header else ""
        for self.delimiter in named:
            record = self._filled()
            suits = record.error is None and not self._pair.missing_in(record.cells)
            if suits or not record.taken:
                return record
            self._lines.give_back(record.taken)
        self.delimiter = self._suggested(delimiters)
        return self._filled()

    def _suggested(self, delimiters: str) -> str:
        """What the first rows have between their cells, as far as nothing is named."""
        if len(delimiters) == 1:
            return delimiters
        self._lines.mark()
        taken: list[bytes] = []
        looked_at = 0
        for line in self._lines:
            taken.append(line)
            looked_at += len(line)
            if looked_at >= LOOKED_AT or len(taken) == LINES_LOOKED_AT:
                break
        self._lines.give_back(taken)
        texts = [decode(line)[0] for line in taken]
        return separator({each: _rows_of(texts, each) for each in delimiters})

    def _filled(self) -> DelimitedRecord:
        """The next row that is not blank."""
        record = self._record()
        while record is not None and not record.cells and record.error is None:
            record = self._record()
        return record or DelimitedRecord(1, [], "the file is empty: it has no header", [], [])

    def _begin(self, start: Position | None) -> list[PairRow]:
        self._again = self._again if start is None else start.again
        return super()._begin(start)

    def _position(self) -> Position:
        return Position(self._lines.offset, self._lines.number, self._again)

    def _rows(self) -> Iterator[PairRow | None]:
        while (record := self._record()) is not None:
            blank = not record.cells and record.error is None
            yield None if blank else self._row(*record)

    def _row(
        self, line: int, cells: list[str], error: str | None, taken: list[bytes], unread: list[bytes]
    ) -> PairRow:
        record = dict(zip(self.columns, cells, strict=False))
        if len(cells) > len(self.columns):
            unread = taken
        if error is None and len(cells) != len(self.columns):
            error = f"has {_count(len(cells), 'cell')} where the header has {len(self.columns)}"
        if error is not None:
            return PairRow(line, record, error=error, unread=text_of(unread) if unread else None)
        return self._pair.row(line, record)

    def _record(self) -> DelimitedRecord | None:
        """The next record, None at the end. A blank line has no cells."""
        first = self._lines.number
        self._lines.mark()
        taken: list[bytes] = []
        faults: list[str] = []
        try:
            cells = next(csv.reader(self._feed(taken, faults), delimiter=self.delimiter, strict=True))
        except StopIteration:
            return None
        except csv.Error as error:
            gone = self._given_back(taken[1:])
            unread = taken[:1]
            return DelimitedRecord(first, [], csv_fault(error) + gone, [] if gone else unread, unread)
        return DelimitedRecord(first, cells, faults[0] if cells and faults else None, taken, [])

    def _given_back(self, lines: Sequence[bytes]) -> str:
        """Have ``lines`` come again, and say so where they do not.

        A quote that is never closed swallows the lines after it: only its own line is at fault. But where
        this happens on and on, the file would be read as often as it has lines.
        """
        work = sum(map(len, lines)) + LINE_COST * len(lines)
        if work > self._read_again + 4 * self._lines.offset - self._again:
            return f" The {_count(len(lines), 'line')} after it, which it takes in, went with it."
        self._again += work
        self._lines.give_back(lines)
        return ""

    def _feed(self, taken: list[bytes], faults: list[str]) -> Iterator[str]:
        begun = self._lines.work
        for line in self._lines:
            if self._lines.work - begun > self._largest_row and taken:
                self._lines.give_back([line])
                raise csv.Error("row limit")
            taken.append(line)
            text, fault = decode(line)
            if fault is not None:
                faults.append(fault)
            yield text


class DelimitedWriter(Writer):
    """Writes rows of cells. ``begin``: bytes before all rows, as a byte order mark is.

    ``decimal``: the sign of decimals in the numbers that are added; cells of the input stay as they came.
    """

    tabular = True

    def __init__(
        self,
        columns: Sequence[str],
        added: Sequence[str],
        delimiter: str,
        begin: bytes = b"",
        decimal: Decimal = ".",
    ) -> None:
        self._decimal = decimal
        self._columns = columns
        self._added = added
        self._delimiter = delimiter
        self._begin = begin

    def head(self) -> bytes:
        """The header."""
        return self._begin + self._lines([[*self._columns, *self._added]])

    def encode(self, chunk: FileChunk, results: Sequence[Sequence[Any]]) -> bytes:
        """One line a row; an absent value is an empty cell."""
        return self._lines(
            [
                [*(cell(row.record.get(column)) for column in self._columns), *map(self._added_cell, result)]
                for row, result in zip(chunk.rows, results, strict=True)
            ]
        )

    def _added_cell(self, value: object) -> object:
        if isinstance(value, float) and self._decimal != ".":
            return repr(value).replace(".", self._decimal)
        return value

    def _lines(self, rows: Sequence[Sequence[Any]]) -> bytes:
        text = io.StringIO()
        plain = csv.writer(text, delimiter=self._delimiter, lineterminator="\n")
        # Where lines end in \n, the writer does not see that a \r has to be quoted too.
        quoted = csv.writer(text, delimiter=self._delimiter, lineterminator="\n", quoting=csv.QUOTE_ALL)
        for cells in rows:
            returns = any(isinstance(value, str) and "\r" in value for value in cells)
            (quoted if returns else plain).writerow(cells)
        return text.getvalue().encode()


def cell(value: object) -> object:
    """``value`` as text that a cell can hold: nested values and truth values as JSON, None as nothing."""
    if isinstance(value, (bool, dict, list)):
        return msgspec.json.encode(value).decode()
    return value


def separator(rows_by: Mapping[str, Sequence[Sequence[str]]]) -> str:
    """What stands between cells, of those by which some rows were read; the first, where nobody knows.

    It gives every row as many cells, two at the least, and is no part of what is in them: a comma between
    digits is the sign of decimals, and what a space follows belongs to a text.

    >>> separator({",": [["Cat;Dog;1", "5"]], ";": [["Cat", "Dog", "1,5"]]})
    ';'
    """
    even = [each for each, rows in rows_by.items() if _is_even(rows)]
    parting = (each for each in even if not all(_is_within(row) for row in rows_by[each]))
    begun = [each for each, rows in rows_by.items() if rows and len(rows[0]) > 1]
    return next(iter([*parting, *even, *begun, *rows_by]))


def _is_even(rows: Sequence[Sequence[str]]) -> bool:
    widths = {len(row) for row in rows}
    return len(widths) == 1 and min(widths) > 1


def _is_within(row: Sequence[str]) -> bool:
    """Whether what parts the cells of a row may everywhere be a part of what stands in one."""
    return all(
        after.startswith(" ") or (before[-1:].isdigit() and after[:1].isdigit())
        for before, after in pairwise(row)
    )


def _rows_of(lines: Sequence[str], delimiter: str) -> list[list[str]]:
    """The rows of some lines that are no blank ones; where a quote is not closed, those before it."""
    rows: list[list[str]] = []
    with suppress(csv.Error):
        for cells in csv.reader(lines, delimiter=delimiter, strict=True):
            if cells:
                rows.append(cells)
    return rows


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
