"""The arrays in which concepts and scores are handed on."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
"""Ids of concepts, or places among them."""

Floats = NDArray[np.float64]
"""Scores, priors, weights."""
