"""Pairs drawn with unequal chances, and the weights that make up for it.

Each pair is drawn with a known chance; a pair that was drawn stands for one over its chance of all pairs
(Horvitz & Thompson 1952). Weighted so, means and correlations over the chosen pairs estimate those over all,
whatever the chances were, as long as none is 0: a share is therefore drawn evenly.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from measures.arrays import Floats, Ints

EVENLY = 0.5
"""The share of the pairs that is drawn evenly, whatever they are worth. No pair then stands for more than two
times as many as in an even draw."""


class Chosen(NamedTuple):
    """The places of the chosen pairs, int64[m] ascending, and how many of all each stands for, float64[m]."""

    places: Ints
    weights: Floats


def chances(worth: Floats, number: int, evenly: float = EVENLY) -> Floats:
    """The chance of each pair to be among ``number`` drawn ones: float64[n], above 0 and at most 1.

    Args:
        worth: of each pair, float64[n], not below 0; in proportion to it the rest is drawn.
        number: how many, at most n. The chances add up to it.
        evenly: the share that is drawn evenly, above 0 and at most 1.

    Raises:
        ValueError: a value is out of its range.
    """
    if not 0 < number <= len(worth):
        raise ValueError(f"{number:,} of {len(worth):,} pairs cannot be drawn")
    if not 0 < evenly <= 1:
        raise ValueError("the share that is drawn evenly is above 0, so that every pair can be drawn")
    if not np.isfinite(worth).all() or (worth < 0).any():
        raise ValueError("what a pair is worth is a number of at least 0")
    mean = float(worth.mean())
    share = np.ones(len(worth)) if mean == 0 else evenly + (1 - evenly) * worth / mean
    chance = np.zeros(len(worth))
    certain = np.zeros(len(worth), bool)
    while True:
        # Whose chance would be above 1 is certain; the others share what is left.
        open_ = ~certain
        if open_.any():
            chance[open_] = (number - certain.sum()) * share[open_] / share[open_].sum()
        above = open_ & (chance >= 1)
        chance[above] = 1.0
        if not above.any():
            return chance
        certain |= above


def choose(chance: Floats, rng: np.random.Generator) -> Chosen:
    """Pairs drawn with these chances, as many as they add up to (systematic draw, Madow 1949).

    Args:
        chance: as from ``chances``.
        rng: what is drawn depends on it alone.
    """
    order = rng.permutation(len(chance))
    ends = np.cumsum(chance[order])
    number = round(float(ends[-1]))
    # Sums of chances miss a whole number by rounding.
    steps = (rng.random() + np.arange(number)) * float(ends[-1]) / number
    drawn = np.sort(order[np.minimum(np.searchsorted(ends, steps, "right"), len(order) - 1)])
    return Chosen(drawn.astype(np.int64), 1.0 / chance[drawn])


def weighted_mean(values: Floats, weights: Floats) -> float:
    """The mean of all pairs as the chosen ones tell it, float64[m] each."""
    return float(weights @ values / weights.sum())


def weighted_pearson(x: Floats, y: Floats, weights: Floats) -> float:
    """Pearson's r over all pairs as the chosen ones tell it, float64[m] each; NaN where nothing varies."""
    if np.ptp(x) == 0 or np.ptp(y) == 0:
        return math.nan
    x, y = x - weighted_mean(x, weights), y - weighted_mean(y, weights)
    return float(weights @ (x * y) / math.sqrt(float(weights @ x**2) * float(weights @ y**2)))
