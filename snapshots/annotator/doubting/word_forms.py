"""Forms of words: what a word is besides the name that is spelt like it.

"Nicely" says that "nice" is an adjective, and "marched" that "march" is a verb: no name has such forms. Words
are counted without their case, so that these forms alone tell that there is another word. In the starter,
nearly all names of one word that have them are spelt as one (Nice, Usher, Wire (band)); London, Naples and
Picasso have none.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from snapshots.naming.word_counts import WordCounts
from wiki.inflections import PLURALS, SINGULARS

OWN = 0.03
"""Sentences with an adverb or a verbal form for each with the word, from which on it is a word of its own. In
the starter "nice" has 0.067, "march" 0.074, "sin" 0.023, and names of places nothing."""

COUNTED = 0.1
"""Sentences with the plural for each with the word, from which on it is a noun that the title itself may be:
in the starter "exile" has 0.14 and "nice" nothing."""

OTHER = 0.02
"""The same from which on a name may be a noun as well, of something else: in the starter "turkey" has 0.023,
and "korea" 0.008."""

VERBAL = 0.1
"""Sentences with verbal forms for each with the word, from which on it is often a verb."""


class _Forms(NamedTuple):
    """Forms that a word has as an adjective and as a verb."""

    adverbs: Sequence[str]
    verbal: Sequence[str]


def _english(word: str) -> _Forms:
    if word.endswith("e"):
        return _Forms([f"{word}ly"], [f"{word}d", f"{word[:-1]}ing"])
    if word.endswith("y"):
        return _Forms([f"{word[:-1]}ily"], [f"{word[:-1]}ied", f"{word}ed", f"{word}ing"])
    doubled = word + word[-1:]
    return _Forms([f"{word}ly"], [f"{each}{ending}" for each in (word, doubled) for ending in ("ed", "ing")])


_FORMS: dict[str, Callable[[str], _Forms]] = {"en": _english}
"""By language."""


class WordForms:
    """Counts the forms of words. Reads only; usable from several threads."""

    def __init__(self, counted: WordCounts, language: str) -> None:
        """``language``: of the wiki. Nothing is told of one whose forms are not known."""
        self._counted, self._forms = counted, _FORMS.get(language)
        self._plural, self._singular = PLURALS.get(language), SINGULARS.get(language)

    def is_own_word(self, word: str) -> bool:
        """Whether a word, in small letters, is an adjective or a verb as well."""
        if self._forms is None:
            return False
        adverbs, verbal = self._forms(word)
        return self._share(word, [*adverbs, *verbal]) >= OWN

    def is_counted(self, word: str, least: float = COUNTED) -> bool:
        """Whether a word, in small letters, is a noun with a plural, in a share of its sentences or more."""
        plural = None if self._plural is None else self._plural(word)
        return plural is not None and self._share(word, [plural]) >= least

    def is_verbal(self, word: str, least: float = VERBAL) -> bool:
        """Whether a word, in small letters, is a verb, with the ending of the third person or without.

        ``least``: sentences with verbal forms for each with the word. "Leaves" is the plural of "leaf", and a
        form of "leave".
        """
        if self._forms is None:
            return False
        singular = None if self._singular is None else self._singular(word)
        bases = {word, word.removesuffix("s"), singular or word}
        return any(self._share(each, self._forms(each).verbal) >= least for each in bases)

    def _share(self, word: str, forms: Sequence[str]) -> float:
        often = self._counted.sentences(word)
        return sum(map(self._counted.sentences, forms)) / often if often else 0.0
