"""Intervals: what they hold of panels' answers, in each bin, and of topics that they did not see."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from measures.arrays import Floats, Ints
from training.statistics.intervals import (
    BINS,
    BINS_A_GROUP,
    PAIRS_A_BIN,
    PAIRS_A_GROUP,
    LeftOutIntervals,
    coverage,
    interval_bands,
    left_out_intervals,
    parts_by,
    reach,
)

PAIRS = 4000


def panels(judges: int = 10, seed: int = 0) -> tuple[Floats, Floats, Ints]:
    """What panels say whose members each say yes as often as predicted; most pairs are hardly related."""
    generator = np.random.default_rng(seed)
    predicted = generator.beta(0.6, 2.0, PAIRS) * 0.99
    return generator.binomial(judges, predicted) / judges, predicted, np.arange(PAIRS) % 16


def slow_bands(scores: Floats, predicted: Floats, level: float) -> list[tuple[float, float, float]]:
    """Start, below and above of each bin, pair by pair."""
    by_score = sorted(zip(predicted.tolist(), scores.tolist(), strict=True))
    size, more = divmod(len(by_score), min(BINS, max(1, len(by_score) // PAIRS_A_BIN)))
    bins: list[list[tuple[float, float]]] = []
    place = 0
    while place < len(by_score):
        taken = size + (len(bins) < more)
        bins.append(by_score[place : place + taken])
        place += taken
    found = []
    for number, pairs in enumerate(bins):
        none = sum(answer == 0.0 for _, answer in pairs) / len(pairs)
        every = sum(answer == 1.0 for _, answer in pairs) / len(pairs)
        tail = (1.0 - level) / 2
        holds_none = none >= tail and none >= every
        holds_every = every >= tail and not holds_none
        if holds_none or holds_every:
            tail = 1.0 - level
        residuals = np.array([answer - score for score, answer in pairs])
        below = 1.0 if holds_none else max(0.0, -np.quantile(residuals, tail))
        above = 1.0 if holds_every else max(0.0, np.quantile(residuals, 1.0 - tail))
        found.append((pairs[0][0] if number else 0.0, below, above))
    return found


@pytest.mark.parametrize("level", [0.8, 0.9, 0.95])
def test_bands_are_those_of_looking_at_every_pair(level: float) -> None:
    scores, predicted, _ = panels()
    bands = interval_bands(scores, predicted, level)
    expected = slow_bands(scores, predicted, level)
    assert len(bands.scores) == BINS
    np.testing.assert_allclose(list(zip(bands.scores, bands.below, bands.above, strict=True)), expected)


def test_intervals_hold_what_they_aim_at_in_every_tenth_of_topics_left_out() -> None:
    """But for lumps: a panel of ten has eleven answers, and of hardly related pairs most say the one of 0."""
    scores, predicted, topic = panels(100)
    held = left_out_intervals(scores, predicted, topic)
    found = coverage(held, scores, predicted, topic, topic)
    assert found.held == pytest.approx(0.9, abs=0.015)
    assert min(found.by_score) > 0.87
    assert max(found.by_score[1:]) < 0.93
    assert all(abs(share - 0.9) < 0.03 for share in found.by_evidence)
    assert found.tenth_topic is not None
    assert 0.8 < found.tenth_topic < found.held
    assert 0.0 < found.width < 0.3


def test_where_most_panels_say_0_none_of_them_is_left_out() -> None:
    """A quantile of residuals alone leaves 0 out of the intervals of the highest scores of a bin."""
    scores, predicted, _ = panels()
    bands = interval_bands(scores, predicted)
    low, _ = bands.around(predicted)
    unlikely = predicted < 0.1
    assert (scores[unlikely] == 0.0).mean() > 0.5
    assert (low[unlikely] == 0.0).all()


def test_other_topics_alone_make_the_interval_of_a_topic() -> None:
    scores, predicted, topic = panels()
    own = np.equal(topic, 3)
    changed = np.where(own, 1.0 - scores, scores)
    before, after = (left_out_intervals(each, predicted, topic) for each in (scores, changed))
    np.testing.assert_array_equal(before.low[own], after.low[own])
    np.testing.assert_array_equal(before.high[own], after.high[own])
    assert (before.high[~own] != after.high[~own]).any()


@given(
    st.lists(st.tuples(st.integers(0, 10), st.floats(0.0, 0.99)), min_size=1, max_size=300),
    st.sampled_from([0.5, 0.9]),
)
def test_of_any_pairs_bands_hold_the_scores_and_most_answers(
    pairs: list[tuple[int, float]], level: float
) -> None:
    scores, predicted = np.array(pairs).T / np.array([[10.0], [1.0]])
    bands = interval_bands(scores, predicted, level)
    held = LeftOutIntervals(*bands.around(predicted))
    assert (held.low <= predicted).all()
    assert (predicted <= held.high).all()
    # Of the pairs that it was learnt from; a quantile between two of few is of neither.
    assert held.held(scores).mean() >= level - 2.0 / len(scores) * len(bands.scores)


def test_two_heavy_ends_hold_the_heavier_one() -> None:
    scores = np.repeat([0.0, 0.5, 1.0], [15, 145, 40])
    below, above = reach(scores, np.full(200, 0.5), 0.9)
    assert (below, above) == (0.0, 1.0)
    below, above = reach(1.0 - scores, np.full(200, 0.5), 0.9)
    assert (below, above) == (1.0, 0.0)


def test_pairs_of_one_score_are_of_one_bin() -> None:
    scores = np.linspace(0.0, 1.0, 400)
    bands = interval_bands(scores, np.full(400, 0.25))
    assert bands.scores == (0.0,)
    assert (*bands.below, *bands.above) == pytest.approx((0.2, 0.7))


def test_few_pairs_have_few_bins_and_none_are_an_error() -> None:
    scores, predicted, _ = panels()
    assert len(interval_bands(scores[:120], predicted[:120]).scores) == 2
    with pytest.raises(ValueError, match="a pair to learn from"):
        interval_bands(scores[:0], predicted[:0])


def test_parts_keep_what_is_equal_in_order() -> None:
    assert [part.tolist() for part in parts_by(np.array([1, 0, 1, 0, 2]), 2)] == [[1, 3, 0], [2, 4]]


def unsure(pairs: int = 12_000) -> tuple[Floats, Floats, Ints, Ints]:
    """Panels whose answers are the farther from the prediction the fewer features have evidence."""
    generator = np.random.default_rng(5)
    predicted = generator.uniform(0.3, 0.7, pairs)
    evidence = generator.integers(0, 100, pairs)
    spread = generator.normal(0.0, 1.0, pairs) / (10.0 + 5.0 * (evidence // 20))
    return np.clip(predicted + spread, 0.0, 1.0), predicted, evidence, np.arange(pairs) % 16


def test_bands_by_evidence_hold_what_they_aim_at_in_every_fifth() -> None:
    scores, predicted, evidence, topic = unsure()
    alike = coverage(left_out_intervals(scores, predicted, topic), scores, predicted, evidence, topic)
    assert min(alike.by_evidence) < 0.8, "what one kind of bands cannot hold"
    held = left_out_intervals(scores, predicted, topic, evidence=evidence)
    found = coverage(held, scores, predicted, evidence, topic)
    assert all(0.87 <= share <= 0.92 for share in (*found.by_evidence, *found.by_score))
    low, high = held.low, held.high
    width = [float((high - low)[evidence // 20 == fifth].mean()) for fifth in (0, 4)]
    assert width[0] > 2 * width[1]


def test_each_group_by_evidence_has_the_bands_of_its_pairs_alone() -> None:
    scores, predicted, evidence, _ = unsure()
    bands = interval_bands(scores, predicted, evidence=evidence)
    starts = [each.features for each in bands.by_evidence]
    assert len(starts) == 5
    for place, each in enumerate(bands.by_evidence):
        own = (evidence >= starts[place]) & (evidence < [*starts[1:], 100][place])
        below, above = slow_ends(scores[own], predicted[own])
        np.testing.assert_allclose(each.bands.below, below)
        np.testing.assert_allclose(each.bands.above, above)
        for ends, expected in zip(
            bands.around(predicted[own], evidence[own]), each.bands.around(predicted[own]), strict=True
        ):
            np.testing.assert_array_equal(ends, expected)
    fewer, first = (bands.around(predicted[:9], np.full(9, number)) for number in (-1, 0))
    np.testing.assert_array_equal(fewer, first)
    plain = interval_bands(scores, predicted)
    np.testing.assert_array_equal(bands.around(predicted), plain.around(predicted))


def test_pairs_of_which_nothing_counts_have_bands_of_their_own() -> None:
    scores, predicted, evidence, _ = unsure()
    evidence = np.maximum(evidence, 1)
    evidence[:400] = 0  # fewer than a fifth
    bands = interval_bands(scores, predicted, evidence=evidence)
    first, second = bands.by_evidence[:2]
    assert (first.features, second.features, len(bands.by_evidence)) == (0, 1, 6)
    assert first.bands == interval_bands(scores[:400], predicted[:400])
    few = evidence.copy()
    few[200:400] = 1
    assert len(interval_bands(scores, predicted, evidence=few).by_evidence) == 5


def test_high_scores_of_little_evidence_have_the_bands_of_all() -> None:
    """Of 2,000 pairs with little evidence 40 have high scores, and middling ones that panels say 0 to."""
    scores, predicted, _ = panels()
    rare, frequent = np.linspace(0.6, 0.9, 40), np.linspace(0.05, 0.35, 1960)
    little = np.concatenate([frequent, rare])
    answers = np.concatenate([np.where(np.arange(1960) % 3, frequent + 0.05, 0.0), rare])
    evidence = np.repeat([9, 1], [len(scores), len(little)])
    every, of_all = np.concatenate([scores, answers]), np.concatenate([predicted, little])
    bands = interval_bands(every, of_all, evidence=evidence)
    (first, *_) = bands.by_evidence
    assert first.features == 1
    low, high = bands.around(rare, np.ones(40, np.int64))
    np.testing.assert_array_equal((low, high), bands.around(rare))
    assert (low > 0.0).all()
    middling, _ = bands.around(frequent[-5:], np.ones(5, np.int64))
    assert (middling == 0.0).all()


def slow_ends(scores: Floats, predicted: Floats) -> tuple[list[float], list[float]]:
    """Below and above of ten bins of equally many pairs; these answers have no heavy end."""
    bins = np.array_split(np.argsort(predicted), BINS_A_GROUP)
    ends = [np.quantile(scores[own] - predicted[own], [0.05, 0.95]) for own in bins]
    return [-low for low, _ in ends], [high for _, high in ends]


@given(st.lists(st.integers(0, 3), min_size=1, max_size=700))
def test_no_group_by_evidence_is_of_few_pairs(evidence: list[int]) -> None:
    counts = np.repeat(np.array(evidence, np.int64), 4)
    scores = np.linspace(0.0, 1.0, len(counts))
    starts = [each.features for each in interval_bands(scores, scores, evidence=counts).by_evidence]
    assert starts == sorted(set(starts))
    sizes = np.diff([*np.searchsorted(np.sort(counts), starts), len(counts)])
    assert len(sizes) != 1
    assert all(size >= PAIRS_A_GROUP for size in sizes)
