"""Vectors as 8-bit integers, each with a scale of its own: a quarter of the space of floating point.

Of two such vectors the dot product is one of integers, exact in any order, times both scales. It differs from
that of what was rounded by about 0.002 at most (docs/encoders.md).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from measures.arrays import Ints

MOST_DIMENSIONS = 1 << 16
"""Dimensions of a vector at most, so that sums of products of 8-bit integers fit 32 bits."""

_LARGEST = 127


@dataclass(frozen=True, slots=True)
class ScaledVectors:
    """A vector a row: ``vectors`` int8[rows, dimensions], each times its own of ``scales``, float32[rows].

    ``axes`` float32[dimensions, d]: the directions, orthonormal in a space of d dimensions, that the
    coordinates are along, where that space has more of them; ``None`` where the vectors have all.
    """

    vectors: NDArray[np.int8]
    scales: NDArray[np.float32]
    axes: NDArray[np.float32] | None = None

    def __len__(self) -> int:
        return len(self.vectors)

    @property
    def dimensions(self) -> int:
        """Of each vector."""
        return int(self.vectors.shape[1])

    def floats(self) -> NDArray[np.float64]:
        """What the rows mean: float64[rows, dimensions]."""
        return self.vectors.astype(np.float64) * self.scales[:, None].astype(np.float64)

    def rows(self, rows: Ints) -> ScaledVectors:
        """Some rows."""
        return ScaledVectors(self.vectors[rows], self.scales[rows], self.axes)

    def along(self, others: ArrayLike) -> NDArray[np.float64]:
        """The coordinates of other vectors of the space, real[n, d], along the axes of these.

        They are float64[n, dimensions], to be compared with these by their cosine: what the axes lack of a
        vector shortens it. Each depends on its vector alone, to the last bit.
        """
        given: NDArray[np.float64] = np.asarray(others, np.float64)
        # Not a product of matrices, in which the order of a row's sums depends on how many rows there are.
        return given if self.axes is None else np.einsum("nd,kd->nk", given, self.axes.astype(np.float64))

    @classmethod
    def of(cls, rows: ArrayLike, unit: bool = True) -> ScaledVectors:
        """Round ``rows``, real[n, dimensions], so that the largest number of each becomes 127.

        ``unit``: the scale makes the rounded row one of unit length, so that rounding turns a vector a
        little, and neither lengthens nor shortens it. A zero row stays one.

        >>> ScaledVectors.of([[3.0, -4.0], [0.0, 0.0]]).vectors.tolist()
        [[95, -127], [0, 0]]
        """
        given: NDArray[np.float64] = np.asarray(rows, np.float64)
        largest = np.abs(given).max(axis=1, initial=0.0, keepdims=True)
        rounded = np.rint(given * (_LARGEST / np.where(largest > 0, largest, 1.0))).astype(np.int8)
        if unit:
            lengths = np.sqrt((rounded.astype(np.float64) ** 2).sum(axis=1))
            scales = np.where(lengths > 0, 1.0 / np.where(lengths > 0, lengths, 1.0), 0.0)
        else:
            scales = largest[:, 0] / _LARGEST
        return cls(rounded, scales.astype(np.float32))

    @classmethod
    def zeros(cls, rows: int, dimensions: int = 1) -> ScaledVectors:
        """Of what has no vectors."""
        return cls(np.zeros((rows, dimensions), np.int8), np.zeros(rows, np.float32))


def parts(table: ScaledVectors) -> dict[str, NDArray[Any]]:
    """The arrays of a table, by what comes behind its name in the names of their files."""
    arrays: dict[str, NDArray[Any]] = {"": table.vectors, ".scales": table.scales}
    return arrays if table.axes is None else arrays | {".axes": table.axes}
