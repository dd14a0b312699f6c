"""The functions of NumPy that a formula names in a way that compiled code can read, too.

A formula is written once. On arrays these are NumPy's own; ``jit.formulas`` says what they are on one
number, so that the very function can be compiled, and gives the same to the last bit.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from measures.arrays import Array, Floats

ONE = np.float64(1.0)
"""1 as a float64, which makes float64 of whatever it is multiplied by or compared with."""


def log(values: ArrayLike) -> Floats:
    """The natural logarithm.

    >>> float(log(1.0))
    0.0
    """
    return np.log(values)


def where(condition: ArrayLike, then: ArrayLike, otherwise: ArrayLike) -> Array:
    """``then`` where the condition holds, else ``otherwise``.

    >>> where([True, False], 1.0, 0.0).tolist()
    [1.0, 0.0]
    """
    return np.where(condition, then, otherwise)


def clipped(values: ArrayLike, low: float, high: float) -> Floats:
    """The values, cut to the range from ``low`` to ``high``.

    >>> clipped([-2.0, 0.5, 2.0], 0.0, 1.0).tolist()
    [0.0, 0.5, 1.0]
    """
    return np.minimum(np.maximum(values, low), high)
