"""Designs of tuples for best and worst."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from math import ceil

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from datasets.selection.bird.tuples import best_worst_tuples
from datasets.selection.errors import TooFewTerms
from datasets.selection.selection import generator


@pytest.mark.slow
@given(st.integers(6, 80), st.integers(0, 1000))
@example(6, 1)  # 12 of the 15 tuples that there are
@example(7, 1)
def test_every_design_keeps_its_promises(items: int, seed: int) -> None:
    tuples = best_worst_tuples(items, generator(seed, "test"))
    assert tuples.shape == (2 * items, 4)
    assert len({frozenset(one) for one in tuples.tolist()}) == 2 * items, "all are different"
    assert all(len(set(one)) == 4 for one in tuples.tolist()), "no item is twice in one"
    assert np.bincount(tuples.ravel(), minlength=items).tolist() == [8] * items


@pytest.mark.parametrize("items", [60, 410, 3345])
def test_no_two_pairs_meet_twice_where_they_need_not(items: int) -> None:
    """3,345 are BiRD's pairs, of which there were 6,690 tuples."""
    tuples = best_worst_tuples(items, generator(1, "test"))
    meets = Counter(two for one in tuples.tolist() for two in combinations(sorted(one), 2))
    assert max(meets.values()) == ceil(24 / (items - 1)) == 1


def test_the_seed_decides() -> None:
    one, again, other = (best_worst_tuples(30, generator(seed, "test")) for seed in (1, 1, 2))
    assert np.array_equal(one, again)
    assert not np.array_equal(one, other)


@pytest.mark.parametrize("items", [0, 3, 5])
def test_too_few_pairs_are_refused(items: int) -> None:
    with pytest.raises(TooFewTerms, match="different tuples"):
        best_worst_tuples(items, generator(1, "test"))


@pytest.mark.slow
@given(st.integers(12, 40), st.integers(2, 5), st.integers(1, 3))
def test_other_sizes(items: int, size: int, per_item: int) -> None:
    tuples = best_worst_tuples(items, generator(1, "test"), size, per_item)
    assert np.bincount(tuples.ravel(), minlength=items).tolist() == [size * per_item] * items
    assert len({frozenset(one) for one in tuples.tolist()}) == len(tuples) == items * per_item
