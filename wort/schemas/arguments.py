"""What methods are given, looked at alike by the client and by what answers in the process that asks.

A wrong argument is told of here, by its name, before a server's schema or NumPy says something else of it.
"""

from __future__ import annotations

import math
import os
from collections.abc import Collection, Iterable, Mapping, Set
from numbers import Real
from operator import index
from pathlib import Path
from typing import Any, SupportsIndex, get_args

from msgspec import UNSET

from wort.schemas.references import Reference, SideReference
from wort.schemas.relatedness import Ambiguous
from wort.schemas.texts import MOST_CONTEXT

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
    if math.isnan(number):
        raise ValueError(f"{name} is a number from 0 to 1, and nan is no number.")
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


def flag(value: object, name: str) -> bool:
    """A truth value, of Python or of NumPy; a text such as "no" is not taken for what it is not.

    Raises:
        TypeError: it is none.
    """
    if type(value).__name__ not in {"bool", "bool_"}:
        raise TypeError(f"{name} is True or False, and not {value!r}.")
    return bool(value)


def text(value: object, name: str) -> str:
    """A text.

    Raises:
        TypeError: it is none.
    """
    if not isinstance(value, str):
        raise TypeError(f"Give a string for {name}: it is {value!r}.")
    return value


def place(value: object, name: str) -> Path | None:
    """A file or a folder, or none.

    Raises:
        TypeError: it is neither.
    """
    if value is None or isinstance(value, str | os.PathLike):
        return None if value is None else Path(value)
    raise TypeError(f"Give the path of a file or a folder for {name}: it is {value!r}.")


def ambiguity(value: Ambiguous) -> Ambiguous:
    """What to do with a title that may mean several concepts.

    Raises:
        ValueError: it is neither of the two.
    """
    if value not in get_args(Ambiguous):
        raise ValueError(f'ambiguous is {value!r}; it must be "report" or "resolve".')
    return value


def check_matrix(concepts: object, rows: object, columns: object) -> None:
    """Look at what a matrix is to be of; ``concepts`` may stand for the rows.

    Raises:
        ValueError: it is of nothing, of one side alone, or of both.
    """
    if (concepts is None) == (rows is None) or (rows is not None and columns is None):
        raise ValueError("A matrix is of concepts, or of rows and columns.")


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
    if type(value).__name__ == "LazyFrame":
        raise TypeError(f"{name} is a data frame that is not computed yet. Give a column of frame.collect().")
    if isinstance(value, str | bytes) or not isinstance(value, Iterable):
        raise TypeError(f"Give a column for {name}, such as a list of titles: it is {value!r}.")
    return value


def pairs(value: Any) -> Iterable[Any]:  # noqa: ANN401 whatever is a list
    """What should be pairs, one after the other.

    Raises:
        TypeError: nothing is listed there, or a single text is.
    """
    if type(value).__name__ == "LazyFrame":
        raise TypeError("This is a data frame that is not computed yet. Give frame.collect().")
    if isinstance(value, str | bytes) or not isinstance(value, Iterable):
        if hasattr(value, "column_names"):  # a table of Arrow, which nobody can go through row by row
            raise TypeError("This is a table. Give two of its columns: score(table['left'], table['right']).")
        raise TypeError(f"Pairs come as a list of pairs, and not as {value!r}. {ONE_PAIR}")
    return value


def pair(value: Any, row: int) -> tuple[Any, Any]:  # noqa: ANN401 whatever is in a list
    """The two sides of the pair in a row; the keys of a mapping are not taken for them.

    Raises:
        ValueError: it is no pair.
    """
    is_unordered = isinstance(value, Mapping | Set)
    if is_unordered or isinstance(value, str | bytes) or not isinstance(value, Collection) or len(value) != 2:
        hint = f" {ONE_PAIR}" if isinstance(value, str) else ""
        if isinstance(value, Mapping):
            hint = " Take them out of each mapping: [(row['left'], row['right']) for row in rows]."
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


def concept(value: object, name: str, row: int | None = None) -> str | int | Reference:
    """As ``side``, where a text has no place.

    Raises:
        TypeError: it names no concept.
    """
    named = side(value, name, row)
    if isinstance(named, SideReference) and named.text is not UNSET:
        raise no_text(name, row)
    return named


def context(value: Any) -> list[Any]:  # noqa: ANN401 whatever is a column
    """The concepts of a text's context, which are looked at one by one elsewhere.

    Raises:
        TypeError: it is no column.
        ValueError: there are too many.
    """
    listed = list(entries(value, "context"))
    if len(listed) > MOST_CONTEXT:
        raise ValueError(f"A context is {MOST_CONTEXT} concepts at most, and not {len(listed):,}.")
    return listed


def no_text(name: str, row: int | None = None) -> TypeError:
    """The error that says that an entry is a text where concepts alone are asked for."""
    return TypeError(f"{_placed(name, row)} is a text. Texts are compared in pairs alone.")


def no_concept(value: object, name: str, row: int | None = None) -> TypeError:
    """The error that says that an entry names no concept, and what does."""
    hint = ""
    if is_gap(value):
        hint = " It is a gap: leave it out."
    elif isinstance(value, Mapping):
        # As JSON names a side; whatever else is in it, these are the fields that name one.
        fields = [
            field for field in ("id", "title", "mention", "context", "text", "description") if field in value
        ]
        kind = "SideReference" if "text" in fields else "Reference"
        given = ", ".join(f"{field}=…" for field in fields or ["title"])
        hint = f" For what JSON has as an object there is wort.{kind}({given})."
    elif not isinstance(value, bool) and isinstance(value, Real):
        hint = " A column of numbers that has gaps holds no integers: leave the gaps out, and convert it."
    return TypeError(f"{_placed(name, row)} is {value!r}, and names no concept. Give {_NAMES}.{hint}")


def is_gap(value: object) -> bool:
    """Whether ``value`` is what columns have where nothing is: None, NaN, or what pandas has for them."""
    if isinstance(value, float):
        return math.isnan(value)
    return value is None or type(value).__name__ in {"NAType", "NaTType"}


def _placed(name: str, row: int | None) -> str:
    return name if row is None else f"Row {row:,} of {name}"


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
