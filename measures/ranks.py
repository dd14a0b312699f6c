"""Where a value stands among others."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from measures.arrays import Floats


def percentile_rank(below: ArrayLike, equal: ArrayLike, total: int) -> Floats:
    """Where a value stands among ``total`` others, at least one, in percent: 100 (below + ½ equal) / total.

    ``below`` of them are less than the value, and ``equal`` of them are the same. So the rank of the value
    in the reverse order is 100 less it, and where all are the same it is 50.

    >>> percentile_rank([0, 1, 2], [1, 1, 1], 3).round(2).tolist()
    [16.67, 50.0, 83.33]
    """
    return 100.0 * np.add(below, np.multiply(0.5, equal), dtype=np.float64) / total
