"""Evidence: what the tables of a snapshot say about pairs of concepts."""

from __future__ import annotations

from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from features import kernels
from tables.csr import CSR
from tables.snapshot import Snapshot

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


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


class Matches(NamedTuple):
    """Each pair of titles: the sum of its words' best matches, and how many words it has. Four arrays [n]."""

    best_left: Floats
    left: Ints
    best_right: Floats
    right: Ints


class Evidence:
    """What a snapshot says about pairs of concepts. Each part is read when first asked for, and kept.

    ``left`` and ``right``: the ids of the pairs' concepts, int64[n], all of them rows of the snapshot
    (``features.extract`` checks). Everything returned is of length n, but for the evidence about words,
    where each pair of concepts has a block: every word of its left title beside every word of its right.
    """

    def __init__(self, snapshot: Snapshot, left: Ints, right: Ints) -> None:
        self._snapshot = snapshot
        self._left = left
        self._right = right
        self.universe = snapshot.universe
        self.sentences = snapshot.sentences
        self.paragraphs = snapshot.paragraphs

    @cached_property
    def in_links(self) -> Overlap:
        """The concepts that link to both, to the left one, to the right one."""
        return self._overlap("in_links")

    @cached_property
    def out_links(self) -> Overlap:
        """The concepts that both link to, that the left one links to, that the right one does."""
        return self._overlap("out_links")

    @cached_property
    def links(self) -> Overlap:
        """The concepts that are linked, in either direction, with both, with the left, with the right one."""
        return self._overlap("links")

    @cached_property
    def categories(self) -> Overlap:
        """The categories of both, of the left one, of the right one."""
        return self._overlap("categories")

    @cached_property
    def friends_there(self) -> Friends:
        """How the left concept leads to the right one."""
        return self._friends(self._left, self._right, self.out_links.left)

    @cached_property
    def friends_back(self) -> Friends:
        """How the right concept leads to the left one."""
        return self._friends(self._right, self._left, self.out_links.right)

    @cached_property
    def paragraph_counts(self) -> Overlap:
        """The paragraphs of the annotated text with both concepts, with the left one, with the right one."""
        counts = self._snapshot.array("concept_counts")
        return _co_occurrence(self._snapshot.csr("comentions"), counts, self._left, self._right)

    @cached_property
    def context_dots(self) -> Floats:
        """The dot products of the concepts' PMI vectors."""
        return self._dots("contexts")

    @cached_property
    def tfidf_dots(self) -> Floats:
        """The dot products of the articles' tf-idf vectors."""
        return self._dots("tfidf")

    @cached_property
    def esa_dots(self) -> Floats:
        """The dot products of the articles' ESA vectors."""
        return self._dots("esa")

    @cached_property
    def sentence_counts(self) -> Overlap:
        """Of each word beside another: the sentences with both words, with the one, with the other."""
        left, right = self._words
        counts = self._snapshot.array("word_counts")
        return _co_occurrence(self._snapshot.csr("word_pairs"), counts, left, right)

    @cached_property
    def word_dots(self) -> Floats:
        """Of each word beside another: the dot product of their vectors, 1 for a word with itself.

        A word without a vector has the zero vector, and gives 0 even with itself.
        """
        left, right = self._words
        dots = kernels.vector_dots(self._snapshot.array("word_vectors"), left, right)
        # Rounded vectors are of unit length only nearly; a word is itself exactly.
        return np.where((left == right) & (dots > 0), 1.0, dots)

    def matches(self, relatedness: Floats) -> Matches:
        """The best match of each title word in the other title, by a relatedness of each word beside another.

        A word that the snapshot does not know has the relatedness 0 with every word.
        """
        left, right = self._title_words
        lengths = self._snapshot.array("title_lengths")
        left_length, right_length = lengths[self._left], lengths[self._right]
        best_left, best_right = kernels.best_matches(
            relatedness, self._blocks, left, right, _floor(right, right_length), _floor(left, left_length)
        )
        return Matches(best_left, left_length, best_right, right_length)

    @cached_property
    def _title_words(self) -> tuple[Ints, Ints]:
        """How many known words the left and the right titles have."""
        table = self._snapshot.csr("title_words")
        return table.sizes(self._left), table.sizes(self._right)

    @cached_property
    def _blocks(self) -> Ints:
        """Where the block of each pair starts and ends in the evidence about words: int64[n + 1]."""
        left, right = self._title_words
        offsets = np.zeros(len(left) + 1, np.int64)
        np.cumsum(left * right, out=offsets[1:])
        return offsets

    @cached_property
    def _words(self) -> tuple[Ints, Ints]:
        """The words of each block: every word of the left title beside every word of the right one."""
        table = self._snapshot.csr("title_words")
        return kernels.row_products(table.indptr, table.indices, self._left, self._right, self._blocks)

    def _overlap(self, name: str) -> Overlap:
        table = self._snapshot.csr(name)
        both = _overlaps(table, table, self._left, self._right)
        return Overlap(both, table.sizes(self._left), table.sizes(self._right))

    def _dots(self, name: str) -> Floats:
        table = self._snapshot.csr(name)
        return _overlaps(table, table, self._left, self._right)

    def _friends(self, source: Ints, target: Ints, out_links: Ints) -> Friends:
        outward, inward = self._snapshot.csr("out_links"), self._snapshot.csr("in_links")
        links = _entries(outward, source, target) > 0
        return Friends(links, _overlaps(outward, inward, source, target), out_links)


def _overlaps(left_table: CSR, right_table: CSR, left: Ints, right: Ints) -> Floats:
    """The dot products of rows of two tables; without values, how many columns they share."""
    dots = kernels.overlaps(
        left_table.indptr,
        left_table.indices,
        left_table.values,
        right_table.indptr,
        right_table.indices,
        right_table.values,
        left,
        right,
    )
    return dots * (left_table.scale * right_table.scale)


def _entries(table: CSR, rows: Ints, columns: Ints) -> Floats:
    """Single entries of a table, 0 where there is none."""
    return kernels.entries(table.indptr, table.indices, table.values, rows, columns) * table.scale


def _co_occurrence(pairs: CSR, counts: NDArray[Any], left: Ints, right: Ints) -> Overlap:
    """The units with both things, with the left and with the right one; a thing is always with itself.

    A table of co-occurrence is symmetric; it is read under the smaller id, where each kind of it has the
    pair, and so gives one answer for both orders.
    """
    left_count, right_count = counts[left], counts[right]
    both = _entries(pairs, np.minimum(left, right), np.maximum(left, right))
    return Overlap(np.where(left == right, left_count, both), left_count, right_count)


def _floor(known: Ints, length: NDArray[Any]) -> Floats:
    """The least that a word's best match in a title can be.

    0 where the title has a word without statistics, which scores 0 with every word, or no word at all;
    otherwise the words' own values decide.
    """
    return np.where((known < length) | (known == 0), 0.0, -np.inf)
