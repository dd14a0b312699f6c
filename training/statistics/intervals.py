"""Between which shares a panel's answer lies: residuals of left-out pairs, bin by bin of the score.

The scores that people gave are of panels of about ten, so that quantiles of what they were beside
predictions are already an interval for such a panel. The intervals are split conformal ones (Vovk et al.
2005; Mondrian, in bins of the score), but for the two tails. Where more than half of what may be missed are
panels that all say no, the interval reaches down to 0, and all that may be missed is above it; at 1 likewise.
For where nine in ten panels say 0, intervals that leave 0 out of some, so that the mean of a bin is met, are
wrong of each of these.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

import msgspec
import numpy as np

from measures.arrays import Bools, Floats, Ints
from models.expectation import EvidenceBands, IntervalBands
from training.cross_validation import leave_one_out

LEVEL = 0.9
"""The share of panels that an interval is to hold."""

BINS = 20
"""Bins of the score: tenths leave the upper ones too wide to hold in each fifth by evidence."""

PAIRS_A_BIN = 50
"""Fewer pairs than this in a bin, and its tails are of one or two pairs; there are then fewer bins."""

GROUPS, BINS_A_GROUP = 5, 10
"""Groups by how much evidence there is, that of none apart, and bins of the score in each. With twenty bins a
group the tails of bins are of few pairs, and intervals hold too little (docs/terms.md)."""

PAIRS_A_GROUP = BINS_A_GROUP * PAIRS_A_BIN // 2
"""Fewer pairs than this in a group, and it is one with the next; of ties, groups are not of equal size."""

SLACK = 1e-9
"""By so much a score may be beyond an end and count as met: ends are sums of the scores they come from."""


def interval_bands(
    scores: Floats, predicted: Floats, level: float = LEVEL, evidence: Ints | None = None
) -> IntervalBands:
    """The bands of predictions of pairs that were left out, and what people said of them, float64[n] each.

    ``evidence``: how many features of each pair have some, int64[n], where there are to be bands by that,
    too; else None.

    Raises:
        ValueError: there is no pair.
    """
    if not len(scores):
        raise ValueError("an interval takes a pair to learn from")
    bands = _bands(scores, predicted, level, BINS)
    starts = np.zeros(1, np.int64) if evidence is None else _groups(evidence)
    if evidence is None or len(starts) == 1:
        return bands
    group = np.searchsorted(starts, evidence, "right") - 1
    by_evidence = tuple(
        EvidenceBands(start, _of_group(scores[group == own], predicted[group == own], bands))
        for own, start in enumerate(starts.tolist())
    )
    return msgspec.structs.replace(bands, by_evidence=by_evidence)


def _of_group(scores: Floats, predicted: Floats, of_all: IntervalBands) -> IntervalBands:
    """The bands of a group of pairs; above the scores that are frequent in it, those of all pairs.

    Of pairs with little evidence few have a high score: a bin of these and of middling ones says of each what
    is so of the middling ones, that a panel may say 0. So it is where even the last bin of the group begins
    below the highest fifth of all pairs.
    """
    own = _bands(scores, predicted, of_all.level, BINS_A_GROUP)
    if own.scores[-1] >= of_all.scores[-max(1, len(of_all.scores) // 5)]:
        return own
    until = np.sort(predicted)[-PAIRS_A_BIN]
    frequent = predicted < until
    if not frequent.any():
        return of_all
    own = _bands(scores[frequent], predicted[frequent], of_all.level, BINS_A_GROUP)
    first = bisect_right(of_all.scores, until) - 1
    return IntervalBands(
        own.level,
        (*own.scores, float(until), *of_all.scores[first + 1 :]),
        (*own.below, *of_all.below[first:]),
        (*own.above, *of_all.above[first:]),
    )


def _groups(evidence: Ints) -> Ints:
    """Where groups of about equally many pairs begin, by their evidence, int64[n]: ascending, one or more.

    Pairs of which none counts are a group of their own where they are enough.
    """
    ordered = np.sort(evidence)
    without = int(np.count_nonzero(ordered == 0))
    if PAIRS_A_GROUP <= without <= len(ordered) - PAIRS_A_GROUP:
        return np.concatenate([np.zeros(1, np.int64), _groups(ordered[without:])])
    starts = [int(ordered[0])]
    for part in np.array_split(ordered, min(GROUPS, max(1, len(ordered) // PAIRS_A_GROUP)))[1:]:
        if np.count_nonzero((ordered >= starts[-1]) & (ordered < part[0])) >= PAIRS_A_GROUP:
            starts.append(int(part[0]))
    return np.array(starts, np.int64)


def _bands(scores: Floats, predicted: Floats, level: float, most: int) -> IntervalBands:
    """Bands in bins of the score, ``most`` of them."""
    ordered = np.sort(predicted)
    bins = min(most, max(1, len(ordered) // PAIRS_A_BIN))
    # Pairs of one score are of one bin.
    starts = np.unique([part[0] for part in np.array_split(ordered, bins)])
    starts[0] = 0.0
    place = np.searchsorted(starts, predicted, "right") - 1
    ends = [reach(scores[place == own], predicted[place == own], level) for own in range(len(starts))]
    below, above = zip(*ends, strict=True)
    return IntervalBands(level, tuple(starts.tolist()), below, above)


def reach(scores: Floats, predicted: Floats, level: float) -> tuple[float, float]:
    """How far below and above the predictions an interval reaches that holds ``level`` of the scores.

    Where panels that all say no and such that all say yes are both too many to miss, the more frequent ones
    are held. 1 where it is to reach the end of the range, whatever the prediction.
    """
    missed = 1.0 - level
    residuals = scores - predicted
    none, all_ = float(np.mean(scores <= SLACK)), float(np.mean(scores >= 1.0 - SLACK))
    to_none = none >= missed / 2 and none >= all_
    to_all = all_ >= missed / 2 and not to_none
    tail = missed if to_none or to_all else missed / 2
    low, high = np.quantile(residuals, [tail, 1.0 - tail])
    return (1.0 if to_none else max(0.0, -float(low))), (1.0 if to_all else max(0.0, float(high)))


@dataclass(frozen=True, slots=True)
class LeftOutIntervals:
    """The intervals of n pairs by bands that saw no pair of their topic: the ends, float64[n] each."""

    low: Floats
    high: Floats

    def held(self, scores: Floats) -> Bools:
        """Which of the scores, float64[n], lie within: bool[n]."""
        return (scores >= self.low - SLACK) & (scores <= self.high + SLACK)

    @property
    def width(self) -> float:
        """The mean width."""
        return float((self.high - self.low).mean())


def left_out_intervals(
    scores: Floats, predicted: Floats, topic: Ints, level: float = LEVEL, evidence: Ints | None = None
) -> LeftOutIntervals:
    """The interval of each pair by bands of the other topics alone, so that their coverage may be judged.

    ``scores`` and ``predicted``: float64[n], the predictions of pairs left out; ``topic``: int64[n], of two
    numbers at least; ``evidence``: as for ``interval_bands``.
    """
    low, high = np.zeros(len(scores)), np.ones(len(scores))
    for learnt, left_out in leave_one_out(topic):
        seen, own = (None, None) if evidence is None else (evidence[learnt], evidence[left_out])
        bands = interval_bands(scores[learnt], predicted[learnt], level, seen)
        low[left_out], high[left_out] = bands.around(predicted[left_out], own)
    return LeftOutIntervals(low, high)


def shares_of(held: Bools, parts: Sequence[Ints]) -> list[float]:
    """The share of pairs held in each part, whose places are int64[m]; parts without pairs are left out."""
    return [float(held[part].mean()) for part in parts if len(part)]


def parts_by(values: Floats | Ints, parts: int) -> list[Ints]:
    """The places of equal parts, by rising values [n]; equal ones stay in the order in which they came."""
    return [np.asarray(part, np.int64) for part in np.array_split(np.argsort(values, kind="stable"), parts)]


class IntervalCoverage(msgspec.Struct, frozen=True):
    """What share of people's scores lies within the intervals that aim at the share ``level``.

    ``held``: over all pairs; ``by_score``: in ten equal parts by prediction, the lowest first;
    ``by_evidence``: in five equal parts by how many features have evidence, those with the least first;
    ``tenth_topic``: the tenth percentile of the topics' own shares, None without topics. ``width``: the mean
    width of an interval.
    """

    level: float
    held: float
    by_score: tuple[float, ...]
    by_evidence: tuple[float, ...]
    tenth_topic: float | None
    width: float


def coverage(
    intervals: LeftOutIntervals,
    scores: Floats,
    predicted: Floats,
    evidence: Ints,
    topic: Ints | None,
    level: float = LEVEL,
) -> IntervalCoverage:
    """What the intervals hold of ``scores``, float64[n], beside predictions, float64[n].

    ``evidence``: how many features of each pair have some, int64[n]; ``topic``: int64[n], None without
    topics; ``level``: what the intervals aim at.
    """
    held = intervals.held(scores)
    topics = [] if topic is None else [np.flatnonzero(topic == number) for number in np.unique(topic)]
    return IntervalCoverage(
        level,
        float(held.mean()),
        tuple(shares_of(held, parts_by(predicted, 10))),
        tuple(shares_of(held, parts_by(evidence, 5))),
        float(np.quantile(shares_of(held, topics), 0.1)) if topics else None,
        intervals.width,
    )
