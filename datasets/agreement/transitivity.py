"""Is what is related to one thing related to what that is related to?

Of three pairs (a, b), (b, c), (a, c) with the scores R1, R2, R3: the more related b and c are, the closer
R1 and R3 should be (Levy et al. 2015, section 4.1).
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Hashable, Sequence
from itertools import combinations
from typing import Literal, NamedTuple

import numpy as np
from scipy import stats

from measures.arrays import Floats, Ints

Repeated = Literal["mean", "last"]
"""Which score a pair has that is there more than once: the mean of all, or the last."""


class Edge(NamedTuple):
    """A pair with its score; triangles are looked for among edges of one ``topic``."""

    left: Hashable
    right: Hashable
    score: float
    topic: Hashable = None


class Transitivity(NamedTuple):
    """How far R1 and R3 are apart, by R2.

    ``triangles``: how many three terms are all paired; each gives three differences, one for each of its
    pairs as the second. ``level``: R2, ascending, float64[levels]; ``mean``: of |R3 − R1|, float64[levels];
    ``differences``: how many, int64[levels]. ``pearson``, ``p_value``: of the means with the levels,
    NaN of fewer than three; ``spearman``: likewise.
    """

    triangles: int
    level: Floats
    mean: Floats
    differences: Ints
    pearson: float
    p_value: float
    spearman: float


def transitivity(edges: Sequence[Edge], digits: int = 1, repeated: Repeated = "mean") -> Transitivity:
    """The differences of all triangles, by R2 rounded to ``digits``.

    Of a pair that is there twice in a topic, that of its scores counts which ``repeated`` says; one of a term
    with itself is left out.
    """
    score = _scores(edges, repeated)
    neighbours: dict[Hashable, dict[Hashable, set[Hashable]]] = defaultdict(lambda: defaultdict(set))
    place: dict[Hashable, int] = {}
    for topic, pair in score:
        one, other = pair
        for term in pair:
            place.setdefault(term, len(place))
        neighbours[topic][one].add(other)
        neighbours[topic][other].add(one)
    triangles: list[tuple[float, float, float]] = []
    for topic, near in neighbours.items():
        for term, those in near.items():
            later = [other for other in those if place[other] > place[term]]
            for one, other in combinations(later, 2):
                if other in near[one]:
                    sides = ((term, one), (one, other), (term, other))
                    triangles.append(tuple(score[topic, frozenset(side)] for side in sides))  # type: ignore[arg-type]
    return _by_second(np.array(triangles, np.float64).reshape(-1, 3), digits)


def _scores(edges: Sequence[Edge], repeated: Repeated) -> dict[tuple[Hashable, frozenset[Hashable]], float]:
    given = defaultdict(list)
    for edge in edges:
        if edge.left != edge.right:
            given[edge.topic, frozenset((edge.left, edge.right))].append(edge.score)
    return {
        key: scores[-1] if repeated == "last" else sum(scores) / len(scores) for key, scores in given.items()
    }


def _by_second(triangles: Floats, digits: int) -> Transitivity:
    """Each side of a triangle, float64[n, 3], is once the second."""
    second = np.concatenate([np.round(triangles[:, side], digits) for side in range(3)])
    apart = np.concatenate([np.abs(triangles[:, side - 1] - triangles[:, side - 2]) for side in range(3)])
    level, inverse, count = np.unique(second, return_inverse=True, return_counts=True)
    mean = np.bincount(inverse.reshape(-1), apart, len(level)) / count
    # What differs by rounding alone does not vary.
    mean = np.round(mean, 12)
    if len(level) < 3 or np.ptp(mean) == 0:
        return Transitivity(len(triangles), level, mean, count, math.nan, math.nan, math.nan)
    pearson = stats.pearsonr(level, mean)
    spearman = stats.spearmanr(level, mean)
    return Transitivity(
        len(triangles),
        level,
        mean,
        count,
        float(pearson.statistic),
        float(pearson.pvalue),
        float(spearman.statistic),
    )
