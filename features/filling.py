"""Filling: the steps that write each kind of evidence into rows of an array, a column a pair.

``bound[0]`` are the tables, as ``features.kinds`` names them; ``evidence`` float64[k, n] is written from
``row`` on; ``left`` and ``right``, int64[n], are rows of the tables. What holds for all kernels is said in
``features.kernels``. Numbers are written one by one: to assign an array to a row takes as long in a call, and
seconds more to compile.
"""

from __future__ import annotations

import numpy as np

from features import kernels
from jit.compiled import compiled
from jit.steps import Bound, run
from measures.arrays import Array, Floats, Ints

Blocks = tuple[Ints, Ints, Ints, Ints]
"""Words beside words, int64[m] both; where the block of each pair starts and ends, int64[n + 1]; and of each
pair's titles, int64[4, n], how many known words each has, and how many words."""


@compiled
def overlap(bound: Bound, left: Ints, right: Ints, evidence: Floats, row: int) -> None:
    """What row ``left[i]`` of one table and row ``right[i]`` of another share, and their sizes."""
    (indptr, indices, values, scale), (other_indptr, other_indices, other_values, other_scale) = bound[0]
    dots = kernels.overlaps(indptr, indices, values, other_indptr, other_indices, other_values, left, right)
    for pair in range(len(left)):
        evidence[row, pair] = dots[pair] * (scale * other_scale)
        evidence[row + 1, pair] = indptr[left[pair] + 1] - indptr[left[pair]]
        evidence[row + 2, pair] = other_indptr[right[pair] + 1] - other_indptr[right[pair]]


@compiled
def direct_links(bound: Bound, left: Ints, right: Ints, evidence: Floats, row: int) -> None:
    """Whether row ``left[i]`` has the column ``right[i]``, and row ``right[i]`` the column ``left[i]``."""
    indptr, indices = bound[0]
    there = kernels.entries(indptr, indices, None, left, right)
    back = kernels.entries(indptr, indices, None, right, left)
    for pair in range(len(left)):
        evidence[row, pair] = there[pair]
        evidence[row + 1, pair] = back[pair]


@compiled
def co_occurrence(bound: Bound, left: Ints, right: Ints, evidence: Floats, row: int) -> None:
    """The units with both things, with the left and with the right one; a thing is always with itself.

    A table of co-occurrence is symmetric; it is read under the smaller id, where each kind of it has the
    pair, and so gives the same in both orders.
    """
    (indptr, indices, values, scale), counts = bound[0]
    both = kernels.entries(indptr, indices, values, np.minimum(left, right), np.maximum(left, right))
    for pair in range(len(left)):
        a, b = left[pair], right[pair]
        evidence[row, pair] = counts[a] if a == b else both[pair] * scale
        evidence[row + 1, pair] = counts[a]
        evidence[row + 2, pair] = counts[b]


@compiled
def vectors_dot(bound: Bound, left: Ints, right: Ints, evidence: Floats, row: int) -> None:
    """The dot product of the vectors of each pair; of a vector of unit length with itself it is 1."""
    vectors, unit = bound[0]
    dots = kernels.vector_dots(vectors, left, right)
    for pair in range(len(left)):
        # Rounded vectors are of unit length only nearly; a thing is itself exactly.
        itself = unit and left[pair] == right[pair] and dots[pair] > 0
        evidence[row, pair] = 1.0 if itself else dots[pair]


@compiled
def scaled_dot(bound: Bound, left: Ints, right: Ints, evidence: Floats, row: int) -> None:
    """As ``vectors_dot``, of scaled vectors."""
    (vectors, scales), unit = bound[0]
    dots = kernels.scaled_dots(vectors, scales, vectors, scales, left, right)
    for pair in range(len(left)):
        itself = unit and left[pair] == right[pair] and dots[pair] > 0
        evidence[row, pair] = 1.0 if itself else dots[pair]


@compiled
def scaled_dots_across(bound: Bound, left: Ints, right: Ints, evidence: Floats, row: int) -> None:
    """The dot products of one's vector in one table with the other's in another, and the other way about."""
    (vectors, scales), (others, other_scales) = bound[0]
    there = kernels.scaled_dots(vectors, scales, others, other_scales, left, right)
    back = kernels.scaled_dots(vectors, scales, others, other_scales, right, left)
    for pair in range(len(left)):
        evidence[row, pair] = there[pair]
        evidence[row + 1, pair] = back[pair]


@compiled
def total(bound: Bound, left: Ints, right: Ints, evidence: Floats, row: int) -> None:
    """The same number for each pair."""
    (count,) = bound[0]
    for pair in range(len(left)):
        evidence[row, pair] = count


@compiled
def title_blocks(
    indptr: Ints, indices: Array, lengths: Array, vocabulary: int, left: Ints, right: Ints
) -> Blocks:
    """Each known word of title ``left[i]`` beside each of title ``right[i]``, and what the titles have.

    Raises:
        IndexError: a word of a title is none of the vocabulary; the table of titles is damaged.
    """
    titles = np.empty((4, len(left)), np.int64)
    blocks = np.zeros(len(left) + 1, np.int64)
    for pair in range(len(left)):
        a, b = left[pair], right[pair]
        titles[0, pair] = indptr[a + 1] - indptr[a]
        titles[1, pair] = indptr[b + 1] - indptr[b]
        titles[2, pair] = lengths[a]
        titles[3, pair] = lengths[b]
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
    floors = np.empty((2, titles.shape[1]))
    for side in range(2):
        for pair in range(titles.shape[1]):
            known, length = titles[side, pair], titles[side + 2, pair]
            floors[side, pair] = 0.0 if known < length or known == 0 else -np.inf
    best = kernels.best_matches(relatedness, blocks, titles[0], titles[1], floors[1], floors[0])
    for side in range(2):
        for pair in range(titles.shape[1]):
            evidence[row + 2 * side, pair] = best[side][pair]
            evidence[row + 2 * side + 1, pair] = titles[side + 2, pair]


@compiled
def all_title_matches(bound: Bound, left: Ints, right: Ints, evidence: Floats, row: int) -> None:
    """``title_matches`` by each of some relatednesses of words, which are the last rows that steps write.

    Raises:
        IndexError: a word of a title is none of the vocabulary.
    """
    indptr, indices, lengths, vocabulary, calls, size, first = bound[0]
    words, others, blocks, titles = title_blocks(indptr, indices, lengths, vocabulary, left, right)
    of_words = run(calls, words, others, np.empty((size, len(words))))
    for place in range(size - first):
        title_matches(of_words[first + place], blocks, titles, evidence, row + 4 * place)
