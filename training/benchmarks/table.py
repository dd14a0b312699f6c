"""Rows of a delimited table, each with its line."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator

from training.errors import BadRow


def header_of(text: str, delimiter: str) -> list[str]:
    """The names of the columns, as the first line has them."""
    first = text.partition("\n")[0].rstrip("\r")
    try:
        return next(csv.reader([first], delimiter=delimiter), [])
    except csv.Error as error:
        raise BadRow(f"line 1: {fault(error)}") from error


def fault(error: csv.Error) -> str:
    """What is wrong with a table that ``csv`` cannot read, and what to do: its own words are for programmers.

    >>> fault(csv.Error("unexpected end of data"))
    'a quote is opened and never closed. Close it, or write a quote within a quoted cell twice.'
    """
    said = str(error)
    if "end of data" in said:
        return "a quote is opened and never closed. Close it, or write a quote within a quoted cell twice."
    if "expected after" in said:
        return "text follows a closing quote. Write a quote within a quoted cell twice."
    if "new-line character" in said:
        return (
            "a carriage return stands within a cell that is not quoted. Is it a table of text? End its lines "
            "in line feeds, or quote the cell."
        )
    if "field limit" in said:
        return (
            f"a cell has more than {csv.field_size_limit():,} characters. Is a quote before it never closed?"
        )
    return f"it cannot be read as cells ({said}). Is it a table of text?"


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
        raise BadRow(f"line {rows.line_num + 1}: {fault(error)}") from error
