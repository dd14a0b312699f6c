"""The measures: their own examples, their limits, and what they make of nothing."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from math import log

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

import measures

TOTAL = 10_000


@st.composite
def overlaps(draw: st.DrawFn) -> tuple[int, int, int, int]:
    """Counts that sets can have: both, left, right, total."""
    total = draw(st.integers(1, TOTAL))
    left, right = draw(st.integers(0, total)), draw(st.integers(0, total))
    both = draw(st.integers(max(0, left + right - total), min(left, right)))
    return both, left, right, total


Measure = Callable[..., NDArray[np.float64]]
BOUNDED: tuple[Measure, ...] = (measures.normalised_pmi, measures.milne_witten)
WITHOUT_TOTAL: tuple[Measure, ...] = (measures.conditional_probability, measures.jaccard)


MEASURES = [function for _, function in inspect.getmembers(measures, inspect.isfunction)]


@pytest.mark.parametrize("measure", MEASURES, ids=lambda measure: measure.__name__)
def test_each_docstring_has_an_example(measure: Measure) -> None:
    assert ">>> " in (measure.__doc__ or ""), f"{measure.__name__} has no example"


@given(overlaps())
def test_bounded_measures_of_counts_stay_in_their_bounds(counts: tuple[int, int, int, int]) -> None:
    for measure in BOUNDED:
        assert 0 <= measure(*counts) <= 1
    for measure in WITHOUT_TOTAL:
        assert 0 <= measure(*counts[:3]) <= 1
    assert 0 <= measures.positive_pmi(*counts) <= log(TOTAL)


@given(overlaps())
def test_measures_of_counts_are_symmetric_to_the_last_bit(counts: tuple[int, int, int, int]) -> None:
    both, left, right, total = counts
    for measure in (*BOUNDED, measures.positive_pmi):
        assert measure(both, left, right, total) == measure(both, right, left, total)
    for measure in WITHOUT_TOTAL:
        assert measure(both, left, right) == measure(both, right, left)


@given(st.lists(overlaps(), min_size=1, max_size=40))
def test_many_at_once_equal_each_alone(rows: list[tuple[int, int, int, int]]) -> None:
    columns = np.array(rows).T
    for measure in (*BOUNDED, measures.positive_pmi):
        assert measure(*columns).tolist() == [float(measure(*row)) for row in rows]


@given(st.integers(1, TOTAL), st.integers(1, TOTAL))
def test_a_set_with_itself(size: int, total: int) -> None:
    size = min(size, total)
    same = (size, size, size, total)
    assert measures.positive_pmi(*same) == pytest.approx(-log(size / total), abs=1e-12)
    assert measures.normalised_pmi(*same) == pytest.approx(1.0 if size < total else 0.0)
    assert measures.milne_witten(*same) == measures.jaccard(*same[:3]) == 1.0


@pytest.mark.parametrize("measure", [*BOUNDED, measures.positive_pmi])
@pytest.mark.parametrize("counts", [(0, 0, 0, 100), (0, 5, 0, 100), (0, 100, 0, 100), (0, 0, 0, 0)])
def test_nothing_in_common_is_zero_and_warns_of_nothing(
    measure: Measure, counts: tuple[int, int, int, int]
) -> None:
    assert measure(*counts) == 0.0


def test_pmi_below_chance_is_zero() -> None:
    assert measures.positive_pmi(1, 50, 50, 100) == 0.0
    assert measures.normalised_pmi(1, 50, 50, 100) == 0.0


def test_pmi_of_counts_whose_product_passes_64_bits() -> None:
    many = 4_000_000_000
    assert measures.positive_pmi(many, many, many, 2 * many) == pytest.approx(log(2))


def test_milne_witten_falls_to_zero_where_sets_meet_less_than_by_chance() -> None:
    assert measures.milne_witten(1, 50, 50, 60) == 0.0


def test_cosine_is_clipped_where_stored_vectors_are_a_little_too_long() -> None:
    assert measures.cosine([1.0000002, -1.0000002, 0.25]).tolist() == [1.0, -1.0, 0.25]


def test_lifted_gives_zero_for_a_title_without_words() -> None:
    assert measures.best_match_average(0.0, 0, 0.0, 3) == 0.0
