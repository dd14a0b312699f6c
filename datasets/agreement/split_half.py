"""Would other annotators give the same scores? Two halves of the judgements, scored apart and correlated."""

from __future__ import annotations

import math
from itertools import combinations
from typing import NamedTuple

import numpy as np

from datasets.agreement.judgements import Judgements
from datasets.agreement.ratios import ratio
from measures.arrays import Bools, Floats, Ints

SPLITS = 100
"""Random splits, as Asaadi et al. (2019, section 4) take."""

FEWEST = 3
"""Items that a correlation takes."""

_CHUNK = 500
"""Splits computed at once."""


class SplitHalf(NamedTuple):
    """The reliability of scores from half of the judgements, and so of scores from all.

    ``mean``, ``deviation``: of Pearson's r over the splits, NaN where none is defined; ``splits``: how many;
    ``items``: whose scores were correlated; ``judgements``: of each in a half, on average.
    """

    mean: float
    deviation: float
    splits: int
    items: int
    judgements: float

    @property
    def corrected(self) -> float:
        """What the reliability of all judgements is, twice as many as a half has."""
        return spearman_brown(self.mean, 2)


def spearman_brown(reliability: float, factor: float) -> float:
    r"""What the reliability of scores becomes with ``factor`` times as many judgements.

    :math:`f r / (1 + (f - 1) r)` (Spearman 1910, Brown 1910); NaN where a reliability below 0 leaves none.

    >>> round(spearman_brown(0.797, 2), 3)
    0.887
    """
    divisor = 1 + (factor - 1) * reliability
    return factor * reliability / divisor if divisor > 1e-9 else math.nan


def factor_needed(reliability: float, wanted: float) -> float:
    """How many times as many judgements take scores from one reliability to another, both in (0, 1).

    NaN where there is none to begin with.

    >>> round(factor_needed(0.5, 0.9), 6)
    9.0
    """
    if not 0 < reliability < 1:
        return math.nan
    return wanted * (1 - reliability) / (reliability * (1 - wanted))


def same_panel(judgements: Judgements, size: int | None = None) -> tuple[Bools, Bools]:
    """The largest set of items that the same annotators judged, ``size`` of them or any number from 2.

    Returns:
        Which annotators, bool[annotators], and which items, bool[items]; none where there is no such set.
    """
    given = ~np.isnan(judgements.matrix())
    panels, inverse, counts = np.unique(given, axis=0, return_inverse=True, return_counts=True)
    members = panels.sum(1)
    fits = members == size if size is not None else members >= 2
    if not fits.any():
        return np.zeros(given.shape[1], bool), np.zeros(len(given), bool)
    largest = int(np.argmax(np.where(fits, counts, 0)))
    return panels[largest], inverse.reshape(-1) == largest


def all_splits(values: Floats) -> SplitHalf:
    """Every split of a panel into halves (Levy et al. 2015, section 4); of an odd number they differ by one.

    ``values``: float64[items, annotators], none of them NaN.
    """
    items, annotators = values.shape
    half = annotators // 2
    # Of an even number each split is met twice, as one half and as the other.
    chosen = [
        one for one in combinations(range(annotators), half) if annotators % 2 or not one or one[0] == 0
    ]
    if half == 0 or items < FEWEST:
        return SplitHalf(math.nan, math.nan, 0, items, half)
    member = np.zeros((annotators, len(chosen)))
    member[np.array(chosen).T, np.arange(len(chosen))] = 1
    r = [
        _correlations(values @ part, values @ (1 - part))
        for part in (member[:, start : start + _CHUNK] for start in range(0, len(chosen), _CHUNK))
    ]
    return _summary(np.concatenate(r), items, annotators / 2)


def random_splits(judgements: Judgements, splits: int = SPLITS, seed: int = 0) -> SplitHalf:
    """Each item's judgements split at random into two bins, over and over; items with two or more count.

    Of an odd number, one bin, drawn at random, has one more.
    """
    first, each = judgements.first, judgements.each()
    counted = each >= 2
    if counted.sum() < FEWEST:
        return SplitHalf(math.nan, math.nan, 0, int(counted.sum()), math.nan)
    rng = np.random.default_rng(seed)
    r = []
    for _ in range(splits):
        rank = random_ranks(first.item, rng)
        taken = (each + rng.integers(0, 2, len(each))) // 2
        bins = rank < taken[first.item]
        one, other = (_bin_means(first, of)[counted] for of in (bins, ~bins))
        r.append(_correlations(one[:, np.newaxis], other[:, np.newaxis]))
    return _summary(np.concatenate(r), int(counted.sum()), float(each[counted].mean() / 2))


def random_ranks(group: Ints, rng: np.random.Generator) -> Ints:
    """The place of each member within its group, in random order, from 0: int64[n]."""
    order = np.argsort(group + rng.random(len(group)))
    starts = np.searchsorted(group[order], group[order])
    rank = np.empty(len(group), np.int64)
    rank[order] = np.arange(len(group)) - starts
    return rank


def _bin_means(first: Judgements, chosen: Bools) -> Floats:
    item, size = first.item[chosen], len(first.items)
    return ratio(np.bincount(item, first.value[chosen], size), np.bincount(item, minlength=size))


def _correlations(x: Floats, y: Floats) -> Floats:
    """Pearson's r of each column: float64[n, splits] twice to float64[splits]; NaN where nothing varies."""
    defined = (x != x[0]).any(0) & (y != y[0]).any(0)
    x, y = x - x.mean(0), y - y.mean(0)
    scale = np.sqrt((x**2).sum(0) * (y**2).sum(0))
    return ratio((x * y).sum(0), np.where(defined, scale, 0.0))


def _summary(r: Floats, items: int, judgements: float) -> SplitHalf:
    defined = r[~np.isnan(r)]
    if not len(defined):
        return SplitHalf(math.nan, math.nan, len(r), items, judgements)
    return SplitHalf(float(defined.mean()), float(defined.std()), len(r), items, judgements)
