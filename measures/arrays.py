"""The arrays that are handed on everywhere, by what they hold."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
"""Scores, features, weights."""

Ints = NDArray[np.int64]
"""Ids of concepts, of words, of topics; counts."""

Bools = NDArray[np.bool_]
"""Which of some things are so."""

Array = NDArray[Any]
"""An array whose type is that of a table's file."""
