"""Filling: kernels that write each kind of evidence into rows of an array, a column a pair.

``evidence`` float64[k, n] is written from ``row`` on; ``left`` and ``right``, int64[n], are rows of the
tables. What holds for all kernels is said in ``features.kernels``.
"""

from __future__ import annotations

import numpy as np

from features import kernels
from jit.compiled import compiled
from measures.arrays import Array, Floats, Ints

Blocks = tuple[Ints, Ints, Ints, Ints]
"""Words beside words, int64[m] both; where the block of each pair starts and ends, int64[n + 1]; and of each
pair's titles, int64[4, n], how many known words each has, and how many words."""


@compiled
def overlap(
    indptr: Ints,
    indices: Array,
    values: Array | None,
    scale: float,
    other_indptr: Ints,
    other_indices: Array,
    other_values: Array | None,
    other_scale: float,
    left: Ints,
    right: Ints,
    evidence: Floats,
    row: int,
) -> None:
    """What row ``left[i]`` of one table and row ``right[i]`` of another share, and their sizes."""
    dots = kernels.overlaps(indptr, indices, values, other_indptr, other_indices, other_values, left, right)
    evidence[row] = dots * (scale * other_scale)
    evidence[row + 1] = indptr[left + 1] - indptr[left]
    evidence[row + 2] = other_indptr[right + 1] - other_indptr[right]


@compiled
def direct_links(indptr: Ints, indices: Array, left: Ints, right: Ints, evidence: Floats, row: int) -> None:
    """Whether row ``left[i]`` has the column ``right[i]``, and row ``right[i]`` the column ``left[i]``."""
    evidence[row] = kernels.entries(indptr, indices, None, left, right)
    evidence[row + 1] = kernels.entries(indptr, indices, None, right, left)


@compiled
def co_occurrence(
    indptr: Ints,
    indices: Array,
    values: Array | None,
    scale: float,
    counts: Array,
    left: Ints,
    right: Ints,
    evidence: Floats,
    row: int,
) -> None:
    """The units with both things, with the left and with the right one; a thing is always with itself.

    A table of co-occurrence is symmetric; it is read under the smaller id, where each kind of it has the
    pair, and so gives the same in both orders.
    """
    both = kernels.entries(indptr, indices, values, np.minimum(left, right), np.maximum(left, right)) * scale
    evidence[row] = np.where(left == right, counts[left], both)
    evidence[row + 1] = counts[left]
    evidence[row + 2] = counts[right]


@compiled
def vectors_dot(vectors: Array, unit: bool, left: Ints, right: Ints, evidence: Floats, row: int) -> None:
    """The dot product of the vectors of each pair; of a vector of unit length with itself it is 1."""
    dots = kernels.vector_dots(vectors, left, right)
    # Rounded vectors are of unit length only nearly; a thing is itself exactly.
    evidence[row] = np.where(unit & (left == right) & (dots > 0), 1.0, dots)


@compiled
def title_blocks(
    indptr: Ints, indices: Array, lengths: Array, vocabulary: int, left: Ints, right: Ints
) -> Blocks:
    """Each known word of title ``left[i]`` beside each of title ``right[i]``, and what the titles have.

    Raises:
        IndexError: a word of a title is none of the vocabulary; the table of titles is damaged.
    """
    titles = np.empty((4, len(left)), np.int64)
    titles[0] = indptr[left + 1] - indptr[left]
    titles[1] = indptr[right + 1] - indptr[right]
    titles[2] = lengths[left]
    titles[3] = lengths[right]
    blocks = np.zeros(len(left) + 1, np.int64)
    for pair in range(len(left)):
        blocks[pair + 1] = blocks[pair] + titles[0, pair] * titles[1, pair]
    words, others = kernels.row_products(indptr, indices, left, right, blocks)
    kernels.check_places(words, vocabulary)
    kernels.check_places(others, vocabulary)
    return words, others, blocks, titles


@compiled
def title_matches(relatedness: Floats, blocks: Ints, titles: Ints, evidence: Floats, row: int) -> None:
    """The sums of the best matches of the words of both titles of each pair, and how many words each has.

    The least that a word's best match can be is 0 where the other title has a word without statistics, which
    scores 0 with every word, or no word at all; otherwise the words' own values decide.
    """
    left, right, left_length, right_length = titles[0], titles[1], titles[2], titles[3]
    row_floors = np.where((right < right_length) | (right == 0), 0.0, -np.inf)
    column_floors = np.where((left < left_length) | (left == 0), 0.0, -np.inf)
    best_left, best_right = kernels.best_matches(relatedness, blocks, left, right, row_floors, column_floors)
    evidence[row] = best_left
    evidence[row + 1] = left_length
    evidence[row + 2] = best_right
    evidence[row + 3] = right_length
