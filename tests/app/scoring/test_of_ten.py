"""How many of ten people say so, beside the interval that this is said of."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from app.scoring.panels import ANY, panel_says
from wort.schemas.described import Interval

shares = st.floats(0, 1)


@given(st.lists(shares, min_size=2, max_size=2).map(sorted), shares)
def test_it_never_says_less_than_the_ends_beside_it(ends: list[float], score: float) -> None:
    _, about, rest = panel_says(score, Interval(ends[0], ends[1], 0.9))
    low, high = (float(end) for end in re.findall(r"\d\.\d\d", rest))
    likely = re.search(r"very likely (\d+) to (\d+) \(", rest)
    least, most = (int(likely[1]), int(likely[2])) if likely else told(about)
    assert least <= 10 * low + 1e-9
    assert most >= 10 * high - 1e-9
    # Nor more than it must: no whole number of people that could be left out.
    assert least + 1 > 10 * low + 1e-9
    assert most - 1 < 10 * high - 1e-9
    # What is said first is within what is said next.
    assert about == ANY or least <= told(about)[0] <= most


@given(st.lists(shares, min_size=3, max_size=3).map(sorted))
def test_the_people_are_those_of_the_score_where_it_lies_within(three: list[float]) -> None:
    low, score, high = three
    _, about, _ = panel_says(score, Interval(low, high, 0.9))
    # The ends are rounded to the two decimals that are shown, which may move it by as much.
    assert about == ANY or abs(told(about)[0] - 10 * score) <= 0.55 + 1e-9


def test_a_half_is_said_as_people_round_it() -> None:
    around = Interval(0.3, 0.9, 0.9)
    said = [panel_says(score, around)[1] for score in (0.45, 0.65, 0.649, 0.85)]
    assert said == ["about 5", "about 7", "about 6", "about 9"]
    assert panel_says(0.049, Interval(0.0, 0.2, 0.9))[1] == "hardly any"


def told(people: str) -> tuple[int, int]:
    """The least and the most people that ``people`` speaks of."""
    named = {"hardly any": (0, 0), "nearly all": (10, 10), ANY: (0, 10)}
    if people in named:
        return named[people]
    number = int(people.removeprefix("about "))
    return number, number
