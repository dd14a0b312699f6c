"""The measures of terms that ``features.measures`` does not have: formulas on plain numbers and arrays.

Sources: "TR9856" is Levy et al. 2015 (TR9856: A Multi-word Term Relatedness Benchmark), section 5; "WORT" is
Ein-Dor et al. 2018, section 4.1.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]


def mean_of_pairs(total: ArrayLike, left: ArrayLike, right: ArrayLike) -> Floats:
    """A relatedness of words, averaged over every word of one term beside every word of the other.

    Σ r(x,y) / (#A · #B), where ``total`` is the sum and ``left`` = #A, ``right`` = #B are the terms'
    different words, those without statistics included: their r is 0. 0 where a term has no word.

    Source: TR9856 section 5, PMI of terms.

    >>> float(mean_of_pairs(3.0, 2, 3)), float(mean_of_pairs(0.0, 0, 3))
    (0.5, 0.0)
    """
    pairs = np.multiply(left, right, dtype=np.float64)
    return np.divide(total, np.maximum(pairs, 1.0), dtype=np.float64)


def dice(both: ArrayLike, left: ArrayLike, right: ArrayLike) -> Floats:
    """What two sets have in common, as a share of their mean size: 2 #(A∩B) / (#A + #B).

    #A = left and #B = right are the sizes of the sets, #(A∩B) = both.

    Source: Dice 1945.

    >>> float(dice(1, 1, 3)), float(dice(0, 0, 0))
    (0.5, 0.0)
    """
    return np.divide(np.multiply(both, 2.0), np.maximum(np.add(left, right), 1), dtype=np.float64)


def surprise(count: ArrayLike, total: ArrayLike) -> Floats:
    """How surprising a word is: log(S / n), where n = count of the S = total sentences have it.

    0 for a word that none has, since nothing is known of it.

    Source: Spärck Jones 1972, inverse document frequency, with sentences as documents.

    >>> surprise([100, 10, 0], 100).round(4).tolist()
    [0.0, 2.3026, 0.0]
    """
    seen = np.maximum(count, 1)
    return np.where(np.greater(count, 0), np.log(np.maximum(total, 1) / seen), 0.0)


def sense_priors(commonness: ArrayLike, in_links: ArrayLike, unlinked: float) -> Floats:
    """How likely each sense of a name is: commonness where there is some, in-links where there is none.

    The senses that no link under the name leads to share ``unlinked`` of the whole, or all of it where the
    name has no other senses, each in proportion to its article's in-links and one more. The others have
    their commonness, reduced by what those have.

    Source: commonness, Ferragina & Scaiella 2010.

    >>> sense_priors([0.6, 0.4], [0, 9], 0.05).tolist()
    [0.6, 0.4]
    >>> sense_priors([0.6, 0.4, 0.0], [0, 9, 3], 0.05).round(3).tolist()
    [0.57, 0.38, 0.05]
    >>> sense_priors([0.0, 0.0], [0, 3], 0.05).tolist()
    [0.2, 0.8]
    """
    common = np.asarray(commonness, np.float64)
    linked = common > 0
    weights = np.where(linked, 0.0, np.add(in_links, 1))
    left = 0.0 if linked.all() else unlinked if linked.any() else 1.0
    return (1.0 - left) * common + left * weights / max(float(weights.sum()), 1.0)


def cosine_of(dot: ArrayLike, left: ArrayLike, right: ArrayLike) -> Floats:
    """The cosine of two vectors: a·b / (|a| |b|), where dot = a·b, left = |a| and right = |b|.

    Clipped to [−1, 1] against rounding; 0 where one of them is the zero vector.

    >>> float(cosine_of(6.0, 3.0, 4.0)), float(cosine_of(0.0, 0.0, 4.0))
    (0.5, 0.0)
    """
    lengths = np.multiply(left, right, dtype=np.float64)
    found = np.divide(dot, np.where(lengths > 0, lengths, 1.0), dtype=np.float64)
    return np.clip(np.where(lengths > 0, found, 0.0), -1.0, 1.0)
