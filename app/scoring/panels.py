"""What panels of people say of a pair, told by a score and its interval."""

from __future__ import annotations

from math import ceil, floor

from wort.schemas.described import Interval

PANEL = 10
"""People of whom an interval is told."""

ANY = "any number"
"""How many of ten people would say so where nothing is known of that."""


def is_uncertain(interval: Interval | None) -> bool:
    """Whether people may say anything of a pair, so that its score tells nothing."""
    return interval is not None and of_ten(interval) == ANY


def of_ten(interval: Interval) -> str:
    """An interval in words: how many of ten people would say so, as wide as the ends that stand beside it.

    >>> [of_ten(Interval(*ends, 0.9)) for ends in ((0.38, 0.83), (0.0, 0.78), (0.58, 1.0), (0.0, 1.0))]
    ['3 to 9', '0 to 8', '5 to 10', 'any number']
    >>> [of_ten(Interval(*ends, 0.9)) for ends in ((0.0, 0.004), (0.996, 1.0), (0.697, 0.704))]
    ['none', 'all', '7']
    """
    low, high = _ends(interval)
    if low == high:
        return {0: "none", PANEL: "all"}.get(low, str(low))
    return f"{low} to {high}" if (low, high) != (0, PANEL) else ANY


def panel_says(score: float, interval: Interval) -> tuple[str, str, str]:
    """A score and its interval as one sentence, in three parts: the second is how many of ten would say so.

    They are never more or fewer than the interval says.

    >>> "".join(panel_says(0.9, Interval(0.64, 1.0, 0.9))).partition(" Such")[0]
    'Of ten people, about 9 would call them related, very likely 6 to 10 (0.64 to 1.00).'
    >>> "".join(panel_says(0.04, Interval(0.0, 0.11, 0.9))).partition(" Such")[0]
    'Of ten people, hardly any would call them related, very likely 0 to 2 (0.00 to 0.11).'
    """
    people, ends = of_ten(interval), f"({interval.low:.2f} to {interval.high:.2f})"
    if people == ANY:
        said = f" may call them related {ends}: too little is known, or people differ, about such pairs."
        return "Of ten people, ", people, said
    low, high = _ends(interval)
    # A half goes up: 0.65 is about 7.
    nearest = min(max(floor(PANEL * score + 0.5), low), high)
    about = {0: "hardly any", PANEL: "nearly all"}.get(nearest, f"about {nearest}")
    likely = f", very likely {people}" if low < high else ""
    held = f"Such intervals hold for {pairs_held(interval.level)}."
    return "Of ten people, ", about, f" would call them related{likely} {ends}. {held}"


def _ends(interval: Interval) -> tuple[int, int]:
    """The least and the most of ten people, of whom an interval leaves out none."""
    # By the two decimals that are shown; what is a hair beside a whole number of people is that number.
    low, high = (round(PANEL * round(end, 2), 6) for end in (interval.low, interval.high))
    return floor(low), ceil(high)


def pairs_held(level: float) -> str:
    """For how many pairs intervals of a ``level`` hold what people answer. Scores are told in people of 100.

    >>> pairs_held(0.9), pairs_held(0.95)
    ('9 pairs in 10', '95 pairs in 100')
    """
    tenths = round(10 * level, 6)
    return f"{tenths:.0f} pairs in 10" if tenths == round(tenths) else f"{100 * level:.0f} pairs in 100"
