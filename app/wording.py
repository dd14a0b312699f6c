"""What is wrong with a value, in the words of wort: the validator's are made for programmers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

_FAULTS = {
    "greater_than_equal": "{given} is too small; {ge} is the least",
    "greater_than": "{given} is too small; it is to be above {gt}",
    "less_than_equal": "{given} is too large; {le} is the most",
    "less_than": "{given} is too large; it is to be below {lt}",
    "int_parsing": "'{given}' is not a whole number",
    "int_from_float": "'{given}' is not a whole number",
    "int_parsing_size": "'{given}' is too large",
    "float_parsing": "'{given}' is not a number",
    "finite_number": "'{given}' is not a finite number",
    "bool_parsing": "'{given}' is neither true nor false",
    "literal_error": "'{given}' is not {expected}",
    "missing": "it is missing",
    "string_too_short": "'{given}' is too short; it is to have {min_length:,} characters or more",
    "string_too_long": "{length:,} characters are too many; {max_length:,} are the most",
}
"""What is said of each kind of fault; others are told of as the validator does."""

_BOUNDS = ("ge", "gt", "le", "lt")

_QUOTED = 40
"""Characters that are quoted of a value."""


def worded(fault: Mapping[str, Any]) -> str:
    """What a fault that Pydantic found says to a person.

    >>> worded({"type": "greater_than_equal", "ctx": {"ge": 1}, "input": "0", "msg": "Input should be …"})
    '0 is too small; 1 is the least'
    >>> worded({"type": "value_error", "input": "xml", "msg": "Value error, 'xml' is not one of 'csv'."})
    "'xml' is not one of 'csv'."
    """
    form = _FAULTS.get(str(fault["type"]))
    if form is None:
        return str(fault["msg"]).removeprefix("Value error, ")
    given = str(fault.get("input"))
    if fault["type"] == "string_too_short" and not given:
        return "it is empty; leave it out, or give it a value"
    shown = given if len(given) <= _QUOTED else f"{given[:_QUOTED]}…"
    context = {
        name: number(value) if name in _BOUNDS else value for name, value in fault.get("ctx", {}).items()
    }
    return form.format(given=shown, length=len(given), **context)


def number(value: float) -> str:
    """A bound as people write it: all digits of a whole number, and of others no more than tell.

    >>> number(1_234_567), number(50.0), number(0.25)
    ('1234567', '50', '0.25')
    """
    return f"{value:.0f}" if value == int(value) else f"{value:g}"


def of_fields(faults: Iterable[Mapping[str, Any]]) -> str:
    """The faults of a request, or of a call, each in a sentence that names its field.

    A request says in the first part of a place where in it the field stands; a call has the field alone.

    >>> of_fields([{"type": "less_than_equal", "loc": ("query", "k"), "input": "51", "ctx": {"le": 50}}])
    'In the address, “k”: 51 is too large; 50 is the most.'
    >>> of_fields([{"type": "missing", "loc": ("query",), "input": {}}])
    '“query”: it is missing.'
    """
    return " ".join(map(_of_field, faults))


def _of_field(fault: Mapping[str, Any]) -> str:
    place = fault["loc"]
    where = "In the address, " if len(place) > 1 and place[0] in ("query", "path") else ""
    # Behind a field of which there may be several stands which of them it is.
    field = next((part for part in reversed(place) if isinstance(part, str)), "it")
    return f"{where}“{field}”: {worded(fault).rstrip('.')}."
