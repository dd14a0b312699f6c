"""What is wrong with a value, in the words of wort: the validator's are made for programmers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

_FAULTS = {
    "greater_than_equal": "{given} is too small; {ge} is the least",
    "greater_than": "{given} is too small; it is to be above {gt}",
    "less_than_equal": "{given} is too large; {le} is the most",
    "less_than": "{given} is too large; it is to be below {lt}",
    "int_parsing": "{given!r} is not a whole number",
    "int_from_float": "{given!r} is not a whole number",
    "float_parsing": "{given!r} is not a number",
    "bool_parsing": "{given!r} is neither true nor false",
    "literal_error": "{given!r} is none of {expected}",
}
"""What is said of each kind of fault; others are told of as the validator does."""


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
    bounds = {
        name: f"{bound:g}" if isinstance(bound, float) else bound
        for name, bound in fault.get("ctx", {}).items()
    }
    return form.format(given=fault.get("input"), **bounds)
