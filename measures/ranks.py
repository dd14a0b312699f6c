"""Where a value stands among others, and which are the greatest."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from measures.arrays import Array, Floats, Ints


def percentile_rank(below: ArrayLike, equal: ArrayLike, total: int) -> Floats:
    """Where a value stands among ``total`` others, at least one, in percent: 100 (below + ½ equal) / total.

    ``below`` of them are less than the value, and ``equal`` of them are the same. So the rank of the value
    in the reverse order is 100 less it, and where all are the same it is 50.

    >>> percentile_rank([0, 1, 2], [1, 1, 1], 3).round(2).tolist()
    [16.67, 50.0, 83.33]
    """
    return 100.0 * np.add(below, np.multiply(0.5, equal), dtype=np.float64) / total


def greatest(values: Array, most: int) -> Ints:
    """The places of the ``most`` greatest of ``values``, the greatest first.

    Of equal values the first place is first: what is ranked lies by ascending ids, so that of equals the
    smaller ids win. Kernels compile this very function (``jit.formulas.formula``).

    >>> greatest(np.array([2, 3, 1, 3, 2]), 3).tolist()
    [1, 3, 0]
    """
    places = np.arange(len(values))
    if len(values) > most > 0:
        # Only those that can be among them are sorted.
        least = np.partition(values, len(values) - most)[len(values) - most]
        places = np.flatnonzero(values >= least)
    # A stable sort of the reverse, reversed: no value is negated, which unsigned numbers do not bear.
    ascending = np.argsort(values[places][::-1], kind="mergesort")[::-1]
    return places[len(places) - 1 - ascending[:most]]
