"""Two models on the same pairs, each predicting pairs that it did not learn from."""

from __future__ import annotations

import math
from typing import Literal

import msgspec
import numpy as np

from measures.arrays import Floats, Ints
from training.statistics import bootstrap
from training.statistics.correlation import CorrelationKind
from training.statistics.significance import Clusters, Difference, compare

Part = Literal["own", "base", "learnt"]
KINDS: tuple[CorrelationKind, ...] = ("pearson", "spearman")

RESAMPLES = 1000
"""Behind the interval of a difference; fixed, as the seed is, so that no option changes what is promoted."""

SEED = 20180507


class ModelFigures(msgspec.Struct, frozen=True):
    """A model on some pairs: correlations (None where undefined) and mean absolute error."""

    model: str
    pearson: float | None
    spearman: float | None
    error: float


class Comparison(msgspec.Struct, frozen=True):
    """The challenger and the champion, the model in force, on the same ``pairs``.

    ``part``: "own" (a user's judgements), "base" (the pairs of joined sets, by the scores that these give
    them), or "learnt" (those that the champion learnt from, by the scores that it learnt). ``differences``:
    the test of each kind of correlation, pearson and spearman; the challenger's correlation is the first.
    Their intervals have the coverage ``level`` and are of resamples of ``groups``: topics, or what else goes
    together.
    """

    part: Part
    pairs: int
    challenger: ModelFigures = msgspec.field(name="candidate")
    champion: ModelFigures = msgspec.field(name="in_force")
    differences: dict[CorrelationKind, Difference]
    groups: int
    level: float


def compared(
    part: Part,
    names: tuple[str, str],
    challenger: Floats,
    champion: Floats,
    scores: Floats,
    group: Ints | None = None,
    level: float = bootstrap.LEVEL,
    resamples: int = RESAMPLES,
) -> Comparison:
    """The comparison of two models' predictions with people's scores, each float64[n], n ≥ 1.

    ``group``: the number of what each pair goes together with, int64[n]; without it each pair stands alone.
    """
    numbers, topic = np.unique(np.arange(len(scores)) if group is None else group, return_inverse=True)
    clusters = Clusters(
        topic.astype(np.int64), bootstrap.draws(len(numbers), resamples, SEED), min(max(level, 0.0), 1.0)
    )
    differences = {kind: compare(challenger, champion, scores, kind, names, clusters) for kind in KINDS}
    pearson, spearman = (differences[kind] for kind in KINDS)
    return Comparison(
        part,
        len(scores),
        ModelFigures(names[0], pearson.r_first, spearman.r_first, _error(challenger, scores)),
        ModelFigures(names[1], pearson.r_second, spearman.r_second, _error(champion, scores)),
        differences,
        len(numbers),
        clusters.level,
    )


def compared_where_known(
    part: Part,
    names: tuple[str, str],
    challenger: Floats,
    champion: Floats,
    scores: Floats,
    group: Ints,
    level: float,
) -> Comparison | None:
    """The comparison on the pairs where no number is NaN; None where there is no such pair."""
    known = ~np.isnan([challenger, champion, scores]).any(axis=0)
    if not known.any():
        return None
    return compared(part, names, challenger[known], champion[known], scores[known], group[known], level)


def gain(difference: Difference) -> float:
    """By how much the first correlation is above the second; NaN where one of them is undefined."""
    if difference.r_first is None or difference.r_second is None or difference.p is None:
        return math.nan
    return difference.r_first - difference.r_second


def higher(difference: Difference, p: float) -> bool:
    """Whether the first correlation is the higher: at the level ``p``, and by the whole of its interval.

    The test takes pairs for independent, and the interval does not: of pairs that share a topic or a concept
    the test alone says far too often that models differ.
    """
    return difference.p is not None and difference.p < p and difference.low is not None and difference.low > 0


def lower(difference: Difference, p: float) -> bool:
    """Whether the first correlation is the lower, as ``higher`` says."""
    return (
        difference.p is not None and difference.p < p and difference.high is not None and difference.high < 0
    )


def _error(predicted: Floats, scores: Floats) -> float:
    return float(np.abs(predicted - scores).mean())
