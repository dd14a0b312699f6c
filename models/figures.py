"""Figures as people read them: no sign of nothing, and no rounding that hides what was asked."""

from __future__ import annotations

MOST_DECIMALS = 9
"""Decimals that a share is told with at the most."""


def figure(value: float, form: str = ".3f") -> str:
    """A number as ``form`` writes it; zero has no sign, nor has what is rounded to it.

    >>> figure(-0.0004), figure(0.0, "+.3f"), figure(0.0004, "+.1%"), figure(-0.1, "+.2f")
    ('0.000', '0.000', '0.0%', '-0.10')
    """
    shown = format(value, form)
    return shown if shown.strip("+-0.%") else shown.lstrip("+-")


def told(share: float, wanted: float | None = None, unit: float = 1.0, decimals: int = 2) -> str:
    """A share, with more than so many ``decimals`` where they would hide whether it is at least ``wanted``.

    ``unit``: how many of what it is told in a whole has: 100 for percent.

    >>> told(0.797), told(0.797, 0.8), told(0.7998, 0.8), told(0.803, 0.8), told(0.8043, 0.804)
    ('0.80', '0.797', '0.7998', '0.80', '0.804')
    >>> told(0.797, 0.8, 100, 0), told(0.29, 0.29, 100, 0), told(0.799999998, 0.8)
    ('79.7', '29', '0.799999998')
    """
    shown = ""
    for places in range(decimals, MOST_DECIMALS + 1):
        shown = f"{unit * share:.{places}f}"
        if wanted is None or (float(shown) / unit >= wanted) == (share >= wanted):
            break
    return shown
