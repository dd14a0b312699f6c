"""How much nearer a namesake is than the sense of a mention, as far as what stands around can tell."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from snapshots.annotator.doubting.cases import is_within_sentence
from snapshots.annotator.doubting.full_names import FullNames
from snapshots.annotator.doubting.namesakes import KnownNamesakes, Namesakes
from snapshots.annotator.doubting.surnames import Surnames
from snapshots.annotator.doubting.surroundings import TextSurroundings

ENOUGH = 3
"""Words around by which a namesake is told as surely as it can be. One may be near to anything: the only
one of "I flew to London" is nearer to the London Underground."""

SHORT = 200
"""Characters of a text from which on there are enough of them."""


class NearerNamesakes:
    """Tells by how much a namesake is nearer. Reads only; usable from several threads."""

    def __init__(
        self,
        namesakes: Namesakes,
        surnames: Surnames,
        full_names: FullNames,
        surroundings: TextSurroundings,
    ) -> None:
        self._namesakes, self._surnames, self._full_names = namesakes, surnames, full_names
        self._surroundings = surroundings

    def nearer(
        self,
        text: str,
        span: tuple[int, int],
        concept: int,
        namesakes: KnownNamesakes,
        around: NDArray[np.float64],
        cosine: float,
        has_context: bool,
    ) -> float:
        """As ``Namesakes.nearer``, but less where there are few words around, and no context.

        What begins a sentence is what acts in it, so that one word tells of people: "Jordan scored".
        """
        start, end = span
        if self._namesakes.has_article(text, start, end) or self._full_names.is_behind_place(text, start):
            namesakes = namesakes.behind_article()
        nearer = self._namesakes.nearer(concept, namesakes, around, cosine)
        trust = 1.0 if has_context else self._trust(text, start, end)
        if trust == 1 or nearer == 0 or is_within_sentence(text, start):
            return nearer * trust
        named = [self._surnames.is_full_name(each, text[start:end]) for each in namesakes.concepts.tolist()]
        people = namesakes.only(np.array(named, np.bool_))
        return max(nearer * trust, self._namesakes.nearer(concept, people, around, cosine))

    def _trust(self, text: str, start: int, end: int) -> float:
        """How much words around tell of namesakes: less where there are but one or two."""
        if len(text) > SHORT:
            return 1.0
        beside = self._surroundings.known_words(text[:start]) + self._surroundings.known_words(text[end:])
        return min(1.0, beside / ENOUGH)
