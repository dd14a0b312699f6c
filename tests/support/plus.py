"""Log-logistic models over the toy's features, with an interval, and an encoder that is seen by eye."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from features.catalogue import SIGNATURES
from features.terms.catalogue import TERM_SIGNATURES
from models.expectation import (
    CalibrationBin,
    CalibrationCurve,
    Estimate,
    IntervalBands,
    OperatingPoint,
    OperatingPoints,
)
from models.log_logistic import LogLogisticModel
from models.protocol import Coefficient, TrainingSet

BANDS = IntervalBands(0.9, (0.2, 0.6), (0.1, 0.2), (0.2, 0.3))


def operating_point(threshold: float, right: float, called: float, related: float) -> OperatingPoint:
    """A threshold that calls the share ``called`` of all pairs related, and ``right`` of all rightly."""
    precision = right / called
    return OperatingPoint(
        threshold,
        Estimate(precision, max(0.0, precision - 0.05), min(1.0, precision + 0.05)),
        Estimate(right / related, None, None),
        Estimate(called, None, None),
    )


POINTS = OperatingPoints(
    0.5,
    0.25,
    (
        operating_point(0.2, 0.225, 0.5, 0.25),
        operating_point(0.4, 0.2, 0.25, 0.25),
        operating_point(0.6, 0.125, 0.15625, 0.25),
        operating_point(0.8, 0.05, 0.0625, 0.25),
    ),
)
"""Precision 0.45, 0.8, 0.8 and 0.8; recall 0.9, 0.8, 0.5 and 0.2."""

CURVE = CalibrationCurve((CalibrationBin(300, 0.05, 0.04), CalibrationBin(75, 0.65, 0.55)))


def log_logistic(
    name: str, snapshot: str, weights: dict[str, float], signatures: Sequence[str]
) -> LogLogisticModel:
    """A model of these ``weights``, which reads the features that have one."""
    features = tuple(signature for signature in signatures if signature.partition("@")[0] in weights)
    return LogLogisticModel(
        name=name,
        features=features,
        coefficients=tuple(Coefficient(feature, "identity", weight) for feature, weight in weights.items()),
        intercept=0.3,
        trained_on=TrainingSet("made up", "00", 0, 0, 0),
        snapshot=snapshot,
        metrics={"pearson": 0.5},
        cross_validation=(),
        created="2001-01-15T00:00:00+00:00",
        code_version="0",
        interval_bands=BANDS,
        operating_points=POINTS,
        calibration=CURVE,
    )


def plus_model(snapshot: str) -> LogLogisticModel:
    """A model of concepts, which reads two features of different groups."""
    return log_logistic("toy-plus", snapshot, {"MW": 1.5, "ESA": 2.0}, SIGNATURES)


def plus_term_model(snapshot: str, **weights: float) -> LogLogisticModel:
    """A model of terms, which reads what the encoder says, too."""
    return log_logistic(
        "toy-terms-plus",
        snapshot,
        weights or {"W2V-IDF": 1.0, "SENSE-ESA": 1.0, "TEXT": 3.0},
        TERM_SIGNATURES,
    )


class LetterEncoder:
    """Encodes a text as how often it has each letter. ``calls``: the texts of each call."""

    name, digest, kind = "letters", "0123456789abcdef", "static"

    def __init__(self) -> None:
        self.calls: list[list[str]] = []

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """The unit vectors of some texts: float32[n, 26]."""
        self.calls.append(list(texts))
        counts = np.array([letters(text) for text in texts], np.float32).reshape(-1, 26)
        lengths = np.linalg.norm(counts, axis=1, keepdims=True)
        unit: NDArray[np.float32] = (counts / np.where(lengths > 0, lengths, 1.0)).astype(np.float32)
        return unit


def letters(text: str) -> list[int]:
    """How often a text has each letter of the alphabet."""
    return [text.lower().count(letter) for letter in "abcdefghijklmnopqrstuvwxyz"]
