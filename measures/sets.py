"""What two sets share: parts, overlaps, and how telling a shared neighbour is."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from measures.arrays import Floats
from measures.elements import ONE


def share(part: ArrayLike, whole: ArrayLike) -> Floats:
    """How much of a whole its part is: part / whole, and 0 where the whole is empty.

    >>> float(share(3, 4)), float(share(0, 0))
    (0.75, 0.0)
    """
    return np.divide(np.multiply(part, ONE), np.maximum(whole, 1))


def shares(parts: ArrayLike) -> Floats:
    """What part of their sum each of some numbers is, none of them negative; zeros where all are 0.

    >>> shares([3, 1, 0]).tolist(), shares([0, 0]).tolist(), shares([]).tolist()
    ([0.75, 0.25, 0.0], [0.0, 0.0], [])
    """
    total = np.sum(parts, dtype=np.float64)
    return np.divide(parts, total if total > 0 else 1.0, dtype=np.float64)


def shares_any(both: ArrayLike) -> Floats:
    """1 if two sets share a member, else 0, where ``both`` counts what they share.

    Source: WORT Table 1, CATEGORY.

    >>> shares_any([0, 1, 3]).tolist()
    [0.0, 1.0, 1.0]
    """
    return np.greater(both, 0) * ONE


def jaccard(both: ArrayLike, left: ArrayLike, right: ArrayLike) -> Floats:
    """What two sets have in common, as a share of what they have: #(A∩B) / #(A∪B).

    #A = left and #B = right are the sizes of the sets, #(A∩B) = both.

    Source: WORT Table 1, J-IN, J-OUT and J-IN-OUT.

    >>> float(jaccard(2, 4, 8)), float(jaccard(0, 0, 0))
    (0.2, 0.0)
    """
    return share(both, np.subtract(np.add(left, right), both))


def dice(both: ArrayLike, left: ArrayLike, right: ArrayLike) -> Floats:
    """What two sets have in common, as a share of their mean size: 2 #(A∩B) / (#A + #B).

    #A = left and #B = right are the sizes of the sets, #(A∩B) = both.

    Source: Dice 1945.

    >>> float(dice(1, 1, 3)), float(dice(0, 0, 0))
    (0.5, 0.0)
    """
    return np.divide(np.multiply(both, 2.0), np.maximum(np.add(left, right), 1), dtype=np.float64)


def adamic_adar(degree: ArrayLike) -> Floats:
    """How telling it is that two things share a neighbour: 1 / log(degree), the degree that of the neighbour.

    What is linked with few says more about those few. A degree below 2, which no shared neighbour of two
    has, counts as 2. No feature uses it: it puts evidence into the order in which it is shown.

    Source: Adamic & Adar 2003, Friends and neighbors on the Web.

    >>> adamic_adar([1, 2, 4]).round(4).tolist()
    [1.4427, 1.4427, 0.7213]
    """
    return 1.0 / np.log(np.maximum(degree, 2))
