"""Pairs of terms in, their features out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from features.terms.catalogue import TERM_FEATURES
from features.terms.evidence import TermEvidence
from features.terms.senses import ChosenSense, Senses
from measures.arrays import Floats
from snapshots.resolver import Resolver
from snapshots.snapshot import Snapshot
from snapshots.text import words

CELLS = 1 << 20
"""How many words beside words are looked at in one block: documents have thousands a pair."""

PAIRS = 8_192
"""How many pairs are in one block at most."""


class TermPair(NamedTuple):
    """Two terms, and the context in which they are meant: a topic or a sentence, or None."""

    left: str
    right: str
    context: str | None = None


@dataclass(frozen=True, slots=True)
class Known:
    """What a snapshot knows of a term: its words that count, known and unknown, and its candidate senses."""

    words: tuple[str, ...]
    unknown: tuple[str, ...]
    senses: tuple[str, ...]

    def __bool__(self) -> bool:
        """Whether there is anything to judge the term by."""
        return bool(self.words or self.senses)


class TermExtractor:
    """The features of pairs of terms, over one snapshot. Reads only; usable from several threads.

    What was found out about a term is kept for the next pair that has it.
    """

    def __init__(self, senses: Senses) -> None:
        self._lexicon = senses.lexicon
        self._senses = senses
        self.snapshot = self._lexicon.snapshot

    @classmethod
    def open(cls, snapshot: Snapshot, resolver: Resolver) -> TermExtractor:
        """The extractor over a snapshot's tables; ``resolver`` is that of the same snapshot."""
        return cls(Senses(snapshot, resolver))

    def extract(self, pairs: Sequence[TermPair]) -> Floats:
        """The features of pairs of terms: float64[n, k], columns in the order of ``TERM_FEATURES``.

        Row i depends on pair i alone, to the last bit, and not on the order of its terms; every value is
        finite and in its feature's declared range. A term of which nothing is known has no evidence, which is
        0.
        """
        # In one order, since a sum over words depends on it in its last digits.
        ordered = [
            pair if pair.left <= pair.right else TermPair(pair.right, pair.left, pair.context)
            for pair in pairs
        ]
        values = np.zeros((len(pairs), len(TERM_FEATURES)))
        for block in self._blocks(ordered):
            some = ordered[block]
            evidence = TermEvidence(
                self._lexicon,
                [pair.left for pair in some],
                [pair.right for pair in some],
                self._senses.choose(some),
            )
            for column, feature in enumerate(TERM_FEATURES):
                values[block, column] = feature.compute(evidence)
        return values

    def senses(self, pair: TermPair) -> tuple[ChosenSense | None, ChosenSense | None]:
        """The senses that the features of senses rest on; None and None where one of the terms has none."""
        # In the order in which the features look at the pair: of equally good senses the first ones win.
        turned = pair.left > pair.right
        first, second = (pair.right, pair.left) if turned else (pair.left, pair.right)
        (chosen,) = self._senses.choose([(first, second, pair.context)])
        described = (
            self._senses.described(chosen.left, first, pair.context),
            self._senses.described(chosen.right, second, pair.context),
        )
        return (described[1], described[0]) if turned else described

    def known(self, term: str) -> Known:
        """What the snapshot knows of a term, so that a caller can say that it is unknown."""
        found = self._lexicon.words(term)
        titles = self.snapshot.concept_titles
        senses = tuple(titles[candidate.concept] for candidate in self._senses.candidates(term))
        return Known(found.known, found.unknown, senses)

    def least_sentences(self, term: str) -> int:
        """In how many sentences of the snapshot the rarest word of a term stands; 0 with an unknown one."""
        found = self._lexicon.words(term)
        return 0 if found.unknown or not found.known else int(self._lexicon.counts[found.ids].min())

    def identical(self, pair: TermPair) -> bool:
        """Whether the two terms are the same words in the same order, whose relatedness is 1."""
        left, right = words(pair.left), words(pair.right)
        return left == right if left or right else pair.left.split() == pair.right.split()

    def _blocks(self, pairs: Sequence[TermPair]) -> Iterator[slice]:
        """Slices of the pairs whose words beside words are few enough to be held at once."""
        start, cells = 0, 0
        for end, pair in enumerate(pairs):
            size = len(self._lexicon.words(pair.left).ids) * len(self._lexicon.words(pair.right).ids)
            if end > start and (cells + size > CELLS or end - start == PAIRS):
                yield slice(start, end)
                start, cells = end, 0
            cells += size
        if pairs:
            yield slice(start, len(pairs))
