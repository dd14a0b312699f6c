"""Kernels: what sparse rows have in common, counted for many pairs in one call.

They return evidence (counts, dots, entries), never a measure. A sparse table comes as its arrays: ``indptr``
int64[rows + 1], ``indices`` (any integer dtype, ascending and distinct within a row) and ``values`` (any
real dtype, or ``None`` where membership counts as 1). Values are used as stored: the caller applies the
table's scale. Sums are float64, in an order that does not depend on which of two rows comes first, so that
swapping a pair changes no bit. Row numbers and row pointers are trusted: the caller and
``snapshots.soundness`` have checked them. Columns and values may be anything: they are only
compared and added.
"""

from __future__ import annotations

import numpy as np

from jit import simd
from jit.compiled import compiled
from jit.simd import LANES
from measures.arrays import Array, Floats, Ints

GALLOP = 32
"""A row this many times longer than the other is searched instead of walked."""

LINE = 16
"""Entries of four bytes in a line of the processor's cache."""


@compiled
def overlaps(
    left_indptr: Ints,
    left_indices: Array,
    left_values: Array | None,
    right_indptr: Ints,
    right_indices: Array,
    right_values: Array | None,
    left: Ints,
    right: Ints,
) -> Floats:
    """The dot product of row ``left[i]`` of one table and row ``right[i]`` of another, for each i.

    Without values it is the number of columns that the rows share. The tables may be the same.
    """
    found = np.empty(len(left), np.float64)
    for pair in range(len(left)):
        if pair + 1 < len(left):
            a, b = left[pair + 1], right[pair + 1]
            if _similar(left_indptr[a + 1] - left_indptr[a], right_indptr[b + 1] - right_indptr[b]):
                _fetch(left_indices, left_values, left_indptr[a], left_indptr[a + 1])
                _fetch(right_indices, right_values, right_indptr[b], right_indptr[b + 1])
        a, b = left[pair], right[pair]
        found[pair] = _overlap(
            left_indices,
            left_values,
            left_indptr[a],
            left_indptr[a + 1],
            right_indices,
            right_values,
            right_indptr[b],
            right_indptr[b + 1],
        )
    return found


@compiled
def entries(indptr: Ints, indices: Array, values: Array | None, rows: Ints, columns: Ints) -> Floats:
    """The entry in row ``rows[i]`` and column ``columns[i]``, for each i; 0 where there is none.

    A row beyond the last has no entries: a table of words may end before the vocabulary does.
    """
    found = np.zeros(len(rows), np.float64)
    for pair in range(len(rows)):
        row, column = rows[pair], columns[pair]
        if row >= len(indptr) - 1:
            continue
        end = indptr[row + 1]
        place = _lower_bound(indices, indptr[row], end, column)
        if place < end and indices[place] == column:
            found[pair] = _product(values, place, None, 0)
    return found


@compiled
def row_products(indptr: Ints, indices: Array, left: Ints, right: Ints, offsets: Ints) -> tuple[Ints, Ints]:
    """Each column of row ``left[i]`` beside each column of row ``right[i]``, for all i in one run.

    ``offsets`` int64[n + 1]: where the block of pair i starts and ends in the two arrays returned. A block
    has the columns of the left row as its rows and those of the right row as its columns.
    """
    first = np.empty(offsets[-1], np.int64)
    second = np.empty(offsets[-1], np.int64)
    for pair in range(len(left)):
        a, b = left[pair], right[pair]
        place = offsets[pair]
        for i in range(indptr[a], indptr[a + 1]):
            for j in range(indptr[b], indptr[b + 1]):
                first[place] = indices[i]
                second[place] = indices[j]
                place += 1
    return first, second


@compiled
def check_places(places: Ints, end: int) -> None:
    """Do nothing where each of ``places`` is from 0 to ``end`` - 1.

    Raises:
        IndexError: some are not, and no kernel may use them as rows.
    """
    outside = False
    for place in places:
        outside |= place < 0 or place >= end
    if outside:
        raise IndexError("a column is used as a row that there is not")


@compiled
def all_finite(values: Floats) -> bool:
    """Whether each of ``values``, float64[n, k], is a finite number."""
    finite = True
    for value in values.flat:
        finite &= np.isfinite(value)
    return finite


@compiled
def vector_dots(vectors: Array, left: Ints, right: Ints) -> Floats:
    """The dot product of the vectors ``left[i]`` and ``right[i]``, for each i.

    A word beyond the last vector has none, and gives 0: vectors may end before the vocabulary does.
    """
    found = np.zeros(len(left), np.float64)
    count, size = vectors.shape
    for pair in range(len(left)):
        if left[pair] >= count or right[pair] >= count:
            continue
        a, b = vectors[left[pair]], vectors[right[pair]]
        # Four sums at once, since each addition waits for the one before it.
        s0 = s1 = s2 = s3 = 0.0
        whole = size - size % 4
        for k in range(0, whole, 4):
            s0 += np.float64(a[k]) * np.float64(b[k])
            s1 += np.float64(a[k + 1]) * np.float64(b[k + 1])
            s2 += np.float64(a[k + 2]) * np.float64(b[k + 2])
            s3 += np.float64(a[k + 3]) * np.float64(b[k + 3])
        for k in range(whole, size):
            s0 += np.float64(a[k]) * np.float64(b[k])
        found[pair] = (s0 + s1) + (s2 + s3)
    return found


@compiled
def scaled_dots(
    vectors: Array, scales: Array, others: Array, other_scales: Array, left: Ints, right: Ints
) -> Floats:
    """The dot product of vector ``left[i]`` of one table of scaled vectors and ``right[i]`` of another.

    Of 8-bit integers, in 32 bits: exact, so that the order in which they are added does not matter.
    """
    found = np.empty(len(left), np.float64)
    size = min(vectors.shape[1], others.shape[1])
    for pair in range(len(left)):
        if pair + 1 < len(left):
            _fetch_vector(vectors, left[pair + 1], size)
            _fetch_vector(others, right[pair + 1], size)
        a, b = left[pair], right[pair]
        dot = integer_dot(vectors[a], others[b], size)
        found[pair] = dot * (np.float64(scales[a]) * np.float64(other_scales[b]))
    return found


@compiled
def integer_dot(a: Array, b: Array, size: int) -> int:
    """The dot product of the first ``size`` of two runs of 8-bit integers."""
    total = np.int32(0)
    for place in range(size):
        total = np.int32(total + np.int32(a[place]) * np.int32(b[place]))
    return int(total)


@compiled
def best_matches(
    values: Floats, offsets: Ints, rows: Ints, columns: Ints, row_floors: Floats, column_floors: Floats
) -> tuple[Floats, Floats]:
    """Of each block of ``values``: the sum of its rows' largest values, and of its columns'.

    Block i is ``values[offsets[i]:offsets[i + 1]]``, ``rows[i]`` by ``columns[i]``. The largest value of a
    row is at least ``row_floors[i]``, that of a column at least ``column_floors[i]``.
    """
    row_sums = np.zeros(len(rows), np.float64)
    column_sums = np.zeros(len(rows), np.float64)
    for block in range(len(rows)):
        height, width, start = rows[block], columns[block], offsets[block]
        for i in range(height):
            best = row_floors[block]
            for j in range(width):
                best = max(best, values[start + i * width + j])
            row_sums[block] += best
        for j in range(width):
            best = column_floors[block]
            for i in range(height):
                best = max(best, values[start + i * width + j])
            column_sums[block] += best
    return row_sums, column_sums


@compiled
def _overlap(
    left_indices: Array,
    left_values: Array | None,
    a: int,
    left_end: int,
    right_indices: Array,
    right_values: Array | None,
    b: int,
    right_end: int,
) -> float:
    """The dot product of two rows, given as ranges of their tables' arrays: a sum in the order of columns.

    Rows of similar length are walked a block of columns at a time, and what is left at the end column by
    column. A row much longer than the other is searched.
    """
    total, shared = 0.0, 0
    if _similar(left_end - a, right_end - b):
        while a + LANES <= left_end and b + LANES <= right_end:
            in_left = simd.shared(left_indices, a, right_indices, b)
            if left_values is None and right_values is None:
                shared += simd.count(in_left)
            elif in_left:
                # Rows ascend: the first column found in the one block is the first found in the other.
                in_right = simd.shared(right_indices, b, left_indices, a)
                # As many as in the left block, but where a damaged row has a column twice.
                while in_left and in_right:
                    i, j = a + simd.first(in_left), b + simd.first(in_right)
                    total += _product(left_values, i, right_values, j)
                    in_left &= in_left - 1
                    in_right &= in_right - 1
            # Steps without a branch: which row lags behind cannot be predicted.
            x, y = left_indices[a + LANES - 1], right_indices[b + LANES - 1]
            a += LANES * (x <= y)
            b += LANES * (y <= x)
    total += shared
    if _similar(left_end - a, right_end - b):
        while a < left_end and b < right_end:
            x, y = left_indices[a], right_indices[b]
            if x == y:
                total += _product(left_values, a, right_values, b)
            a += x <= y
            b += y <= x
        return total
    if left_end - a < right_end - b:
        return _gallop(
            left_indices, left_values, a, left_end, right_indices, right_values, b, right_end, total
        )
    return _gallop(right_indices, right_values, b, right_end, left_indices, left_values, a, left_end, total)


@compiled
def _similar(size: int, other: int) -> bool:
    """Whether neither of two rows is so much longer than the other that it is to be searched."""
    return size * GALLOP >= other and other * GALLOP >= size


@compiled
def _gallop(
    short_indices: Array,
    short_values: Array | None,
    a: int,
    short_end: int,
    long_indices: Array,
    long_values: Array | None,
    b: int,
    long_end: int,
    total: float,
) -> float:
    """``total`` and the dot product of a short and a long row, whose columns are searched in the long one.

    The search doubles its step from where the last one ended, then halves (Bentley & Yao 1976).
    """
    while a < short_end and b < long_end:
        column = short_indices[a]
        step, high = 1, b
        while high < long_end and long_indices[high] < column:
            b = high + 1
            high += step
            step *= 2
        b = _lower_bound(long_indices, b, min(high, long_end), column)
        if b < long_end and long_indices[b] == column:
            total += _product(short_values, a, long_values, b)
            b += 1
        a += 1
    return total


@compiled
def _fetch(indices: Array, values: Array | None, start: int, end: int) -> None:
    """Ask for a row from memory, a line of the processor's cache at a time, without waiting for it."""
    for place in range(start, end, LINE):
        simd.fetch(indices, place)
        if values is not None:
            simd.fetch(values, place)


@compiled
def _fetch_vector(vectors: Array, row: int, size: int) -> None:
    """Ask for a vector of bytes from memory, a line of the processor's cache at a time."""
    for place in range(row * vectors.shape[1], row * vectors.shape[1] + size, 4 * LINE):
        simd.fetch(vectors, place)


@compiled
def _lower_bound(indices: Array, low: int, high: int, column: int) -> int:
    """The first place in ``indices[low:high]`` whose column is not below ``column``; ``high`` if none."""
    while low < high:
        middle = (low + high) >> 1
        if indices[middle] < column:
            low = middle + 1
        else:
            high = middle
    return low


@compiled
def _product(left: Array | None, a: int, right: Array | None, b: int) -> float:
    """``left[a] · right[b]``; values that are not kept count as 1."""
    # The tests against None are settled when the kernel is compiled.
    x = 1.0 if left is None else np.float64(left[a])
    y = 1.0 if right is None else np.float64(right[b])
    return x * y
