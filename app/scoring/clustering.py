"""An order of concepts in which those that are related stand side by side."""

from __future__ import annotations

from itertools import product

import numpy as np

from measures.arrays import Floats


def clustered_order(scores: Floats) -> list[int]:
    """The order of the leaves of an average-linkage clustering (UPGMA, Sokal & Michener 1958).

    Where two clusters are joined, each is turned so that the two concepts that come to stand side by side are
    the most related (Gruvaeus & Wainer 1972); at equal scores, the first stay first. For some dozens of
    concepts: it takes time by the cube of their number.

    ``scores``: float64[n, n], symmetric, finite. Returns a permutation of 0 to n − 1.

    >>> clustered_order(np.array([[1, 0.1, 0.9], [0.1, 1, 0.2], [0.9, 0.2, 1]]))
    [0, 2, 1]
    """
    clusters = [[concept] for concept in range(len(scores))]
    while len(clusters) > 1:
        first, second = _nearest(clusters, scores)
        clusters[first] = _joined(clusters[first], clusters[second], scores)
        del clusters[second]
    return [concept for cluster in clusters for concept in cluster]


def _nearest(clusters: list[list[int]], scores: Floats) -> tuple[int, int]:
    """The two clusters with the greatest mean score between them, the earlier first."""
    members = np.zeros((len(clusters), len(scores)))
    for number, cluster in enumerate(clusters):
        members[number, cluster] = 1 / len(cluster)
    means = members @ scores @ members.T
    # Each pair once, and none with itself.
    means[np.tril_indices(len(clusters))] = -np.inf
    first, second = divmod(int(means.argmax()), len(clusters))
    return first, second


def _joined(left: list[int], right: list[int], scores: Floats) -> list[int]:
    """The two side by side, each turned or not, so that what meets in the middle is the most related."""
    turns = product((left, left[::-1]), (right, right[::-1]))
    best = max(turns, key=lambda turned: float(scores[turned[0][-1], turned[1][0]]))
    return best[0] + best[1]
