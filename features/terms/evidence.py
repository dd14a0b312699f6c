"""Evidence about terms: what the tables of a snapshot say about pairs of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

import measures
from features import kernels
from features.extract import extract
from features.feature import ConceptFeature
from features.senses.choosing import ChosenSenses
from features.senses.lexicon import Lexicon, SparseVector, TermWords
from features.terms.encoded import EncodedTexts
from features.terms.kernels import block_sums
from measures.arrays import Floats, Ints


class Counts(NamedTuple):
    """Of each pair: what its two sides share, and what each has. Three float64 or int64[n]."""

    both: NDArray[Any]
    left: NDArray[Any]
    right: NDArray[Any]


class Matches(NamedTuple):
    """Each pair of terms: the sum of its words' best matches, and how many words it has. Four arrays [n]."""

    best_left: Floats
    left: Ints
    best_right: Floats
    right: Ints


class PairSums(NamedTuple):
    """Each pair of terms: the sum over its words, each beside each, and how many words it has. Arrays [n]."""

    total: Floats
    left: Ints
    right: Ints


class DotProducts(NamedTuple):
    """Two vectors of each pair: their dot product and their lengths. Three float64[n]."""

    dot: Floats
    left: Floats
    right: Floats


class TermEvidence:
    """What a snapshot says about pairs of terms. Each part is read when first asked for, and kept.

    ``left`` and ``right``: the terms, [n] each; ``chosen``: the senses that were chosen for each pair;
    ``compared``: the features of concepts that ``sense`` is asked for. ``encoded``: vectors of texts, and
    ``texts``: what is encoded of the two sides of each pair, [n] each; ``named``: the articles that the sides
    name by themselves, int64[n] each, -1 for none.
    Everything returned is of length n, but for the evidence about words, where each pair of terms has a
    block: every known word of its left term beside every known word of its right one.
    """

    def __init__(
        self,
        lexicon: Lexicon,
        left: Sequence[str],
        right: Sequence[str],
        chosen: ChosenSenses,
        compared: Sequence[ConceptFeature] = (),
        encoded: EncodedTexts | None = None,
        texts: tuple[Sequence[str], Sequence[str]] = ((), ()),
        named: tuple[Ints, Ints] | None = None,
    ) -> None:
        self._lexicon = lexicon
        self._encoded = encoded
        self._texts = texts
        self._named = named
        self._terms = {term: number for number, term in enumerate(dict.fromkeys((*left, *right)))}
        self._left = np.array([self._terms[term] for term in left], np.int64)
        self._right = np.array([self._terms[term] for term in right], np.int64)
        self._chosen = chosen
        self._compared = {feature.name: column for column, feature in enumerate(compared)}
        self._features = tuple(compared)
        self._words: list[TermWords] = [lexicon.words(term) for term in self._terms]
        self.sentences = lexicon.sentences

    @cached_property
    def tokens(self) -> Ints:
        """How many words the two terms have in all, repeats and stop words included."""
        tokens = np.array([words.tokens for words in self._words], np.int64)
        return tokens[self._left] + tokens[self._right]

    @cached_property
    def shared_words(self) -> Counts:
        """The different words of both terms, of the left one, of the right one."""
        spelt = [{*words.known, *words.unknown} for words in self._words]
        both = [len(spelt[a] & spelt[b]) for a, b in zip(self._left, self._right, strict=True)]
        return Counts(np.array(both, np.int64), *self._distinct)

    @cached_property
    def esa(self) -> DotProducts:
        """The sums of the ESA vectors of the terms' words."""
        return self._sparse(self._lexicon.esa)

    @cached_property
    def weighted_esa(self) -> DotProducts:
        """The sums of the ESA vectors of the terms' words, each of unit length times its word's idf."""
        return self._sparse(self._lexicon.weighted_esa)

    @cached_property
    def word2vec(self) -> DotProducts:
        """The sums of the word2vec vectors of the terms' words."""
        return self._dense([words.counts for words in self._words])

    @cached_property
    def weighted_word2vec(self) -> DotProducts:
        """The same, each vector times its word's idf."""
        return self._dense([words.counts * self._lexicon.idf(words.ids) for words in self._words])

    @cached_property
    def largest_idf(self) -> Floats:
        """The largest idf of a word of either term."""
        largest = np.array([self._lexicon.idf(words.ids).max(initial=0.0) for words in self._words])
        return np.asarray(np.maximum(largest[self._left], largest[self._right]), np.float64)

    @cached_property
    def sentence_counts(self) -> Counts:
        """Of each word beside another: the sentences with both words, with the one, with the other."""
        first, second = self._pairs_of_words
        counts = self._lexicon.counts
        both = self._lexicon.sentences_with_both(first, second)
        return Counts(both, counts[first], counts[second])

    @cached_property
    def word_dots(self) -> Floats:
        """Of each word beside another: the dot product of their vectors, 1 for a word with itself."""
        first, second = self._pairs_of_words
        dots = kernels.vector_dots(self._lexicon.vectors, first, second)
        return np.where((first == second) & (dots > 0), 1.0, dots)

    @cached_property
    def pmi_vector_dots(self) -> Floats:
        """Of each word beside another: the dot product of their PMI vectors."""
        first, second = self._pairs_of_words
        words = np.unique(np.concatenate([first, second]))
        table = _table([self._lexicon.pmi_vector(int(word)) for word in words])
        return _overlaps(table, np.searchsorted(words, first), np.searchsorted(words, second))

    def summed(self, relatedness: Floats) -> PairSums:
        """The sum of a relatedness of each different pair of words over each block."""
        return PairSums(block_sums(relatedness, self._places, self._blocks), *self._distinct)

    def matches(self, relatedness: Floats) -> Matches:
        """The best match of each word in the other term, by a relatedness of each different pair of words."""
        known = np.array([len(words.ids) for words in self._words], np.int64)
        left, right = known[self._left], known[self._right]
        left_words, right_words = self._distinct
        best_left, best_right = kernels.best_matches(
            relatedness[self._places],
            self._blocks,
            left,
            right,
            _floor(right, right_words),
            _floor(left, left_words),
        )
        return Matches(best_left, left_words, best_right, right_words)

    @cached_property
    def text_cosine(self) -> Floats:
        """The cosine of the encoder's vectors of the two sides; 0 without an encoder."""
        left, right = self._texts
        if self._encoded is None:
            return np.zeros(len(self._left))
        places = {text: number for number, text in enumerate(dict.fromkeys((*left, *right)))}
        first, second = (np.array([places[text] for text in side], np.int64) for side in self._texts)
        return self._encoded.cosines(list(places), first, second)

    @cached_property
    def text_and_lead_cosines(self) -> tuple[Floats, Floats]:
        """The cosines of the left text with the right lead, and of the left lead with the right text.

        The text stands for a lead where there is none, or none by the same encoder.
        """
        snapshot = self._lexicon.snapshot
        there = self.text_cosine.copy()
        back = there.copy()
        if self._encoded is None or self._named is None or not self._encoded.made_leads(snapshot):
            return there, back
        leads = snapshot.scaled("lead_vectors")
        for cosines, texts, concepts in zip((there, back), self._texts, reversed(self._named), strict=True):
            rows = np.flatnonzero((concepts >= 0) & (leads.scales[concepts] > 0))
            beside = [texts[row] for row in rows.tolist()]
            places = {text: place for place, text in enumerate(dict.fromkeys(beside))}
            if not places:
                continue
            vectors = leads.along(self._encoded.vectors(list(places)))
            lengths = np.sqrt(np.einsum("nd,nd->n", vectors, vectors))
            text = np.array([places[text] for text in beside], np.int64)
            dots = np.einsum("nd,nd->n", vectors[text], leads.rows(concepts[rows]).floats())
            cosines[rows] = measures.cosine_of(dots, lengths[text], 1.0)
        return there, back

    @property
    def named(self) -> Floats:
        """1 where both terms name, or contain, concepts, else 0."""
        return (self._chosen.left >= 0).astype(np.float64)

    @property
    def prior(self) -> Floats:
        """How likely the two chosen senses are: the product of their priors; 0 where there are none."""
        return self._chosen.prior

    def sense(self, feature: str) -> Floats:
        """One of the features ``compared``, by its name, of the chosen senses; 0 where there are none."""
        return self._of_senses[:, self._compared[feature]]

    @cached_property
    def _of_senses(self) -> Floats:
        """Each feature ``compared`` of the chosen senses: float64[n, features]; 0 where there are none."""
        values = np.zeros((len(self._left), len(self._features)))
        named = self._chosen.left >= 0
        pairs = self._chosen.left[named], self._chosen.right[named]
        values[named] = extract(self._lexicon.snapshot, *pairs, self._features)
        return values

    @cached_property
    def _distinct(self) -> tuple[Ints, Ints]:
        distinct = np.array([words.distinct for words in self._words], np.int64)
        return distinct[self._left], distinct[self._right]

    @cached_property
    def _blocks(self) -> Ints:
        """Where the block of each pair starts and ends in the evidence about words: int64[n + 1]."""
        known = np.array([len(words.ids) for words in self._words], np.int64)
        offsets = np.zeros(len(self._left) + 1, np.int64)
        np.cumsum(known[self._left] * known[self._right], out=offsets[1:])
        return offsets

    @cached_property
    def _word_blocks(self) -> tuple[tuple[Ints, Ints], Ints]:
        """The different pairs of words of all blocks, and for each place of a block its pair's number."""
        sizes = np.array([0, *(len(words.ids) for words in self._words)], np.int64)
        ids = np.concatenate([words.ids for words in self._words] or [np.zeros(0, np.int64)])
        first, second = kernels.row_products(np.cumsum(sizes), ids, self._left, self._right, self._blocks)
        vocabulary = len(self._lexicon.counts)
        key = np.minimum(first, second) * vocabulary + np.maximum(first, second)
        pairs, places = np.unique(key, return_inverse=True)
        smaller, larger = pairs // max(vocabulary, 1), pairs % max(vocabulary, 1)
        return (smaller, larger), places.ravel()

    @property
    def _pairs_of_words(self) -> tuple[Ints, Ints]:
        return self._word_blocks[0]

    @property
    def _places(self) -> Ints:
        return self._word_blocks[1]

    def _sparse(self, vector: Callable[[str], SparseVector]) -> DotProducts:
        vectors = [vector(term) for term in self._terms]
        lengths = np.array([of_term.length for of_term in vectors])
        dots = _overlaps(_table(vectors), self._left, self._right)
        return DotProducts(dots, lengths[self._left], lengths[self._right])

    def _dense(self, weights: Sequence[Floats]) -> DotProducts:
        vectors = np.zeros((len(self._words), self._lexicon.vectors.shape[1]))
        for number, (words, weight) in enumerate(zip(self._words, weights, strict=True)):
            vectors[number] = self._lexicon.word2vec(words.ids, weight)
        every = np.arange(len(vectors))
        lengths = np.sqrt(kernels.vector_dots(vectors, every, every))
        dots = kernels.vector_dots(vectors, self._left, self._right)
        return DotProducts(dots, lengths[self._left], lengths[self._right])


SparseRows = tuple[Ints, Ints, Floats]
"""A sparse table: where each row starts, columns, values."""


def _table(vectors: Sequence[SparseVector]) -> SparseRows:
    """Vectors as the rows of a sparse table."""
    starts = np.zeros(len(vectors) + 1, np.int64)
    np.cumsum([len(vector.indices) for vector in vectors], out=starts[1:])
    indices = np.concatenate([vector.indices for vector in vectors] or [np.zeros(0, np.int64)])
    values = np.concatenate([vector.values for vector in vectors] or [np.zeros(0)])
    return starts, indices, values


def _overlaps(table: SparseRows, left: Ints, right: Ints) -> Floats:
    return kernels.overlaps(*table, *table, left, right)


def _floor(known: Ints, length: Ints) -> Floats:
    """The least that a best match can be: 0 where a word beside it has no statistics, or none is there."""
    return np.where((known < length) | (known == 0), 0.0, -np.inf)
