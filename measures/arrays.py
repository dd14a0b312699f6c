"""The arrays that are handed on everywhere, by what they hold."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]
"""Scores, features, weights."""

Ints = NDArray[np.int64]
"""Ids of concepts, of words, of topics; counts."""

Bools = NDArray[np.bool_]
"""Which of some things are so."""

Array = NDArray[Any]
"""An array whose type is that of a table's file."""


def boundaries(lengths: ArrayLike) -> Ints:
    """Where consecutive pieces of these lengths start, and where the last one ends: int64[n + 1].

    >>> boundaries([2, 0, 3]).tolist()
    [0, 2, 2, 5]
    """
    return np.concatenate([[0], np.cumsum(lengths, dtype=np.int64)])
