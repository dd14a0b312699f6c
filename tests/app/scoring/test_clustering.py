"""The order of a heat map: of few concepts by eye, of any against the slow and obvious way."""

from __future__ import annotations

from itertools import combinations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from app.scoring.clustering import clustered_order
from measures.arrays import Floats


def symmetric(size: int, seed: int) -> Floats:
    half = np.triu(np.random.default_rng(seed).random((size, size)), 1)
    return half + half.T + np.eye(size)


def test_two_groups_stand_side_by_side() -> None:
    scores = np.full((6, 6), 0.1)
    for group in ((0, 2, 4), (1, 3, 5)):
        scores[np.ix_(group, group)] = 0.9
    order = clustered_order(scores)
    assert {frozenset(order[:3]), frozenset(order[3:])} == {frozenset((0, 2, 4)), frozenset((1, 3, 5))}


def test_what_is_related_across_groups_meets_in_the_middle() -> None:
    scores = np.array([[1, 0.9, 0.5, 0.1], [0.9, 1, 0.1, 0.1], [0.5, 0.1, 1, 0.8], [0.1, 0.1, 0.8, 1]])
    assert clustered_order(scores) == [1, 0, 2, 3]


def test_nothing_and_one() -> None:
    assert clustered_order(np.zeros((0, 0))) == []
    assert clustered_order(np.ones((1, 1))) == [0]


@given(st.integers(1, 12), st.integers(0, 1000))
def test_each_concept_stands_once_and_each_cluster_together(size: int, seed: int) -> None:
    scores = symmetric(size, seed)
    order = clustered_order(scores)
    assert sorted(order) == list(range(size))
    places = {concept: place for place, concept in enumerate(order)}
    for cluster in clusters(scores):
        at = sorted(places[concept] for concept in cluster)
        assert at[-1] - at[0] == len(cluster) - 1


def clusters(scores: Floats) -> list[frozenset[int]]:
    """Every cluster of an average linkage, from pair to pair."""
    left = [frozenset([concept]) for concept in range(len(scores))]
    found = []
    while len(left) > 1:
        one, other = max(
            combinations(left, 2),
            key=lambda two: float(np.mean([scores[a, b] for a in two[0] for b in two[1]])),
        )
        left = [each for each in left if each not in (one, other)] + [one | other]
        found.append(one | other)
    return found
