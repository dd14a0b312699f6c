"""What stands around a mention, and what articles are about: both as directions among the words' vectors.

A text's direction is that of its words' vectors, by how rare they are, how near they stand, and whether that
is in the same sentence; a concept's is that of the heaviest words of its article, by their tf-idf weights,
less what concepts have in common. Where the two point the same way, the text is about such things as the
concept. Excerpts keep the vectors of few words: for another one stands the direction of the articles in
which it weighs most.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple, Self, TypeVar, cast

import marisa_trie
import numpy as np
from numpy.typing import NDArray

from snapshots.csr import CSR
from snapshots.errors import damaged
from snapshots.snapshot import Snapshot
from snapshots.stop_words import stop_words_of
from snapshots.text import between_ends, words

REACH = 30
"""Words to either side of a mention that are looked at."""

FADING = 15.0
"""Words after which one counts a third as much (1/e) as one that stands beside the mention."""

RAREST = 9.0
"""The greatest weight of a word: rarer ones have no sure vectors."""

ACROSS = 0.1
"""What a word of another sentence counts beside one of the same: it may be about something else. Of 0, 0.1,
0.15, 0.3, 0.5, 0.7 and 1 the one by which doubts hit the most wrong senses of editors' links."""

HEAVIEST = 30
"""Words of an article that its direction is of: those that the starter keeps, which doubts are fitted by."""

REMEMBERED = 20_000
"""Concepts whose directions, and words whose numbers, are remembered: some ten megabytes."""

LONGEST_REMEMBERED = 40
"""Characters of a word that is remembered: longer ones are rarely words, and may be as long as a text."""

_BEFORE, _BEHIND = np.arange(-REACH, 0), np.arange(REACH)
_NEARNESS = np.exp(-np.concatenate([-1 - _BEFORE, _BEHIND]) / FADING)
"""Of the words before a mention and behind it, by the distance."""

SAMPLED = 2000
"""Concepts by which it is known what concepts have in common."""

AT_ONCE = 2048
"""Concepts whose words' vectors are summed in one go."""

Vectors = TypeVar("Vectors", NDArray[np.float32], NDArray[np.float64])

Span = tuple[int, int]
"""Where a mention starts in a paragraph, and where it ends."""


class LaidOut(NamedTuple):
    """The words of texts one behind another, with room before, between and behind the texts.

    ``numbers`` int64[n]: the words', -1 for none; ``sentences`` int64[n]: the sentence that each stands in;
    ``first`` and ``last`` int64[m]: where the words of each span begin, and where they have ended.
    """

    numbers: NDArray[np.int64]
    sentences: NDArray[np.int64]
    first: NDArray[np.int64]
    last: NDArray[np.int64]


class TextSurroundings:
    """The directions of texts and concepts. Reads only; usable from several threads."""

    def __init__(
        self,
        tfidf: CSR,
        numbers: marisa_trie.RecordTrie,
        vectors: NDArray[np.float32],
        counts: NDArray[np.int64],
        sentences: int,
        stops: frozenset[str],
        cut: bool = False,
    ) -> None:
        """``numbers``: of the words; ``vectors``: of the first of them; ``counts``: the sentences with each.

        ``cut``: whether other words had vectors once, so that some are to stand for these.
        """
        self._tfidf, self._numbers, self._cut, self._stops = tfidf, numbers, cut, stops
        self._known_vectors = vectors
        self._rarity = np.clip(np.log(max(sentences, 1) / np.maximum(counts, 1)), 0.0, RAREST)
        self._kept: dict[int, NDArray[np.float32]] = {}
        self._known: dict[str, int] = {}

    @classmethod
    def of_snapshot(cls, snapshot: Snapshot) -> Self | None:
        """Those of a snapshot; None where it has no vectors of words, or no words of articles."""
        there = snapshot.has("tfidf") and snapshot.has("word_vectors")
        if not there or not len(snapshot.array("word_vectors")):
            return None
        return cls(
            snapshot.csr("tfidf"),
            snapshot.trie("words", "<I"),
            snapshot.array("word_vectors"),
            snapshot.array("word_counts"),
            snapshot.manifest.counts.get("sentences", 0),
            stop_words_of(snapshot.manifest),
            "excerpt" in snapshot.manifest.settings,
        )

    @property
    def concepts(self) -> int:
        """How many concepts have words."""
        return self._tfidf.rows

    def of_concepts(self, concepts: Sequence[int]) -> NDArray[np.float64]:
        """The directions of concepts, float64[n, d], of length 1; 0 of one whose words have no vectors."""
        kept = self._kept
        unknown = [concept for concept in dict.fromkeys(concepts) if concept not in kept]
        fresh = dict(zip(unknown, self._directions(np.array(unknown, np.int64)), strict=True))
        directions = [fresh[each] if each in fresh else kept[each] for each in concepts]
        if len(kept) + len(fresh) > REMEMBERED:
            self._kept = kept = {}  # another thread goes on with the old one
        kept.update(fresh)
        stacked = np.array(directions, np.float64)
        return stacked.reshape(len(concepts), self._known_vectors.shape[1])

    def known_words(self, text: str) -> int:
        """How many words of a text have vectors, and are no stop words."""
        return sum(number >= 0 for number in self._numbered(text))

    def is_about(self, concept: int, word: str) -> bool:
        """Whether a word, in small letters, is one of the heaviest of a concept's article."""
        _, columns, weights = self._words_of(np.array([concept], np.int64))
        return self._number(word) in columns[np.argsort(-weights, kind="stable")[:HEAVIEST]]

    def around(self, texts: Sequence[str], spans: Sequence[Sequence[Span]]) -> NDArray[np.float64]:
        """The directions of what stands around some spans of texts, float64[n, d], of length 1.

        ``spans``: of each text, in order, without overlaps, from edges of words to edges of words. The words
        of a span itself do not count wherever they stand. Where no word around has a vector, the direction
        is 0.
        """
        laid = self._laid_out(texts, spans)
        window = np.concatenate([laid.first[:, None] + _BEFORE, laid.last[:, None] + _BEHIND], axis=1)
        beside = laid.numbers[window]
        near = np.where(beside >= 0, _NEARNESS * self._rarity[beside], 0.0)
        near[laid.sentences[window] != laid.sentences[laid.first][:, None]] *= ACROSS
        for word in range(int((laid.last - laid.first).max(initial=0))):
            own = laid.numbers[np.minimum(laid.first + word, laid.last - 1)]
            near[beside == own[:, None]] = 0.0
        sums: NDArray[np.float64] = np.einsum("ij,ijk->ik", near, self._vectors[beside])
        return _units(sums)

    def _laid_out(self, texts: Sequence[str], spans: Sequence[Sequence[Span]]) -> LaidOut:
        room = [-1] * REACH  # no window reaches from one text into another
        numbers, ends = list(room), list[int]()
        firsts, lasts = list[int](), list[int]()
        for text, of_text in zip(texts, spans, strict=True):
            behind = 0
            for start, end in (*of_text, (len(text), len(text))):
                for place, part in enumerate(between_ends(text[behind:start])):
                    if place:
                        ends.append(len(numbers))
                    numbers += self._numbered(part)
                firsts.append(len(numbers))
                numbers += self._numbered(text[start:end])
                lasts.append(len(numbers))
                behind = end
            del firsts[-1], lasts[-1]  # of the text's end, which is no span
            numbers += room
        sentences = np.bincount(np.array(ends, np.int64), minlength=len(numbers)).cumsum()
        return LaidOut(np.array(numbers), sentences, np.array(firsts, np.int64), np.array(lasts, np.int64))

    @cached_property
    def _common(self) -> NDArray[np.float32]:
        """What concepts have in common: the mean of some, from all over the wiki."""
        count = min(SAMPLED, self._tfidf.rows)
        rows = np.linspace(0, self._tfidf.rows - 1, count).astype(np.int64)
        common: NDArray[np.float32] = self._sums(rows).mean(axis=0)
        return common

    def _directions(self, concepts: NDArray[np.int64]) -> NDArray[np.float32]:
        return _units(self._sums(concepts) - self._common) if len(concepts) else self._known_vectors[:0]

    def _sums(self, concepts: NDArray[np.int64]) -> NDArray[np.float32]:
        """The sums of the vectors of concepts' words, each of length 1."""
        rows, columns, weights = self._words_of(concepts)
        inside = columns < len(self._known_vectors)
        columns, weights = columns[inside], weights[inside]
        bounds = np.searchsorted(rows[inside], np.arange(len(concepts) + 1)).tolist()
        sums = np.zeros((len(concepts), self._known_vectors.shape[1]), np.float32)
        # Concept by concept, as the vectors of all their words together would not fit into the cache.
        for place, (start, end) in enumerate(pairwise(bounds)):
            near, of = weights[start:end], columns[start:end]
            if len(near) > HEAVIEST:
                best = np.argpartition(near, -HEAVIEST)[-HEAVIEST:]
                near, of = near[best], of[best]
            sums[place] = near @ self._known_vectors[of]
        return _units(sums)

    def _words_of(
        self, concepts: NDArray[np.int64]
    ) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float32]]:
        """The words of concepts: for each the place of the concept, ascending, its number and its weight."""
        sizes = self._tfidf.sizes(concepts)
        rows = np.repeat(np.arange(len(concepts)), sizes)
        firsts = self._tfidf.indptr[concepts] - (np.cumsum(sizes) - sizes)
        places = firsts[rows] + np.arange(len(rows))
        weights = self._tfidf.weights[places].astype(np.float32) * np.float32(self._tfidf.scale)
        return rows, self._tfidf.at(places).astype(np.int64), weights

    @cached_property
    def _vectors(self) -> NDArray[np.float32]:
        """The vectors of words, those among them that stand for vectors that were cut."""
        if not self._cut:
            return self._known_vectors
        known, dimensions = self._known_vectors.shape
        sums = np.zeros((max(known, len(self._rarity)), dimensions), np.float32)
        for first in range(0, self._tfidf.rows, AT_ONCE):
            concepts = np.arange(first, min(first + AT_ONCE, self._tfidf.rows))
            rows, columns, weights = self._words_of(concepts)
            outside = np.flatnonzero(columns >= known)
            outside = outside[np.argsort(columns[outside], kind="stable")]
            vectors = self._directions(concepts)[rows[outside]] * weights[outside, None]
            numbers, places = np.unique(columns[outside], return_inverse=True)
            sums[numbers] += _summed(vectors, places, len(numbers))
        sums = _units(sums)
        sums[:known] = self._known_vectors
        return sums

    def _numbered(self, text: str) -> list[int]:
        """The words of a text by their numbers, -1 for what is none, is a stop word, or has no vector."""
        known = self._known
        return [known[word] if word in known else self._number(word) for word in words(text)]

    def _number(self, word: str) -> int:
        records = None if word in self._stops else self._numbers.get(word)
        number = int(records[0][0]) if records else -1
        if number >= len(self._rarity):
            raise damaged("words", f"{word!r} has a number that no word has")
        if number >= len(self._known_vectors) and not self._cut:
            number = -1
        if len(word) <= LONGEST_REMEMBERED:
            if len(self._known) >= REMEMBERED:
                self._known = {}
            self._known[word] = number
        return number


def _units(vectors: Vectors) -> Vectors:
    """Rows of length 1, in their directions; rows of 0 stay so."""
    lengths = np.sqrt(np.einsum("ij,ij->i", vectors, vectors))[:, None]
    lengths[lengths == 0] = 1
    return cast(Vectors, vectors / lengths)


def _summed(vectors: NDArray[np.float32], rows: NDArray[np.int64], count: int) -> NDArray[np.float32]:
    """The sums of vectors by their rows, which ascend: float32[count, d]."""
    sums = np.zeros((count, vectors.shape[1]), np.float32)
    starts = np.flatnonzero(np.diff(rows, prepend=-1))
    if len(starts):
        sums[rows[starts]] = np.add.reduceat(vectors, starts, axis=0)
    return sums
