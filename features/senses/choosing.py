"""Which senses the two sides of a pair have, where a side may have several: both are chosen together.

Of all pairs of candidate senses, one of each side, it is the first of those with the greatest

    prior(a) · prior(b) · (SMOOTHING + r(a, b))

where r, in [0, 1], says how near the two concepts are, and is 1 for a concept with itself. Where names of
concepts are compared, and no context has made the priors, they are weighed with the exponent ``OF_PRIOR``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from measures.arrays import Floats, Ints

CANDIDATES = 10
"""The most candidate senses of a side: the likeliest ones."""

SMOOTHING = 0.05
"""What is added to the relatedness of two senses, and to that of a sense and the context: where nothing is
related, the priors decide."""

OF_PRIOR = 0.125
"""How much the priors count of names that are compared: they say what most people mean who write the name,
and who asks about two things names the second because of the first (docs/concepts.md has the figures)."""

PAIRS = 2048
"""Pairs whose candidates are held at once: of ten senses a side they make 200,000 pairs of senses."""


@dataclass(frozen=True, slots=True, eq=False)
class CandidateSenses:
    """The senses that a side may have, the likeliest first: int64[k], float64[k] and int64[k].

    ``concepts``: distinct. ``priors``: how likely each is by itself, in (0, 1]. ``mentions``: the number of
    the mention in the text that has it, 0 for the whole; the senses of one mention exclude each other.
    """

    concepts: Ints
    priors: Floats
    mentions: Ints

    @classmethod
    def likeliest(cls, senses: Iterable[tuple[int, float, int]]) -> CandidateSenses:
        """Those of some senses (concept, prior, mention) that are candidates."""
        ranked = sorted(senses, key=lambda sense: (-sense[1], sense[0]))[:CANDIDATES]
        concepts, priors, mentions = zip(*ranked, strict=True) if ranked else ((), (), ())
        return cls(np.array(concepts, np.int64), np.array(priors, np.float64), np.array(mentions, np.int64))

    @classmethod
    def known(cls, concept: int) -> CandidateSenses:
        """The one sense of a side that is clear from the start, or none where ``concept`` is below 0."""
        return cls.likeliest([(concept, 1.0, 0)] if concept >= 0 else [])

    def __len__(self) -> int:
        return len(self.concepts)

    def reordered(self, order: Ints, priors: Floats) -> CandidateSenses:
        """The same senses with other priors, in another order: ``priors`` as the senses stand now."""
        return CandidateSenses(self.concepts[order], priors[order], self.mentions[order])

    def weighed(self, of_prior: float) -> CandidateSenses:
        """The same senses, whose priors have an exponent."""
        return CandidateSenses(self.concepts, self.priors**of_prior, self.mentions)

    def prior(self, concept: int) -> float:
        """How likely one of them is by itself."""
        return float(self.priors[self.concepts == concept][0])

    def others(self, concept: int) -> list[tuple[int, float]]:
        """The concepts and priors of all but one of them, the likeliest first."""
        every = zip(self.concepts.tolist(), self.priors.tolist(), strict=True)
        return [(other, prior) for other, prior in every if other != concept]

    def bytes(self) -> int:
        """About the memory that they take."""
        return 400 + 24 * len(self)


class ChosenSenses(NamedTuple):
    """The concepts chosen for pairs, int64[n] a side, -1 for both where a side has no senses.

    ``prior`` float64[n]: the product of the two senses' priors, 0 where none are chosen.
    """

    left: Ints
    right: Ints
    prior: Floats


CandidatePair = tuple[CandidateSenses, CandidateSenses]
"""What the two sides of a pair may mean."""

Relatedness = Callable[[Ints, Ints], Floats]
"""How near the concepts of pairs are, each in [0, 1] and the same in both orders, to the last bit."""


def choose_senses(
    pairs: Sequence[CandidatePair], relatedness: Relatedness, at_once: int = PAIRS
) -> ChosenSenses:
    """The senses of each pair.

    ``relatedness`` is asked in one order for any two different concepts, and only for those that the priors
    leave a chance: none whose priors are so small that even a relatedness of 1 would not reach what the
    likeliest senses of the two sides have.
    """
    chosen = ChosenSenses(np.full(len(pairs), -1), np.full(len(pairs), -1), np.zeros(len(pairs)))
    rows = [row for row, (left, right) in enumerate(pairs) if len(left) and len(right)]
    for start in range(0, len(rows), at_once):
        batch = rows[start : start + at_once]
        of_batch = _chosen([pairs[row] for row in batch], relatedness)
        for column, values in zip(chosen, of_batch, strict=True):
            column[batch] = values
    return chosen


def choose_beside(own: CandidateSenses, others: Ints, weights: Floats, relatedness: Relatedness) -> int:
    """The sense of a name that stands with others.

    It is the first of those with the greatest

        prior(a) · (SMOOTHING + max over b of weight(b) · r(a, b))

    ``others`` int64[m]: concepts that the others have or may have, with ``weights`` float64[m], how sure each
    is, in (0, 1]. ``own`` has a sense at least; ``relatedness`` as for ``choose_senses``.
    """
    near = _related(np.repeat(own.concepts, len(others)), np.tile(others, len(own)), relatedness)
    best = (near.reshape(len(own), len(others)) * weights).max(axis=1, initial=0.0)
    return int(own.concepts[np.argmax(own.priors * (SMOOTHING + best))])


def _chosen(pairs: Sequence[CandidatePair], relatedness: Relatedness) -> ChosenSenses:
    """The senses of some pairs, each side of which has some."""
    sizes = np.array([len(left) * len(right) for left, right in pairs], np.int64)
    starts = np.cumsum(sizes) - sizes
    pair = np.repeat(np.arange(len(pairs)), sizes)
    first = np.concatenate([np.repeat(left.concepts, len(right)) for left, right in pairs])
    second = np.concatenate([np.tile(right.concepts, len(left)) for left, right in pairs])
    prior = np.concatenate([np.multiply.outer(left.priors, right.priors).ravel() for left, right in pairs])
    merit = np.full(len(pair), -1.0)

    def look_at(places: Ints) -> None:
        merit[places] = prior[places] * (SMOOTHING + _related(first[places], second[places], relatedness))

    # The likeliest senses of each side are the likeliest to be chosen, and may rule most others out.
    look_at(starts)
    in_question = prior * (SMOOTHING + 1.0) >= merit[starts][pair]
    in_question[starts] = False
    look_at(np.flatnonzero(in_question))
    best = merit == np.maximum.reduceat(merit, starts)[pair]
    places = np.minimum.reduceat(np.where(best, np.arange(len(pair)), len(pair)), starts)
    return ChosenSenses(first[places], second[places], prior[places])


def _related(first: Ints, second: Ints, relatedness: Relatedness) -> Floats:
    """How near each two concepts are, each two looked at once, whichever comes first."""
    smaller, larger = np.minimum(first, second), np.maximum(first, second)
    base = larger.max(initial=0) + 1
    distinct, place = np.unique(smaller * base + larger, return_inverse=True)
    smaller, larger = distinct // base, distinct % base
    related = np.ones(len(distinct))
    differ = smaller != larger
    related[differ] = relatedness(smaller[differ], larger[differ])
    return related[place]
