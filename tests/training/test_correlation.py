"""Correlations by hand, where they are undefined, and the bootstrap against plain resampling."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from measures.arrays import Floats
from training.statistics.bootstrap import (
    draws,
    interval,
    resampled_mean,
    resampled_pearson,
    resampled_spearman,
)
from training.statistics.correlation import pearson, spearman

BOTH = pytest.mark.parametrize("correlation", [pearson, spearman])


@pytest.mark.parametrize(
    ("x", "y", "r", "rho"),
    [
        ([1, 2, 3, 4], [1, 3, 2, 4], 0.8, 0.8),
        ([1, 2, 3, 4], [8, 6, 4, 2], -1.0, -1.0),
        # Ranks 1, 2½, 2½, 4 against 1, 2, 3, 4.
        ([1, 2, 2, 3], [1, 2, 3, 4], 3 / math.sqrt(2 * 5), 4.5 / math.sqrt(4.5 * 5)),
        # A monotone curve: sums of products 0·0 + …, mean of y 7/3.
        ([0, 1, 2], [0, 1, 4], 4 / math.sqrt(2 * (17 - 25 / 3)), 1.0),
        ([0, 0, 1], [0, 1, 0], -0.5, -0.5),
    ],
)
def test_by_hand(x: list[float], y: list[float], r: float, rho: float) -> None:
    values, scores = np.array(x, np.float64), np.array(y, np.float64)
    assert pearson(values, scores) == pytest.approx(r, abs=1e-12)
    assert spearman(values, scores) == pytest.approx(rho, abs=1e-12)


@BOTH
@pytest.mark.parametrize(("x", "y"), [([], []), ([1], [2]), ([1, 1, 1], [1, 2, 3]), ([1, 2, 3], [0, 0, 0])])
def test_undefined_where_nothing_varies(
    correlation: Callable[[Floats, Floats], float], x: list[float], y: list[float]
) -> None:
    assert math.isnan(correlation(np.array(x, np.float64), np.array(y, np.float64)))


def test_values_that_hardly_vary_do_not_warn() -> None:
    values = 1e6 + np.array([0.0, 1e-9, 2e-9, 1e-9])
    assert -1.0 <= pearson(values, np.array([1.0, 2.0, 3.0, 5.0])) <= 1.0


@BOTH
def test_what_cannot_be_correlated_is_an_error(correlation: Callable[[Floats, Floats], float]) -> None:
    with pytest.raises(ValueError, match="shape"):
        correlation(np.zeros(3), np.zeros(2))
    with pytest.raises(ValueError, match="finite"):
        correlation(np.array([0.0, 1.0]), np.array([0.0, math.nan]))


# The bootstrap

PAIRS = st.lists(
    st.tuples(st.integers(0, 4), st.sampled_from([0.0, 0.1, 0.5, 1.0, 3.0]), st.integers(-2, 2)),
    min_size=2,
    max_size=25,
)


@given(PAIRS, st.integers(0, 2**32))
def test_resampled_correlations_are_those_of_the_resamples(
    pairs: list[tuple[int, float, int]], seed: int
) -> None:
    of_pair, x, y = (np.array(column) for column in zip(*pairs, strict=True))
    y = y.astype(np.float64)
    topics, topic = np.unique(of_pair, return_inverse=True)
    drawn = draws(len(topics), 8, seed)
    for resampled, correlation in ((resampled_pearson, pearson), (resampled_spearman, spearman)):
        repeated = [np.repeat(np.arange(len(pairs)), counts[topic]) for counts in drawn]
        plainly = [correlation(x[rows], y[rows]) for rows in repeated]
        np.testing.assert_allclose(resampled(x, y, topic, drawn), plainly, rtol=1e-9, atol=1e-9)


def test_chunks_of_resamples_join() -> None:
    generator = np.random.default_rng(5)
    topic = np.repeat(np.arange(6), 4)
    x, y = generator.random(24), generator.random(24)
    drawn = draws(6, 250, seed=3)
    one_by_one = [resampled_spearman(x, y, topic, drawn[row : row + 1])[0] for row in range(250)]
    np.testing.assert_allclose(resampled_spearman(x, y, topic, drawn), one_by_one, rtol=1e-12)


def test_draws_are_whole_and_repeatable() -> None:
    drawn = draws(7, 50, seed=1)
    assert drawn.shape == (50, 7)
    assert (drawn.sum(axis=1) == 7).all()
    assert (drawn == draws(7, 50, seed=1)).all()
    assert (drawn != draws(7, 50, seed=2)).any()


def test_a_mean_over_topics_leaves_out_undefined_ones() -> None:
    of_topic = np.array([0.2, math.nan, 0.8])
    drawn = np.array([[1, 1, 1], [2, 0, 1], [0, 3, 0], [0, 1, 2]])
    np.testing.assert_allclose(resampled_mean(of_topic, drawn), [0.5, 0.4, math.nan, 0.8])


def test_an_interval_by_hand() -> None:
    # Of 0, 1, …, 40 the quantiles 0.025 and 0.975 are the second value and the last but one.
    ends = interval(np.array([*range(41), math.nan], np.float64))
    assert [ends.low, ends.high] == pytest.approx([1.0, 39.0])
    assert math.isnan(interval(np.full(3, math.nan)).low)
