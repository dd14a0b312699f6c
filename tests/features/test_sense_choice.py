"""Senses chosen together: the fast choice against slow loops over every pair of candidates."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from features.senses.choosing import SMOOTHING, CandidatePair, CandidateSenses, choose_senses

CONCEPTS = 8

# Few values, so that products and merits are often equal.
priors = st.sampled_from([0.25, 0.5, 1.0, 0.1])
nearness = st.sampled_from([0.0, 0.25, 0.5, 1.0, 0.3])


def senses(*candidates: tuple[int, float]) -> CandidateSenses:
    return CandidateSenses.likeliest((concept, prior, 0) for concept, prior in candidates)


possible_senses = st.dictionaries(st.integers(0, CONCEPTS - 1), priors, max_size=5).map(
    lambda candidates: senses(*candidates.items())
)
pairs_of_senses = st.lists(st.tuples(possible_senses, possible_senses), max_size=6)
tables = st.lists(nearness, min_size=CONCEPTS**2, max_size=CONCEPTS**2)


def slow_choice(left: CandidateSenses, right: CandidateSenses, table: Any) -> tuple[int, int, float]:
    """The first of the best pairs of senses, every one weighed by itself."""
    best, chosen = -1.0, (-1, -1, 0.0)
    for i, j in product(range(len(left)), range(len(right))):
        a, b = int(left.concepts[i]), int(right.concepts[j])
        prior = float(left.priors[i] * right.priors[j])
        merit = prior * (SMOOTHING + (1.0 if a == b else table[min(a, b)][max(a, b)]))
        if merit > best:
            best, chosen = merit, (a, b, prior)
    return chosen


def rows(chosen: Any) -> list[tuple[int, int, float]]:
    return list(zip(*(column.tolist() for column in chosen), strict=True))


@given(pairs_of_senses, tables)
def test_the_choice_is_that_of_slow_loops(pairs: list[CandidatePair], near: list[float]) -> None:
    table = np.array(near).reshape(CONCEPTS, CONCEPTS)
    asked: list[tuple[int, int]] = []

    def relatedness(left: Any, right: Any) -> Any:
        assert (left < right).all(), "each two are looked at in one order, and none beside itself"
        asked.extend(zip(left.tolist(), right.tolist(), strict=True))
        return table[left, right]

    expected = [slow_choice(left, right, table.tolist()) for left, right in pairs]
    assert rows(choose_senses(pairs, relatedness)) == expected
    # Two rounds, and in each every two concepts once.
    assert max((asked.count(two) for two in asked), default=0) <= 2


@given(pairs_of_senses, tables)
def test_batches_choose_as_the_whole_does(pairs: list[CandidatePair], near: list[float]) -> None:
    table = np.array(near).reshape(CONCEPTS, CONCEPTS)
    whole = choose_senses(pairs, lambda left, right: table[left, right])
    batches = choose_senses(pairs, lambda left, right: table[left, right], at_once=2)
    assert rows(batches) == rows(whole)


def test_what_the_priors_rule_out_is_not_looked_at() -> None:
    looked_at: list[tuple[int, int]] = []

    def relatedness(left: Any, right: Any) -> Any:
        looked_at.extend(zip(left.tolist(), right.tolist(), strict=True))
        return np.full(len(left), 0.8)

    pair = senses((0, 0.9), (1, 0.1)), senses((2, 1.0))
    assert rows(choose_senses([pair], relatedness)) == [(0, 2, 0.9)]
    assert looked_at == [(0, 2)]


def test_what_can_only_reach_the_same_does_not_win_but_is_looked_at() -> None:
    # ½ · (0.05 + 1) for both: the likeliest senses are the same concept, and so may the others be.
    pair = senses((0, 0.5), (1, 0.5)), senses((0, 1.0), (1, 1.0))
    assert rows(choose_senses([pair], lambda left, right: np.ones(len(left)))) == [(0, 0, 0.5)]


def test_of_equal_merits_the_first_wins() -> None:
    table = {(0, 2): 0.1, (0, 3): 1.0, (1, 2): 0.0, (1, 3): 1.0}
    pair = senses((0, 1.0), (1, 1.0)), senses((2, 1.0), (3, 0.5))
    chosen = choose_senses(
        [pair], lambda a, b: np.array([table[x, y] for x, y in zip(a.tolist(), b.tolist(), strict=True)])
    )
    assert rows(chosen) == [(0, 3, 0.5)]


def test_a_side_without_senses_has_none_chosen() -> None:
    none, one = senses(), senses((3, 0.5))
    chosen = choose_senses([(none, one), (one, one), (one, none)], lambda left, right: np.zeros(len(left)))
    assert rows(chosen) == [(-1, -1, 0.0), (3, 3, 0.25), (-1, -1, 0.0)]


def test_the_likeliest_ten_are_candidates() -> None:
    candidates = senses(*((concept, 1 / (1 + concept % 6)) for concept in range(12)))
    assert candidates.concepts.tolist() == [0, 6, 1, 7, 2, 8, 3, 9, 4, 10]
    assert candidates.prior(7) == pytest.approx(0.5)
    assert candidates.others(0)[:2] == [(6, 1.0), (1, 0.5)]
    assert len(candidates.others(99)) == 10
