"""Whether a prediction means what it says: of pairs predicted 0.7, do people's scores average 0.7?"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from measures.arrays import Floats

BINS = 10


@dataclass(frozen=True, slots=True)
class Bin:
    """The pairs predicted from ``low`` to ``high``: how many, their mean prediction and their mean score."""

    low: float
    high: float
    pairs: int
    predicted: float
    gold: float


@dataclass(frozen=True, slots=True)
class Calibration:
    """The bins that have pairs, in order, and the expected calibration error.

    ``error``: the mean over the pairs of how far the mean score of their bin is from its mean prediction;
    None without pairs.
    """

    bins: tuple[Bin, ...]
    error: float | None


def comparable(gold: Floats) -> bool:
    """Whether scores are on the scale of predictions, 0 to 1."""
    return bool(len(gold)) and float(gold.min()) >= 0.0 and float(gold.max()) <= 1.0


def calibration(gold: Floats, predicted: Floats, bins: int = BINS) -> Calibration:
    """How predictions and scores, float64[n] each, go together in bins of equal width on [0, 1].

    Predictions beyond 0 or 1 fall into the outer bins. A bin holds its lower edge; the last holds 1 too.

    Source: expected calibration error, Naeini et al. 2015, of real scores in place of outcomes.

    >>> calibration(np.array([0.0, 0.5, 1.0]), np.array([0.125, 0.125, 0.875]), bins=2).error
    0.125
    """
    place = np.clip((predicted * bins).astype(np.int64), 0, bins - 1)
    filled = []
    for number in range(bins):
        own = place == number
        if own.any():
            means = float(predicted[own].mean()), float(gold[own].mean())
            filled.append(Bin(number / bins, (number + 1) / bins, int(own.sum()), *means))
    if not filled:
        return Calibration((), None)
    off = sum(one.pairs * abs(one.gold - one.predicted) for one in filled)
    return Calibration(tuple(filled), off / len(gold))
