"""Whether two texts differ by the order of their words alone."""

from __future__ import annotations

from snapshots.text import words


def is_reordered(left: str, right: str) -> bool:
    """Whether two terms have the same words, and have them in another order.

    >>> is_reordered("law school", "School law"), is_reordered("law school", "Law School")
    (True, False)
    """
    first, second = words(left), words(right)
    return first != second and sorted(first) == sorted(second)
