"""Best-match averages: a relatedness of titles, terms and texts, from one of their words or concepts."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from measures.arrays import Floats
from measures.elements import ONE
from measures.sets import share, shares


def mean_of_both(there: ArrayLike, back: ArrayLike) -> Floats:
    """The mean of a measure's two directions, which makes it symmetric: ½ (there + back).

    >>> float(mean_of_both(1, 0.5))
    0.75
    """
    return 0.5 * np.add(np.multiply(there, ONE), back)


def best_match_average(
    best_left: ArrayLike, left: ArrayLike, best_right: ArrayLike, right: ArrayLike
) -> Floats:
    """The best-match average: a relatedness of titles, from one of their words.

    ½ (CC(A,B) + CC(B,A)), where CC(A,B) is the mean, over the words x of title A, of the largest r(x,y)
    over the words y of title B. ``best_left`` is the sum of those largest values over the words of A,
    ``left`` how many words A has; ``best_right`` and ``right`` are the same for B. A word without statistics
    has r = 0 with every word and stays in the mean; a title without words gives 0.

    Source: WORT section 4.1, PMI1 and W2V.

    A title of two words, of which one has a match of 0.8, and a title of that match alone:

    >>> round(float(best_match_average(0.8, 2, 0.8, 1)), 12)
    0.6
    """
    return mean_of_both(share(best_left, left), share(best_right, right))


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


def weighted_best_matches(weights: ArrayLike, best: ArrayLike) -> Floats:
    """What each concept of a text adds to its relatedness with another text: ½ · w / Σ w · best.

    ``weights``: those of the concepts in their text, none of them negative; ``best``: each one's largest
    relatedness with a concept of the other text. Source: as ``text_relatedness``, whose addends these are.

    >>> weighted_best_matches([3, 1], [1.0, 0.5]).tolist()
    [0.375, 0.0625]
    """
    return 0.5 * np.multiply(shares(weights), best, dtype=np.float64)


def text_relatedness(
    left_weights: ArrayLike, left_best: ArrayLike, right_weights: ArrayLike, right_best: ArrayLike
) -> Floats:
    """The weighted best-match average: a relatedness of texts, from one of their concepts.

    ½ (Σ w(a) max_b r(a,b) / Σ w(a) + Σ w(b) max_a r(a,b) / Σ w(b)), the sums over the concepts a of the one
    text and b of the other, with the symbols of ``weighted_best_matches``. From 0 to 1, clipped against
    rounding; 1 for two texts of the same concepts, since r(a,a) = 1.

    Source: Mihalcea, Corley & Strapparava 2006, Corpus-based and knowledge-based measures of text semantic
    similarity, with concepts for words and these weights for idf. Without weights it is the average of WORT
    4.1.

    >>> float(text_relatedness([3, 1], [1.0, 0.5], [2], [1.0]))
    0.9375
    >>> float(text_relatedness([3, 1], [1.0, 1.0], [3, 1], [1.0, 1.0]))
    1.0
    """
    there = weighted_best_matches(left_weights, left_best)
    back = weighted_best_matches(right_weights, right_best)
    both = there.sum() + back.sum()
    return np.clip(np.asarray(both, dtype=np.float64), 0.0, 1.0)
