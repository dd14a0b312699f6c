"""How near two articles are by the links between and around them, from counts of links."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from measures.arrays import Floats
from measures.elements import ONE, clipped, log, where
from measures.matching import mean_of_both
from measures.sets import share


def milne_witten(both: ArrayLike, left: ArrayLike, right: ArrayLike, total: ArrayLike) -> Floats:
    """How close the in-links of two concepts are, by the normalised distance of Milne & Witten.

    1 − (log max(#A, #B) − log #(A∩B)) / (log N − log min(#A, #B)), clipped to [0, 1], where #A = left and
    #B = right are the sizes of the in-link sets, #(A∩B) = both and N = total is the number of concepts.
    0 where the sets share nothing; 1 where they are the same set, even that of all concepts. The annotator
    compiles this very function for one pair, so it keeps to what numba compiles of numbers too.

    Source: Milne & Witten 2008; WORT Table 1, MW.

    Sets of 4 and 8 among 64 concepts that share 2: 1 − log 4 / log 16.

    >>> round(float(milne_witten(2, 4, 8, 64)), 12)
    0.5
    >>> milne_witten([0, 3, 64], [4, 3, 64], [8, 3, 64], 64).tolist()
    [0.0, 1.0, 1.0]
    """
    smaller = np.maximum(np.minimum(left, right), 1)
    distance = log(np.maximum(np.maximum(left, right), 1) / np.maximum(both, 1))
    furthest = log(np.maximum(total, 1) / smaller)
    # The furthest distance is 0 only between two sets of everything, whose distance is 0 too.
    closeness = 1.0 - distance / where(furthest > 0, furthest, 1.0)
    return where(np.greater(both, 0), clipped(closeness, 0.0, 1.0), 0.0)


def conditional_probability(both: ArrayLike, left: ArrayLike, right: ArrayLike) -> Floats:
    """How likely a concept that links to one of the two links to the other, averaged over both.

    ½ (#(A∩B) / #B + #(A∩B) / #A), where #A = left and #B = right are the sizes of the in-link sets and
    #(A∩B) = both.

    Source: WORT Table 1, COND-PROB (Ceccarelli et al. 2013).

    >>> float(conditional_probability(2, 4, 8))
    0.375
    """
    return mean_of_both(share(both, left), share(both, right))


def one_way_friend(links: ArrayLike, friends: ArrayLike, out_links: ArrayLike) -> Floats:
    """How far a concept leads to another: 1 if it links there, else the share of its links that do.

    1 if b ∈ out(a), else #(out(a)∩in(b)) / #out(a), where ``links`` says whether b ∈ out(a),
    ``friends`` = #(out(a)∩in(b)) counts the concepts in between, and ``out_links`` = #out(a).

    Source: a reading. In WORT Table 1 the row FRIEND breaks off after "1 if a links to b and b links to
    a,"; this is the friend measure of the source it names, Ceccarelli et al. 2013.

    >>> one_way_friend([True, False, False], [2, 2, 0], [8, 8, 0]).tolist()
    [1.0, 0.25, 0.0]
    """
    return where(links, 1.0, share(friends, out_links))


def friend(
    links_there: ArrayLike,
    links_back: ArrayLike,
    friends_there: ArrayLike,
    out_left: ArrayLike,
    friends_back: ArrayLike,
    out_right: ArrayLike,
) -> Floats:
    """How far two concepts lead to each other: the mean of ``one_way_friend`` in both directions.

    ``links_there``: whether a links to b; ``friends_there`` = #(out(a)∩in(b)); ``out_left`` = #out(a);
    ``links_back``, ``friends_back`` and ``out_right`` are the same from b to a.

    Source: as ``one_way_friend``.

    >>> float(friend(True, False, 2, 8, 2, 8))
    0.625
    """
    there = one_way_friend(links_there, friends_there, out_left)
    back = one_way_friend(links_back, friends_back, out_right)
    return mean_of_both(there, back)


def mutual_link(there: ArrayLike, back: ArrayLike) -> Floats:
    """1 if each of two concepts links to the other, else 0: b ∈ in(a) and a ∈ in(b).

    Source: WORT Table 1, DIRECT-LINK.

    >>> mutual_link([True, True, False], [True, False, False]).tolist()
    [1.0, 0.0, 0.0]
    """
    return np.logical_and(there, back) * ONE
