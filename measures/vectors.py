"""The cosine of two vectors, from their dot product."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from measures.arrays import Floats
from measures.elements import ONE, clipped


def cosine(dot: ArrayLike) -> Floats:
    """The cosine of two vectors of unit length, which is their dot product.

    Clipped to [−1, 1], since vectors that are stored rounded are of unit length only nearly. 0 where one
    of them is the zero vector.

    Source: WORT Table 1, W2V (Mikolov et al. 2013), PMI2_C, TFIDF-CS and ESA (Gabrilovich & Markovitch
    2007).

    >>> cosine([0.6 * 0.8 + 0.8 * 0.6, 1.0000001]).tolist()
    [0.96, 1.0]
    """
    return clipped(np.multiply(dot, ONE), -1.0, 1.0)


def mean_cosine(there: ArrayLike, back: ArrayLike) -> Floats:
    """The mean of two cosines: ½ (there + back).

    Of things with two vectors each, the one of the left thing with the other of the right one, and the other
    way about. Each is given as the dot product of vectors of unit length; the mean is clipped to [−1, 1].

    >>> float(mean_cosine(0.5, 1.0))
    0.75
    """
    return clipped(0.5 * np.add(np.multiply(there, ONE), back), -1.0, 1.0)


def cosine_of(dot: ArrayLike, left: ArrayLike, right: ArrayLike) -> Floats:
    """The cosine of two vectors: a·b / (|a| |b|), where dot = a·b, left = |a| and right = |b|.

    Clipped to [−1, 1] against rounding; 0 where one of them is the zero vector.

    >>> float(cosine_of(6.0, 3.0, 4.0)), float(cosine_of(0.0, 0.0, 4.0))
    (0.5, 0.0)
    """
    lengths = np.multiply(left, right, dtype=np.float64)
    found = np.divide(dot, np.where(lengths > 0, lengths, 1.0), dtype=np.float64)
    return np.clip(np.where(lengths > 0, found, 0.0), -1.0, 1.0)
