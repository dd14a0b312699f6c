"""Two models on the same pairs, each predicting pairs that it did not learn from."""

from __future__ import annotations

import math
from typing import Literal

import msgspec
import numpy as np
from numpy.typing import NDArray

from training.statistics.significance import Difference, Kind, compare

Floats = NDArray[np.float64]
Part = Literal["own", "base"]
KINDS: tuple[Kind, ...] = ("pearson", "spearman")


class Standing(msgspec.Struct, frozen=True):
    """A model on some pairs: correlations (None where undefined) and mean absolute error."""

    model: str
    pearson: float | None
    spearman: float | None
    error: float


class Comparison(msgspec.Struct, frozen=True):
    """The candidate and the model in force on the same ``pairs``.

    ``part``: "own" (a user's judgements) or "base" (of joined sets). ``differences``: the test of each kind
    of correlation, pearson and spearman; the candidate's correlation is the first.
    """

    part: Part
    pairs: int
    candidate: Standing
    in_force: Standing
    differences: dict[Kind, Difference]


def compared(
    part: Part, names: tuple[str, str], candidate: Floats, in_force: Floats, scores: Floats
) -> Comparison:
    """The comparison of two models' predictions with people's scores, each float64[n], n ≥ 1."""
    differences = {kind: compare(candidate, in_force, scores, kind, names) for kind in KINDS}
    pearson, spearman = (differences[kind] for kind in KINDS)
    return Comparison(
        part,
        len(scores),
        Standing(names[0], pearson.r_first, spearman.r_first, _error(candidate, scores)),
        Standing(names[1], pearson.r_second, spearman.r_second, _error(in_force, scores)),
        differences,
    )


def gain(difference: Difference) -> float:
    """By how much the first correlation is above the second; NaN where one of them is undefined."""
    if difference.r_first is None or difference.r_second is None or difference.p is None:
        return math.nan
    return difference.r_first - difference.r_second


def below(difference: Difference, p: float) -> bool:
    """Whether the difference is significant at the level ``p``."""
    return difference.p is not None and difference.p < p


def _error(predicted: Floats, scores: Floats) -> float:
    return float(np.abs(predicted - scores).mean())
