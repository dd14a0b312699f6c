"""Composition: one vector for two words, from the vectors of the two, on plain arrays.

Each function takes the vectors of the first words and of the second words of bigrams, float[n, d] (or what
broadcasts to it), and returns float64[n, d]. In a noun phrase of English the first word is the modifier and
the second the head: u is the modifier's vector, v the head's.

Sources: "BiRD" is Asaadi, Mohammad & Kiritchenko 2019 (Big BiRD, NAACL), section 6; the papers that it names
for a composition stand beside it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
from numpy.typing import ArrayLike

from measures import cosine
from measures.arrays import Floats

Composition = Callable[[ArrayLike, ArrayLike], Floats]

DILATION_FACTOR = 2.0
"""λ of BiRD, and of Mitchell & Lapata 2008."""


def addition(u: ArrayLike, v: ArrayLike) -> Floats:
    """The sum of both vectors: u + v. The order of the words does not matter.

    Source: BiRD (Salton & McGill 1986).

    >>> addition([[1, 2]], [[3, 5]]).tolist()
    [[4.0, 7.0]]
    """
    return np.add(u, v, dtype=np.float64)


def weighted_addition(u: ArrayLike, v: ArrayLike, alpha: float) -> Floats:
    """The modifier's vector by its weight, and the head's by the rest: α u + (1 − α) v.

    α = ½ points where ``addition`` points; α = 1 is the modifier alone, α = 0 the head alone.

    Source: BiRD, Figure 2.

    >>> weighted_addition([[1, 2]], [[3, 6]], 0.75).tolist()
    [[1.5, 3.0]]
    """
    return alpha * np.asarray(u, dtype=np.float64) + (1.0 - alpha) * np.asarray(v, dtype=np.float64)


def multiplication(u: ArrayLike, v: ArrayLike) -> Floats:
    """The product of both vectors, element by element: pᵢ = uᵢ vᵢ. The order of the words does not matter.

    Source: BiRD (Mitchell & Lapata 2010).

    >>> multiplication([[1, 2]], [[3, 5]]).tolist()
    [[3.0, 10.0]]
    """
    return np.multiply(u, v, dtype=np.float64)


def circular_convolution(u: ArrayLike, v: ArrayLike) -> Floats:
    """The tensor product of both vectors, its wrapped diagonals added up: pᵢ = Σⱼ uⱼ vᵢ₋ⱼ.

    Indices are taken modulo d. The order of the words does not matter. Computed by the convolution theorem:
    the Fourier transform of p is the product of those of u and v, which takes d log d steps and not d².

    Source: BiRD, tensor product with circular convolution (Widdows 2008; Plate 1995).

    >>> circular_convolution([[1, 2, 0]], [[3, 5, 7]]).round(12).tolist()
    [[17.0, 11.0, 17.0]]
    """
    u, v = np.asarray(u, dtype=np.float64), np.asarray(v, dtype=np.float64)
    return np.fft.irfft(np.fft.rfft(u) * np.fft.rfft(v), n=u.shape[-1])


def dilation(u: ArrayLike, v: ArrayLike, factor: float = DILATION_FACTOR) -> Floats:
    """The head's vector, stretched along the modifier's: (u·u) v + (λ − 1) (u·v) u.

    v is the sum of a part along u, (u·v / u·u) u, and a part at right angles to it; the first is taken
    λ = ``factor`` times, and the whole is multiplied by u·u, which does not turn it. λ = 1 leaves the
    direction of v as it is. A modifier of zeros gives zeros.

    Source: BiRD (Mitchell & Lapata 2010), which print the sums: pᵢ = vᵢ Σⱼ uⱼuⱼ + (λ − 1) uᵢ Σⱼ uⱼvⱼ.

    >>> dilation([[2, 0]], [[3, 5]]).tolist()  # 4 times [2 · 3, 5]
    [[24.0, 20.0]]
    """
    u, v = np.asarray(u, dtype=np.float64), np.asarray(v, dtype=np.float64)
    stretched: Floats = _dots(u, u) * v + (factor - 1.0) * _dots(u, v) * u
    return stretched


def head_only(u: ArrayLike, v: ArrayLike) -> Floats:
    """The head's vector: v. What the modifier adds is left out.

    Source: BiRD, a baseline.

    >>> head_only([[1, 2]], [[3, 5]]).tolist()
    [[3.0, 5.0]]
    """
    return np.broadcast_arrays(u, v)[1].astype(np.float64)


def modifier_only(u: ArrayLike, v: ArrayLike) -> Floats:
    """The modifier's vector: u. The head is left out.

    Source: BiRD, a baseline.

    >>> modifier_only([[1, 2]], [[3, 5]]).tolist()
    [[1.0, 2.0]]
    """
    return head_only(v, u)


COMPOSITIONS: Mapping[str, Composition] = {
    "head only": head_only,
    "modifier only": modifier_only,
    "addition": addition,
    "multiplication": multiplication,
    "tensor product": circular_convolution,
    "dilation": dilation,
}
"""The rows of BiRD's Table 4, in its order."""


def composed_relatedness(left: ArrayLike, right: ArrayLike) -> Floats:
    """How related two terms are by their vectors: the cosine of the angle between, row by row.

    float64[n] from float[n, d]; 0 where one of the two is the zero vector.

    Source: BiRD, section 6, semantic relatedness.

    >>> composed_relatedness([[1, 0], [0, 0]], [[1, 1], [1, 1]]).round(4).tolist()
    [0.7071, 0.0]
    """
    left, right = _unit(left), _unit(right)
    return cosine(_dots(left, right)[..., 0])


def _unit(vectors: ArrayLike) -> Floats:
    """The vectors at length 1; zeros stay zeros.

    Divided by the largest entry first, so that a product of small entries does not vanish in its square.
    """
    vectors = np.asarray(vectors, dtype=np.float64)
    largest = np.abs(vectors).max(axis=-1, keepdims=True, initial=0.0)
    vectors = vectors / np.where(largest > 0, largest, 1.0)
    length = np.sqrt(_dots(vectors, vectors))
    unit: Floats = vectors / np.where(length > 0, length, 1.0)
    return unit


def _dots(left: Floats, right: Floats) -> Floats:
    """The dot product of each row of the one with that of the other: float64[n, 1]."""
    dots: Floats = np.einsum("...d,...d->...", left, right)[..., np.newaxis]
    return dots
