"""Which of a model's thresholds does what is wanted: by looking at every one."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.expectation import OperatingPoint, OperatingPoints
from models.thresholds import (
    NONE_ABOVE,
    all_called,
    confusion_shares,
    expected_cost,
    none_called,
    of_cost,
    of_precision,
    of_recall,
    with_zero,
)
from tests.support.plus import POINTS, operating_point

PAIRS = 1024
"""Shares are of so many pairs, so that they are exact."""


@st.composite
def curves(draw: st.DrawFn) -> OperatingPoints:
    """Points of some pairs: with the threshold, pairs leave, related ones and others."""
    right = draw(st.integers(1, PAIRS // 2))
    wrong = draw(st.integers(0, PAIRS // 2))
    related = draw(st.integers(right, PAIRS // 2)) / PAIRS
    points: list[OperatingPoint] = []
    for place in range(draw(st.integers(1, 6))):
        points.append(operating_point(0.1 * (place + 1), right / PAIRS, (right + wrong) / PAIRS, related))
        right, wrong = draw(st.integers(1, right)), draw(st.integers(0, wrong))
    return OperatingPoints(0.5, related, tuple(points))


@given(curves(), st.floats(0.01, 1.0))
def test_the_least_of_the_precision_and_the_greatest_of_the_recall(
    points: OperatingPoints, wanted: float
) -> None:
    precise = [one for one in with_zero(points) if (one.precision.value or 0.0) >= wanted]
    assert of_precision(points, wanted) == (precise[0] if precise else None)
    found = [one for one in with_zero(points) if (one.recall.value or 0.0) >= wanted]
    assert of_recall(points, wanted) == found[-1]


@given(curves(), st.floats(0.01, 100.0))
def test_no_threshold_costs_less(points: OperatingPoints, cost: float) -> None:
    least = expected_cost(points.related, of_cost(points, cost), cost)
    for one in (*with_zero(points), none_called()):
        assert least <= expected_cost(points.related, one, cost)


@given(curves())
def test_every_pair_is_of_one_kind(points: OperatingPoints) -> None:
    for one in (*with_zero(points), none_called()):
        shares = confusion_shares(points.related, one)
        parts = (shares.right, shares.wrong, shares.missed, shares.rest)
        assert min(parts) >= -1e-12
        assert sum(parts) == pytest.approx(1.0)
        assert shares.right + shares.missed == pytest.approx(points.related)


def test_the_ends() -> None:
    assert of_cost(POINTS, 1000.0).threshold == NONE_ABOVE
    assert of_cost(POINTS, 0.001).threshold == 0.0
    assert of_recall(POINTS, 0.95) == all_called(POINTS.related)
    assert of_precision(POINTS, 0.2) == all_called(POINTS.related)
    assert of_precision(POINTS, 0.81) is None
    from_zero = OperatingPoints(0.5, 0.25, (all_called(0.25),))
    assert with_zero(from_zero) == [all_called(0.25)]
