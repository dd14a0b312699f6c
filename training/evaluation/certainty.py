"""How far scores can be relied on: their calibration, what their intervals hold, and thresholds of them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from measures.arrays import Floats, Ints
from models.expectation import CalibrationBin, CalibrationCurve, IntervalBands, OperatingPoints
from models.log_logistic import HIGHEST
from training.errors import TooFewPairs
from training.evaluation.columns import Gold
from training.evaluation.report import Certainty
from training.statistics.calibration import calibration, comparable
from training.statistics.intervals import (
    LEVEL,
    LeftOutIntervals,
    coverage,
    interval_bands,
    left_out_intervals,
)
from training.statistics.thresholds import LeftOutPairs, Wanted, choices, operating_points

FOLDS = 10
"""Parts that pairs without topics are left out in, to judge intervals."""


def certainty(
    gold: Gold,
    predicted: Floats,
    evidence: Ints,
    drawn: Ints,
    bands: IntervalBands | None,
    left_out: bool,
    wanted: Wanted = Wanted(),  # noqa: B008 - frozen
    read: Ints | None = None,
) -> Certainty | None:
    """What may be expected of predictions, float64[n]; None where scores are not on their scale.

    ``evidence``: how many features of each pair have some, int64[n]; ``drawn``: as of ``Sampling.draws``.
    Pairs of identical sides, whose score no model makes, do not count. ``left_out``: whether the predictions
    are of models that did not see the pair's topic: the intervals are then judged by bands that did not see
    it either. Otherwise they are those of the model's ``bands``, if it has any. ``read``: how many features
    that the model reads have evidence, int64[n], where its intervals go by that; else None.
    """
    asked = predicted <= HIGHEST
    if not asked.any() or not comparable(gold.scores):
        return None
    scores, topic = gold.scores[asked], gold.topic[asked]
    predicted, evidence = predicted[asked], evidence[asked]
    read = None if read is None else read[asked]
    calibrated = calibration(scores, predicted)
    held, level = None, LEVEL
    if left_out and len(np.unique(topic)) > 1:
        unseen = topic if gold.topics else topic % FOLDS
        held = left_out_intervals(scores, predicted, unseen, evidence=read)
    elif not left_out and bands is not None:
        held, level = LeftOutIntervals(*bands.around(predicted, read)), bands.level
    try:
        judged = LeftOutPairs.of(scores, predicted, topic, drawn, wanted.related_at)
    except TooFewPairs:
        judged = None
    return Certainty(
        calibrated.error or 0.0,
        calibrated.bins,
        None
        if held is None
        else coverage(held, scores, predicted, evidence, topic if gold.topics else None, level),
        None if judged is None else operating_points(judged),
        () if judged is None else choices(judged, wanted),
    )


class Expectation(NamedTuple):
    """What the file of a model carries of its predictions of pairs left out; None of what they do not say."""

    bands: IntervalBands | None = None
    points: OperatingPoints | None = None
    calibration: CalibrationCurve | None = None


def expectation(gold: Gold, predicted: Floats, drawn: Ints, read: Ints | None = None) -> Expectation:
    """What may be expected of a model, by predictions of pairs left out, float64[n].

    ``drawn``: as of ``Sampling.draws``; ``read``: as for ``certainty``. Identical sides do not count.
    """
    asked = predicted <= HIGHEST
    if not asked.any() or not comparable(gold.scores):
        return Expectation()
    scores, predicted = gold.scores[asked], predicted[asked]
    bins = calibration(scores, predicted).bins
    curve = CalibrationCurve(tuple(CalibrationBin(one.pairs, one.predicted, one.gold) for one in bins))
    bands = interval_bands(scores, predicted, evidence=None if read is None else read[asked])
    try:
        judged = LeftOutPairs.of(scores, predicted, gold.topic[asked], drawn)
    except TooFewPairs:
        return Expectation(bands, None, curve)
    return Expectation(bands, operating_points(judged), curve)
