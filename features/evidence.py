"""Evidence: what the tables of a snapshot say about pairs of concepts."""

from __future__ import annotations

from functools import cached_property
from typing import NamedTuple

import numpy as np

from features import kernels
from features.gathering import Friends, Gathered, Overlap, gather, tables_of
from measures.arrays import Floats, Ints
from snapshots.errors import damaged
from snapshots.snapshot import Snapshot


class Matches(NamedTuple):
    """Each pair of titles: the sum of its words' best matches, and how many words it has. Four arrays [n]."""

    best_left: Floats
    left: Ints
    best_right: Floats
    right: Ints


class Evidence:
    """What a snapshot says about pairs of concepts, all of it gathered in one call.

    ``left`` and ``right``: the ids of the pairs' concepts, int64[n], all of them rows of the snapshot
    (``features.extract`` checks). Everything returned is of length n, but for the evidence about words,
    where each pair of concepts has a block: every word of its left title beside every word of its right.
    ``gathered``: all of it, if it was gathered otherwise.

    Raises:
        DamagedSnapshot: a table is not what the kernels can read.
    """

    def __init__(self, snapshot: Snapshot, left: Ints, right: Ints, gathered: Gathered | None = None) -> None:
        self._all = _gathered(snapshot, left, right) if gathered is None else gathered
        self.universe = snapshot.universe
        self.sentences = snapshot.sentences
        self.paragraphs = snapshot.paragraphs

    @property
    def in_links(self) -> Overlap:
        """The concepts that link to both, to the left one, to the right one."""
        return self._all.in_links

    @property
    def out_links(self) -> Overlap:
        """The concepts that both link to, that the left one links to, that the right one does."""
        return self._all.out_links

    @property
    def links(self) -> Overlap:
        """The concepts that are linked, in either direction, with both, with the left, with the right one."""
        return self._all.links

    @property
    def categories(self) -> Overlap:
        """The categories of both, of the left one, of the right one."""
        return self._all.categories

    @property
    def friends_there(self) -> Friends:
        """How the left concept leads to the right one."""
        return self._all.friends_there

    @property
    def friends_back(self) -> Friends:
        """How the right concept leads to the left one."""
        return self._all.friends_back

    @property
    def paragraph_counts(self) -> Overlap:
        """The paragraphs of the annotated text with both concepts, with the left one, with the right one."""
        return self._all.paragraph_counts

    @property
    def context_dots(self) -> Floats:
        """The dot products of the concepts' PMI vectors."""
        return self._all.context_dots

    @property
    def tfidf_dots(self) -> Floats:
        """The dot products of the articles' tf-idf vectors."""
        return self._all.tfidf_dots

    @property
    def esa_dots(self) -> Floats:
        """The dot products of the articles' ESA vectors."""
        return self._all.esa_dots

    @property
    def sentence_counts(self) -> Overlap:
        """Of each word beside another: the sentences with both words, with the one, with the other."""
        return self._all.sentence_counts

    @property
    def word_dots(self) -> Floats:
        """Of each word beside another: the dot product of their vectors, 1 for a word with itself.

        A word without a vector has the zero vector, and gives 0 even with itself.
        """
        return self._all.word_dots

    def matches(self, relatedness: Floats) -> Matches:
        """The best match of each title word in the other title, by a relatedness of each word beside another.

        A word that the snapshot does not know has the relatedness 0 with every word.
        """
        left, right, left_length, right_length = self._all.titles
        best_left, best_right = kernels.best_matches(
            relatedness, self._all.blocks, left, right, *self._floors
        )
        return Matches(best_left, left_length, best_right, right_length)

    @cached_property
    def _floors(self) -> tuple[Floats, Floats]:
        """The least that the best match of a left word in the right title can be, and of a right word."""
        left, right, left_length, right_length = self._all.titles
        return _floor(right, right_length), _floor(left, left_length)


def _gathered(snapshot: Snapshot, left: Ints, right: Ints) -> Gathered:
    try:
        return gather(tables_of(snapshot), left, right)
    except IndexError:
        raise damaged(snapshot.folder / "title_words", "words of titles are not in the vocabulary") from None


def _floor(known: Ints, length: Ints) -> Floats:
    """The least that a word's best match in a title can be.

    0 where the title has a word without statistics, which scores 0 with every word, or no word at all;
    otherwise the words' own values decide.
    """
    return np.where((known < length) | (known == 0), 0.0, -np.inf)
