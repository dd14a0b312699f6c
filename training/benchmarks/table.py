"""Rows of a delimited table, or of JSON lines, each with its line."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Set
from typing import Any

import msgspec

from models.given import csv_fault, json_fault, refuse_repeated_keys
from training.errors import BadRow

_DECODER = msgspec.json.Decoder(dict[str, Any])


def header_of(text: str, delimiter: str) -> list[str]:
    """The names of the columns, as the first line has them."""
    first = text.partition("\n")[0].rstrip("\r")
    try:
        return next(csv.reader([first], delimiter=delimiter), [])
    except csv.Error as error:
        raise BadRow(f"line 1: {csv_fault(error)}") from error


def delimiter_of(text: str, delimiters: str, wanted: Set[str] = frozenset()) -> str:
    """What stands between cells: of ``delimiters``, that by which the header has the columns ``wanted``.

    The first of several such; where there is none, that which gives the header the most columns.

    >>> delimiter_of("left;right;score, mean", ",;", {"left", "right"})
    ';'
    """

    def suits(delimiter: str) -> tuple[bool, int]:
        try:
            columns = header_of(text, delimiter)
        except BadRow:
            return False, 0
        return wanted <= set(columns), len(columns)

    return max(delimiters, key=suits)


def rows_of(text: str, delimiter: str) -> Iterator[tuple[int, dict[str, str]]]:
    """(line, row by column) of each row below the header; blank lines are passed over.

    Raises:
        BadRow: a row has not the header's columns, or its quotes are not in order.
    """
    rows = csv.DictReader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    try:
        for row in rows:
            if None in row or None in row.values():
                raise BadRow(f"line {rows.line_num}: not the columns that the header names.")
            yield rows.line_num, row
    except csv.Error as error:
        # The reader counts the lines of whole rows; the one at fault begins below them.
        raise BadRow(f"line {rows.line_num + 1}: {csv_fault(error)}") from error


def json_rows(content: bytes) -> Iterator[tuple[int, dict[str, Any]]]:
    """(line, row by key) of each line of JSON; blank lines are passed over.

    Raises:
        BadRow: a line is no object.
    """
    for line, text in enumerate(content.split(b"\n"), start=1):
        if not text.strip():
            continue
        try:
            row = _DECODER.decode(text)
            refuse_repeated_keys(text)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            raise BadRow(f"line {line}: not a JSON object ({json_fault(error, text, _DECODER)}).") from error
        yield line, row
