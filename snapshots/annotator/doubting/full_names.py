"""Surnames behind the full names of those who have them: "Robin Williams … Williams".

A text names a person in full once, and then by the surname, whoever else is better known by that. So the
surname is that person's, and not another's. What it means as no surname it may still mean, where that fits
the words around better, or where a preposition of place stands before it: "in Washington".
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence

import numpy as np

from snapshots.annotator.doubting.longer_before import SaidOf
from snapshots.annotator.doubting.surnames import Surnames
from snapshots.annotator.leads import Fits
from wiki.folding import fold

NAMED = 0.06
"""By how much less a person may fit the words around than a place does, if the text has named the person."""

_OF_PLACE = {"en": re.compile(r"\b(?:in|into|at|near|to|from|outside|across)[ \u00a0]$", re.IGNORECASE)}
"""By language, what stands before a place more often than before a person."""

_LONGEST = 9
"""Characters before a mention that are looked at."""


class FullNames:
    """Finds the full names that surnames stand for. Reads only; usable from several threads."""

    def __init__(self, surnames: Surnames, concepts: int, language: str) -> None:
        """``concepts``: how many are known; ``language``: of the wiki, whose prepositions tell."""
        self._surnames, self._concepts, self._of_place = surnames, concepts, _OF_PLACE.get(language)

    def places(self, chosen: Sequence[SaidOf], fits: Fits) -> dict[int, int]:
        """Which annotations are surnames of who was named in full before them: its place, by theirs.

        Those that mean so already are, too: the full name says it more surely. ``chosen``: those of a text,
        in order; ``fits``: how the words around each fit senses. Where several with a surname were named, or
        somebody else who is not known, nothing tells who is meant.
        """
        before: dict[str, dict[int, int]] = defaultdict(dict)
        found: dict[int, int] = {}
        firsts: dict[str, dict[str, bool]] | None = None
        for place, one in enumerate(chosen):
            if one.concept >= self._concepts:
                continue
            first, _, last = one.written.rpartition(" ")
            if first:
                if self._is_full_name(first, last, one.concept) and not self._surnames.has_article(
                    one.text, one.start
                ):
                    before[last][one.concept] = place
                continue
            persons = before.get(last, {})
            if len(persons) != 1:
                continue
            if self._surnames.has_article(one.text, one.start) or not self._surnames.stands_alone(
                one.text, one.start, one.end
            ):
                continue
            ((person, longer),) = persons.items()
            if firsts is None:
                firsts = self._surnames.first_names(list(dict.fromkeys(each.text for each in chosen)))
            own = self._surnames.names.words_of(person)
            others = (name for name, sure in firsts.get(last, {}).items() if sure)
            if not all(any(word.startswith(fold(name)) for word in own) for name in others):
                continue
            if self._surnames.names.is_surname_of(last, one.concept) or self._is_nearer(
                place, one, person, fits
            ):
                found[place] = longer
        return found

    def _is_full_name(self, first: str, last: str, concept: int) -> bool:
        """Whether a name of several words ends with the surname of a concept, who is a person.

        No article states a surname that is another's title, as Jordan is: there, a first name tells.
        """
        if not first[0].isupper() or not last[:1].isupper():
            return False
        if self._surnames.names.is_surname_of(last, concept):
            return True
        is_title = self._surnames.names.titles[concept] == f"{first} {last}"
        return is_title and " " not in first and self._surnames.is_first(first)

    def _is_nearer(self, place: int, one: SaidOf, person: int, fits: Fits) -> bool:
        """Whether a person fits the words around better than what has no surname does."""
        if self._of_place is None or self.is_behind_place(one.text, one.start):
            return False
        own, its = fits(place, np.array([one.concept, person])).tolist()
        return bool(its > own - NAMED)

    def is_behind_place(self, text: str, start: int) -> bool:
        """Whether what stands before a place, more often than before a person, stands before ``start``."""
        before = max(0, start - _LONGEST)
        return self._of_place is not None and self._of_place.search(text, before, start) is not None
