"""Gathering: all that the tables of a snapshot say about pairs of concepts, in one call.

Everything is counted here, and nothing is measured: what comes out are counts and dots, an array of each. It
is done a table after another, and in each for all pairs: so the rows of the next pair are on their way from
memory while those of one are compared, which took a third less time than all tables of one pair after those
of the other. As for all kernels, swapping a pair changes no bit, and row numbers are trusted. Those of words
are columns of the table of titles, and are checked.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from features import kernels
from jit.compiled import compiled
from measures.arrays import Array, Floats, Ints
from snapshots.layout import TABLES
from snapshots.snapshot import Snapshot

_SPARSE = {table.name for table in TABLES if table.columns is not None}


class Rows(NamedTuple):
    """A sparse table as kernels take it. What a value means is ``scale`` times what it is."""

    indptr: Ints
    indices: Array
    values: Array | None
    scale: float


class Tables(NamedTuple):
    """The tables that the sixteen features rest on, as ``snapshots.layout`` names them."""

    in_links: Rows
    out_links: Rows
    links: Rows
    categories: Rows
    comentions: Rows
    contexts: Rows
    tfidf: Rows
    esa: Rows
    title_words: Rows
    word_pairs: Rows
    concept_counts: Array
    title_lengths: Array
    word_counts: Array
    word_vectors: Array


class Overlap(NamedTuple):
    """Counts of each pair: what its two sides share, and what each has. Three float64 or int64[n]."""

    both: NDArray[Any]
    left: NDArray[Any]
    right: NDArray[Any]


class Friends(NamedTuple):
    """One direction of each pair a, b: whether a links to b, #(out(a)∩in(b)), #out(a). Three arrays [n]."""

    links: NDArray[np.bool_]
    friends: Floats
    out_links: Ints


class Titles(NamedTuple):
    """Of each pair's titles: how many known words each has, and how many words. Four int64[n]."""

    left_known: Ints
    right_known: Ints
    left: Ints
    right: Ints


class Gathered(NamedTuple):
    """All evidence of pairs; ``features.evidence`` says what each part is.

    ``sentence_counts`` and ``word_dots`` have a block a pair: every known word of its left title beside every
    one of its right title. ``blocks`` int64[n + 1]: where the block of each pair starts and ends.
    """

    in_links: Overlap
    out_links: Overlap
    links: Overlap
    categories: Overlap
    friends_there: Friends
    friends_back: Friends
    paragraph_counts: Overlap
    context_dots: Floats
    tfidf_dots: Floats
    esa_dots: Floats
    titles: Titles
    blocks: Ints
    sentence_counts: Overlap
    word_dots: Floats


def tables_of(snapshot: Snapshot) -> Tables:
    """The arrays of a snapshot's tables."""
    read: list[Any] = [
        _rows(snapshot, name) if name in _SPARSE else snapshot.array(name) for name in Tables._fields
    ]
    return Tables(*read)


def _rows(snapshot: Snapshot, name: str) -> Rows:
    table = snapshot.csr(name)
    return Rows(table.indptr, table.indices, table.values, table.scale)


@compiled
def gather(tables: Tables, left: Ints, right: Ints) -> Gathered:
    """What is known of the concepts ``left[i]`` and ``right[i]``, int64[n] both, for each i.

    Raises:
        IndexError: a word of a title is none of the vocabulary; the table of titles is damaged.
    """
    titles = _titles(tables.title_words, tables.title_lengths, left, right)
    blocks = np.zeros(len(left) + 1, np.int64)
    for pair in range(len(left)):
        blocks[pair + 1] = blocks[pair] + titles.left_known[pair] * titles.right_known[pair]
    words, others = kernels.row_products(
        tables.title_words.indptr, tables.title_words.indices, left, right, blocks
    )
    kernels.check_places(words, len(tables.word_counts))
    kernels.check_places(others, len(tables.word_counts))
    return Gathered(
        _overlap(tables.in_links, left, right),
        _overlap(tables.out_links, left, right),
        _overlap(tables.links, left, right),
        _overlap(tables.categories, left, right),
        _friends(tables.out_links, tables.in_links, left, right),
        _friends(tables.out_links, tables.in_links, right, left),
        _co_occurrence(tables.comentions, tables.concept_counts, left, right),
        _dots(tables.contexts, tables.contexts, left, right),
        _dots(tables.tfidf, tables.tfidf, left, right),
        _dots(tables.esa, tables.esa, left, right),
        titles,
        blocks,
        _co_occurrence(tables.word_pairs, tables.word_counts, words, others),
        _word_dots(tables.word_vectors, words, others),
    )


@compiled
def _overlap(table: Rows, left: Ints, right: Ints) -> Overlap:
    """What two rows of a table share."""
    return Overlap(_dots(table, table, left, right), _sizes(table, left), _sizes(table, right))


@compiled
def _friends(outward: Rows, inward: Rows, source: Ints, target: Ints) -> Friends:
    links = kernels.entries(outward.indptr, outward.indices, outward.values, source, target) > 0
    return Friends(links, _dots(outward, inward, source, target), _sizes(outward, source))


@compiled
def _dots(table: Rows, other: Rows, left: Ints, right: Ints) -> Floats:
    """The dot products of rows of two tables; without values, how many columns they share."""
    dots = kernels.overlaps(
        table.indptr, table.indices, table.values, other.indptr, other.indices, other.values, left, right
    )
    return dots * (table.scale * other.scale)


@compiled
def _sizes(table: Rows, rows: Ints) -> Ints:
    return table.indptr[rows + 1] - table.indptr[rows]


@compiled
def _co_occurrence(pairs: Rows, counts: Array, left: Ints, right: Ints) -> Overlap:
    """The units with both things, with the left and with the right one; a thing is always with itself.

    A table of co-occurrence is symmetric; it is read under the smaller id, where each kind of it has the
    pair, and so gives one answer for both orders.
    """
    smaller, larger = np.minimum(left, right), np.maximum(left, right)
    both = kernels.entries(pairs.indptr, pairs.indices, pairs.values, smaller, larger) * pairs.scale
    return Overlap(np.where(left == right, counts[left], both), counts[left], counts[right])


@compiled
def _titles(words: Rows, lengths: Array, left: Ints, right: Ints) -> Titles:
    return Titles(_sizes(words, left), _sizes(words, right), lengths[left], lengths[right])


@compiled
def _word_dots(vectors: Array, words: Ints, others: Ints) -> Floats:
    """The dot products of words' vectors; that of a word with itself is 1, if it has a vector."""
    dots = kernels.vector_dots(vectors, words, others)
    # Rounded vectors are of unit length only nearly; a word is itself exactly.
    return np.where((words == others) & (dots > 0), 1.0, dots)
