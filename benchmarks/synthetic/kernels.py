"""Kernels that fill sparse tables row by row, from a seed.

Each row has random numbers of its own, so that tables are the same however their rows are divided among
threads. All columns of a row are different ones and ascend.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from jit.compiled import compiled
from measures.arrays import Array, Ints

# The constants of SplitMix64 (Steele, Lea & Flood 2014), which makes a random number of a number alone.
_STEP = np.uint64(0x9E3779B97F4A7C15)
_FIRST = np.uint64(0xBF58476D1CE4E5B9)
_SECOND = np.uint64(0x94D049BB133111EB)
_30, _27, _31, _11 = (np.uint64(bits) for bits in (30, 27, 31, 11))

AGAIN = 8
"""How often what was drawn twice is drawn anew. In a small graph, the most popular nodes are had by most."""


@compiled
def mixed(state: np.uint64) -> np.uint64:
    """A number of 64 random bits that ``state`` alone decides."""
    state = (state ^ (state >> _30)) * _FIRST
    state = (state ^ (state >> _27)) * _SECOND
    return state ^ (state >> _31)


@compiled
def uniform(state: np.uint64) -> float:
    """A number between 0 and 1, both excluded, that ``state`` alone decides."""
    return (np.float64(mixed(state) >> _11) + 0.5) * 2.0**-53


@compiled
def _start(seed: int, row: int) -> np.uint64:
    """Where the random numbers of a row begin; the next ones are each ``_STEP`` further."""
    return mixed(mixed(np.uint64(seed)) + np.uint64(row) * _STEP)


@compiled
def _targets(
    seed: int, row: int, size: int, columns: int, sigma: float, multiplier: int, found: Array
) -> int:
    """Draw ``size`` columns for a row into ``found``, ascending; how many there are in the end.

    A column that is there already, or is ``row``, is drawn anew, ``AGAIN`` times at most.

    How often a column is drawn is lognormal over the columns, with the standard deviation ``sigma`` of its
    logarithm: the most popular of seven million has 0.3 % of all draws at 2.46. A lognormal that is weighted
    by itself is one whose logarithm is shifted by sigma², so the popularity of a draw is normal around sigma.
    The column of popularity rank r is r · ``multiplier`` modulo ``columns``, so popular ones are anywhere.
    """
    state, kept, tries = _start(seed, row), 0, 0
    while kept < size and tries <= AGAIN:
        for place in range(kept, size):
            # Box & Muller 1958.
            radius = math.sqrt(-2.0 * math.log(uniform(state)))
            normal = radius * math.cos(2.0 * math.pi * uniform(state + _STEP)) + sigma
            state += _STEP + _STEP
            rank = min(int(columns * 0.5 * math.erfc(normal / math.sqrt(2.0))), columns - 1)
            found[place] = rank * multiplier % columns
        found[:size].sort()
        kept, last, tries = 0, -1, tries + 1
        for place in range(size):
            column = found[place]
            if column not in (last, row):
                found[kept] = column
                kept += 1
            last = column
    return kept


@compiled
def count_targets(
    drawn: Array, first: int, end: int, seed: int, sigma: float, multiplier: int, counts: Array
) -> None:
    """Set ``counts`` to the number of columns that the rows from ``first`` to ``end`` have in a graph."""
    found = np.empty(max(drawn[first:end].max(), 1), np.int64)
    for row in range(first, end):
        counts[row] = _targets(seed, row, drawn[row], len(drawn), sigma, multiplier, found)


@compiled
def fill_targets(
    drawn: Array, first: int, end: int, seed: int, sigma: float, multiplier: int, indptr: Ints, indices: Array
) -> None:
    """Fill the rows that ``count_targets`` counted."""
    found = np.empty(max(drawn[first:end].max(), 1), np.int64)
    for row in range(first, end):
        count = _targets(seed, row, drawn[row], len(drawn), sigma, multiplier, found)
        indices[indptr[row] : indptr[row + 1]] = found[:count]


@compiled
def count_columns(indices: Array, first: int, end: int, counts: Array) -> None:
    """Add to ``counts`` how often each column stands at the places from ``first`` to ``end``."""
    for place in range(first, end):
        counts[indices[place]] += 1


@compiled
def transpose(indptr: Ints, indices: Array, first: int, end: int, free: Ints, transposed: Array) -> None:
    """Put the rows from ``first`` to ``end`` into the rows of the transposed table.

    ``free``: where each of those goes on, which this moves. Rows come in their order, so they ascend there.
    """
    for row in range(first, end):
        for place in range(indptr[row], indptr[row + 1]):
            column = indices[place]
            transposed[free[column]] = row
            free[column] += 1


@compiled
def count_union(
    indptr: Ints,
    indices: Array,
    other_indptr: Ints,
    other_indices: Array,
    first: int,
    end: int,
    counts: Array,
) -> None:
    """Set ``counts`` to the number of columns that the rows of two tables have together."""
    nowhere = np.empty(0, np.int32)
    for row in range(first, end):
        own, other = (indptr[row], indptr[row + 1]), (other_indptr[row], other_indptr[row + 1])
        counts[row] = _merge(indices, own, other_indices, other, nowhere, 0)


@compiled
def fill_union(
    indptr: Ints,
    indices: Array,
    other_indptr: Ints,
    other_indices: Array,
    first: int,
    end: int,
    united_indptr: Ints,
    united: Array,
) -> None:
    """Fill the rows that ``count_union`` counted."""
    for row in range(first, end):
        own, other = (indptr[row], indptr[row + 1]), (other_indptr[row], other_indptr[row + 1])
        _merge(indices, own, other_indices, other, united, united_indptr[row])


@compiled
def _merge(
    left: Array, own: tuple[int, int], right: Array, other: tuple[int, int], united: Array, start: int
) -> int:
    """Write the columns of two rows from ``start`` on, unless ``united`` is empty; how many they are."""
    a, b, place = own[0], other[0], start
    while a < own[1] or b < other[1]:
        if b == other[1] or (a < own[1] and left[a] <= right[b]):
            column = left[a]
            b += b < other[1] and right[b] == column
            a += 1
        else:
            column = right[b]
            b += 1
        if len(united) > 0:
            united[place] = column
        place += 1
    return place - start


@compiled
def fill_rows(
    indptr: Ints, indices: Array, first: int, end: int, seed: int, columns: int, skew: float, known: Array
) -> None:
    """Fill rows with columns from all over the table: a number in each of as many equal parts of it.

    ``skew``: 1 spreads them evenly, more has small columns preferred. ``known``: the columns that can be
    meant, ascending; empty for all of ``range(columns)``.
    """
    for row in range(first, end):
        state, size, last = _start(seed, row), indptr[row + 1] - indptr[row], -1
        for place in range(size):
            state += _STEP
            part = (place + uniform(state)) / size
            # After the one before, and so that there are enough for those behind.
            last = min(max(last + 1, int(columns * part**skew)), columns - size + place)
            indices[indptr[row] + place] = known[last] if len(known) > 0 else last


@compiled
def fill_above(indptr: Ints, indices: Array, first: int, end: int, seed: int, columns: int) -> None:
    """Fill rows with columns beyond the row's own number, small ones preferred."""
    for row in range(first, end):
        state, size, last = _start(seed, row), indptr[row + 1] - indptr[row], row
        for place in range(size):
            state += _STEP
            part = (place + uniform(state)) / size
            column = row + 1 + int((columns - row - 1) * part * part)
            last = min(max(last + 1, column), columns - size + place)
            indices[indptr[row] + place] = last


@compiled
def fill_weights(indptr: Ints, values: Array, first: int, end: int, seed: int) -> None:
    """Give rows weights as texts have them, few heavy and many light, and unit length."""
    for row in range(first, end):
        state, squares = _start(seed, row), 0.0
        for place in range(indptr[row], indptr[row + 1]):
            state += _STEP
            weight = 1.0 / math.sqrt(uniform(state) + 0.002)
            values[place] = weight
            squares += weight * weight
        length = math.sqrt(squares)
        for place in range(indptr[row], indptr[row + 1]):
            values[place] /= length


@compiled
def fill_counts(
    indptr: Ints, indices: Array, values: Array, first: int, end: int, seed: int, counts: Array
) -> None:
    """Give pairs the number of units that have both: the same for both orders, at most what either has."""
    for row in range(first, end):
        for place in range(indptr[row], indptr[row + 1]):
            column: Any = np.int64(indices[place])
            state = _start(seed + (min(row, column) << 16), max(row, column))
            both = int(1.0 / (0.0005 + 0.9995 * uniform(state)))
            values[place] = min(both, counts[row], counts[column])
