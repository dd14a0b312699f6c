"""The Jensen-Shannon divergence of two distributions, as a similarity. No feature uses it."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from measures.arrays import Floats
from measures.matching import mean_of_both


def jensen_shannon(p: ArrayLike, q: ArrayLike) -> Floats:
    """What one outcome adds to the Jensen-Shannon divergence of two distributions, in nats.

    ½ p log(2p / (p + q)) + ½ q log(2q / (p + q)), where p and q are its two probabilities and 0 log 0 = 0.
    The divergence is the sum over all outcomes, between 0 and log 2. No feature uses it: WORT tried it on
    the words of articles and left it out; it is computed to be compared with.

    Source: Lin 1991, with equal weights.

    >>> float(jensen_shannon(0.25, 0.25)), float(jensen_shannon(1, 0)) == float(np.log(2) / 2)
    (0.0, True)
    """
    left, right = np.asarray(p, dtype=np.float64), np.asarray(q, dtype=np.float64)
    # Where a probability is 0 its logarithm does not count, and that of 1 will do.
    mean = np.log(np.where(left + right > 0, left + right, 1.0)) - np.log(2)
    of_left = left * (np.log(np.where(left > 0, left, 1.0)) - mean)
    of_right = right * (np.log(np.where(right > 0, right, 1.0)) - mean)
    return mean_of_both(of_left, of_right)


def divergence_to_similarity(divergence: ArrayLike) -> Floats:
    """A Jensen-Shannon divergence in nats as a similarity: 1 − divergence / log 2, clipped to [0, 1].

    It is 1 for the same distribution, and 0 for two that share no outcome.

    >>> divergence_to_similarity([0.0, np.log(2)]).tolist()
    [1.0, 0.0]
    """
    return np.clip(1.0 - np.divide(divergence, np.log(2), dtype=np.float64), 0.0, 1.0)
