"""Kernels on blocks of words beside words; see ``features.kernels`` for what they have in common."""

from __future__ import annotations

import numpy as np

from jit.compiled import compiled
from measures.arrays import Floats, Ints


@compiled
def block_sums(values: Floats, places: Ints, offsets: Ints) -> Floats:
    """The sum of ``values[places[offsets[i]:offsets[i + 1]]]``, for each i; 0 of an empty block.

    Added one by one from the left, so that a block's sum does not depend on where it stands.
    """
    sums = np.zeros(len(offsets) - 1, np.float64)
    for block in range(len(sums)):
        for place in range(offsets[block], offsets[block + 1]):
            sums[block] += values[places[place]]
    return sums
