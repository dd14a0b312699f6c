"""Composition: each formula against its sums, and what holds of all vectors."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from measures.arrays import Floats
from papers.bird import composition
from papers.bird.composition import COMPOSITIONS, composed_relatedness, weighted_addition

numbers = st.floats(-4, 4).filter(lambda number: number == 0 or abs(number) > 1e-3)


@st.composite
def vectors(draw: Callable[..., Any], count: int = 2) -> tuple[Floats, ...]:
    rows, dimensions = draw(st.integers(1, 3)), draw(st.integers(1, 7))
    shape = st.lists(
        st.lists(numbers, min_size=dimensions, max_size=dimensions), min_size=rows, max_size=rows
    )
    return tuple(np.array(draw(shape), np.float64) for _ in range(count))


# Formulas


def by_the_sums(method: str, u: Floats, v: Floats) -> Floats:
    """The compositions of one bigram as the paper prints them, element by element."""
    d = len(u)
    uu, uv = sum(x * x for x in u), sum(x * y for x, y in zip(u, v, strict=True))
    element: dict[str, Callable[[int], float]] = {
        "head only": lambda i: v[i],
        "modifier only": lambda i: u[i],
        "addition": lambda i: u[i] + v[i],
        "multiplication": lambda i: u[i] * v[i],
        "tensor product": lambda i: sum(u[j] * v[(i - j) % d] for j in range(d)),
        "dilation": lambda i: v[i] * uu + (2 - 1) * u[i] * uv,
    }
    return np.array([element[method](i) for i in range(d)])


@pytest.mark.parametrize("method", COMPOSITIONS)
@given(vectors())
def test_each_composition_by_its_sums(method: str, pair: tuple[Floats, Floats]) -> None:
    composed = COMPOSITIONS[method](*pair)
    slow = np.array([by_the_sums(method, u, v) for u, v in zip(*pair, strict=True)])
    assert composed.dtype == np.float64
    np.testing.assert_allclose(composed, slow, atol=1e-12)


@given(vectors())
def test_the_wrapped_diagonals_of_the_outer_product(pair: tuple[Floats, Floats]) -> None:
    u, v = pair[0][0], pair[1][0]
    outer = np.outer(u, v)
    wrapped = np.zeros(len(u))
    for i in range(len(u)):
        for j in range(len(v)):
            wrapped[(i + j) % len(u)] += outer[i, j]
    np.testing.assert_allclose(composition.circular_convolution(u, v), wrapped, atol=1e-12)


@given(vectors(), st.floats(0.25, 4))
def test_dilation_stretches_what_lies_along_the_modifier(pair: tuple[Floats, Floats], factor: float) -> None:
    u, v = pair[0][0], pair[1][0]
    dilated = composition.dilation(u, v, factor)
    if not u.any():
        assert not dilated.any()
        return
    along = (u @ v) / (u @ u) * u
    np.testing.assert_allclose(dilated / (u @ u), factor * along + (v - along), atol=1e-9)


@given(vectors())
def test_the_ends_and_the_middle_of_weighted_addition(pair: tuple[Floats, Floats]) -> None:
    u, v = pair
    np.testing.assert_array_equal(weighted_addition(u, v, 1.0), u)
    np.testing.assert_array_equal(weighted_addition(u, v, 0.0), v)
    np.testing.assert_allclose(2 * weighted_addition(u, v, 0.5), composition.addition(u, v), atol=1e-12)


@pytest.mark.parametrize("method", ["addition", "multiplication", "tensor product"])
@given(vectors())
def test_methods_that_are_blind_to_the_order(method: str, pair: tuple[Floats, Floats]) -> None:
    compose = COMPOSITIONS[method]
    np.testing.assert_allclose(compose(*pair), compose(*pair[::-1]), atol=1e-12)


@given(vectors(count=2), st.floats(1e-3, 1e3))
def test_relatedness_is_a_cosine(pair: tuple[Floats, Floats], scale: float) -> None:
    left, right = pair
    found = composed_relatedness(left, right)
    for value, u, v in zip(found, left, right, strict=True):
        lengths = math.sqrt(u @ u) * math.sqrt(v @ v)
        assert value == pytest.approx(u @ v / lengths if lengths else 0.0, abs=1e-9)
    np.testing.assert_allclose(composed_relatedness(scale * left, right), found, atol=1e-12)
    assert (np.abs(found) <= 1.0).all()


def test_relatedness_of_vectors_whose_squares_vanish() -> None:
    assert composed_relatedness([[1e-200, 0.0]], [[1e-200, 1e-200]]).round(9).tolist() == [0.707106781]
