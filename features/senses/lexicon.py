"""What a snapshot knows of words, and of texts as collections of words."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

import measures
from features import kernels
from features.senses.lru import CachedFunction
from measures.arrays import Floats, Ints
from snapshots.csr import CSR
from snapshots.snapshot import Snapshot
from snapshots.stop_words import base_language, stop_words_of
from snapshots.text import words as cut

PMI_AXES = 1_000
"""The axes of the PMI vectors of words: the most frequent words that are no stop words."""

MINIMUM_SENTENCES = 3
"""A word that stands in fewer sentences with the word of an axis has nothing there: once may be chance."""

LETTERS = 2
"""Letters of a word, at the most, that may be a mere initial."""

_SPELT = re.compile(r"[^\W\d_][^\W_]*")
_GREAT_NOUNS = frozenset(("als", "bar", "de", "ksh", "lb", "nds", "pdc", "pfl", "stq"))
"""Languages that write every noun with a capital."""

KEPT_WORDS = 4 << 20
KEPT_ESA = 10 << 20
KEPT_PMI_VECTORS = 8 << 20
"""Bytes of terms as words, of terms as ESA vectors (of each of the two kinds) and of words' PMI vectors that
are kept ready: together 32 MB. The vector of a short term takes tens of kilobytes, that of a long one 300."""


@dataclass(frozen=True, slots=True)
class TermWords:
    """A term as its words.

    ``tokens``: how many words it has in all. ``ids`` int64[k]: its different words that count and that the
    snapshot knows, ascending; ``counts`` float64[k]: how often each stands in it. ``distinct``: its different
    words that count, the unknown ones included; ``known`` and ``unknown``: they themselves. Stop words do not
    count, unless the term has no other word ("The Who").
    """

    tokens: int
    ids: Ints
    counts: Floats
    distinct: int
    known: tuple[str, ...]
    unknown: tuple[str, ...]

    def bytes(self) -> int:
        """About the memory that it takes."""
        spelt = sum(80 + 4 * len(word) for word in (*self.known, *self.unknown))
        return 300 + self.ids.nbytes + self.counts.nbytes + spelt


@dataclass(frozen=True, slots=True)
class SparseVector:
    """A vector of few entries: ``indices`` int64[k], ascending, and their ``values`` float64[k]."""

    indices: Ints
    values: Floats

    def bytes(self) -> int:
        """About the memory that it takes."""
        return 250 + self.indices.nbytes + self.values.nbytes

    @property
    def length(self) -> float:
        """Its Euclidean length."""
        return float(np.sqrt(np.square(self.values).sum()))


class Lexicon:
    """The words of a snapshot and their vectors. Reads only; usable from several threads."""

    def __init__(self, snapshot: Snapshot) -> None:
        self.snapshot = snapshot
        self.sentences = snapshot.sentences
        self.counts: NDArray[Any] = snapshot.array("word_counts")
        self.vectors: NDArray[Any] = snapshot.array("word_vectors")
        self.pairs = snapshot.csr("word_pairs")
        self._ids: Any = snapshot.trie("words", "<I")
        self._stop_words = stop_words_of(snapshot.manifest)
        self._language = base_language(snapshot.manifest.language)
        self.words = CachedFunction(self._words, KEPT_WORDS, TermWords.bytes)
        self.esa = CachedFunction(self._esa, KEPT_ESA, SparseVector.bytes)
        self.weighted_esa = CachedFunction(self._weighted_esa, KEPT_ESA, SparseVector.bytes)
        self.pmi_vector = CachedFunction(self._pmi_vector, KEPT_PMI_VECTORS, SparseVector.bytes)

    @cached_property
    def postings(self) -> CSR:
        """The ESA vectors of words: words by universe.

        A snapshot without them has the columns of its tf-idf table in their place, which are the same but for
        the articles that a build cuts: turned once, when first asked for.
        """
        table = self.snapshot.csr("postings")
        return table if table.entries else _transposed(self.snapshot.csr("tfidf").checked())

    def _words(self, term: str) -> TermWords:
        """The words of a term."""
        spelt = cut(term)
        counted = [word for word in spelt if word not in self._stop_words] or spelt
        numbers: dict[int, int] = {}
        known: dict[str, None] = {}
        unknown: dict[str, None] = {}
        for word in counted:
            records = self._ids.get(word)
            if records:
                numbers[records[0][0]] = numbers.get(records[0][0], 0) + 1
                known[word] = None
            else:
                unknown[word] = None
        ids = np.array(sorted(numbers), np.int64)
        counts = np.array([numbers[int(word)] for word in ids], np.float64)
        return TermWords(len(spelt), ids, counts, len(set(counted)), tuple(known), tuple(unknown))

    def is_of_stop_words(self, term: str) -> bool:
        """Whether a term has no word but stop words: they say how a sentence is built, and of nothing."""
        return self._stop_words.issuperset(cut(term))

    def is_of_letters(self, term: str) -> bool:
        """Whether the words of a term are mere letters (``are_letters``)."""
        return are_letters(term, [*self.words(term).known, *self.words(term).unknown])

    def is_name(self, term: str) -> bool:
        """Whether a term of two words or more is written as a name: with capitals but for stop words.

        Where nouns have them anyway, they do not tell.
        """
        spelt = _SPELT.findall(term)
        great = sum(word[0].isupper() for word in spelt)
        small = [word for word in spelt if word[0].islower() and word not in self._stop_words]
        return great > 1 and not small and self._language not in _GREAT_NOUNS

    def idf(self, ids: Ints) -> Floats:
        """The inverse document frequency of each word, with sentences as documents: float64[k]."""
        return measures.idf(self.counts[ids], self.sentences)

    def _esa(self, term: str) -> SparseVector:
        """The sum of the ESA vectors of a term's words."""
        words = self.words(term)
        return self._sum_of_postings(words.ids, words.counts)

    def _weighted_esa(self, term: str) -> SparseVector:
        """The same of vectors of unit length, each times its word's idf."""
        words = self.words(term)
        lengths = np.array([np.sqrt(np.square(self.postings.row_values(word)).sum()) for word in words.ids])
        weights = words.counts * self.idf(words.ids)
        return self._sum_of_postings(words.ids, weights / np.where(lengths > 0, lengths, 1.0))

    def _sum_of_postings(self, ids: Ints, weights: Floats) -> SparseVector:
        table = self.postings
        rows = [(int(word), weight) for word, weight in zip(ids, weights, strict=True) if word < table.rows]
        if not rows:
            return SparseVector(np.zeros(0, np.int64), np.zeros(0))
        columns = np.concatenate([table.row(word) for word, _ in rows])
        values = np.concatenate([table.row_values(word) * weight for word, weight in rows])
        indices, place = np.unique(columns, return_inverse=True)
        return SparseVector(
            indices.astype(np.int64), np.bincount(place, values, len(indices)).astype(np.float64)
        )

    def word2vec(self, ids: Ints, weights: Floats) -> Floats:
        """The weighted sum of the word2vec vectors of some words: float64[dimensions]."""
        with_vector = ids < len(self.vectors)
        vectors = self.vectors[ids[with_vector]].astype(np.float64)
        return np.asarray((vectors * weights[with_vector, np.newaxis]).sum(axis=0), np.float64)

    @cached_property
    def _axes(self) -> Ints:
        """The words whose PMI with a word is its PMI vector: int64[at most PMI_AXES], ascending."""
        stopped = {records[0][0] for word in self._stop_words if (records := self._ids.get(word))}
        ids = np.arange(min(PMI_AXES + len(stopped), len(self.counts)))
        return ids[~np.isin(ids, sorted(stopped))][:PMI_AXES]

    def _pmi_vector(self, word: int) -> SparseVector:
        """The positive PMI of a word with the word of each axis, unit length: its second-order vector."""
        axes = self._axes
        both = self.sentences_with_both(np.full(len(axes), word, np.int64), axes)
        often = np.flatnonzero(both >= MINIMUM_SENTENCES)
        counts = self.counts[word], self.counts[axes[often]]
        values = measures.positive_pmi(both[often], *counts, self.sentences)
        length = np.sqrt(np.square(values).sum())
        return SparseVector(often.astype(np.int64), values / (length or 1.0))

    def sentences_with_both(self, left: Ints, right: Ints) -> Floats:
        """The sentences with both words of each pair: float64[n]; a word is always with itself."""
        table = self.pairs
        first, second = np.minimum(left, right), np.maximum(left, right)
        both = kernels.entries(table.indptr, table.indices, table.values, first, second) * table.scale
        return np.where(left == right, self.counts[left], both)


def are_letters(term: str, said: Sequence[str]) -> bool:
    """Whether the words of a term are mere letters: one or two each, in capitals or with signs between.

    "AC/DC" and "R&B" are names that have been cut to pieces; "ox" and "co-ed" are words. So are two letters
    of a script without capitals. ``said``: the words.
    """
    if not said or not all(len(word) <= LETTERS and _has_cases(word) for word in said):
        return False
    return term != term.lower() or not "".join(term.replace("-", " ").split()).isalpha()


def _has_cases(word: str) -> bool:
    """Whether a word is of a script with capitals, or a number: two letters of others may well say a lot."""
    return any(map(str.isdigit, word)) or word != word.upper()


def _transposed(table: CSR) -> CSR:
    """The table with rows and columns exchanged."""
    rows = np.repeat(np.arange(table.rows), np.diff(table.indptr))
    turned = CSR.from_entries(table.indices, rows, table.values, shape=(table.columns, table.rows))
    return CSR(turned.indptr, turned.indices, turned.values, turned.columns, table.scale)
