"""Times as databases keep them."""

from __future__ import annotations

import datetime


def now() -> str:
    """The time, as ISO 8601 in UTC, to the second. Such texts are in the order of time."""
    return datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")


def later(time: str, seconds: float) -> str:
    """So many seconds after a time; before it where they are negative.

    >>> later("2026-02-28T23:59:30+00:00", 45)
    '2026-03-01T00:00:15+00:00'
    """
    moved = datetime.datetime.fromisoformat(time) + datetime.timedelta(seconds=seconds)
    return moved.isoformat(timespec="seconds")
