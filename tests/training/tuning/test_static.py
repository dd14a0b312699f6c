"""The static table's least squares, beside a plain solution of the same problem."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from training.tuning.onnx_model import rounded_by
from training.tuning.static import principal, ridge


@given(st.integers(0, 2**31), st.floats(0.01, 10.0))
def test_ridge_is_what_the_normal_equations_give(seed: int, penalty: float) -> None:
    random = np.random.default_rng(seed)
    rows = random.random((12, 7)) * (random.random((12, 7)) < 0.4)
    wanted = random.normal(size=(12, 3))
    slow = np.linalg.solve(rows.T @ rows + penalty * np.eye(7), rows.T @ wanted)
    np.testing.assert_allclose(ridge(sparse.csr_matrix(rows), wanted, penalty), slow, atol=1e-5)


@given(st.integers(0, 2**31), st.sampled_from([0, 1]))
def test_rounded_weights_are_off_by_half_a_step_at_most(seed: int, axis: int) -> None:
    values = np.random.default_rng(seed).normal(size=(6, 9)).astype(np.float32)
    values[2] = 0.0
    rounded, scales = rounded_by(values, axis)
    spread = scales[:, None] if axis == 0 else scales[None, :]
    assert (np.abs(rounded * spread - values) <= spread / 2 * 1.001).all()
    assert np.abs(rounded).max() == 127


def test_the_principal_directions_are_those_of_the_singular_values() -> None:
    vectors = np.random.default_rng(7).normal(size=(40, 6)) * np.arange(1, 7)
    basis = principal(vectors, 2)
    _, _, right = np.linalg.svd(vectors)
    np.testing.assert_allclose(basis @ basis.T, np.eye(2), atol=1e-12)
    np.testing.assert_allclose(basis.T @ basis, right[:2].T @ right[:2], atol=1e-10)
    assert principal(vectors, 9).shape == (6, 6)
