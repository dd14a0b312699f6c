"""Quotients of counts and sums where there may be nothing to divide by."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from measures.arrays import Floats


def ratio(part: ArrayLike, whole: ArrayLike) -> Floats:
    """Each part [n] of its whole [n], NaN where that is not above 0: float64[n].

    >>> ratio([1, 2], [4, 0]).tolist()
    [0.25, nan]
    """
    parts, wholes = np.asarray(part, np.float64), np.asarray(whole, np.float64)
    ratios: Floats = np.full(parts.shape, np.nan)
    above = wholes > 0
    ratios[above] = parts[above] / wholes[above]
    return ratios
