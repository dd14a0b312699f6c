"""Scores of items with intervals: between which ends the score of ever more such annotators would lie."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from scipy import special

from datasets.agreement.best_worst import BestWorst
from datasets.agreement.deviation import spread
from datasets.agreement.judgements import Judgements
from datasets.agreement.ratios import ratio
from measures.arrays import Floats, Ints

LEVEL = 0.95
"""What share of intervals should hold."""

PRIOR_DEGREES = 4
"""As many judgements as the mean variance of all items weighs in that of one: because three annotators agree,
nobody should say that all would."""

_HALF = 0.5
"""Added to each count of best, neither and worst: three who agree do not prove that all do."""


class ItemScores(NamedTuple):
    """Of each item the score, the ends of its interval, how many judgements it rests on, and their deviation.

    float64[items], but ``judgements`` int64[items]; NaN where there is no judgement.
    """

    score: Floats
    low: Floats
    high: Floats
    judgements: Ints
    deviation: Floats


def binary_scores(judgements: Judgements, level: float = LEVEL) -> ItemScores:
    """The share that says related, with Wilson's interval (1927), which holds near 0 and 1 too.

    >>> said = Judgements.of_matrix(np.array([[1, 1, 1, 1, 0.0]]))
    >>> [round(float(of[0]), 3) for of in binary_scores(said)[:3]]
    [0.8, 0.376, 0.964]
    """
    share, each = judgements.means(), judgements.each()
    z2 = _quantile(level) ** 2
    known = np.where(each > 0, each, np.nan)
    centre = (share + z2 / (2 * known)) / (1 + z2 / known)
    reach = np.sqrt(z2 * (share * (1 - share) / known + z2 / (4 * known**2))) / (1 + z2 / known)
    low, high = np.where(share == 0, 0.0, centre - reach), np.where(share == 1, 1.0, centre + reach)
    return ItemScores(share, low, high, each, spread(judgements).deviation)


def graded_scores(judgements: Judgements, low: float, high: float, level: float = LEVEL) -> ItemScores:
    """The mean on a scale from ``low`` to ``high``, with an interval by Student's t.

    The variance of an item is moderated towards the mean variance of all (Smyth 2004), which weighs as much
    as ``PRIOR_DEGREES`` judgements: a handful that agrees has no deviation of its own to go by.
    """
    mean, deviation = spread(judgements)
    each = judgements.each()
    several = each > 1
    degrees = np.maximum(each - 1, 0)
    own = np.where(several, deviation**2, 0.0)
    overall = float((own * degrees).sum() / degrees.sum()) if several.any() else (high - low) ** 2 / 4
    variance = (PRIOR_DEGREES * overall + degrees * own) / (PRIOR_DEGREES + degrees)
    reach = special.stdtrit(PRIOR_DEGREES + degrees, (1 + level) / 2) * np.sqrt(ratio(variance, each))
    return ItemScores(mean, np.maximum(mean - reach, low), np.minimum(mean + reach, high), each, deviation)


def best_worst_scores(answers: BestWorst, level: float = LEVEL) -> ItemScores:
    """Scores by counting, in [0, 1], with the interval of the difference of two shares of one sample.

    Which items an item stood beside counts as chance, so that intervals are rather too wide.
    """
    shown = answers.appearances()
    best, worst = answers.chosen()
    score = answers.scores()
    total = shown + 3 * _HALF
    won, lost = (best + _HALF) / total, (worst + _HALF) / total
    reach = _quantile(level) * np.sqrt((won + lost - (won - lost) ** 2) / total) / 2
    centre = (won - lost + 1) / 2
    known = shown > 0
    low = np.where(known, np.clip(np.minimum(centre - reach, score), 0, 1), np.nan)
    high = np.where(known, np.clip(np.maximum(centre + reach, score), 0, 1), np.nan)
    shares = ratio(best, shown), ratio(worst, shown)
    deviation = np.sqrt(np.maximum(shares[0] + shares[1] - (shares[0] - shares[1]) ** 2, 0)) / 2
    return ItemScores(score, low, high, shown, deviation)


def _quantile(level: float) -> float:
    """How many standard deviations on both sides hold this share of a normal distribution."""
    if not 0 < level < 1:
        raise ValueError(f"an interval that holds a share of {level:g} is none")
    return math.sqrt(2) * float(special.erfinv(level))
