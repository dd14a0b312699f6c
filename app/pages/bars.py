"""Numbers as bars on one scale."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Bar:
    """A number drawn from zero: where it begins and how long it is, in percent of the width."""

    zero: float
    start: float
    length: float
    negative: bool


def bars(values: Sequence[float]) -> list[Bar]:
    """A bar for each of ``values``, all on one scale that holds zero and every one of them."""
    low, high = min(0.0, *values), max(0.0, *values)
    percent = 100 / ((high - low) or 1.0)
    return [
        Bar(abs(low) * percent, (min(0.0, value) - low) * percent, abs(value) * percent, value < 0)
        for value in values
    ]
