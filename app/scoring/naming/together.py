"""What some names mean that are asked for together: an ambiguous one has the sense that suits the others."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

import numpy as np

from app.scoring.naming.references import Reference
from app.scoring.naming.resolving import PairResolver, may_mean_several, weighed_senses
from features.senses.choosing import CandidateSenses, choose_beside
from snapshots.naming.resolution import Resolution
from wort.schemas.relatedness import Ambiguous

OTHERS = 30
"""The most senses of the others by which a sense is chosen, the surest first: a name takes milliseconds."""


class Together:
    """References that were resolved each by itself, and the senses that are chosen for the ambiguous ones.

    ``open``: those of which a sense is to be chosen, each once. The rest is as it was, and so are they until
    ``choose`` was asked for them.
    """

    def __init__(
        self,
        resolver: PairResolver,
        asked: Sequence[Reference],
        resolved: Sequence[Resolution],
        ambiguous: Ambiguous = "resolve",
    ) -> None:
        """``resolved``: what each of ``asked`` is; a chosen sense is its likeliest one.

        ``ambiguous``: whether senses are chosen; else all stay as they are.
        """
        self._resolver = resolver
        self._asked = asked
        self._resolved = dict(zip(asked, resolved, strict=True))
        self._possible = self._every_possible() if ambiguous == "resolve" else {}
        self.open = list(self._possible)
        # Those that are clear have the weight 1. Python's sort keeps the order of those as sure.
        self._surest = sorted(self._every_sense(), key=lambda sense: -sense[2])
        self._chosen: dict[Reference, Resolution] = {}

    def choose(self, some: Sequence[Reference]) -> None:
        """Choose the senses of some of ``open``: which others there are decides, and no order of asking."""
        for each in some:
            others = list(islice((sense for sense in self._surest if sense[0] != each), OTHERS))
            concepts = np.array([concept for _, concept, _ in others], np.int64)
            weights = np.array([prior for _, _, prior in others], np.float64)
            possible = self._possible[each]
            weighed = weighed_senses(each, possible)
            concept = choose_beside(weighed, concepts, weights, self._resolver.senses.nearness_of_names)
            if concept != self._resolved[each].concept:
                self._chosen[each] = self._resolver.with_sense(possible, concept, "sense")

    def resolved(self) -> list[Resolution]:
        """What each of those asked for is, in order."""
        return [self._chosen.get(each) or self._resolved[each] for each in self._asked]

    def _every_possible(self) -> dict[Reference, CandidateSenses]:
        """The senses of those of which one was chosen, or that are mostly one of several."""
        possible = {}
        for each, resolution in self._resolved.items():
            if resolution.matched == "sense":
                possible[each] = _possible(resolution)
            elif resolution.status == "ok" and may_mean_several(resolution):
                senses = self._resolver.possible(each, resolution)
                if len(senses) > 1:
                    possible[each] = senses
        return possible

    def _every_sense(self) -> Iterator[tuple[Reference, int, float]]:
        """The concepts that the references may mean, and how sure each is."""
        for each, resolution in self._resolved.items():
            senses = self._possible.get(each) or CandidateSenses.known(resolution.concept)
            for concept, prior in zip(senses.concepts.tolist(), senses.priors.tolist(), strict=True):
                yield each, concept, prior


def _possible(resolution: Resolution) -> CandidateSenses:
    """The senses of a name of which one was chosen."""
    own = (resolution.concept, resolution.prior or 0.0)
    return CandidateSenses.likeliest((concept, prior, 0) for concept, prior in (own, *resolution.others))
