"""Thresholds: the one that does what is wanted, and what to expect of it, by looking at every one."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from measures.arrays import Floats
from training.errors import TooFewPairs
from training.statistics.bootstrap import draws
from training.statistics.thresholds import (
    LeftOutPairs,
    Wanted,
    choices,
    for_cost,
    for_precision,
    for_recall,
    operating_point,
    operating_points,
)

SCORES = st.lists(
    st.tuples(st.integers(0, 10), st.sampled_from([0.05, 0.2, 0.25, 0.5, 0.51, 0.9])), min_size=2, max_size=30
)


def judged(scores: Floats, predicted: Floats, related_at: float = 0.5, topics: int = 4) -> LeftOutPairs:
    topic = np.arange(len(scores)) % topics
    return LeftOutPairs.of(scores, predicted, topic, draws(topics, 50, 1), related_at)


def given_pairs(pairs: list[tuple[int, float]]) -> LeftOutPairs:
    scores = np.array([votes for votes, _ in pairs]) / 10
    assume(0 < (scores >= 0.5).sum() < len(scores))
    return judged(scores, np.array([score for _, score in pairs]))


def counted(pairs: LeftOutPairs, threshold: float) -> tuple[float, float, float]:
    """Precision (1 of none), recall, and how many errors of each kind there are, as a cost is counted."""
    right = wrong = missed = 0
    for score, related in zip(pairs.predicted.tolist(), pairs.related.tolist(), strict=True):
        right += score >= threshold and related
        wrong += score >= threshold and not related
        missed += score < threshold and related
    return right / (right + wrong) if right + wrong else 1.0, right / (right + missed), wrong * 2.5 + missed


def test_what_to_expect_by_hand() -> None:
    pairs = judged(np.array([0.0, 0.4, 0.5, 1.0, 0.0]), np.array([0.1, 0.6, 0.7, 0.3, 0.2]))
    point = operating_point(pairs, 0.5)
    assert (point.precision.value, point.recall.value, point.above.value) == (0.5, 0.5, 0.4)
    nothing = operating_point(pairs, 0.9)
    assert (nothing.precision.value, nothing.recall.value, nothing.above.value) == (None, 0.0, 0.0)


@given(SCORES, st.sampled_from([0.1, 0.3, 0.5, 0.8, 1.0]))
def test_the_least_threshold_of_a_precision(pairs: list[tuple[int, float]], wanted: float) -> None:
    asked = given_pairs(pairs)
    reached = [score for score in set(asked.predicted.tolist()) if counted(asked, score)[0] >= wanted - 1e-9]
    assert for_precision(asked, wanted) == min(reached, default=None)


@given(SCORES, st.sampled_from([0.1, 0.5, 0.9, 1.0]))
def test_the_greatest_threshold_of_a_recall(pairs: list[tuple[int, float]], wanted: float) -> None:
    asked = given_pairs(pairs)
    reached = [score for score in set(asked.predicted.tolist()) if counted(asked, score)[1] >= wanted - 1e-9]
    assert for_recall(asked, wanted) == max(reached)


@given(SCORES)
def test_the_threshold_of_the_least_cost(pairs: list[tuple[int, float]]) -> None:
    asked = given_pairs(pairs)
    costs = {score: counted(asked, score)[2] for score in (1.0, *asked.predicted.tolist())}
    least = max(score for score, cost in costs.items() if cost == min(costs.values()))
    assert for_cost(asked, 2.5) == least


def test_intervals_draw_whole_topics_and_hold_the_figure() -> None:
    generator = np.random.default_rng(0)
    predicted = generator.random(400)
    scores = (generator.random(400) < predicted).astype(float)
    point = operating_point(judged(scores, predicted, topics=20), 0.4)
    for estimate in (point.precision, point.recall, point.above):
        assert estimate.value is not None
        assert estimate.low is not None
        assert estimate.high is not None
        assert estimate.low < estimate.value < estimate.high
    # All pairs of a topic alike: the interval is as wide as if there were as many pairs as topics.
    topic = np.arange(400) // 20
    together = LeftOutPairs.of(np.equal(topic % 2, 0) * 1.0, predicted, topic, draws(20, 500, 1))
    alone = operating_point(together, 0.0).precision
    assert alone.low is not None
    assert alone.low < 0.35


def test_the_points_end_where_no_pair_is_above() -> None:
    pairs = judged(np.array([0.0, 1.0, 0.0, 1.0]), np.array([0.02, 0.31, 0.1, 0.2]))
    points = operating_points(pairs)
    assert [point.threshold for point in points.points] == [0.05, 0.1, 0.15, 0.2, 0.25, 0.3]
    assert (points.related_at, points.related) == (0.5, 0.5)
    low = judged(np.array([0.0, 1.0]), np.array([0.01, 0.02]))
    assert [point.threshold for point in operating_points(low).points] == [0.0]


def test_half_of_the_judges_is_related_and_it_can_be_another_share() -> None:
    scores, predicted = np.array([0.1 * 5, 0.3 + 0.2, 0.49, 0.9]), np.array([0.1, 0.2, 0.3, 0.4])
    assert judged(scores, predicted).related.tolist() == [True, True, False, True]
    assert judged(scores, predicted, 0.9).related.tolist() == [False, False, False, True]


@pytest.mark.parametrize("score", [0.0, 1.0])
def test_what_is_all_related_or_all_not_cannot_be_divided(score: float) -> None:
    with pytest.raises(TooFewPairs, match="--related-at"):
        judged(np.full(4, score), np.linspace(0.1, 0.4, 4))


def test_what_was_asked_for_is_chosen() -> None:
    pairs = judged(np.array([0.0, 1.0, 0.0, 1.0, 0.0]), np.array([0.02, 0.31, 0.1, 0.2, 0.9]))
    chosen = choices(pairs, Wanted(precision=0.5, recall=1.0, cost=3.0))
    assert [choice.wanted for choice in chosen] == ["precision 0.5", "recall 1", "cost 3 to 1"]
    assert [choice.at_least for choice in chosen] == [{"precision": 0.5}, {"recall": 1.0}, {}]
    assert [choice.point and choice.point.threshold for choice in chosen] == [0.1, 0.2, 1.0]
    (unreached,) = choices(pairs, Wanted(precision=0.99))
    assert unreached.point is None
    assert choices(pairs, Wanted()) == ()
