"""Senses held against what articles begin with: a second look at mentions that may mean several things.

Links say which concepts belong together only where somebody placed them for that. What an article begins
with says what it is of, whatever links to it: the sense is taken whose lead is nearest, as an encoder puts
it, to the leads of the concepts around.
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
"""What the logarithm of a sense's share weighs beside the mean cosine: a sense that is twenty times rarer has
to be 0.15 nearer. On the paragraphs of ``benchmarks.paragraphs`` 0.02 chooses alike."""


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
    """Another sense of an annotation: its place, the concept, its share, its coherence with those around."""

    place: int
    concept: int
    share: float
    coherence: float


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
    ) -> list[ChosenSense]:
        """The annotations whose sense is another one by the leads around, in order.

        Of each annotation, its paragraph and concept; ``senses``: those of an annotation, by its place. One
        that lacks the concept says that it is not meant, whatever is around. ``context``: concepts that the
        text is about.
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
            if concepts[place] in possible[place].concepts and not (
                beside and concepts[place] in sides.concepts
            ):
                continue
            cosines = np.zeros(len(own))
            if beside:
                cosines = np.sort(units[own] @ units[beside].T, axis=1)[:, -NEAREST:].mean(axis=1)
            best = int(np.argmax(cosines + PRIOR * np.log(sides.shares)))
            concept = int(sides.concepts[best])
            if concept != concepts[place]:
                chosen.append(
                    ChosenSense(place, concept, float(sides.shares[best]), self._coherence(concept, around))
                )
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

    def _coherence(self, concept: int, around: Sequence[int]) -> float:
        """The mean relatedness (Milne & Witten) of a concept to those around, as the votes have it."""
        linking = self._in_links.row(concept)
        there = [self._in_links.row(each) for each in around if each < self._in_links.rows]
        both = [len(np.intersect1d(linking, other)) for other in there]
        related = measures.milne_witten(both, len(linking), list(map(len, there)), self._universe)
        return float(np.mean(related)) if there else 0.0
