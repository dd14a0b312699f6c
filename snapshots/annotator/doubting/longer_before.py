"""Short names behind their long ones: "the Jazz", where the Utah Jazz were named before.

A text gives a thing its whole name once, and then the last words of it, which by themselves mean another
thing to links: Jazz, a union of sets, an animal. What a noun of small letters means is mostly a kind, of
which the longer one is an example ("the bridge", "the war"). So it has the longer one's sense only where
that is a noun as well that fits far better what stands around: "a computer mouse … the mouse".
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from snapshots.annotator.doubting.cases import Cases, is_within_sentence
from snapshots.annotator.doubting.namesakes import PARTICLES
from snapshots.annotator.doubting.surnames import Surnames
from snapshots.annotator.leads import Fits
from snapshots.naming.mentions import QUALIFIER
from snapshots.text import words
from wiki.folding import fold

OF_NOUNS, OF_NAMES, OF_CAPITALS = 0.45, 0.3, -0.4
"""By how much the longer one has to be nearer to the surroundings: where the short one has small letters;
where it has a capital, and so has what it was taken for; and where that is a noun, or has another number."""

STRANGE = 0.15
"""The cosine with the surroundings below which a sense fits nothing around, and so much less will do."""

_DEFINITE = {
    "en": re.compile(
        r"\b(?:the|this|that|these|those|its|his|her|their|my|your|our)[ \u00a0]$", re.IGNORECASE
    )
}
"""By language, what stands before that of which was spoken."""

_GOES_ON = {"en": re.compile(r"[ \u00a0](?:of|for)\b")}
"""By language, what goes on with a name: "the Court of Appeals" is another one than the Supreme Court."""

_LONGEST = 8
"""Characters before a mention that are looked at."""


class SaidOf(NamedTuple):
    """An annotation: the paragraph that it stands in, where, and the concept."""

    text: str
    start: int
    end: int
    concept: int

    @property
    def written(self) -> str:
        """Its words."""
        return self.text[self.start : self.end]


class LongerBefore:
    """Finds the long names that short ones stand for. Reads only; usable from several threads."""

    def __init__(self, cases: Cases, surnames: Surnames, concepts: int, language: str) -> None:
        """``concepts``: how many are known; ``language``: of the wiki, whose articles and the like tell."""
        self._cases, self._surnames, self._concepts = cases, surnames, concepts
        self._definite, self._goes_on = _DEFINITE.get(language), _GOES_ON.get(language)

    def places(self, chosen: Sequence[SaidOf], fits: Fits) -> dict[int, int]:
        """Which annotations mean what a longer one before them does: its place, by theirs.

        ``chosen``: those of a text, in order; ``fits``: how the words around each fit senses. Where longer
        ones of several concepts end alike, nothing tells which is meant.
        """
        before: dict[str, dict[str, int]] = defaultdict(dict)
        found: dict[int, int] = {}
        for place, one in enumerate(chosen):
            if self._definite is None or one.concept >= self._concepts:
                continue
            folded = fold(one.written)
            ending_alike = before[folded.rpartition(" ")[2]]
            longer = [other for text, other in ending_alike.items() if text.endswith(f" {folded}")]
            ending_alike[folded] = place
            if len({chosen[other].concept for other in longer}) != 1:
                continue
            other = chosen[longer[-1]]
            if other.concept == one.concept or not self._is_short_for(one, other):
                continue
            own, its = fits(place, np.array([one.concept, other.concept])).tolist()
            if its - own >= self._least(one) - STRANGE * (own < STRANGE):
                found[place] = longer[-1]
        return found

    def _is_short_for(self, one: SaidOf, other: SaidOf) -> bool:
        """Whether an annotation is written as a short form of another, which is a name if it has a capital.

        Behind an article, that is, unlike Korea behind South Korea, whose name that is.
        """
        text, start, end, _ = one
        before = self._definite and self._definite.search(text, max(0, start - _LONGEST), start)
        behind = self._goes_on and self._goes_on.match(text, end)
        if before is None or behind is not None or not self._is_head(one.written, other):
            return False
        if one.written.islower():
            return other.written.islower()
        if not (one.written[0].isupper() and is_within_sentence(text, start)):
            return False
        return not self._cases.is_noun(other.concept) and self._surnames.stands_alone(text, start, end)

    def _least(self, one: SaidOf) -> float:
        """By how much nearer a longer one has to be. A capital says that a noun is another's name."""
        if one.written.islower():
            return OF_NOUNS
        title, written = QUALIFIER.sub("", self._surnames.names.titles[one.concept]), one.written
        is_noun = len(title.split()) == len(written.split()) and self._cases.is_noun(one.concept)
        is_noun = is_noun or self._cases.is_other_number(written, one.concept)
        return OF_CAPITALS if is_noun else OF_NAMES

    def _is_head(self, written: str, other: SaidOf) -> bool:
        """Whether an annotation and the title of its concept end with ``written``, behind no stop word.

        What stands behind one says what something is of: the University of Oxford is not called Oxford.
        """
        parts, short = words(fold(other.written)), words(fold(written))
        title = words(fold(QUALIFIER.sub("", self._surnames.names.titles[other.concept])))
        if len(parts) <= len(short) or title[-len(short) :] != short or not other.written.endswith(written):
            return False
        lead = parts[-len(short) - 1]
        return not self._surnames.names.counted.is_stop(lead) and lead not in PARTICLES
