"""The fixed transforms that a model may apply to a feature: declared here, never fitted."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from measures.arrays import Floats


@dataclass(frozen=True, slots=True)
class Transform:
    """A transform of a feature's values, element by element.

    Every transform is finite on all finite values and maps 0, absent evidence, to 0. Where the formula is
    not defined below 0, a negative value counts as 0.
    """

    name: str
    formula: str
    apply: Callable[[Floats], Floats]


def _identity(values: Floats) -> Floats:
    return values


def _square_root(values: Floats) -> Floats:
    return np.sqrt(np.maximum(values, 0.0))


def _log1p20(values: Floats) -> Floats:
    return np.log1p(20.0 * np.maximum(values, 0.0))


TRANSFORMS: dict[str, Transform] = {
    transform.name: transform
    for transform in (
        Transform("identity", "x", _identity),
        Transform("sqrt", "√x", _square_root),
        Transform("log1p20", "log(1 + 20 x)", _log1p20),
    )
}
"""Every transform by name. A changed formula is a new name: model files out there keep their meaning."""
