"""The kernels against plain Python and SciPy, on every shape of row, and compiled without a cache."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
import scipy.sparse
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import DTypeLike

from features import kernels
from features.kernels import GALLOP
from jit.cache import CodeCache
from jit.compiled import compiled
from jit.simd import LANES
from measures.arrays import Array

COLUMNS = 500
FEW = st.sets(st.integers(0, COLUMNS - 1), max_size=12)
SOME = st.sets(st.integers(0, 8 * LANES), max_size=6 * LANES)
"""Enough columns for some blocks of lanes, near enough to each other to be shared."""


@st.composite
def many(draw: st.DrawFn) -> set[int]:
    """So many columns that a row of few is searched for in them; drawn from a seed, which is faster."""
    random = np.random.default_rng(draw(st.integers(0, 2**32)))
    return set(random.choice(COLUMNS, draw(st.integers(12 * GALLOP, COLUMNS)), replace=False).tolist())


ROWS = st.one_of(FEW, SOME, many())

INDICES = [np.int32, np.int64, np.uint16]
VALUES = [np.float32, np.float64, np.uint8, np.uint16, np.int32]


def table(rows: list[set[int]], indices: DTypeLike = np.int32) -> tuple[Array, Array]:
    """Row pointers and columns, read-only as a memory map has them."""
    indptr = np.cumsum([0, *(len(row) for row in rows)]).astype(np.int64)
    columns = np.array([column for row in rows for column in sorted(row)], dtype=indices)
    return frozen(indptr), frozen(columns)


def frozen(array: Array) -> Array:
    array.flags.writeable = False
    return array


def overlap(a: set[int], b: set[int]) -> float:
    indptr, columns = table([a, b])
    first, second = np.array([0]), np.array([1])
    return float(kernels.overlaps(indptr, columns, None, indptr, columns, None, first, second)[0])


@given(ROWS, ROWS)
def test_overlap_counts_what_sets_share(a: set[int], b: set[int]) -> None:
    assert overlap(a, b) == overlap(b, a) == len(a & b)


@pytest.mark.parametrize(
    ("a", "b"),
    [
        (set(), set()),
        (set(), {1}),
        ({1}, {1}),
        ({0}, set(range(100))),
        ({99}, set(range(100))),
        ({-1 + GALLOP}, set(range(GALLOP))),
        ({5, 6}, {6, 7}),
        (set(range(0, 100, 2)), set(range(1, 100, 2))),
        (set(range(100)), set(range(100))),
        (set(range(50)), set(range(50, 100))),
        ({0, 99}, set(range(1, 99))),
        (set(range(LANES)), set(range(LANES))),
        (set(range(LANES)), set(range(LANES - 1, 2 * LANES))),
        (set(range(LANES + 1)), set(range(LANES, 3 * LANES))),
        (set(range(0, 4 * LANES, 2)), set(range(0, 4 * LANES, 3))),
        ({-1 + 2 * GALLOP}, set(range(2 * GALLOP))),
    ],
)
def test_overlap_where_rows_begin_and_end(a: set[int], b: set[int]) -> None:
    assert overlap(a, b) == overlap(b, a) == len(a & b)


@pytest.mark.parametrize("indices", INDICES)
@pytest.mark.parametrize("values", VALUES)
def test_dots_of_any_dtype_agree_with_scipy(indices: DTypeLike, values: DTypeLike) -> None:
    random = np.random.default_rng(3)
    sizes = [0, 1, 3, 40, 45, 400, 480]
    rows = [set(random.choice(COLUMNS, size, replace=False).tolist()) for size in sizes]
    indptr, columns = table(rows, indices)
    numbers = frozen((random.random(len(columns)) * 200).astype(values))
    shape = (len(sizes), COLUMNS)
    matrix = scipy.sparse.csr_array((numbers.astype(np.float64), columns.astype(np.int64), indptr), shape)
    left, right = np.divmod(np.arange(len(sizes) ** 2), len(sizes))
    dots = kernels.overlaps(indptr, columns, numbers, indptr, columns, numbers, left, right)
    assert dots == pytest.approx((matrix @ matrix.T).toarray()[left, right], rel=1e-12)
    back = kernels.overlaps(indptr, columns, numbers, indptr, columns, numbers, right, left)
    assert np.array_equal(dots, back)


@given(ROWS, ROWS, st.integers(0, 2**32))
def test_dots_are_symmetric_to_the_last_bit(a: set[int], b: set[int], seed: int) -> None:
    indptr, columns = table([a, b])
    values = frozen(np.random.default_rng(seed).random(len(columns), np.float32))
    first, second = np.array([0]), np.array([1])
    there = kernels.overlaps(indptr, columns, values, indptr, columns, values, first, second)
    assert there == kernels.overlaps(indptr, columns, values, indptr, columns, values, second, first)


@given(ROWS, ROWS, st.integers(0, 2**32))
def test_dots_are_summed_in_the_order_of_columns(a: set[int], b: set[int], seed: int) -> None:
    indptr, columns = table([a, b])
    values = frozen(np.random.default_rng(seed).random(len(columns), np.float32))
    left, right = (
        dict(zip(columns[i:j].tolist(), values[i:j].tolist(), strict=True)) for i, j in pairwise(indptr)
    )
    in_order = 0.0
    for column in sorted(a & b):
        in_order += left[column] * right[column]
    dots = kernels.overlaps(indptr, columns, values, indptr, columns, values, np.array([0]), np.array([1]))
    assert dots.tolist() == [in_order]


@given(SOME, SOME)
def test_overlap_of_tables_of_two_dtypes(a: set[int], b: set[int]) -> None:
    rows = np.array([0]), np.array([0])
    narrow, wide = table([a], np.uint16), table([b], np.int64)
    weights = frozen(np.full(len(b), 2.0))
    assert kernels.overlaps(*narrow, None, *wide, None, *rows).tolist() == [len(a & b)]
    assert kernels.overlaps(*wide, weights, *narrow, None, *rows).tolist() == [2 * len(a & b)]


def test_overlap_of_rows_of_two_tables() -> None:
    one, other = table([{1, 2, 3}, {4}]), table([{9}, {2, 3, 4}])
    rows = np.array([0, 1, 0]), np.array([1, 1, 0])
    assert kernels.overlaps(*one, None, *other, None, *rows).tolist() == [2.0, 1.0, 0.0]


@given(st.lists(ROWS, min_size=1, max_size=4), st.integers(0, COLUMNS - 1))
def test_entries_say_what_a_row_has(rows: list[set[int]], column: int) -> None:
    indptr, columns = table(rows)
    numbers = frozen(np.arange(1, len(columns) + 1, dtype=np.int32))
    asked = np.arange(len(rows)), np.full(len(rows), column)
    held = [float(column in row) for row in rows]
    assert kernels.entries(indptr, columns, None, *asked).tolist() == held
    expected = [
        float(numbers[start + sorted(row).index(column)]) if column in row else 0.0
        for start, row in zip(indptr.tolist(), rows, strict=False)
    ]
    assert kernels.entries(indptr, columns, numbers, *asked).tolist() == expected


def test_what_lies_beyond_a_table_is_empty() -> None:
    indptr, columns = table([{0, 1}, {1}])
    assert kernels.entries(indptr, columns, None, np.array([1, 2]), np.array([1, 1])).tolist() == [1.0, 0.0]
    vectors = frozen(np.eye(2, dtype=np.float32))
    dots = kernels.vector_dots(vectors, np.array([1, 1, 2]), np.array([1, 2, 2]))
    assert dots.tolist() == [1.0, 0.0, 0.0]


def test_row_products_put_every_column_beside_every_other() -> None:
    indptr, columns = table([{3, 5}, set(), {1, 2, 9}])
    left, right = np.array([0, 1, 2]), np.array([2, 0, 2])
    offsets = np.array([0, 6, 6, 15])
    first, second = kernels.row_products(indptr, columns, left, right, offsets)
    assert first.tolist() == [3, 3, 3, 5, 5, 5, 1, 1, 1, 2, 2, 2, 9, 9, 9]
    assert second.tolist() == [1, 2, 9, 1, 2, 9, 1, 2, 9, 1, 2, 9, 1, 2, 9]


@pytest.mark.parametrize("size", [1, 3, 4, 7, 100])
def test_vector_dots_agree_with_numpy(size: int) -> None:
    vectors = np.random.default_rng(size).normal(size=(6, size)).astype(np.float32)
    left, right = np.divmod(np.arange(36), 6)
    expected = (vectors.astype(np.float64) @ vectors.T.astype(np.float64))[left, right]
    assert kernels.vector_dots(frozen(vectors), left, right) == pytest.approx(expected, abs=1e-12)


def test_best_matches_sum_the_largest_of_rows_and_columns() -> None:
    blocks = np.array([0.1, 0.9, 0.3, 0.4, 0.2, 0.5, -0.5])  # two by three, none, one by one
    rows, columns = kernels.best_matches(
        blocks,
        np.array([0, 6, 6, 7]),
        np.array([2, 2, 1]),
        np.array([3, 0, 1]),
        np.array([-np.inf, 0.0, -np.inf]),
        np.array([-np.inf, 0.0, 0.0]),
    )
    assert rows.tolist() == pytest.approx([0.9 + 0.5, 0.0, -0.5])
    assert columns.tolist() == pytest.approx([0.4 + 0.9 + 0.5, 0.0, 0.0])


def double(x: int) -> int:
    return 2 * x


def test_kernels_are_kept_in_the_folder_that_is_named(tmp_path: Path) -> None:
    assert compiled(double, CodeCache(tmp_path))(21) == 42
    assert list(tmp_path.glob("*.code"))


def test_kernels_work_where_no_folder_can_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    assert compiled(double, CodeCache(tmp_path / "file" / "code"))(21) == 42
