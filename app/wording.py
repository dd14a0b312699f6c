"""What is wrong with a value, in the words of wort: the validator's are made for programmers."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import groupby
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
    "string_type": "it is to be a text",
    "int_type": "it is to be a whole number",
    "string_too_short": "'{given}' is too short; it is to have {min_length:,} characters or more",
    "string_too_long": "{length:,} characters are too many; {max_length:,} are the most",
}
"""What is said of each kind of fault; others are told of as the validator does."""

_OF_BOUNDS = ("greater_than_equal", "greater_than", "less_than_equal", "less_than")

_BOUNDS = ("ge", "gt", "le", "lt")

_KINDS = {"string_type": "a text", "int_type": "a whole number", "int_from_float": "a whole number"}
"""What a field may be that may be of several kinds, by the fault of being of none."""

_BRANCHES = ("str", "int")
"""What stands behind the name of such a field: the kind that the value is not of."""

_QUOTED = 40
"""Characters that are quoted of a value."""


def worded(fault: Mapping[str, Any], required: bool = False) -> str:
    """What a fault that Pydantic found says to a person; ``required``: nothing may be left out there.

    >>> worded({"type": "greater_than_equal", "ctx": {"ge": 1}, "input": "0", "msg": "Input should be …"})
    '0 is too small; 1 is the least'
    >>> worded({"type": "less_than_equal", "ctx": {"le": 1}, "input": "nan", "msg": "Input should be …"})
    "'nan' is not a number"
    >>> worded({"type": "value_error", "input": "xml", "msg": "Value error, 'xml' is not one of 'csv'."})
    "'xml' is not one of 'csv'."
    """
    form = _FAULTS.get(str(fault["type"]))
    if form is None:
        return str(fault["msg"]).removeprefix("Value error, ")
    given = str(fault.get("input"))
    if fault["type"] in _OF_BOUNDS and given.strip().lstrip("+-").lower() == "nan":
        form = _FAULTS["float_parsing"]  # it is neither too small nor too large
    if fault["type"] == "string_too_short" and not given:
        return "it is empty; give it a value" if required else "it is empty; leave it out, or give it a value"
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


def ended(said: str) -> str:
    """A sentence with its stop.

    >>> ended("'x' is not a whole number"), ended("Name a file.")
    ("'x' is not a whole number.", 'Name a file.')
    """
    return said if said.endswith((".", "!", "?")) else f"{said}."


def of_fields(faults: Iterable[Mapping[str, Any]], required: Collection[str] = ()) -> str:
    """The faults of a request, or of a call, each in a sentence that names its field.

    A request says in the first part of a place where in it the field stands; a call has the field alone.
    ``required``: the fields that cannot be left out.

    >>> of_fields([{"type": "less_than_equal", "loc": ("query", "k"), "input": "51", "ctx": {"le": 50}}])
    'In the address, “k”: 51 is too large; 50 is the most.'
    >>> of_fields([{"type": "missing", "loc": ("query",), "input": {}}])
    '“query”: it is missing.'
    >>> of_fields([{"type": "string_type", "loc": ("a", "str")}, {"type": "int_type", "loc": ("a", "int")}])
    '“a”: it is to be a text or a whole number.'
    """
    return " ".join(_of_field(place, list(found), required) for place, found in groupby(faults, _place))


def _place(fault: Mapping[str, Any]) -> tuple[str | int, ...]:
    place: tuple[str | int, ...] = fault["loc"]
    return place[:-1] if len(place) > 1 and place[-1] in _BRANCHES else place


def _of_field(
    place: Sequence[str | int], faults: Sequence[Mapping[str, Any]], required: Collection[str]
) -> str:
    where = "In the address, " if len(place) > 1 and place[0] in ("query", "path") else ""
    # Behind a field of which there may be several stands which of them it is.
    field = next((part for part in reversed(place) if isinstance(part, str)), "it")
    kinds = list(dict.fromkeys(_KINDS[fault["type"]] for fault in faults if fault["type"] in _KINDS))
    if len(kinds) > 1:
        return f"{where}“{field}”: it is to be {' or '.join(kinds)}."
    said = "; ".join(worded(fault, field in required).rstrip(".") for fault in faults)
    return f"{where}“{field}”: {said}."
