"""Tuples of pairs to be judged by best and worst: Asaadi et al. 2019, section 3.2.

Of N pairs there are 2N different 4-tuples, so that each pair is in 8 of them and in none twice. Which pairs
meet is random; beyond what is printed, no two meet more often than they must, since a comparison that is
asked for again tells less than a new one.
"""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from math import ceil, comb

import numpy as np
from numpy.typing import NDArray

from datasets.selection.errors import TooFewTerms

_RESTARTS, _SWEEPS = 50, 200
"""How often a design is begun anew, and how often all its faults are looked at before that."""

_GRAVE = 1_000
"""What an item twice in a tuple, or a tuple twice, weighs against two items that meet once too often."""


def best_worst_tuples(
    items: int, random: np.random.Generator, size: int = 4, per_item: int = 2
) -> NDArray[np.int64]:
    """Tuples of the numbers from 0 to ``items``: int64[per_item·items, size].

    Each number is in ``per_item``·``size`` tuples, and in none twice; no two tuples have the same numbers.

    Raises:
        TooFewTerms: there are not so many different tuples of so few items.
    """
    if items < size or comb(items, size) < per_item * items:
        raise TooFewTerms(
            f"Of {items} pairs there are no {per_item * items} different tuples of {size}. Select more "
            "pairs, or judge these one by one."
        )
    for _ in range(_RESTARTS):
        rounds = [random.permutation(items) for _ in range(per_item * size)]
        design = _Design(np.concatenate(rounds).reshape(per_item * items, size), items)
        design.mend(random)
        if design.is_sound():
            return design.sorted_tuples(random)
    raise TooFewTerms(
        f"No {per_item * items} different tuples of {items} pairs were found. Select more pairs, or use "
        "another seed."
    )


class _Design:
    """Tuples, how often each is there, and how often any two items meet in one."""

    def __init__(self, tuples: NDArray[np.int64], items: int) -> None:
        count, size = tuples.shape
        self._tuples: list[list[int]] = tuples.tolist()
        self._most = ceil(count * size * (size - 1) / (items * (items - 1)))
        self._meets: Counter[tuple[int, int]] = Counter()
        self._same: Counter[tuple[int, ...]] = Counter()
        for one in self._tuples:
            self._count(one, 1)

    def mend(self, random: np.random.Generator) -> None:
        """Swap items between tuples until none is at fault, or until swapping no longer helps."""
        for _ in range(_SWEEPS):
            faulty = [number for number in range(len(self._tuples)) if self._cost(number)]
            if not faulty:
                return
            for number in faulty:
                self._swap(number, random)

    def is_sound(self) -> bool:
        """Whether no tuple has an item twice or is there twice."""
        return all(self._cost(number) < _GRAVE for number in range(len(self._tuples)))

    def sorted_tuples(self, random: np.random.Generator) -> NDArray[np.int64]:
        """The tuples, in a random order, and so the items in each."""
        tuples = random.permuted(np.array(self._tuples, np.int64), axis=1)
        return np.asarray(random.permutation(tuples))

    def _swap(self, number: int, random: np.random.Generator) -> None:
        """Swap an item of a tuple with one of another, where that makes both no worse."""
        other = int(random.integers(len(self._tuples)))
        place, place_there = random.integers(len(self._tuples[number]), size=2).tolist()
        if other == number or not self._cost(number):
            return
        before = self._cost(number) + self._cost(other)
        self._exchange(number, place, other, place_there)
        if self._cost(number) + self._cost(other) > before:
            self._exchange(number, place, other, place_there)

    def _exchange(self, number: int, place: int, other: int, place_there: int) -> None:
        one, two = self._tuples[number], self._tuples[other]
        for changed in (one, two):
            self._count(changed, -1)
        one[place], two[place_there] = two[place_there], one[place]
        for changed in (one, two):
            self._count(changed, 1)

    def _count(self, one: list[int], times: int) -> None:
        ordered = sorted(one)
        self._same[tuple(ordered)] += times
        for two in combinations(ordered, 2):
            self._meets[two] += times

    def _cost(self, number: int) -> int:
        """How much is wrong with a tuple."""
        ordered = sorted(self._tuples[number])
        cost = _GRAVE * (self._same[tuple(ordered)] - 1)
        for left, right in combinations(ordered, 2):
            cost += _GRAVE if left == right else max(0, self._meets[left, right] - self._most)
        return cost
