"""How many of ten people say so, beside the interval that this is said of."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from app.scoring.in_words import ANY, panel_says
from wort.schemas.described import Interval


@given(st.lists(st.floats(0, 1), min_size=2, max_size=2).map(sorted))
def test_it_never_says_less_than_the_ends_beside_it(ends: list[float]) -> None:
    _, people, rest = panel_says(Interval(ends[0], ends[1], 0.9))
    low, high = (float(end) for end in re.findall(r"\d\.\d\d", rest))
    least, most = told(people)
    assert least <= 10 * low + 1e-9
    assert most >= 10 * high - 1e-9
    # Nor more than it must: no whole number of people that could be left out.
    assert least + 1 > 10 * low + 1e-9
    assert most - 1 < 10 * high - 1e-9


def told(people: str) -> tuple[int, int]:
    """The least and the most people that ``people`` speaks of."""
    numbers = [int(number) for number in re.findall(r"\d+", people)]
    if people.startswith("between"):
        return numbers[0], numbers[1]
    if people.startswith("exactly"):
        return numbers[0], numbers[0]
    if people.startswith("at"):
        return (numbers[0], 10) if people.startswith("at least") else (0, numbers[0])
    return {"none": (0, 0), "all": (10, 10), ANY: (0, 10)}[people]
