"""Figures as people read them."""

from __future__ import annotations

from models.figures import figure
from training.evaluation.report import Figure


def signed(value: float | None, form: str = ".3f") -> str:
    """A figure with a real minus sign; a dash where there is none.

    >>> signed(-0.12345), signed(None), signed(-0.0001), signed(0.0001, "+.3f")
    ('−0.123', '–', '0.000', '0.000')
    """
    if value is None or value != value:  # noqa: PLR0124 - NaN alone differs from itself
        return "–"
    return figure(value, form).replace("-", "−")


SEEN = "*"
"""Marks a figure of what saw these pairs before: when it was trained or tuned, or by an encoder that was."""


def with_interval(figure: Figure | None, mark: str = "") -> str:
    """A correlation and its interval, ``0.752 [0.731, 0.770]``; behind the correlation its ``mark``."""
    if figure is None or figure.low is None or figure.high is None:
        return signed(None if figure is None else figure.value) + mark
    return f"{signed(figure.value)}{mark} [{signed(figure.low)}, {signed(figure.high)}]"


def interval(figure: Figure) -> str:
    """The interval alone, in words."""
    if figure.low is None or figure.high is None:
        return "no interval"
    return f"95 %: {signed(figure.low)} to {signed(figure.high)}"


def beside(margin: float) -> tuple[str, str]:
    """By how much, and on which side of it, a figure lies beside another; ``margin``: as a share of that one.

    >>> beside(0.2149), beside(-0.065), beside(0.0001)
    (('21.5 %', 'over'), ('6.5 %', 'below'), ('0.0 %', 'over'))
    """
    shown = f"{100 * abs(margin):.1f} %"
    return shown, "below" if margin < 0 and shown != "0.0 %" else "over"


def share(part: int, whole: int) -> str:
    """A share in percent.

    >>> share(1, 3), share(0, 0)
    ('33.3 %', '–')
    """
    return f"{100 * part / whole:.1f} %" if whole else "–"


def counted(number: int, what: str) -> str:
    """So many of something.

    >>> counted(1, "pair"), counted(1200, "pair")
    ('1 pair', '1,200 pairs')
    """
    return f"{number:,} {what}{'' if number == 1 else 's'}"
