"""Surnames behind the full names of those who have them: "Robin Williams … Williams".

A text names a person in full once, and then by the surname, whoever else is better known by that. So the
surname is that person's, and not another's. What it means as no surname it may still mean, where that fits
the words around better, or where a preposition of place stands before it: "in Washington".
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

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
        surnames = list(self._behind_full_names(chosen))
        firsts = self._surnames.first_names(dict.fromkeys(chosen[place].text for place, _, _ in surnames))
        return {
            place: longer
            for place, person, longer in surnames
            if self._may_be_called(person, firsts.get(chosen[place].written, {}))
            and self._is_meant(place, chosen[place], person, fits)
        }

    def _behind_full_names(self, chosen: Sequence[SaidOf]) -> Iterator[tuple[int, int, int]]:
        """The places of surnames that one full name before them ends with, who has it, and its place."""
        before: dict[str, dict[int, int]] = defaultdict(dict)
        for place, one in enumerate(chosen):
            first, _, last = one.written.rpartition(" ")
            if one.concept >= self._concepts or self._surnames.has_article(one.text, one.start):
                continue
            if first:
                if self._is_full_name(first, last, one.concept):
                    before[last][one.concept] = place
            elif len(before[last]) == 1 and self._surnames.stands_alone(one.text, one.start, one.end):
                ((person, longer),) = before[last].items()
                yield place, person, longer

    def _may_be_called(self, person: int, firsts: Mapping[str, bool]) -> bool:
        """Whether none of the first names that a surname stands with is sure to be another's."""
        own = self._surnames.names.words_of(person)
        others = (name for name, sure in firsts.items() if sure)
        return all(any(word.startswith(fold(name)) for word in own) for name in others)

    def _is_meant(self, place: int, one: SaidOf, person: int, fits: Fits) -> bool:
        """Whether a surname is that of ``person``, and not what it says besides."""
        is_surname = self._surnames.names.is_surname_of(one.written, one.concept)
        return is_surname or self._is_nearer(place, one, person, fits)

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
