"""What is wrong with the fields of an address, in sentences for whoever typed, followed or sent it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

_WANTED = {
    "int_parsing": "be a whole number",
    "int_parsing_size": "be a smaller number",
    "int_from_float": "be a whole number",
    "float_parsing": "be a number",
    "finite_number": "be a finite number",
    "bool_parsing": "be true or false",
    "literal_error": "be {expected}",
    "greater_than_equal": "be at least {ge:g}",
    "greater_than": "be more than {gt:g}",
    "less_than_equal": "be at most {le:g}",
    "less_than": "be less than {lt:g}",
}
"""What a field must that has an error of this type; between braces the bounds, as the error has them."""

_QUOTED = 40
"""Characters that are quoted of a value."""


def in_sentences(faults: Iterable[Mapping[str, Any]]) -> str:
    """The faults of a request, as the validation lists them, each in a sentence.

    >>> in_sentences([{"type": "less_than_equal", "loc": ("query", "k"), "input": "51", "ctx": {"le": 50}}])
    'In the address, “k” must be at most 50, and is “51”.'
    >>> in_sentences([{"type": "missing", "loc": ("query", "title"), "input": None}])
    'In the address, “title” is missing.'
    """
    return " ".join(_sentence(fault) for fault in faults)


def _sentence(fault: Mapping[str, Any]) -> str:
    kind, given, context = fault["type"], str(fault.get("input", "")), fault.get("ctx", {})
    # Behind a field of which there may be several stands which of them it is.
    field = [part for part in fault["loc"] if isinstance(part, str)][-1]
    if kind == "missing":
        return f"In the address, “{field}” is missing."
    if kind == "string_too_short" and not given:
        return f"In the address, “{field}” is empty. Leave it out, or give it a value."
    if kind == "string_too_long":
        most = context["max_length"]
        return f"In the address, “{field}” must have at most {most:,} characters, and has {len(given):,}."
    must = _WANTED.get(kind, "be something else").format(**context)
    shown = given if len(given) <= _QUOTED else f"{given[:_QUOTED]}…"
    return f"In the address, “{field}” must {must}, and is “{shown}”."
