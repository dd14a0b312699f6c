"""Columns of what names concepts, as lists, NumPy, pandas, Polars and Arrow have them, to what scoring takes.

A table of another library is whatever NumPy can make an array of (``__array__``): none of them is imported.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import msgspec
import numpy as np

import wort.schemas.arguments as given
import wort.schemas.references as schema
from app.scoring.naming.references import Reference, Text, side_named
from measures.arrays import Array, Ints

Column = Ints | list[Reference | Text]
"""Page ids, int64[n], where a column holds these alone; else what each entry names."""


def pair_columns(pairs: Any, right: Any = None) -> tuple[Column, Column]:  # noqa: ANN401 whatever is a table
    """The left sides and the right ones of some pairs.

    ``pairs``: pairs of sides, or an array or a data frame of two columns; with ``right``, the left column of
    two, which is the other.

    Raises:
        TypeError: an entry names no concept; the message says which.
        ValueError: these are no pairs.
    """
    if isinstance(pairs, str | bytes) and isinstance(right, str | bytes):
        raise TypeError(
            f"Give left and right as columns, such as lists of titles: left is {pairs!r}. {given.ONE_PAIR}"
        )
    if right is not None:
        first, second = column(pairs, "left"), column(right, "right")
        if len(first) != len(second):
            raise ValueError(f"{len(first):,} left sides and {len(second):,} right ones do not make pairs.")
        return first, second
    pairs = given.pairs(pairs)
    if not hasattr(pairs, "__array__"):
        first, second = _unzipped(pairs)
        return column(first, "left"), column(second, "right")
    array = np.asarray(pairs)
    if array.ndim != 2 or array.shape[1] != 2:
        raise ValueError(
            f"Pairs are an array or a data frame of two columns, and this one's shape is {array.shape}. "
            "Choose two of its columns, or give them one by one: score(left, right)."
        )
    # A gap in one column makes floats of the integers of both: it is what is wrong, wherever it is.
    columns = {"left": array[:, 0], "right": array[:, 1]}
    for name, of in columns.items():
        _refuse_gaps(of, name)
    left, other = (column(of, name) for name, of in columns.items())
    return left, other


def column(entries: Any, name: str) -> Column:  # noqa: ANN401 whatever is a column
    """What a column holds; ``name``: what errors call it.

    Raises:
        TypeError: an entry names no concept; the message says which.
        ValueError: this is no column.
    """
    entered = given.entries(entries, name)
    if not hasattr(entered, "__array__"):
        return list(_sides(entered, name))
    array: Array = np.asarray(entered)
    if array.ndim != 1:
        raise ValueError(f"{name} is one column, and this one's shape is {array.shape}.")
    if array.dtype.kind in "iu" and array.dtype != np.uint64:
        return array.astype(np.int64)
    _refuse_gaps(array, name)
    return list(_sides(array.tolist(), name))


def _refuse_gaps(array: Array, name: str) -> None:
    """Say which row is a gap of what libraries made floats of because of it.

    Raises:
        TypeError: one is.
    """
    if array.dtype.kind != "f":
        return
    gaps = np.flatnonzero(np.isnan(array))
    if len(gaps):
        raise TypeError(
            f"Row {gaps[0]:,} of {name} is a gap, and names no concept. A column of numbers that has "
            "gaps holds no integers, as page ids are: leave the gaps out, and convert it."
        )


def _unzipped(pairs: Iterable[Any]) -> tuple[list[Any], list[Any]]:
    first, second = [], []
    for row, entry in enumerate(pairs):
        left, right = given.pair(entry, row)
        first.append(left)
        second.append(right)
    return first, second


def _sides(entries: Iterable[object], name: str) -> Iterator[Reference | Text]:
    for row, entry in enumerate(entries):
        # As nearly all are.
        if type(entry) is str or type(entry) is int:
            yield entry
        else:
            yield _side(entry, name, row)


def _side(entry: object, name: str, row: int) -> Reference | Text:
    """What an entry names that is neither a plain text nor a plain number.

    Raises:
        TypeError: it names nothing.
    """
    if isinstance(entry, str):
        return str(entry)
    if isinstance(entry, schema.Reference):
        # Whoever made it could put anything into its fields: it is read as a request's is.
        return side_named(msgspec.convert(msgspec.to_builtins(entry), schema.SideReference))
    if isinstance(entry, int | np.integer) and not isinstance(entry, bool):
        return int(entry)
    raise given.no_concept(entry, name, row)


def listed(entries: Column) -> list[Reference | Text]:
    """The entries of a column as a list."""
    return entries.tolist() if isinstance(entries, np.ndarray) else entries


def listed_pairs(left: Column, right: Column) -> list[Any]:
    """The pairs of two columns."""
    return list(zip(listed(left), listed(right), strict=True))


def have_texts(*columns: Column) -> bool:
    """Whether an entry of some columns is a text."""
    lists = (each for each in columns if not isinstance(each, np.ndarray))
    return any(isinstance(entry, Text) for each in lists for entry in each)


def references(concepts: Any, name: str) -> list[Reference]:  # noqa: ANN401 whatever is a column
    """The concepts that a column names.

    Raises:
        TypeError: an entry names no concept.
    """
    named: list[Reference] = []
    for row, entry in enumerate(listed(column(concepts, name))):
        if isinstance(entry, Text):
            raise given.no_text(name, row)
        named.append(entry)
    return named
