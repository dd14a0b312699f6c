"""Association: how much more often two things occur together than by chance, from counts of units."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from measures.arrays import Floats
from measures.elements import ONE, clipped, log, where


def positive_pmi(both: ArrayLike, left: ArrayLike, right: ArrayLike, total: ArrayLike) -> Floats:
    """How much more often two things occur together than by chance: positive pointwise mutual information.

    max(0, log(p(a,b) / (p(a) p(b)))), where p(a) = left / total, p(b) = right / total and
    p(a,b) = both / total count the units (sentences, paragraphs) with a, with b, and with both.
    0 where the two never occur together. A thing with itself gives −log p(a).

    Source: Church & Hanks 1990, cut off at 0; WORT Table 1, PMI1.

    Seen in 4 and 5 of 100 units, twice together, 10 times what chance would have:

    >>> round(float(positive_pmi(2, 4, 5, 100)), 4) == round(float(np.log(10)), 4)
    True
    >>> positive_pmi([0, 1], [4, 10], [5, 20], 100).tolist()  # never, and less than by chance
    [0.0, 0.0]
    """
    together = np.multiply(np.multiply(both, ONE), total)
    by_chance = np.multiply(np.multiply(left, ONE), right)
    return log(np.maximum(together / np.maximum(by_chance, 1.0), 1.0))


def normalised_pmi(both: ArrayLike, left: ArrayLike, right: ArrayLike, total: ArrayLike) -> Floats:
    """Positive PMI as a share of the most that so many joint occurrences allow.

    max(0, log(p(a,b) / (p(a) p(b)))) / −log p(a,b), with the symbols of ``positive_pmi``; clipped to [0, 1]
    against rounding. It is 1 for two things that only occur together, and 0 where they never do. Where both
    are in every unit, p(a,b) = 1, the quotient is 0 / 0 and given as 0: what is everywhere says nothing.

    Source: Bouma 2009; WORT Table 1, NPMI1_C; on in-links (Ceccarelli et al. 2013), INLINK-PMI.

    >>> float(normalised_pmi(5, 5, 5, 100)), float(normalised_pmi(100, 100, 100, 100))
    (1.0, 0.0)
    >>> float(normalised_pmi(2, 4, 5, 200)) == float(np.log(20) / np.log(100))
    True
    """
    most = log(np.maximum(total, 1) / np.maximum(both, 1))
    # Where the most is 0 the PMI is 0 already: any divisor will do.
    normalised = positive_pmi(both, left, right, total) / where(most > 0, most, 1.0)
    return clipped(normalised, 0.0, 1.0)
