"""How much a word, a concept or a sense weighs: inverse document frequency, and priors."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from measures.arrays import Floats


def idf(count: ArrayLike, total: ArrayLike) -> Floats:
    """The inverse document frequency of a word: log(S / n), where n = count of S = total sentences have it.

    0 for a word that none has, since nothing is known of it.

    Source: Spärck Jones 1972, inverse document frequency, with sentences as documents.

    >>> idf([100, 10, 0], 100).round(4).tolist()
    [0.0, 2.3026, 0.0]
    """
    seen = np.maximum(count, 1)
    return np.where(np.greater(count, 0), np.log(np.maximum(total, 1) / seen), 0.0)


def weight_in_text(rho: ArrayLike, in_links: ArrayLike, total: ArrayLike) -> Floats:
    """How much of a text a concept is: rho · log(total / in_links).

    ``rho`` is the sum of the confidence in its mentions over the text (Ferragina & Scaiella 2010), so that it
    counts as often as it is surely mentioned; ``in_links`` of ``total`` articles link to it, and what is
    linked from many says little (inverse document frequency, Spärck Jones 1972). No link counts as one.

    >>> weight_in_text([1.5, 0.5, 1], [10, 1000, 0], 1000).round(4).tolist()
    [6.9078, 0.0, 6.9078]
    """
    return np.multiply(rho, np.log(np.divide(total, np.maximum(in_links, 1), dtype=np.float64)))


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
