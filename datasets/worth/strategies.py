"""How much each of many pairs is worth being judged, by a model that there is: float64[n], not below 0."""

from __future__ import annotations

import numpy as np

from measures.arrays import Floats

BINS = 20
"""Bins of predicted scores in which pairs are to be equally many."""


def unsure(low: Floats, high: Floats) -> Floats:
    """The width of the interval that a model gives with its score: the wider, the less it knows.

    >>> unsure(np.array([0.0, 0.2]), np.array([0.1, 0.9])).round(1).tolist()
    [0.1, 0.7]
    """
    return np.asarray(np.maximum(high - low, 0.0), np.float64)


def disagreement(one: Floats, other: Floats) -> Floats:
    """How far two views of a pair are apart, such as an encoder's score and one of the link graph.

    >>> disagreement(np.array([0.1, 0.9]), np.array([0.2, 0.1])).round(1).tolist()
    [0.1, 0.8]
    """
    return np.asarray(np.abs(one - other), np.float64)


def spread(predicted: Floats, bins: int = BINS) -> Floats:
    """Such that pairs become equally many in each bin of the predicted scores, which lie in [0, 1].

    Of pairs that are drawn at random, most are unrelated: half of WORD's scores are 0.

    >>> spread(np.array([0.0, 0.01, 0.02, 0.9])).round(2).tolist()
    [0.33, 0.33, 0.33, 1.0]
    """
    place = np.clip((predicted * bins).astype(np.int64), 0, bins - 1)
    return np.asarray(1.0 / np.bincount(place, minlength=bins)[place], np.float64)
