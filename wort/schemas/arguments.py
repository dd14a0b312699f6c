"""What methods are given, looked at alike by the client and by what answers in the process that asks.

A wrong argument is told of here, by its name, before a server's schema or NumPy says something else of it.
"""

from __future__ import annotations

import math
import os
from collections.abc import Collection, Iterable
from numbers import Real
from operator import index
from pathlib import Path
from typing import Any, SupportsIndex

from wort.schemas.relatedness import Reference

_NAMES = "a title, an address, a page id or a wort.Reference"

ONE_PAIR = "For one pair there is relatedness(left, right)."


def whole(value: object, name: str, what: str, least: int = 1) -> int:
    """A number of things that is asked for; ``what``: what it counts, for messages.

    Raises:
        TypeError: it is no whole number.
        ValueError: it is below ``least``.
    """
    number = _index(value)
    if number is None:
        raise TypeError(f"{name} is {what}, a whole number, and not {value!r}.")
    if number < least:
        raise ValueError(f"{name} is {what}, {least} at least, and not {number}.")
    return number


def share(value: object, name: str) -> float:
    """A number from 0 to 1.

    Raises:
        TypeError: it is no number.
        ValueError: it is another one.
    """
    number = _number(value, name, "a number from 0 to 1")
    if not 0 <= number <= 1:
        raise ValueError(f"{name} is from 0 to 1, and not {value}.")
    return number


def seconds(value: object, name: str, *, positive: bool) -> float:
    """A time in seconds, 0 or more; above 0 where ``positive``.

    Raises:
        TypeError: it is no number.
        ValueError: it is no such time.
    """
    wanted = f"a number of seconds, {'above 0' if positive else '0 or more'}"
    number = _number(value, name, wanted)
    if not math.isfinite(number) or number < 0 or (positive and number == 0):
        raise ValueError(f"{name} is {wanted}, and not {value}.")
    return number


def text(value: object, name: str) -> str:
    """A text.

    Raises:
        TypeError: it is none.
    """
    if not isinstance(value, str):
        raise TypeError(f"{name} is a text, and not {value!r}.")
    return value


def place(value: object, name: str) -> Path | None:
    """A file or a folder, or none.

    Raises:
        TypeError: it is neither.
    """
    if value is None or isinstance(value, str | os.PathLike):
        return None if value is None else Path(value)
    raise TypeError(f"{name} is the path of a file or a folder, and not {value!r}.")


def names(value: object, name: str, of: str) -> tuple[Any, ...]:
    """Some names ``of`` something; one text is not taken for its letters.

    Raises:
        TypeError: these are no names in a list.
    """
    if isinstance(value, str):
        raise TypeError(f"{name} is a list of names of {of}, and not {value!r}. Give [{value!r}].")
    if not isinstance(value, Iterable):
        raise TypeError(f"{name} is a list of names of {of}, and not {value!r}.")
    return tuple(value)


def entries(value: Any, name: str) -> Iterable[Any]:  # noqa: ANN401 whatever is a column
    """What a column of concepts has in it; one text is not taken for its letters.

    Raises:
        TypeError: it is no column.
    """
    if isinstance(value, str | bytes) or not isinstance(value, Iterable):
        raise TypeError(f"{name} is a column, such as a list of titles, and not {value!r}.")
    return value


def pairs(value: Any) -> Iterable[Any]:  # noqa: ANN401 whatever is a list
    """What should be pairs, one after the other.

    Raises:
        TypeError: nothing is listed there, or a single text is.
    """
    if isinstance(value, str | bytes) or not isinstance(value, Iterable):
        raise TypeError(f"Pairs come as a list of pairs, and not as {value!r}. {ONE_PAIR}")
    return value


def pair(value: Any, row: int) -> tuple[Any, Any]:  # noqa: ANN401 whatever is in a list
    """The two sides of the pair in a row.

    Raises:
        ValueError: it is no pair.
    """
    if isinstance(value, str | bytes) or not isinstance(value, Collection) or len(value) != 2:
        hint = f" {ONE_PAIR}" if isinstance(value, str) else ""
        raise ValueError(f"Row {row:,} is no pair: {value!r}. A pair is two sides, (left, right).{hint}")
    left, right = value
    return left, right


def side(value: object, name: str, row: int | None = None) -> str | int | Reference:
    """What names a concept, or the text of a side, as a request has it; ``row``: where it is in a column.

    Raises:
        TypeError: it names nothing.
    """
    if isinstance(value, Reference):
        return value
    if isinstance(value, str):
        return str(value)
    number = _index(value)
    if number is None:
        raise no_concept(value, name, row)
    return number


def no_concept(value: object, name: str, row: int | None = None) -> TypeError:
    """The error that says that an entry names no concept, and what does."""
    place = name if row is None else f"Row {row:,} of {name}"
    hint = ""
    if is_gap(value):
        hint = " It is a gap: leave it out."
    elif not isinstance(value, bool) and isinstance(value, Real):
        hint = " A column of numbers that has gaps holds no integers: leave the gaps out, and convert it."
    return TypeError(f"{place} is {value!r}, and names no concept. Give {_NAMES}.{hint}")


def is_gap(value: object) -> bool:
    """Whether ``value`` is what columns have where nothing is: None, NaN, or what pandas has for them."""
    if isinstance(value, float):
        return math.isnan(value)
    return value is None or type(value).__name__ in {"NAType", "NaTType"}


def _index(value: object) -> int | None:
    """A whole number of any library as Python's; None of what is none. Truth values count nothing."""
    if isinstance(value, bool) or not isinstance(value, SupportsIndex):
        return None
    try:
        return index(value)
    except TypeError:  # arrays have the method, and no such value
        return None


def _number(value: object, name: str, wanted: str) -> float:
    if isinstance(value, bool) or not isinstance(value, Real):
        raise TypeError(f"{name} is {wanted}, and not {value!r}.")
    return float(value)
