"""Namesakes of a sense: other concepts whose titles begin or end with the mention.

Editors write "Jordan" for Michael Jordan, and "Apple" for Apple Inc., though these words are titles of other
articles. How often they do, no table says where links lead elsewhere; but there are such concepts.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from snapshots.annotator.mentions import QUALIFIER
from snapshots.annotator.surroundings import TextSurroundings
from snapshots.csr import CSR
from snapshots.names import Names
from snapshots.strings import StringTable
from snapshots.text import words
from wiki.folding import fold

NAMESAKES = 15
"""Namesakes of a mention that are looked at, the most linked."""

WALKED = 40
"""Concepts with the mention in one of their names that are looked through for them."""

REMEMBERED = 4_000
"""Mentions whose namesakes are remembered: some ten megabytes."""

PRIOR = 0.05
"""What the logarithm of a namesake's share of the links weighs beside its cosine; of 0, 0.03, 0.05, 0.06 and
0.1 the one with which editors' links are the likeliest."""


class KnownNamesakes(NamedTuple):
    """Namesakes of a mention: int64[n], the links to each, float64[n], their directions, float64[n, d]."""

    concepts: NDArray[np.int64]
    links: NDArray[np.float64]
    directions: NDArray[np.float64]


class Namesakes:
    """The namesakes of mentions of one word. Reads only; usable from several threads."""

    def __init__(
        self, names: Names, titles: StringTable, in_links: CSR, surroundings: TextSurroundings
    ) -> None:
        self._names, self._titles, self._in_links, self._surroundings = names, titles, in_links, surroundings
        self._kept: dict[str, KnownNamesakes] = {}

    def of_words(self, mentions: Iterable[str]) -> dict[str, KnownNamesakes]:
        """The namesakes of each of some words as they are written, the most linked first."""
        kept = self._kept
        asked = {mention: fold(mention) for mention in dict.fromkeys(mentions)}
        unknown = [folded for folded in dict.fromkeys(asked.values()) if folded not in kept]
        linked = self._names.most_linked_with(unknown, WALKED)
        titled = {folded: self._titled(folded, linked.get(folded, [])) for folded in unknown}
        fresh = dict(zip(titled, self._known(list(titled.values())), strict=True))
        known = {mention: fresh.get(folded) or kept[folded] for mention, folded in asked.items()}
        if len(kept) + len(fresh) > REMEMBERED:
            self._kept = kept = {}  # another thread goes on with the old one
        kept.update(fresh)
        return known

    def nearer(
        self, concept: int, namesakes: KnownNamesakes, around: NDArray[np.float64], cosine: float
    ) -> float:
        """How much nearer to the direction ``around`` the nearest namesake is than ``concept``; 0 if none is.

        ``cosine``: that of the concept. A namesake is put farther off by what share of the links to both is
        its own, each given one link more.
        """
        if not len(namesakes.concepts):
            return 0.0
        own = float(self._in_links.sizes(concept)) + 1
        near = namesakes.directions @ around + PRIOR * np.log(namesakes.links / (namesakes.links + own))
        near[namesakes.concepts == concept] = -np.inf
        return max(0.0, float(near.max()) - cosine)

    def _known(self, namesakes: Sequence[Sequence[int]]) -> Iterator[KnownNamesakes]:
        """What is known of the namesakes of each of some mentions."""
        together = list(chain.from_iterable(namesakes))
        concepts = np.array(together, np.int64)
        links = self._in_links.sizes(concepts).astype(np.float64) + 1
        directions = self._surroundings.of_concepts(together)
        ends = np.cumsum([0, *map(len, namesakes)])
        for start, end in pairwise(ends.tolist()):
            # Copies, which keep nothing of the others in memory.
            yield KnownNamesakes(
                concepts[start:end].copy(), links[start:end].copy(), directions[start:end].copy()
            )

    def _titled(self, folded: str, concepts: list[int]) -> list[int]:
        """Those of ``concepts`` whose titles begin or end with the word, or are it with a qualifier."""
        inside = [concept for concept in concepts if concept < self._in_links.rows]
        namesakes = []
        for concept, title in zip(inside, self._titles.many(inside), strict=True):
            bare = QUALIFIER.sub("", title)
            parts = words(fold(bare))
            if folded in (*parts[:1], *parts[-1:]) and (len(parts) > 1 or bare != title):
                namesakes.append(concept)
        return namesakes[:NAMESAKES]
