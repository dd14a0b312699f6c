"""Senses held against what articles begin with: a second look at mentions that may mean several things.

Links say which concepts belong together only where somebody placed them for that. What an article begins
with says what it is of, whatever links to it: the sense is taken whose lead is nearest, as an encoder puts
it, to the leads of the concepts around, and whose article is nearest to the words around.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

import measures
from snapshots.snapshot import Snapshot

NEAREST = 5
"""Concepts around that speak for a sense: those whose leads are nearest to its own."""

AROUND = 10
"""Annotations to either side that are looked at."""

PRIOR = 0.05
"""What the logarithm of a sense's share weighs beside the cosines: a sense that is twenty times rarer has
to be 0.15 nearer. On the paragraphs of ``benchmarks.paragraphs`` 0.02 chooses alike."""

NEARER = 0.1
"""By how much the sum of cosines and prior is greater of one of two senses that is e times likelier."""


class SenseShares(NamedTuple):
    """What a mention may stand for: concepts int64[n], and the share that each has of it, float64[n]."""

    concepts: NDArray[np.int64]
    shares: NDArray[np.float64]

    def only(self, meant: NDArray[np.bool_]) -> SenseShares:
        """Those that may be meant, bool[n], with the shares that they have of these."""
        if meant.all():
            return self
        shares = self.shares[meant]
        return SenseShares(self.concepts[meant], shares / (shares.sum() or 1.0))


class ChosenSense(NamedTuple):
    """The sense of an annotation: its place, the concept, its share, and the concepts around.

    ``fit``: its cosine with the words around; ``chance``: how likely it is, of the senses that are known.
    """

    place: int
    concept: int
    share: float
    around: list[int]
    fit: float
    chance: float

    @property
    def likely_share(self) -> float:
        """Its share and, the better the words around fit it, what the second look makes of that."""
        return self.share + max(self.fit, 0.0) ** 2 * (self.chance - self.share)


Fits = Callable[[int, NDArray[np.int64]], NDArray[np.float64]]
"""The cosines of the words around an annotation, by its place, with concepts; 0 where they are not known."""


def no_cosines(_: int, concepts: NDArray[np.int64]) -> NDArray[np.float64]:
    """The cosines of words that are not known: 0 with each concept."""
    return np.zeros(len(concepts))


class Leads:
    """The vectors of what articles begin with. Reads only; usable from several threads."""

    def __init__(self, snapshot: Snapshot) -> None:
        self._vectors = snapshot.scaled("lead_vectors")
        self._in_links, self._universe = snapshot.csr("in_links"), snapshot.universe

    @classmethod
    def of_snapshot(cls, snapshot: Snapshot) -> Self | None:
        """Those of a snapshot; None where an encoder wrote none."""
        return cls(snapshot) if snapshot.has("lead_vectors") else None

    def second_look(
        self,
        paragraphs: Sequence[int],
        concepts: Sequence[int],
        senses: Callable[[int], SenseShares],
        context: Sequence[int],
        fits: Fits = no_cosines,
    ) -> list[ChosenSense]:
        """The senses, the same ones or others, of the annotations that may have several, in order.

        Of each annotation, its paragraph and concept; ``senses``: those of an annotation, by its place. One
        that lacks the concept says that it is not meant, whatever is around. ``context``: concepts that the
        text is about. ``fits``: how the words around fit senses.
        """
        possible = list(map(senses, range(len(concepts))))
        known = {id(sides): self._known(sides) for sides in possible}
        candidates = [known[id(sides)] for sides in possible]
        several = [
            place
            for place, (concept, sides) in enumerate(zip(concepts, candidates, strict=True))
            if len(sides.concepts) > (concept in possible[place].concepts)
        ]
        if not several:
            return []
        distinct = [*concepts, *context, *(each for one in candidates for each in one.concepts.tolist())]
        ids = np.unique([each for each in distinct if each < len(self._vectors)])
        units = self._units(ids)
        row = {concept: place for place, concept in enumerate(ids.tolist())}
        chosen = []
        for place in several:
            around = self._around(place, paragraphs, concepts, context)
            beside = [row[each] for each in around if each in row]
            sides = candidates[place]
            own = [row[each] for each in sides.concepts.tolist()]
            words = fits(place, sides.concepts)
            if concepts[place] in possible[place].concepts and not (
                (beside or words.any()) and concepts[place] in sides.concepts
            ):
                continue
            near = words + PRIOR * np.log(sides.shares)
            if beside:
                near += np.sort(units[own] @ units[beside].T, axis=1)[:, -NEAREST:].mean(axis=1)
            best = int(np.argmax(near))
            concept, share = int(sides.concepts[best]), float(sides.shares[best])
            chance = float(1 / np.exp((near - near[best]) / NEARER).sum())
            chosen.append(ChosenSense(place, concept, share, around, float(words[best]), chance))
        return chosen

    def _known(self, senses: SenseShares) -> SenseShares:
        """The senses of which it is known what their articles begin with."""
        inside = senses.concepts < len(self._vectors)
        inside[inside] = self._vectors.scales[senses.concepts[inside]] > 0
        return SenseShares(senses.concepts[inside], senses.shares[inside])

    def _units(self, ids: NDArray[np.int64]) -> NDArray[np.float64]:
        """The leads of concepts, each of length 1: float64[n, dimensions]. What has none is 0."""
        vectors = self._vectors.rows(ids).floats()
        lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
        units: NDArray[np.float64] = vectors / np.where(lengths > 0, lengths, 1)
        return units

    def _around(
        self, place: int, paragraphs: Sequence[int], concepts: Sequence[int], context: Sequence[int]
    ) -> list[int]:
        """The other concepts of the same paragraph that are near, and the context, each once."""
        near = range(max(0, place - AROUND), min(len(concepts), place + AROUND + 1))
        beside = [concepts[other] for other in near if paragraphs[other] == paragraphs[place]]
        return [each for each in dict.fromkeys([*beside, *context]) if each != concepts[place]]

    def coherence(self, concept: int, around: Sequence[int]) -> float:
        """The mean relatedness (Milne & Witten) of a concept to those around, as the votes have it."""
        linking = self._in_links.row(concept)
        there = [self._in_links.row(each) for each in around if each < self._in_links.rows]
        both = [len(np.intersect1d(linking, other)) for other in there]
        related = measures.milne_witten(both, len(linking), list(map(len, there)), self._universe)
        return float(np.mean(related)) if there else 0.0
