"""Namesakes of a sense: other concepts whose titles begin or end with the mention.

Editors write "Jordan" for Michael Jordan, and "Apple" for Apple Inc., though these words are titles of other
articles. How often they do, no table says where links lead elsewhere; but there are such concepts.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice, pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from snapshots.annotator.doubting.surroundings import TextSurroundings
from snapshots.csr import CSR
from snapshots.naming.mentions import QUALIFIER
from snapshots.naming.names import Names
from snapshots.strings import StringTable
from snapshots.text import words
from wiki.folding import fold
from wiki.inflections import BARE

NAMESAKES = 15
"""Namesakes of a mention that are looked at, the most linked."""

WALKED = 40
"""Concepts with the mention in one of their names that are looked through for them."""

REMEMBERED = 4_000
"""Mentions whose namesakes are remembered: some ten megabytes."""

PRIOR = 0.05
"""What the logarithm of a namesake's share of the links weighs beside its cosine; of 0, 0.03, 0.05, 0.06 and
0.1 the one with which editors' links are the likeliest."""

_PARTICLES = """
da de degli dei del della den der des di do dos du el la las le les los ter van von zu zum zur
"""
PARTICLES = frozenset(_PARTICLES.split())
"""Words that say what something is of in titles of other languages: nobody calls the Tour de France so."""

NATIONAL_TEAMS = {"en": re.compile(r"national\b.*\bteam$")}
"""By language, what the folded titles of countries' teams end with. "Argentina beat France" speaks of teams,
and names the countries all the same."""

_LONGEST = 12
"""Characters of the longest article before a mention, with the space between."""

_BEFORE = re.compile(r"\b([^\W\d_]+)[ \u00a0]$")


class KnownNamesakes(NamedTuple):
    """Namesakes of a mention: int64[n], the links to each, float64[n], their directions, float64[n, d].

    ``begin`` bool[n]: whether their titles begin with the mention, as that of Jordan River does.
    """

    concepts: NDArray[np.int64]
    links: NDArray[np.float64]
    directions: NDArray[np.float64]
    begin: NDArray[np.bool_]

    def behind_article(self) -> KnownNamesakes:
        """Those that may be meant behind an article, or "in": "the Moon" is not Keith Moon."""
        return self.only(self.begin)

    def only(self, meant: NDArray[np.bool_]) -> KnownNamesakes:
        """Those that may be meant, bool[n]."""
        return KnownNamesakes._make(column[meant] for column in self)


class Namesakes:
    """The namesakes of mentions of one word. Reads only; usable from several threads."""

    def __init__(
        self,
        names: Names,
        titles: StringTable,
        in_links: CSR,
        surroundings: TextSurroundings,
        language: str,
        stops: Container[str],
    ) -> None:
        """``language``: of the wiki, whose rules say what articles are; ``stops``: its stop words."""
        self._names, self._titles, self._in_links, self._surroundings = names, titles, in_links, surroundings
        self._bare, self._team, self._stops = BARE.get(language), NATIONAL_TEAMS.get(language), stops
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

    def has_article(self, text: str, start: int, end: int) -> bool:
        """Whether an article stands before ``text[start:end]``."""
        before = _BEFORE.search(text, max(0, start - _LONGEST), start)
        return before is not None and self._is_article(before[1])

    def _is_article(self, word: str) -> bool:
        return self._bare is not None and self._bare(f"{word} noun") is not None

    def _known(self, namesakes: Sequence[Mapping[int, bool]]) -> Iterator[KnownNamesakes]:
        """What is known of the namesakes of each of some mentions: whether their titles begin with it."""
        together = list(chain.from_iterable(namesakes))
        concepts = np.array(together, np.int64)
        begin = np.array(list(chain.from_iterable(each.values() for each in namesakes)), np.bool_)
        links = self._in_links.sizes(concepts).astype(np.float64) + 1
        directions = self._surroundings.of_concepts(together)
        ends = np.cumsum([0, *map(len, namesakes)])
        for start, end in pairwise(ends.tolist()):
            # Copies, which keep nothing of the others in memory.
            yield KnownNamesakes._make(
                column[start:end].copy() for column in (concepts, links, directions, begin)
            )

    def _titled(self, folded: str, concepts: list[int]) -> dict[int, bool]:
        """Those of ``concepts`` whose titles begin or end with the word, or are it with a qualifier.

        Of each, whether its title begins so. One that ends with a stop word and the word says what it is of:
        nobody calls The Dark Side of the Moon so, nor Telecommunications in Belgium. Nor is a country's team
        called as the country.
        """
        inside = [concept for concept in concepts if concept < self._in_links.rows]
        namesakes: dict[int, bool] = {}
        for concept, title in zip(inside, self._titles.many(inside), strict=True):
            bare = QUALIFIER.sub("", title)
            parts = words(fold(bare))
            if len(parts) == 1 and bare == title:
                continue
            begins, ends = parts[:1] == [folded], parts[-1:] == [folded]
            if begins and self._team is not None and self._team.search(fold(bare)) is not None:
                continue
            if begins or (ends and not (len(parts) > 2 and self._leads(parts[-2]))):
                namesakes[concept] = begins
        return dict(islice(namesakes.items(), NAMESAKES))

    def _leads(self, word: str) -> bool:
        """Whether what stands behind a word in a title is what something is of."""
        return word in self._stops or word in PARTICLES
