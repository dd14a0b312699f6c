"""What is wrong with a file of cells, in words that whoever made it can use.

It stands here because readers of benchmarks and of files to be scored share it, and ``training`` and the
serving process both import this package.
"""

from __future__ import annotations

import csv


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
    if "row limit" in said:
        return "a row has too many lines. Is a quote in it never closed?"
    if "field limit" in said:
        return (
            f"a cell has more than {csv.field_size_limit():,} characters. Is a quote before it never closed?"
        )
    return f"it cannot be read as cells ({said}). Is it a table of text?"
