"""Which threshold of the score to call pairs related by, and what to expect of it.

A pair counts as related where at least a share of its judges said so, by default half. All figures are of
predictions of pairs that were left out; intervals draw whole topics (``training.statistics.bootstrap``).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import msgspec
import numpy as np

from measures.arrays import Bools, Floats, Ints
from models.expectation import Estimate, OperatingPoint, OperatingPoints
from training.errors import TooFewPairs
from training.statistics import bootstrap

RELATED_AT = 0.5
"""The share of judges from which on a pair counts as related."""

SHOWN = (0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9)
"""The thresholds that a report and a model file tell of, as far as there are pairs above them."""

SLACK = 1e-9
"""Shares of judges are sums of decimal fractions: 0.5 may be a little below."""


@dataclass(frozen=True, slots=True)
class LeftOutPairs:
    """Predictions of n pairs that were left out, float64[n], and which of them people call related, bool[n].

    ``topic``: what is drawn together, int64[n]; ``drawn``: as from ``bootstrap.draws``; ``related_at``: the
    share of judges from which on a pair counts as related.
    """

    predicted: Floats
    related: Bools
    topic: Ints
    drawn: Ints
    related_at: float = RELATED_AT

    @classmethod
    def of(
        cls, scores: Floats, predicted: Floats, topic: Ints, drawn: Ints, related_at: float = RELATED_AT
    ) -> LeftOutPairs:
        """``scores``: what people said, float64[n].

        Raises:
            TooFewPairs: people call none of the pairs related, or all.
        """
        related = scores >= related_at - SLACK
        if related.all() or not related.any():
            raise TooFewPairs(
                f"of {len(scores):,} pairs {int(related.sum()):,} are called related by {related_at:.0%} of "
                "their judges, and a threshold is to divide them. Give another --related-at, or other pairs."
            )
        return cls(predicted, related, topic, drawn, related_at)


def operating_point(judged: LeftOutPairs, threshold: float) -> OperatingPoint:
    """What to expect where pairs of at least this score are called related, with 95 % intervals."""
    called = judged.predicted >= threshold
    right = called & judged.related
    counts = np.stack([right, called, judged.related, np.ones_like(called)]).astype(np.float64)
    of_topic = np.stack(
        [np.bincount(judged.topic, each, minlength=judged.drawn.shape[1]) for each in counts], axis=1
    )
    resampled = judged.drawn @ of_topic

    def estimate(part: int, whole: int) -> Estimate:
        if not counts[whole].any():
            return Estimate(None, None, None)
        share = float(counts[part].sum() / counts[whole].sum())
        defined = resampled[:, whole] > 0
        if not defined.any():
            return Estimate(share, None, None)
        ends = bootstrap.interval(resampled[defined, part] / resampled[defined, whole])
        return Estimate(share, ends.low, ends.high)

    return OperatingPoint(threshold, estimate(0, 1), estimate(0, 2), estimate(1, 3))


def operating_points(judged: LeftOutPairs, thresholds: Sequence[float] = SHOWN) -> OperatingPoints:
    """What to expect of each threshold that has a pair above it; there is one at least."""
    most = float(judged.predicted.max())
    reached = [threshold for threshold in thresholds if threshold <= most] or [0.0]
    return OperatingPoints(
        judged.related_at,
        float(judged.related.mean()),
        tuple(operating_point(judged, threshold) for threshold in reached),
    )


def for_precision(judged: LeftOutPairs, wanted: float) -> float | None:
    """The least threshold of at least the ``wanted`` precision; None where no score reaches it.

    The least one has the greatest recall of all that do.
    """
    thresholds, called, right = _curve(judged)
    reached = np.flatnonzero(right >= wanted * called - SLACK)
    return float(thresholds[reached[-1]]) if len(reached) else None


def for_recall(judged: LeftOutPairs, wanted: float) -> float:
    """The greatest threshold of at least the ``wanted`` recall; it mostly has the best precision."""
    thresholds, _, right = _curve(judged)
    return float(thresholds[np.flatnonzero(right >= wanted * right[-1] - SLACK)[0]])


def for_cost(judged: LeftOutPairs, cost: float) -> float:
    """The threshold of the least cost, where a false "related" costs ``cost`` times a missed one.

    Of several, the greatest. What is above all scores, where calling nothing related costs least.
    """
    thresholds, called, right = _curve(judged)
    costs = np.append(right[-1], cost * (called - right) + (right[-1] - right))
    best = int(np.argmin(costs))
    return 1.0 if best == 0 else float(thresholds[best - 1])


class ThresholdChoice(msgspec.Struct, frozen=True):
    """What was asked of a threshold, in words, and the threshold with what to expect; None if none does.

    ``at_least``: the precision or the recall that was asked for, by its name.
    """

    wanted: str
    point: OperatingPoint | None
    at_least: dict[str, float] = {}


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a threshold is to do: the precision, the recall, or what an error costs.

    ``related_at``: the share of judges from which on a pair counts as related. ``cost``: what a false
    "related" costs beside a missed one.
    """

    related_at: float = RELATED_AT
    precision: float | None = None
    recall: float | None = None
    cost: float | None = None


def choices(judged: LeftOutPairs, wanted: Wanted) -> tuple[ThresholdChoice, ...]:
    """The thresholds that were asked for, with what to expect of each."""
    thresholds: list[tuple[str, float | None, dict[str, float]]] = []
    if (precision := wanted.precision) is not None:
        asked = f"precision {precision:g}"
        thresholds.append((asked, for_precision(judged, precision), {"precision": precision}))
    if (recall := wanted.recall) is not None:
        thresholds.append((f"recall {recall:g}", for_recall(judged, recall), {"recall": recall}))
    if wanted.cost is not None:
        thresholds.append((f"cost {wanted.cost:g} to 1", for_cost(judged, wanted.cost), {}))
    return tuple(
        ThresholdChoice(asked, None if threshold is None else operating_point(judged, threshold), at_least)
        for asked, threshold, at_least in thresholds
    )


def _curve(judged: LeftOutPairs) -> tuple[Floats, Floats, Floats]:
    """Each different score, the greatest first, with how many it calls related and how many of them are.

    float64[m] each.
    """
    order = np.argsort(-judged.predicted, kind="stable")
    scores = judged.predicted[order]
    last = np.flatnonzero(np.append(scores[1:] != scores[:-1], True))
    right = np.cumsum(judged.related[order])[last].astype(np.float64)
    return scores[last], (last + 1).astype(np.float64), right
