"""Pairs of terms in, their features out."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from features.feature import Feature
from features.senses.candidates import Senses
from features.senses.choosing import CandidatePair, CandidateSenses
from features.terms.catalogue import EVERY_TERM_FEATURE, TERM_FEATURES, compared_of_senses
from features.terms.encoded import EncodedTexts, EncodesTexts
from features.terms.evidence import TermEvidence
from measures.arrays import Bools, Floats, Ints
from snapshots.naming.mentions import fold
from snapshots.naming.resolver import Resolver
from snapshots.snapshot import Snapshot
from snapshots.stop_words import base_language

CELLS = 1 << 20
"""How many words beside words are looked at in one batch: documents have thousands a pair."""

_HYPHEN = re.compile(r"(?<=\w)-(?=\w)")
"""One between two words, which stands there as a blank might."""

PAIRS = 8_192
"""How many pairs are in one batch at most."""


class TermPair(NamedTuple):
    """Two terms, and the context in which they are meant: a topic or a sentence, or None.

    ``left_description``, ``right_description``: what is said of one term alone, or None.
    """

    left: str
    right: str
    context: str | None = None
    left_description: str | None = None
    right_description: str | None = None

    @property
    def swapped(self) -> TermPair:
        """The pair with its sides exchanged."""
        return TermPair(self.right, self.left, self.context, self.right_description, self.left_description)

    @property
    def contexts(self) -> tuple[str | None, str | None]:
        """What helps to choose the sense of each side: its description, then the context of both."""
        left, right = self.left_description, self.right_description
        return _joined(left, self.context), _joined(right, self.context)

    @property
    def texts(self) -> tuple[str, str]:
        """What an encoder reads of each side: the term, a full stop, and the description if there is one."""
        return _described(self.left, self.left_description), _described(self.right, self.right_description)


@dataclass(frozen=True, slots=True)
class KnownTerm:
    """What a snapshot knows of a term: its words that count, known and unknown, and its candidate senses."""

    words: tuple[str, ...]
    unknown: tuple[str, ...]
    senses: tuple[str, ...]

    def __bool__(self) -> bool:
        """Whether there is anything to judge the term by."""
        return bool(self.words or self.senses)


@dataclass(frozen=True, slots=True)
class TermSense:
    """The sense that a term has in a pair.

    ``title`` and ``concept``: the article. ``prior``: how likely the sense was before the other term was
    looked at, the context taken into account. ``alternatives``: the titles of the other candidates, the
    likeliest first. ``whole``: whether all of the term names it; else a mention in the term does.
    """

    title: str
    concept: int
    prior: float
    alternatives: tuple[str, ...]
    whole: bool


class TermExtractor:
    """The features of pairs of terms, over one snapshot. Reads only; usable from several threads.

    What was found out about a term is kept for the next pair that has it. ``features``: those that it has
    evidence for; ``encoder``: what compares the terms as texts, None where nothing does.
    """

    def __init__(
        self, senses: Senses, cells: int = CELLS, most: int = PAIRS, *, encoder: EncodesTexts | None = None
    ) -> None:
        """``cells`` and ``most``: words beside words, and pairs, that are looked at in one batch.

        ``encoder``: None to do without; the features that need one are absent then.
        """
        self.encoder = encoder
        self._lexicon = senses.lexicon
        self.snapshot = self._lexicon.snapshot
        language = base_language(self.snapshot.manifest.language)
        self._encoded = None if encoder is None else EncodedTexts(encoder, language)
        self.features = TERM_FEATURES if encoder is None else EVERY_TERM_FEATURE
        _ = senses.dictionary  # opened as well, so that damage to it is said before anything is scored
        self._senses = senses
        self._cells = cells
        self._most = most

    @classmethod
    def open(
        cls, snapshot: Snapshot, resolver: Resolver, encoder: EncodesTexts | None = None
    ) -> TermExtractor:
        """The extractor over a snapshot's tables; ``resolver`` is that of the same snapshot."""
        return cls(Senses(snapshot, resolver), encoder=encoder)

    def extract(
        self, pairs: Sequence[TermPair], features: Sequence[Feature[TermEvidence]] | None = None
    ) -> Floats:
        """The features of pairs of terms: float64[n, k], a column a feature, its own if None.

        Row i depends on pair i alone, to the last bit, and not on the order of its terms; every value is
        finite and in its feature's declared range. A term of which nothing is known has no evidence, which is
        0.
        """
        features = self.features if features is None else features
        compared = compared_of_senses(features)
        ordered = [_ordered(pair) for pair in pairs]
        values = np.zeros((len(pairs), len(features)))
        for batch in self._batches(ordered):
            some = ordered[batch]
            left, right = [pair.left for pair in some], [pair.right for pair in some]
            texts = [pair.texts[0] for pair in some], [pair.texts[1] for pair in some]
            chosen = self._senses.choose([self._candidates(pair) for pair in some])
            named = self._named(some) if self._encoded is not None else None
            evidence = TermEvidence(self._lexicon, left, right, chosen, compared, self._encoded, texts, named)
            for column, feature in enumerate(features):
                values[batch, column] = feature.compute(evidence)
        return values

    def senses(self, pair: TermPair) -> tuple[TermSense | None, TermSense | None]:
        """The senses that the features of the two terms rest on; None where one has none.

        Where the other has none, it is the concept that a term names by itself, whose article is read.
        """
        (senses,) = self.senses_of([pair])
        return senses

    def senses_of(self, pairs: Sequence[TermPair]) -> list[tuple[TermSense | None, TermSense | None]]:
        """``senses`` of each of some pairs."""
        ordered = [_ordered(pair) for pair in pairs]
        candidates = [self._candidates(pair) for pair in ordered]
        chosen = self._senses.choose(candidates)
        alone = chosen.left < 0
        if self._encoded is not None and self._encoded.made_leads(self.snapshot) and alone.any():
            named = self._named([pair for pair, is_alone in zip(ordered, alone, strict=True) if is_alone])
            chosen.left[alone], chosen.right[alone] = named
        described = [
            (self._described(pair.left, first, left), self._described(pair.right, second, right))
            for pair, (first, second), left, right in zip(
                ordered, candidates, chosen.left.tolist(), chosen.right.tolist(), strict=True
            )
        ]
        return [
            senses if pair == first else senses[::-1]
            for pair, first, senses in zip(pairs, ordered, described, strict=True)
        ]

    def named_senses(
        self, pair: TermPair, left: int, right: int
    ) -> tuple[TermSense | None, TermSense | None]:
        """The concepts ``left`` and ``right``, which the terms name by themselves, as senses of them."""
        (of_left, of_right), (first, second) = self._candidates(pair), (left, right)
        return self._described(pair.left, of_left, first), self._described(pair.right, of_right, second)

    def known(self, term: str) -> KnownTerm:
        """What the snapshot knows of a term, so that a caller can say that it is unknown."""
        of_term = self._lexicon.words(term)
        titles = self.snapshot.concept_titles
        senses = tuple(titles[concept] for concept in self._senses.of_term(term).concepts.tolist())
        return KnownTerm(of_term.known, of_term.unknown, senses)

    def mostly_known(self, pairs: Sequence[TermPair]) -> Bools:
        """Of which pairs the snapshot has more than half of the words that count of each term: bool[n].

        Of others few features have evidence, whatever people think of them. Nor has what a snapshot counts of
        "the" and "of" anything to do with what they are: a term of stop words alone is known where some
        article is called so, as The Who is.
        """
        terms = {term for pair in pairs for term in pair[:2]}
        known = {term: self._is_mostly_known(term) for term in terms}
        return np.array([known[pair.left] and known[pair.right] for pair in pairs], np.bool_)

    def _is_mostly_known(self, term: str) -> bool:
        of_term = self._lexicon.words(term)
        if self._lexicon.is_of_stop_words(term) and not len(self._senses.of_term(term)):
            return False
        return len(of_term.known) > len(of_term.unknown)

    def known_enough(self, pairs: Sequence[TermPair]) -> Bools:
        """Which pairs are mostly known, and have no name of which words or letters alone are known: bool[n].

        Whoever writes "Dire Straits" or "AC/DC" means one thing that is called so, and no straits, nor the
        letters into which a name is cut. What is described is known so far. In training, names count as all
        else does.
        """
        terms = {term for pair in pairs for term in pair[:2]}
        lacks = set(filter(self._is_unknown_name, terms))
        named = [
            (pair.left not in lacks or bool(pair.left_description))
            and (pair.right not in lacks or bool(pair.right_description))
            for pair in pairs
        ]
        return self.mostly_known(pairs) & np.array(named, np.bool_)

    def _is_unknown_name(self, term: str) -> bool:
        """Whether a term is a name, by capitals or letters, and no concept is called so, nor a part of it."""
        is_name = self._lexicon.is_name(term) or self._lexicon.is_of_letters(term)
        return is_name and not len(self._senses.of_term(term))

    def least_sentences(self, term: str) -> int:
        """In how many sentences of the snapshot the rarest word of a term stands; 0 with an unknown one."""
        of_term = self._lexicon.words(term)
        return 0 if of_term.unknown or not of_term.known else int(self._lexicon.counts[of_term.ids].min())

    def identical(self, pair: TermPair) -> bool:
        """Whether the two terms are written alike, and so are related by 1.

        Case, blanks, hyphens, the signs of print and marks behind say nothing. Other signs tell things apart
        that have the same letters: "C++" and "C#", ".NET" and "net".
        """
        return _as_written(pair.left) == _as_written(pair.right)

    def _named(self, pairs: Sequence[TermPair]) -> tuple[Ints, Ints]:
        """The articles that the sides of pairs name by themselves: int64[n] a side, -1 where there is none.

        None where a side is described: what its article says is beside the point then.
        """
        named = np.full((2, len(pairs)), -1)
        for row, pair in enumerate(pairs):
            sides = (pair.left, pair.left_description), (pair.right, pair.right_description)
            for side, (term, description) in enumerate(sides):
                if not description:
                    named[side, row] = self._senses.decided(term, pair.context)
        return named[0], named[1]

    def _candidates(self, pair: TermPair) -> CandidatePair:
        of_left, of_right = pair.contexts
        return self._senses.of_term(pair.left, of_left), self._senses.of_term(pair.right, of_right)

    def _described(self, term: str, senses: CandidateSenses, concept: int) -> TermSense | None:
        """A chosen sense of some candidates for ``term``; None where none is chosen."""
        if concept < 0:
            return None
        titles = self.snapshot.concept_titles
        alternatives = tuple(titles[other] for other, _ in senses.others(concept))
        prior = senses.prior(concept) if concept in senses.concepts else 1.0
        whole = self._senses.names_as_a_whole(term)
        return TermSense(titles[concept], concept, prior, alternatives, whole)

    def _batches(self, pairs: Sequence[TermPair]) -> Iterator[slice]:
        """Slices of the pairs whose words beside words are few enough to be held at once."""
        start, cells = 0, 0
        for end, pair in enumerate(pairs):
            size = len(self._lexicon.words(pair.left).ids) * len(self._lexicon.words(pair.right).ids)
            if end > start and (cells + size > self._cells or end - start == self._most):
                yield slice(start, end)
                start, cells = end, 0
            cells += size
        if pairs:
            yield slice(start, len(pairs))


def _as_written(term: str) -> str:
    """A term without what says nothing.

    >>> _as_written("The  McDonald’s."), _as_written("C++"), _as_written("!!!"), _as_written("Self-help")
    ("the mcdonald's", 'c++', '!!!', 'self help')
    """
    plain = " ".join(_HYPHEN.sub(" ", fold(term)).split())
    return plain.rstrip(" .,;:!?") or plain


def _joined(description: str | None, context: str | None) -> str | None:
    return " ".join(filter(None, (description, context))) or None


def _described(term: str, description: str | None) -> str:
    return f"{term}. {description}" if description else term


def _ordered(pair: TermPair) -> TermPair:
    """The pair in the order in which it is looked at.

    A sum over words depends on it in its last digits, and of equally good senses the first ones win.
    """
    sides = [(pair.left, pair.left_description or ""), (pair.right, pair.right_description or "")]
    return pair if sides[0] <= sides[1] else pair.swapped
