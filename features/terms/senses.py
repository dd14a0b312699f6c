"""What a term may name: candidate senses with their priors, and the pair of senses that two terms have.

A term that as a whole is a title, a redirect or a mention names concepts; of another term the mentions in it
name some. Priors are commonness (Ferragina & Scaiella 2010): the share of a mention's links that lead to the
concept. A context makes the senses that are near it likelier.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from features.catalogue import FEATURES, named
from features.extract import extract
from features.terms.dictionary import MentionDictionary
from features.terms.kept import Kept
from features.terms.lexicon import Lexicon, SparseVector
from measures.arrays import Floats, Ints
from snapshots.resolver import Resolver
from snapshots.snapshot import Snapshot

CANDIDATES = 10
"""The most candidate senses of a term: the likeliest ones."""

MINIMUM_LINK_PROBABILITY = 0.02
"""A mention within a term that is a link less often than this names nothing there."""

SMOOTHING = 0.05
"""What is added to the relatedness of two senses, and to that of a sense and the context: where nothing is
related, the priors decide."""

LONGEST_CONTEXT = 500
"""Characters of a context that are read: a topic or a sentence."""

KEPT_SENSES = 16 << 20
"""Bytes of terms with their candidates that are kept ready, and of terms in contexts with theirs."""

_CHOOSING = named(("NPMI1_C", "MW", "ESA"))
"""The features whose mean says how near two senses are while they are being chosen."""

_NOTHING: Floats = np.zeros(len(FEATURES))


@dataclass(frozen=True, slots=True)
class Candidate:
    """One sense that a term may have: its concept, and how likely it is, in (0, 1].

    ``mention``: the number of the mention in the term that has it, 0 for the whole term. The senses of one
    mention exclude each other.
    """

    concept: int
    prior: float
    mention: int = 0


@dataclass(frozen=True, slots=True)
class ChosenSense:
    """The sense that a term has in a pair.

    ``title`` and ``concept``: the article. ``prior``: how likely the sense was before the other term was
    looked at, the context taken into account. ``alternatives``: the titles of the other candidates, the
    likeliest first.
    """

    title: str
    concept: int
    prior: float
    alternatives: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ChosenPair:
    """The senses of two terms: None and zeros where one of them names nothing.

    ``features``: those of the two concepts, in the order of ``FEATURES``. ``prior``: the product of the two
    senses' priors.
    """

    left: Candidate | None = None
    right: Candidate | None = None
    prior: float = 0.0
    features: Floats = field(default_factory=lambda: _NOTHING)


class Senses:
    """The candidate senses of terms, over one snapshot. Reads only; usable from several threads."""

    def __init__(self, snapshot: Snapshot, resolver: Resolver) -> None:
        """``resolver``: that of the same snapshot."""
        self._snapshot = snapshot
        self._resolver = resolver
        self.lexicon = Lexicon(snapshot)
        self.dictionary = MentionDictionary(snapshot)
        self.candidates = Kept(self._candidates, KEPT_SENSES, _bytes)
        self.in_context = Kept(self._in_context, KEPT_SENSES, _bytes)

    def _candidates(self, term: str) -> tuple[Candidate, ...]:
        """What a term may name, the likeliest first: of itself, or else through the mentions in it."""
        whole = self._whole(term)
        found = [Candidate(*sense) for sense in whole.items()] if whole else self._within(term)
        ranked = sorted(found, key=lambda candidate: (-candidate.prior, candidate.concept))
        return tuple(ranked[:CANDIDATES])

    def _whole(self, term: str) -> dict[int, float]:
        """The concepts that the whole term names, and their commonness."""
        resolved = self._resolver.resolve(term, suggest=False)
        mention = self.dictionary.number(term)
        found: dict[int, float] = {}
        if mention >= 0 and (
            resolved.status == "ok" or self.dictionary.link_probability(mention) >= MINIMUM_LINK_PROBABILITY
        ):
            found = self.dictionary.senses(mention)
        if resolved.status == "ok":
            found.setdefault(resolved.concept, 1.0)
        elif resolved.status == "ambiguous" and not found:
            meant = [self._resolver.resolve(title, suggest=False).concept for title in resolved.candidates]
            found = {concept: 1.0 / len(meant) for concept in meant if concept >= 0}
        return found

    def _within(self, term: str) -> list[Candidate]:
        """The concepts of the mentions in a term: from left to right the longest that overlaps none before.

        The prior is the share of the articles with the mention that link it to the concept. A concept that
        several mentions have is the likeliest one's.
        """
        found: dict[int, Candidate] = {}
        free = number = 0
        spots = self.dictionary.spots(term).tolist()
        for start, end, mention in sorted(spots, key=lambda spot: (spot[0], -spot[1])):
            probability = float(self.dictionary.link_probability(mention))
            if start < free or probability < MINIMUM_LINK_PROBABILITY:
                continue
            free = end
            for concept, commonness in self.dictionary.senses(mention).items():
                prior = probability * commonness
                if concept not in found or found[concept].prior < prior:
                    found[concept] = Candidate(concept, prior, number)
            number += 1
        return list(found.values())

    def _in_context(self, term: str, context: str) -> tuple[Candidate, ...]:
        """The candidates of a term beside a context, the likeliest first."""
        return self.beside(self.candidates(term), context)

    def beside(self, own: tuple[Candidate, ...], context: str) -> tuple[Candidate, ...]:
        """Some candidates with the priors that a context gives them, the likeliest first.

        A prior is multiplied by the sense's support, ½ (the cosine of its article's ESA vector and that of
        the context's words + the largest relatedness with a sense of the context, times that sense's prior),
        to which ``SMOOTHING`` is added. The priors of a mention keep their sum.
        """
        if len(own) < 2:
            return own
        concepts = {candidate.concept for candidate in own}
        around = [candidate for candidate in self.candidates(context) if candidate.concept not in concepts]
        left = [candidate.concept for candidate in own for _ in around]
        right = [candidate.concept for _ in own for candidate in around]
        related = self._relatedness(np.array(left, np.int64), np.array(right, np.int64))
        weights = np.tile([candidate.prior for candidate in around], len(own))
        best = (related * weights).reshape(len(own), -1).max(axis=1, initial=0.0)
        text = self.lexicon.esa(context)
        near = np.array([self._text_cosine(candidate.concept, text) for candidate in own])
        priors = np.array([candidate.prior for candidate in own])
        likely = priors * (SMOOTHING + 0.5 * (best + near))
        mention = np.array([candidate.mention for candidate in own])
        likely *= (np.bincount(mention, priors) / np.maximum(np.bincount(mention, likely), 1e-300))[mention]
        # Commonness is rounded: the shares of a mention may sum to a little more than 1.
        likely = np.minimum(likely, 1.0)
        order = np.argsort(-likely, kind="stable")
        return tuple(
            Candidate(own[place].concept, float(likely[place]), own[place].mention) for place in order
        )

    def _text_cosine(self, concept: int, text: SparseVector) -> float:
        """The cosine of an article's ESA vector and that of a text."""
        table = self._snapshot.csr("esa")
        columns, values = table.row(concept), table.row_values(concept)
        _, here, there = np.intersect1d(columns, text.indices, assume_unique=True, return_indices=True)
        return float((values[here] * text.values[there]).sum() / (text.length or 1.0))

    def of(self, term: str, context: str | None) -> tuple[Candidate, ...]:
        """The candidates of a term, with a context if there is one."""
        return self.candidates(term) if context is None else self.in_context(term, context)

    def choose(self, pairs: Sequence[tuple[str, str, str | None]]) -> list[ChosenPair]:
        """The senses of each pair (left, right, context) of terms.

        Of all pairs of candidates it is the one of the largest prior(a) · prior(b) · (``SMOOTHING`` +
        r(a,b)), where r is the mean of NPMI1_C, MW and ESA, and 1 for a concept with itself.
        """
        candidates = [(self.of(left, context), self.of(right, context)) for left, right, context in pairs]
        sizes = np.array([len(left) * len(right) for left, right in candidates], np.int64)
        both = [(a, b) for left, right in candidates for a in left for b in right]
        if not both:
            return [ChosenPair()] * len(pairs)
        concepts = np.array([(a.concept, b.concept) for a, b in both], np.int64)
        # Pairs of concepts recur, and their features are the costly part.
        distinct, place = np.unique(concepts, axis=0, return_inverse=True)
        related = self._relatedness(distinct[:, 0], distinct[:, 1])
        related = np.where(distinct[:, 0] == distinct[:, 1], 1.0, related)[place.ravel()]
        priors = np.array([a.prior * b.prior for a, b in both])
        merit = priors * (SMOOTHING + related)
        starts = np.cumsum(sizes) - sizes
        best = [
            start + int(merit[start : start + size].argmax())
            for start, size in zip(starts.tolist(), sizes.tolist(), strict=True)
            if size
        ]
        values = iter(extract(self._snapshot, concepts[best, 0], concepts[best, 1]))
        places = iter(best)
        chosen: list[ChosenPair] = []
        for size in sizes.tolist():
            if size == 0:
                chosen.append(ChosenPair())
                continue
            at = next(places)
            left, right = both[at]
            chosen.append(ChosenPair(left, right, float(priors[at]), next(values)))
        return chosen

    def _relatedness(self, left: Ints, right: Ints) -> Floats:
        """How near two senses are while they are being chosen: float64[n]."""
        return np.asarray(extract(self._snapshot, left, right, _CHOOSING).mean(axis=1))

    def described(self, chosen: Candidate | None, term: str, context: str | None) -> ChosenSense | None:
        """A chosen sense with its title and those of the other candidates; None where there is none."""
        if chosen is None:
            return None
        titles = self._snapshot.concept_titles
        others = [candidate.concept for candidate in self.of(term, context)]
        return ChosenSense(
            titles[chosen.concept],
            chosen.concept,
            chosen.prior,
            tuple(titles[concept] for concept in others if concept != chosen.concept),
        )


def _bytes(candidates: tuple[Candidate, ...]) -> int:
    """About the memory that some candidates take."""
    return 60 + 120 * len(candidates)
