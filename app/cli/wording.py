"""What is wrong with a value, in the words of wort: the validator's are made for programmers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

_FAULTS = {
    "greater_than_equal": "it is to be {ge} or more",
    "greater_than": "it is to be above {gt}",
    "less_than_equal": "it is to be {le} or less",
    "less_than": "it is to be below {lt}",
    "int_parsing": "{given!r} is no whole number",
    "int_from_float": "{given!r} is no whole number",
    "float_parsing": "{given!r} is no number",
    "bool_parsing": "{given!r} is neither true nor false",
    "literal_error": "{given!r} is none of {expected}",
}
"""What is said of each kind of fault; others are told of as the validator does."""


def worded(fault: Mapping[str, Any]) -> str:
    """What a fault that Pydantic found says to a person.

    >>> worded({"type": "greater_than_equal", "ctx": {"ge": 1}, "input": "0", "msg": "Input should be …"})
    'it is to be 1 or more'
    >>> worded({"type": "value_error", "input": "xml", "msg": "Value error, 'xml' is not one of 'csv'."})
    "'xml' is not one of 'csv'."
    """
    form = _FAULTS.get(str(fault["type"]))
    if form is None:
        return str(fault["msg"]).removeprefix("Value error, ")
    return form.format(given=fault.get("input"), **fault.get("ctx", {}))
