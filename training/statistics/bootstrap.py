"""Bootstrap intervals of correlations, resampling whole topics.

Pairs of one topic share concepts and are not independent; resampling them one by one would give intervals
that are too narrow. A resample draws as many topics as there are, with replacement, and takes all pairs of
each as often as it was drawn (the cluster bootstrap; percentile intervals, Efron & Tibshirani 1993, 13.3).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from measures.arrays import Floats, Ints
from training.statistics.correlation import CorrelationKind

LEVEL = 0.95
"""The coverage that intervals aim at."""

_CHUNK = 100
"""Resamples computed at once: bounds memory at this many float64 a pair."""


@dataclass(frozen=True, slots=True)
class ConfidenceInterval:
    """The ends of an interval; NaN where too few resamples are defined."""

    low: float
    high: float


def draws(topics: int, resamples: int, seed: int) -> Ints:
    """How often each topic is drawn in each resample: int64[resamples, topics]."""
    drawn = np.random.default_rng(seed).integers(0, topics, size=(resamples, topics))
    return np.stack([np.bincount(row, minlength=topics) for row in drawn])


def interval(resampled: Floats, level: float = LEVEL) -> ConfidenceInterval:
    """The percentile interval of the resampled statistics, those left out that are undefined (NaN)."""
    defined = resampled[~np.isnan(resampled)]
    if not defined.size:
        return ConfidenceInterval(np.nan, np.nan)
    low, high = np.quantile(defined, [(1 - level) / 2, (1 + level) / 2])
    return ConfidenceInterval(float(low), float(high))


def resampled_pearson(x: Floats, y: Floats, topic: Ints, drawn: Ints) -> Floats:
    """Pearson's r of each resample: float64[resamples].

    ``x``, ``y``: float64[n]; ``topic``: the topic of each pair, int64[n]; ``drawn``: as from ``draws``.
    """
    # Centred first: sums of squares of centred values lose no digits to the mean.
    x, y = x - x.mean(), y - y.mean()
    moments = np.stack([np.ones_like(x), x, y, x * x, y * y, x * y])
    of_topic = np.stack([np.bincount(topic, moment, minlength=drawn.shape[1]) for moment in moments], axis=1)
    return _correlation(*(drawn @ of_topic).T)


def resampled_spearman(x: Floats, y: Floats, topic: Ints, drawn: Ints) -> Floats:
    """Spearman's ρ of each resample, ranked anew in each: float64[resamples]; arguments as above."""
    return np.concatenate(
        [
            _weighted_spearman(x, y, drawn[start : start + _CHUNK, topic].astype(np.float64))
            for start in range(0, len(drawn), _CHUNK)
        ]
    )


RESAMPLED: dict[CorrelationKind, Callable[[Floats, Floats, Ints, Ints], Floats]] = {
    "pearson": resampled_pearson,
    "spearman": resampled_spearman,
}
"""The kinds of correlation by name, each of every resample."""


def resampled_mean(of_topic: Floats, drawn: Ints) -> Floats:
    """The mean over the topics of each resample, those left out where it is undefined: float64[resamples]."""
    defined = ~np.isnan(of_topic)
    counts = drawn.astype(np.float64)
    return _ratio(counts @ np.where(defined, of_topic, 0.0), counts @ defined)


def _weighted_spearman(x: Floats, y: Floats, weights: Floats) -> Floats:
    """Spearman's ρ where pair i stands ``weights[r, i]`` times in resample r."""
    ranks_x, ranks_y = _ranks(x, weights), _ranks(y, weights)
    size = weights.sum(axis=1)
    # The mean of n ranks is (n + 1) / 2, whatever is tied.
    centre = ((size + 1) / 2)[:, np.newaxis]
    ranks_x, ranks_y = ranks_x - centre, ranks_y - centre
    zero = np.zeros_like(size)
    return _correlation(
        size,
        zero,
        zero,
        np.einsum("rn,rn,rn->r", weights, ranks_x, ranks_x),
        np.einsum("rn,rn,rn->r", weights, ranks_y, ranks_y),
        np.einsum("rn,rn,rn->r", weights, ranks_x, ranks_y),
    )


def _ranks(values: Floats, weights: Floats) -> Floats:
    """The average rank of each value in each resample: float64[resamples, n]."""
    order = np.argsort(values, kind="stable")
    starts = np.flatnonzero(np.diff(values[order], prepend=-np.inf))
    tied = np.add.reduceat(weights[:, order], starts, axis=1)
    rank_of_ties = np.cumsum(tied, axis=1) - (tied - 1) / 2
    place = np.empty(len(values), np.int64)
    place[order] = np.repeat(np.arange(len(starts)), np.diff(starts, append=len(values)))
    ranks: Floats = rank_of_ties[:, place]
    return ranks


def _correlation(n: Floats, x: Floats, y: Floats, xx: Floats, yy: Floats, xy: Floats) -> Floats:
    """Pearson's r from a resample's size and sums; NaN where one side does not vary."""
    variance = (xx - x * x / n) * (yy - y * y / n)
    # What rounding leaves of a variance of zero is not a variance.
    varies = variance > 1e-24 * np.maximum(xx * yy, 1.0)
    return _ratio(xy - x * y / n, np.where(varies, np.sqrt(np.where(varies, variance, 0.0)), 0.0))


def _ratio(numerator: Floats, denominator: Floats) -> Floats:
    """The quotients, NaN where the denominator is 0."""
    quotients = np.full(len(numerator), np.nan)
    np.divide(numerator, denominator, out=quotients, where=denominator > 0)
    return quotients
