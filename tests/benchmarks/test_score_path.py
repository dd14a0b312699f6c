"""The road of a plain pair over HTTP is no longer than it was measured to be, but for a little."""

from __future__ import annotations

from benchmarks.score_path import plain_road

MOST = {"files": 26, "functions": 96, "moves": 108, "forms": 4}
"""With an interval beside the score. Where it becomes shorter, these become less, and never more."""


def test_a_plain_pair_takes_no_longer_road() -> None:
    road = plain_road()
    assert "features/extract.py:extract" in road.functions
    assert {name: count for name, count in road.counts().items() if count > MOST[name]} == {}
