"""Vectors of fewer dimensions: those that lie in a subspace lose nothing, and others come along."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from building.main_axes import main_axes, scaled_along, unit_along
from measures.arrays import Floats
from snapshots.scaled import ScaledVectors

SEEDS = st.integers(0, 2**32)
ROUNDED = 0.02
"""How far 8-bit integers may bring a cosine of vectors of few dimensions."""


def of_a_subspace(seed: int, dimensions: int, whole: int, rows: int = 30) -> Floats:
    """Vectors that need but some of the dimensions of their space, whichever directions these are."""
    chance = np.random.default_rng(seed)
    return chance.standard_normal((rows, dimensions)) @ chance.standard_normal((dimensions, whole))


def cosines(left: Floats, right: Floats) -> Floats:
    lengths = np.linalg.norm(left, axis=1)[:, None] * np.linalg.norm(right, axis=1)
    return np.asarray(left @ right.T / lengths)


@given(SEEDS, st.integers(1, 6), st.integers(0, 4))
def test_what_needs_no_more_dimensions_loses_nothing(seed: int, dimensions: int, more: int) -> None:
    vectors = of_a_subspace(seed, dimensions, 12)
    axes = main_axes([vectors[:20], vectors[20:]], dimensions + more)
    assert axes is not None
    np.testing.assert_allclose(axes @ axes.T, np.eye(dimensions + more), atol=1e-9)
    cut = unit_along(vectors, axes).astype(np.float64)
    np.testing.assert_allclose(cosines(cut, cut), cosines(vectors, vectors), atol=1e-5)


@given(SEEDS)
def test_no_other_axes_leave_less_out(seed: int) -> None:
    chance = np.random.default_rng(seed)
    vectors = chance.standard_normal((40, 9))
    axes = main_axes([vectors], 4)
    assert axes is not None
    others = np.linalg.qr(chance.standard_normal((9, 4)))[0].T
    assert np.square(vectors @ axes.T).sum() >= np.square(vectors @ others.T).sum()


def test_vectors_of_few_dimensions_stay_as_they_are() -> None:
    vectors = of_a_subspace(1, 3, 5)
    assert main_axes([vectors], 5) is None
    table = ScaledVectors.of(vectors)
    assert scaled_along(table, None) is table
    np.testing.assert_allclose(table.along(vectors), vectors)


@pytest.mark.parametrize("cuts", [(4,), (6, 4)], ids=["once", "twice"])
def test_other_vectors_of_the_space_can_be_compared_with_those_that_were_cut(cuts: tuple[int, ...]) -> None:
    vectors, texts = np.split(of_a_subspace(2, 4, 12, rows=37), [30])
    table = ScaledVectors.of(vectors)
    for dimensions in cuts:
        table = scaled_along(table, main_axes([table.floats()], dimensions))
    assert table.dimensions == 4
    assert table.axes is not None
    assert table.axes.shape == (4, 12)
    assert np.linalg.norm(table.floats(), axis=1) == pytest.approx(1, abs=1e-6)
    np.testing.assert_allclose(
        cosines(table.along(texts), table.floats()), cosines(texts, vectors), atol=ROUNDED
    )


def test_a_row_without_a_vector_keeps_none() -> None:
    vectors = np.vstack([of_a_subspace(3, 4, 8), np.zeros(8)])
    axes = main_axes([vectors], 4)
    assert not unit_along(vectors, axes)[-1].any()
    cut = scaled_along(ScaledVectors.of(vectors), axes)
    assert not cut.vectors[-1].any()
    assert cut.scales[-1] == 0
