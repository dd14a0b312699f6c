"""The core of judging: any column of values against people's scores, with intervals.

A feature, a model, a baseline and a measure of terms are all the same here: a number for each pair.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from measures.arrays import Bools, Floats, Ints
from training.evaluation.report import Correlations, Figure, Resampling
from training.progress import Progress, counting
from training.statistics import bootstrap
from training.statistics.correlation import CORRELATIONS, CorrelationKind, defined

RESAMPLES = 1000
SEED = 20180507
"""Any number would do; a fixed one makes reports repeatable."""


@dataclass(frozen=True, slots=True)
class Gold:
    """What people said of n pairs.

    ``scores``: float64[n]. ``topic``: a number for each pair's topic, int64[n], its place in ``topics``;
    where a pair has no topic, ``topics`` is empty and the number is that of whatever is drawn together.
    """

    scores: Floats
    topic: Ints
    topics: tuple[str, ...]

    @property
    def units(self) -> int:
        """How many units there are to draw from: topics, pairs without one, or groups of pairs."""
        return len(self.topics) or int(self.topic.max(initial=-1)) + 1

    def of(self, chosen: Bools) -> Gold:
        """The gold of the ``chosen`` pairs alone, bool[n]; topics without such a pair are dropped."""
        kept, topic = np.unique(self.topic[chosen], return_inverse=True)
        topics = tuple(self.topics[number] for number in kept) if self.topics else ()
        return Gold(self.scores[chosen], topic.astype(np.int64), topics)


@dataclass(frozen=True, slots=True)
class Sampling:
    """How intervals come about: the number of resamples and their seed."""

    resamples: int = RESAMPLES
    seed: int = SEED

    def draws(self, gold: Gold) -> Ints:
        """How often each topic (or pair) is drawn in each resample: int64[resamples, units]."""
        return bootstrap.draws(gold.units, self.resamples, self.seed)

    def of(self, gold: Gold) -> Resampling:
        """The same, as the report on that gold says it."""
        bare = "pairs" if gold.units == len(gold.scores) else "groups of pairs"
        return self.described("topics" if gold.topics else bare)

    def described(self, unit: str) -> Resampling:
        """The same, where it was ``unit`` that was drawn."""
        return Resampling(unit, self.resamples, bootstrap.LEVEL, self.seed)


def judge_columns(
    columns: Sequence[Floats], gold: Gold, sampling: Sampling, progress: Progress | None = None
) -> list[dict[CorrelationKind, Correlations]]:
    """Each kind of correlation of each column, float64[n], with the scores; ``progress`` counts columns."""
    drawn = sampling.draws(gold)
    return [
        {kind: _correlations(kind, values, gold, drawn) for kind in CORRELATIONS}
        for values in counting(columns, progress)
    ]


def of_topics(kind: CorrelationKind, values: Floats, gold: Gold) -> Floats:
    """The correlation of ``kind`` in each topic, NaN where it is undefined: float64[topics]."""
    correlation = CORRELATIONS[kind]
    chosen = [gold.topic == number for number in range(len(gold.topics))]
    return np.array([correlation(values[own], gold.scores[own]) for own in chosen], np.float64)


def pooled(kind: CorrelationKind, values: Floats, gold: Gold, drawn: Ints) -> Figure:
    """The correlation of ``kind`` over all pairs at once, with its interval."""
    value = CORRELATIONS[kind](values, gold.scores)
    if math.isnan(value):
        return Figure(None, None, None)
    return figure(value, bootstrap.RESAMPLED[kind](values, gold.scores, gold.topic, drawn))


def figure(value: float, resampled: Floats) -> Figure:
    """A statistic and the interval of its resamples, None where undefined (NaN)."""
    if math.isnan(value):
        return Figure(None, None, None)
    ends = bootstrap.interval(resampled)
    return Figure(value, defined(ends.low), defined(ends.high))


def _correlations(kind: CorrelationKind, values: Floats, gold: Gold, drawn: Ints) -> Correlations:
    over_all = pooled(kind, values, gold, drawn)
    if not gold.topics:
        return Correlations(over_all, None, None)
    topics = of_topics(kind, values, gold)
    undefined = int(np.isnan(topics).sum())
    mean = float(np.nanmean(topics)) if undefined < len(topics) else math.nan
    return Correlations(over_all, figure(mean, bootstrap.resampled_mean(topics, drawn)), undefined)
