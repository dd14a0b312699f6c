"""How judgements of an item spread about their mean (Zesch & Gurevych 2006, section 5, Figures 3 to 5).

People agree on what is closely related and on what is not, and differ in between: of items with little
deviation few have a mean in the middle.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from datasets.agreement.judgements import Judgements
from datasets.agreement.ratios import ratio
from measures.arrays import Floats

AGREED = 0.8
"""Items with a smaller deviation, on a scale from 0 to 4, are those of Figure 4."""


class Spread(NamedTuple):
    """The mean of an item's first judgements and their standard deviation, float64[items] each.

    NaN where there is no judgement, or of the deviation (with n − 1) only one.
    """

    mean: Floats
    deviation: Floats


class OfGroup(NamedTuple):
    """The items of a group: how many, the mean of their means, and how these and judgements spread.

    ``deviation``: of the items' means; ``disagreement``: the mean over items of the deviation of their
    judgements, NaN where no item has two.
    """

    group: str
    items: int
    mean: float
    deviation: float
    disagreement: float


def spread(judgements: Judgements) -> Spread:
    """The mean and the deviation of each item."""
    first, each, mean = judgements.first, judgements.each(), judgements.means()
    squares = np.bincount(first.item, (first.value - mean[first.item]) ** 2, len(each))
    variance = ratio(squares, each - 1)
    return Spread(mean, np.sqrt(variance))


def by_group(of_items: Spread, groups: Sequence[str | None]) -> list[OfGroup]:
    """The spread of each group's items, by the groups' names; items without a group are left out."""
    spreads = []
    for group in sorted({group for group in groups if group is not None}):
        own = np.array([one == group for one in groups]) & ~np.isnan(of_items.mean)
        mean, deviation = of_items.mean[own], of_items.deviation[own]
        if not len(mean):
            continue
        several = deviation[~np.isnan(deviation)]
        spreads.append(
            OfGroup(
                group,
                len(mean),
                float(mean.mean()),
                float(mean.std(ddof=1)) if len(mean) > 1 else math.nan,
                float(several.mean()) if len(several) else math.nan,
            )
        )
    return spreads


def empty_band(of_items: Spread, agreed: float = AGREED) -> tuple[float, float]:
    """The widest range of means without an item that is agreed on: its ends, NaN of fewer than two items."""
    means = np.sort(of_items.mean[of_items.deviation < agreed])
    if len(means) < 2:
        return math.nan, math.nan
    widest = int(np.argmax(np.diff(means)))
    return float(means[widest]), float(means[widest + 1])


def one_of_each(of_items: Spread, pairs: Sequence[tuple[str, str]], most: bool) -> list[int]:
    """Of the concept pairs of each word pair the place of that with the most, or the least, deviation.

    Agreement over the former bounds that over words from below, over the latter from above.
    """
    chosen: dict[tuple[str, str], int] = {}
    sign = 1.0 if most else -1.0
    rank = np.where(np.isnan(of_items.deviation), -math.inf, sign * of_items.deviation)
    for place, pair in enumerate(pairs):
        if pair not in chosen or rank[place] > rank[chosen[pair]]:
            chosen[pair] = place
    return sorted(chosen.values())
