"""How many judgements are enough: what reliability more would bring, and which items need more.

The reliability of scores from m judgements each is measured, where there are 2m of an item, as the
correlation of two disjoint draws of m. From there the Spearman–Brown formula says what more would bring.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from datasets.agreement.judgements import Judgements
from datasets.agreement.split_half import FEWEST, random_ranks, spearman_brown
from measures.arrays import Floats, Ints

RESAMPLES = 30
WANTED = 0.9
"""The reliability that is aimed at, where none is named."""

MOST_NEEDED = 10_000
"""No answer is a number of judgements that nobody would pay for."""


class Reliability(NamedTuple):
    """Of scores from so many ``judgements`` each: measured on so many ``items`` (None: not), and predicted.

    ``predicted``: by Spearman–Brown from the measured one of the most judgements, NaN where there is none.
    """

    judgements: int
    measured: float | None
    items: int
    predicted: float


def reliability_curve(
    judgements: Judgements, sizes: tuple[int, ...] = (), resamples: int = RESAMPLES, seed: int = 0
) -> list[Reliability]:
    """The reliability of scores from 1, 2, … judgements an item, ascending.

    Args:
        judgements: only first ones count.
        sizes: for how many judgements it is to be predicted beyond those for which it can be measured.
        resamples: how often the draws are repeated and the correlations averaged.
        seed: of the draws.
    """
    each = judgements.each()
    # As far as half of the items go; beyond, the items would be others.
    most = int(np.median(each)) // 2 if len(each) else 0
    rng = np.random.default_rng(seed)
    measured = {size: _measured(judgements, each, size, resamples, rng) for size in range(1, most + 1)}
    known = {size: r for size, (r, _) in measured.items() if not math.isnan(r)}
    base = max(known, default=0)
    curve = []
    for size in sorted({*measured, *sizes}):
        r, items = measured.get(size, (math.nan, 0))
        predicted = spearman_brown(known[base], size / base) if base else math.nan
        curve.append(Reliability(size, None if math.isnan(r) else r, items, predicted))
    return curve


def _measured(
    judgements: Judgements, each: Ints, size: int, resamples: int, rng: np.random.Generator
) -> tuple[float, int]:
    first, enough = judgements.first, each >= 2 * size
    items = int(enough.sum())
    if items < FEWEST:
        return math.nan, items
    r = []
    for _ in range(resamples):
        rank = random_ranks(first.item, rng)
        one, other = (
            np.bincount(first.item[drawn], first.value[drawn], len(each))[enough]
            for drawn in (rank < size, (rank >= size) & (rank < 2 * size))
        )
        if np.ptp(one) > 0 and np.ptp(other) > 0:
            r.append(float(np.corrcoef(one, other)[0, 1]))
    return (float(np.mean(r)) if r else math.nan), items


def judgements_needed(curve: list[Reliability], wanted: float = WANTED) -> int | None:
    """The fewest judgements an item whose scores have the reliability that is wanted, as predicted.

    None where nothing could be measured, or no affordable number suffices.
    """
    known = [one for one in curve if one.measured is not None]
    if not known or not 0 < (known[-1].measured or 0.0) < 1:
        return None
    base = known[-1]
    single = spearman_brown(base.measured or 0.0, 1 / base.judgements)
    needed = math.ceil(wanted * (1 - single) / (single * (1 - wanted)) - 1e-9)
    return needed if needed <= MOST_NEEDED else None


def further_needed(low: Floats, high: Floats, each: Ints, width: float) -> Ints:
    """How many judgements more bring the interval of each item to a ``width``: int64[items].

    An interval narrows with the root of the number of judgements, so that this is an estimate: ask for them,
    and look again.

    Args:
        low: the ends of the intervals, float64[items].
        high: likewise.
        each: how many judgements each item has, int64[items].
        width: what is wanted, in units of the score.
    """
    wide = np.maximum(high - low, 0.0) / width
    needed = np.ceil(each * wide**2 - 1e-9).astype(np.int64)
    return np.asarray(np.maximum(needed - each, 0), np.int64)
