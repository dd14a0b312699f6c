"""The measures: every formula of the sixteen features, and of what they are compared with, on plain numbers.

Each function broadcasts: the same call takes a worked example as integers and a million pairs as arrays.
Counts are zero or at least one. Logarithms are natural. Absent evidence gives 0, decided here, so that no
call divides by zero or takes the logarithm of it.

Sources: "WORT" is Ein-Dor et al. 2018 (Semantic Relatedness of Wikipedia Concepts, LREC), section 4.1 and
Table 1; the papers that WORT names for a measure stand beside it.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]


def share(part: ArrayLike, whole: ArrayLike) -> Floats:
    """How much of a whole its part is: part / whole, and 0 where the whole is empty.

    >>> float(share(3, 4)), float(share(0, 0))
    (0.75, 0.0)
    """
    return np.divide(part, np.maximum(whole, 1), dtype=np.float64)


def mean_of_both(there: ArrayLike, back: ArrayLike) -> Floats:
    """The mean of a measure's two directions, which makes it symmetric: ½ (there + back).

    >>> float(mean_of_both(1, 0.5))
    0.75
    """
    return 0.5 * np.add(there, back, dtype=np.float64)


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
    together = np.multiply(both, total, dtype=np.float64)
    by_chance = np.multiply(left, right, dtype=np.float64)
    return np.log(np.maximum(together / np.maximum(by_chance, 1.0), 1.0))


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
    surprise = np.log(np.maximum(total, 1) / np.maximum(both, 1))
    # Where nothing is surprising the PMI is 0 already: any divisor will do.
    normalised = positive_pmi(both, left, right, total) / np.where(surprise > 0, surprise, 1.0)
    return np.clip(normalised, 0.0, 1.0)


def milne_witten(both: ArrayLike, left: ArrayLike, right: ArrayLike, total: ArrayLike) -> Floats:
    """How close the in-links of two concepts are, by the normalised distance of Milne & Witten.

    1 − (log max(#A, #B) − log #(A∩B)) / (log N − log min(#A, #B)), clipped to [0, 1], where #A = left and
    #B = right are the sizes of the in-link sets, #(A∩B) = both and N = total is the number of concepts.
    0 where the sets share nothing; 1 where they are the same set, even that of all concepts.

    Source: Milne & Witten 2008; WORT Table 1, MW.

    Sets of 4 and 8 among 64 concepts that share 2: 1 − log 4 / log 16.

    >>> round(float(milne_witten(2, 4, 8, 64)), 12)
    0.5
    >>> milne_witten([0, 3, 64], [4, 3, 64], [8, 3, 64], 64).tolist()
    [0.0, 1.0, 1.0]
    """
    smaller = np.maximum(np.minimum(left, right), 1)
    distance = np.log(np.maximum(np.maximum(left, right), 1) / np.maximum(both, 1))
    furthest = np.log(np.maximum(total, 1) / smaller)
    # The furthest distance is 0 only between two sets of everything, whose distance is 0 too.
    closeness = 1.0 - distance / np.where(furthest > 0, furthest, 1.0)
    return np.where(np.greater(both, 0), np.clip(closeness, 0.0, 1.0), 0.0)


def conditional_probability(both: ArrayLike, left: ArrayLike, right: ArrayLike) -> Floats:
    """How likely a concept that links to one of the two links to the other, averaged over both.

    ½ (#(A∩B) / #B + #(A∩B) / #A), where #A = left and #B = right are the sizes of the in-link sets and
    #(A∩B) = both.

    Source: WORT Table 1, COND-PROB (Ceccarelli et al. 2013).

    >>> float(conditional_probability(2, 4, 8))
    0.375
    """
    return mean_of_both(share(both, left), share(both, right))


def jaccard(both: ArrayLike, left: ArrayLike, right: ArrayLike) -> Floats:
    """What two sets have in common, as a share of what they have: #(A∩B) / #(A∪B).

    #A = left and #B = right are the sizes of the sets, #(A∩B) = both.

    Source: WORT Table 1, J-IN, J-OUT and J-IN-OUT.

    >>> float(jaccard(2, 4, 8)), float(jaccard(0, 0, 0))
    (0.2, 0.0)
    """
    return share(both, np.add(left, right) - np.asarray(both))


def one_way_friend(links: ArrayLike, friends: ArrayLike, out_links: ArrayLike) -> Floats:
    """How far a concept leads to another: 1 if it links there, else the share of its links that do.

    1 if b ∈ out(a), else #(out(a)∩in(b)) / #out(a), where ``links`` says whether b ∈ out(a),
    ``friends`` = #(out(a)∩in(b)) counts the concepts in between, and ``out_links`` = #out(a).

    Source: a reading. In WORT Table 1 the row FRIEND breaks off after "1 if a links to b and b links to
    a,"; this is the friend measure of the source it names, Ceccarelli et al. 2013. The feature is the mean
    of both directions.

    >>> one_way_friend([True, False, False], [2, 2, 0], [8, 8, 0]).tolist()
    [1.0, 0.25, 0.0]
    """
    return np.where(links, 1.0, share(friends, out_links))


def mutual_link(there: ArrayLike, back: ArrayLike) -> Floats:
    """1 if each of two concepts links to the other, else 0: b ∈ in(a) and a ∈ in(b).

    Source: WORT Table 1, DIRECT-LINK.

    >>> mutual_link([True, True, False], [True, False, False]).tolist()
    [1.0, 0.0, 0.0]
    """
    return np.logical_and(there, back).astype(np.float64)


def shares_any(both: ArrayLike) -> Floats:
    """1 if two sets share a member, else 0, where ``both`` counts what they share.

    Source: WORT Table 1, CATEGORY.

    >>> shares_any([0, 1, 3]).tolist()
    [0.0, 1.0, 1.0]
    """
    return np.greater(both, 0).astype(np.float64)


def cosine(dot: ArrayLike) -> Floats:
    """The cosine of two vectors of unit length, which is their dot product.

    Clipped to [−1, 1], since vectors that are stored rounded are of unit length only nearly. 0 where one
    of them is the zero vector.

    Source: WORT Table 1, W2V (Mikolov et al. 2013), PMI2_C, TFIDF-CS and ESA (Gabrilovich & Markovitch
    2007).

    >>> cosine([0.6 * 0.8 + 0.8 * 0.6, 1.0000001]).tolist()
    [0.96, 1.0]
    """
    return np.clip(np.asarray(dot, dtype=np.float64), -1.0, 1.0)


def lifted(best_left: ArrayLike, left: ArrayLike, best_right: ArrayLike, right: ArrayLike) -> Floats:
    """A relatedness of words, lifted to titles.

    ½ (CC(A,B) + CC(B,A)), where CC(A,B) is the mean, over the words x of title A, of the largest r(x,y)
    over the words y of title B. ``best_left`` is the sum of those largest values over the words of A,
    ``left`` how many words A has; ``best_right`` and ``right`` are the same for B. A word without statistics
    has r = 0 with every word and stays in the mean; a title without words gives 0.

    Source: WORT section 4.1, PMI1 and W2V.

    A title of two words, of which one has a match of 0.8, and a title of that match alone:

    >>> round(float(lifted(0.8, 2, 0.8, 1)), 12)
    0.6
    """
    return mean_of_both(share(best_left, left), share(best_right, right))


def jensen_shannon(p: ArrayLike, q: ArrayLike) -> Floats:
    """What one outcome adds to the Jensen-Shannon divergence of two distributions, in nats.

    ½ p log(2p / (p + q)) + ½ q log(2q / (p + q)), where p and q are its two probabilities and 0 log 0 = 0.
    The divergence is the sum over all outcomes, between 0 and log 2. No feature uses it: WORT tried it on
    the words of articles and left it out; it is computed to be compared with.

    Source: Lin 1991, with equal weights.

    >>> float(jensen_shannon(0.25, 0.25)), float(jensen_shannon(1, 0)) == float(np.log(2) / 2)
    (0.0, True)
    """
    left, right = np.asarray(p, dtype=np.float64), np.asarray(q, dtype=np.float64)
    # Where a probability is 0 its logarithm does not count, and that of 1 will do.
    mean = np.log(np.where(left + right > 0, left + right, 1.0)) - np.log(2)
    of_left = left * (np.log(np.where(left > 0, left, 1.0)) - mean)
    of_right = right * (np.log(np.where(right > 0, right, 1.0)) - mean)
    return mean_of_both(of_left, of_right)


def divergence_to_similarity(divergence: ArrayLike) -> Floats:
    """A Jensen-Shannon divergence in nats as a similarity: 1 − divergence / log 2, clipped to [0, 1].

    It is 1 for the same distribution, and 0 for two that share no outcome.

    >>> divergence_to_similarity([0.0, np.log(2)]).tolist()
    [1.0, 0.0]
    """
    return np.clip(1.0 - np.divide(divergence, np.log(2), dtype=np.float64), 0.0, 1.0)


def adamic_adar(degree: ArrayLike) -> Floats:
    """How telling it is that two things share a neighbour: 1 / log(degree), the degree that of the neighbour.

    What is linked with few says more about those few. A degree below 2, which no shared neighbour of two
    has, counts as 2. No feature uses it: it puts evidence into the order in which it is shown.

    Source: Adamic & Adar 2003, Friends and neighbors on the Web.

    >>> adamic_adar([1, 2, 4]).round(4).tolist()
    [1.4427, 1.4427, 0.7213]
    """
    return 1.0 / np.log(np.maximum(degree, 2))


def shares(parts: ArrayLike) -> Floats:
    """What part of their sum each of some numbers is, none of them negative; zeros where all are 0.

    >>> shares([3, 1, 0]).tolist(), shares([0, 0]).tolist(), shares([]).tolist()
    ([0.75, 0.25, 0.0], [0.0, 0.0], [])
    """
    total = np.sum(parts, dtype=np.float64)
    return np.divide(parts, total if total > 0 else 1.0, dtype=np.float64)


def percentile_rank(below: ArrayLike, equal: ArrayLike, total: int) -> Floats:
    """Where a value stands among ``total`` others, at least one, in percent: 100 (below + ½ equal) / total.

    ``below`` of them are less than the value, and ``equal`` of them are the same. So the rank of the value
    in the reverse order is 100 less it, and where all are the same it is 50.

    >>> percentile_rank([0, 1, 2], [1, 1, 1], 3).round(2).tolist()
    [16.67, 50.0, 83.33]
    """
    return 100.0 * np.add(below, np.multiply(0.5, equal), dtype=np.float64) / total


def weight_in_text(rho: ArrayLike, in_links: ArrayLike, total: ArrayLike) -> Floats:
    """How much of a text a concept is: rho · log(total / in_links).

    ``rho`` is the sum of the confidence in its mentions over the text (Ferragina & Scaiella 2010), so that it
    counts as often as it is surely mentioned; ``in_links`` of ``total`` articles link to it, and what is
    linked from many says little (inverse document frequency, Spärck Jones 1972). No link counts as one.

    >>> weight_in_text([1.5, 0.5, 1], [10, 1000, 0], 1000).round(4).tolist()
    [6.9078, 0.0, 6.9078]
    """
    return np.multiply(rho, np.log(np.divide(total, np.maximum(in_links, 1), dtype=np.float64)))


def matched(weights: ArrayLike, best: ArrayLike) -> Floats:
    """What each concept of a text adds to its relatedness with another text: ½ · w / Σ w · best.

    ``weights``: those of the concepts in their text, none of them negative; ``best``: each one's largest
    relatedness with a concept of the other text. Source: as ``text_relatedness``, whose addends these are.

    >>> matched([3, 1], [1.0, 0.5]).tolist()
    [0.375, 0.0625]
    """
    return 0.5 * np.multiply(shares(weights), best, dtype=np.float64)


def text_relatedness(
    left_weights: ArrayLike, left_best: ArrayLike, right_weights: ArrayLike, right_best: ArrayLike
) -> Floats:
    """A relatedness of concepts, lifted to texts.

    ½ (Σ w(a) max_b r(a,b) / Σ w(a) + Σ w(b) max_a r(a,b) / Σ w(b)), the sums over the concepts a of the one
    text and b of the other, with the symbols of ``matched``. From 0 to 1, clipped against rounding; 1 for two
    texts of the same concepts, since r(a,a) = 1.

    Source: Mihalcea, Corley & Strapparava 2006, Corpus-based and knowledge-based measures of text semantic
    similarity, with concepts for words and these weights for idf. Without weights it is the lifting of WORT
    4.1.

    >>> float(text_relatedness([3, 1], [1.0, 0.5], [2], [1.0]))
    0.9375
    >>> float(text_relatedness([3, 1], [1.0, 1.0], [3, 1], [1.0, 1.0]))
    1.0
    """
    both = matched(left_weights, left_best).sum() + matched(right_weights, right_best).sum()
    return np.clip(np.asarray(both, dtype=np.float64), 0.0, 1.0)
