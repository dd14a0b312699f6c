"""Vectors of fewer dimensions: along the axes on which they are longest in the mean square.

These are the first principal axes of the vectors, not centred: dot products are what is to be kept. What is
left out of each vector is as little as any axes could leave out of all.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from measures.arrays import Floats
from snapshots.scaled import ScaledVectors


def main_axes(tables: Sequence[NDArray[Any]], dimensions: int) -> Floats | None:
    """The first axes of the rows of some tables together: float64[dimensions, d], the longest last.

    ``None`` where the rows, real[n, d], have no more than ``dimensions`` anyway.
    """
    if tables[0].shape[1] <= dimensions:
        return None
    moments = np.zeros((tables[0].shape[1],) * 2)
    for table in tables:
        rows = table.astype(np.float64)
        moments += rows.T @ rows
    _, axes = np.linalg.eigh(moments)
    chosen: Floats = axes[:, -dimensions:].T
    return chosen


def unit_along(vectors: NDArray[Any], axes: Floats | None) -> NDArray[np.float32]:
    """Vectors, real[n, d], along the axes, or as they are, of unit length; a zero row stays one."""
    own = vectors.astype(np.float64) if axes is None else vectors.astype(np.float64) @ axes.T
    lengths = np.linalg.norm(own, axis=1, keepdims=True)
    unit: NDArray[np.float32] = (own / np.where(lengths > 0, lengths, 1)).astype(np.float32)
    return unit


def scaled_along(table: ScaledVectors, axes: Floats | None) -> ScaledVectors:
    """Scaled vectors along the axes, or as they are, of unit length, with the axes in the whole space."""
    if axes is None:
        return table
    whole = axes if table.axes is None else axes @ table.axes.astype(np.float64)
    cut = ScaledVectors.of(table.floats() @ axes.T)
    return ScaledVectors(cut.vectors, cut.scales, whole.astype(np.float32))
