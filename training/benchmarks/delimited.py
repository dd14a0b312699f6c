"""Judgements as a declared table or as JSON lines: columns by name or by place, whatever separates them."""

from __future__ import annotations

import codecs
import csv
import io
from collections.abc import Iterator, Mapping
from pathlib import Path

from models.given import csv_fault
from training.benchmarks.declared import Declaration
from training.benchmarks.judgements import check_header, mark_of
from training.benchmarks.rows import BenchmarkRow
from training.benchmarks.table import json_rows
from training.errors import BadRow, NotABenchmark

_COMMA, _TAB = ",", "\t"

Line = tuple[int, list[str]]


def read_delimited(declaration: Declaration, path: Path, content: bytes) -> Iterator[BenchmarkRow]:
    """The rows of a declared table.

    Raises:
        NotABenchmark: a declared column is missing.
        BadRow: a row has not its columns, or the text cannot be read.
    """
    for line, row in table_rows(declaration, path, content):
        yield _row(declaration, line, row)


def read_json_lines(declaration: Declaration, _path: Path, content: bytes) -> Iterator[BenchmarkRow]:
    """The rows of a file with a JSON object a line; blank lines are passed over.

    Raises:
        BadRow: a line is no object.
    """
    for line, row in json_rows(content.removeprefix(codecs.BOM_UTF8)):
        yield _row(declaration, line, row)


def _row(declaration: Declaration, line: int, row: Mapping[str, object]) -> BenchmarkRow:
    topic = row.get(declaration.topic) if declaration.topic else None
    left, right, score = (
        row.get(column) for column in (declaration.left, declaration.right, declaration.score)
    )
    return BenchmarkRow(line, left, right, score, topic if isinstance(topic, str) else None, mark_of(row))


def text_of(
    content: bytes, encoding: str, advice: str = "Convert the file, or declare the encoding that it has."
) -> str:
    """The text that the bytes of a file are, without a byte order mark.

    Raises:
        BadRow: they are not in that encoding; the message names the line and the byte.
    """
    try:
        return content.removeprefix(codecs.BOM_UTF8).decode(encoding)
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        byte = f"byte {content[error.start]:#04x}"
        raise BadRow(f"line {line}: not {encoding} ({byte}). {advice}") from None


def table_rows(declaration: Declaration, path: Path, content: bytes) -> Iterator[tuple[int, dict[str, str]]]:
    """(line, row by column) of each row of a declared table; blank lines are passed over.

    Raises:
        NotABenchmark: a declared column is missing.
        BadRow: a row has not its columns, or the text cannot be read.
    """
    text = text_of(content, declaration.encoding)
    delimiter = declaration.delimiter or (_COMMA if path.suffix.lower() == ".csv" else _TAB)
    lines = _words(text) if delimiter == "whitespace" else _fields(text, delimiter)
    columns = expected = list(declaration.columns) or [
        column
        for column in (declaration.left, declaration.right, declaration.score, declaration.topic)
        if column
    ]
    if declaration.header:
        _, header = next(lines, (1, []))
        columns = [column.strip() for column in header]
        check_header(columns)
        if missing := [column for column in expected if column not in columns]:
            raise NotABenchmark(
                f"line 1 should name the columns {', '.join(expected)}. It lacks {', '.join(missing)}; "
                f"separated by {delimiter!r} it has {', '.join(map(repr, columns[:20])) or 'none'}. Is it "
                "the file that is declared?"
            )
    for line, fields in lines:
        if len(fields) != len(columns):
            raise BadRow(
                f"line {line}: {len(fields)} columns where there should be {len(columns)} "
                f"({', '.join(columns)}), separated by {delimiter!r}."
            )
        yield line, dict(zip(columns, fields, strict=True))


def _fields(text: str, delimiter: str) -> Iterator[Line]:
    rows = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    end = 0
    try:
        for fields in rows:
            end = rows.line_num
            if len(fields) > 1 or any(map(str.strip, fields)):
                yield end, fields
    except csv.Error as error:
        # The reader counts the lines of whole rows; the one at fault begins below them.
        raise BadRow(f"line {end + 1}: {csv_fault(error)}") from None


def _words(text: str) -> Iterator[Line]:
    for line, row in enumerate(text.split("\n"), start=1):
        if fields := row.split():
            yield line, fields
