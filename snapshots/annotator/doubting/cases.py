"""Small letters and capitals: whether a mention is written as its concept's name is.

An apple is no Apple, and a turkey no Turkey. Titles say which concepts have names of their own: in one of
several words, a word behind the first is written with a capital only where it belongs to a name. What a title
of one word is, is told from those of several by what the articles are about (Fisher's linear discriminant of
their directions among words): Turkey is of a kind with the titles that are names.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from snapshots.annotator.doubting.surroundings import TextSurroundings
from snapshots.annotator.doubting.word_forms import OTHER, OWN, WordForms
from snapshots.annotator.names.companies import is_company
from snapshots.naming.aliases import Aliases, inflected
from snapshots.naming.mentions import QUALIFIER
from snapshots.strings import StringTable
from wiki.folding import fold
from wiki.inflections import Inflection

SAMPLED = 2000
"""Titles, from all over the wiki, that say what names are like."""

ENOUGH = 50
"""Titles of either kind, at the least, from which it can be told."""

A_NAME, SURELY = 1.5, 2.5
"""The log-odds from which on a concept is taken to have a name of its own, and from which on it is sure."""

FAR = 0.1
"""The cosine with the surroundings below which they do not fit a name that is written without a capital."""

CERTAIN = math.inf
"""The log-odds of what a title tells."""

REMEMBERED = 100_000
"""Concepts of which it is remembered."""

_ENGLISH = """
January February March April May June July August September October November December
Monday Tuesday Wednesday Thursday Friday Saturday Sunday
"""
ALWAYS_GREAT = {"en": frozenset(_ENGLISH.split())}
"""By language, titles of nouns that have a capital wherever they stand: English months and days."""

_RIDGE = 1e-3
"""What is added to the variance along each axis, of the mean variance: so that there is always some."""

_LETTERS = re.compile(r"[^\W\d_]+")
_JOINED = re.compile(r"\w[ \u00a0,'’&/-]+$")
_NUMBER_BEFORE, _NUMBER_BEHIND = re.compile(r"\d(?:st|nd|rd|th)?(?: of)? $"), re.compile(r",? \d")
_WORD_BEFORE = re.compile(r"(\w+)[ \u00a0]$")
_TWO_BEFORE = re.compile(r"(?<![\w'’-])([^\W\d_]\w*)[ \u00a0]([^\W\d_]\w*)[ \u00a0]$")
_WORD_BEHIND = re.compile(r"[ \u00a0]([^\W\d_]+)\b(?![ \u00a0]\d)")
_PLACE_BEFORE = {"en": re.compile(r"\b(?:in|at|from|to|near|around|outside|via|of|since|until)[ \u00a0]$")}
"""By language, what stands before the name of a place, or a time, at the end of a phrase."""

_WORD, _ANY_WORD_BEHIND = re.compile(r"\w"), re.compile(r"[ \u00a0](\w+)")
_LONG_WORD = re.compile(r"\b[^\W\d_]{4,}")
_SOME = 0.3
"""The share of longer words in small letters from which on a plural with a capital is a name: where names
alone stand around it, as in "the Tigers lost to the Yankees in Detroit", it is one as well."""

_BESIDE = 60
"""Characters to either side of a mention that say whether a text writes small letters at all."""


def is_within_sentence(text: str, start: int) -> bool:
    """Whether what starts there goes on with a sentence, so that a capital says something."""
    return _JOINED.search(text, max(0, start - 12), start) is not None


def writes_small(text: str, share: float = 0.5) -> bool:
    """Whether more than a share of the longer words have small letters, so that capitals say something."""
    longer = _LONG_WORD.findall(text)
    small = [word for word in longer if word[0].islower()]
    return len(small) > share * len(longer)


def around(text: str, start: int, end: int) -> str:
    """What stands beside a span, without it."""
    return text[max(0, start - _BESIDE) : start] + " " + text[end : end + _BESIDE]


class Cases:
    """What case says of a mention and a concept. Reads only; usable from several threads."""

    def __init__(
        self,
        titles: StringTable,
        aliases: Aliases,
        surroundings: TextSurroundings,
        stops: frozenset[str],
        inflections: tuple[Inflection, ...],
        word_forms: WordForms,
        always_great: frozenset[str] = frozenset(),
        language: str = "",
    ) -> None:
        """``inflections``: of the ``language``, those whose rules are known.

        ``always_great``: titles of nouns that it writes with a capital wherever they stand.
        """
        self._always_great = always_great
        self._place_before, self._word_forms = _PLACE_BEFORE.get(language), word_forms
        self._titles, self._aliases, self._surroundings = titles, aliases, surroundings
        self._stops, self._inflections = stops, inflections
        self._kept: dict[int, float] = {}
        self._common: dict[int, bool] = {}

    def small_name(self, text: str, start: int, end: int, concept: int) -> float:
        """How sure it is that ``text[start:end]``, in small letters, ought to be a name: from 0 to 1.

        A text without any capital says nothing.
        """
        written = text[start:end]
        if not (written[0].isalpha() and written.islower()):
            return 0.0
        named = self._named(concept)
        if named < (A_NAME if " " not in written else CERTAIN) or text == text.lower():
            return 0.0
        return min(named, SURELY) / SURELY

    def is_other_word(self, text: str, start: int, end: int, concept: int, cosine: float) -> bool:
        """Whether ``text[start:end]``, in small letters, is another word than the name that is spelt like it.

        "Have a nice day" says nothing of Nice, with or without capitals. A noun with a plural may be what the
        title has, unless the title tells by a parenthesis or a comma that there are others. In a text without
        any capital, a name is written so as well: "a weekend in nice"; and what may be a noun is none where
        what stands around fits the name, as in "turkey joins nato".

        ``cosine``: that with the surroundings.
        """
        written = text[start:end]
        if not (written.isalpha() and written.islower()):
            return False
        title = self._titles[concept]
        bare = QUALIFIER.sub("", title).partition(", ")[0]
        is_great = title in self._always_great
        if fold(bare) != fold(written) or not (is_great or self._named(concept) >= A_NAME):
            return False
        if _WORD.search(text[:start] + text[end:]) is None:
            return False
        forms, has_capitals = self._word_forms, text != text.lower()
        if not has_capitals and self._stands_as_name(text, start, end):
            return False
        if forms.is_own_word(written) and not (bare == title and forms.is_counted(written)):
            return True
        return not has_capitals and cosine < FAR and forms.is_counted(written, OTHER)

    def _stands_as_name(self, text: str, start: int, end: int) -> bool:
        """Whether a word without a capital stands at the end of a phrase of place or time, or by a number."""
        if _NUMBER_BEFORE.search(text, max(0, start - 12), start) or _NUMBER_BEHIND.match(text, end):
            return True
        before = self._place_before
        if before is None or before.search(text, max(0, start - 12), start) is None:
            return False
        if text.startswith("to", start - 3) and self._word_forms.is_verbal(text[start:end], OWN):
            return False
        behind = _ANY_WORD_BEHIND.match(text, end)
        return behind is None or behind[1] in self._stops

    def lacks_capital(self, text: str, start: int, end: int, concept: int) -> bool:
        """Whether ``text[start:end]`` has small letters, though the concept is never written so.

        Soldiers march, and not in March. A text without any capital says nothing, nor a word with a number
        beside it, as a date has.
        """
        if not text[start:end].islower() or self._titles[concept] not in self._always_great:
            return False
        is_date = _NUMBER_BEFORE.search(text, max(0, start - 12), start) or _NUMBER_BEHIND.match(text, end)
        return not is_date and text != text.lower()

    def great_noun(self, text: str, start: int, end: int, concept: int) -> bool:
        """Whether ``text[start:end]`` has capitals, though articles write the concept with small letters.

        At the beginning of a sentence the first letter says nothing, nor do capitals alone, nor any among
        words that all have one.
        """
        written = text[start:end]
        if written.islower() or written.isupper():
            return False
        parts = written.split()
        if len(parts) == 1:
            great = written[0].isupper() and is_within_sentence(text, start)
        else:
            great = any(part[0].isupper() for part in parts[1:])
        if not great:
            return False
        title = QUALIFIER.sub("", self._titles[concept])
        if len(parts) != len(title.split()) or not self.is_noun(concept):
            return False
        return writes_small(around(text, start, end))

    def cannot_be(self, text: str, start: int, end: int, concept: int) -> bool:
        """Whether a concept is a noun and ``text[start:end]`` a name, or a company, and has small letters.

        In a text without any capital, these tell nothing.
        """
        if concept >= self._surroundings.concepts:
            return False
        small = text[start:end].islower() and text != text.lower()
        return (small and is_company(self._titles[concept])) or self.is_name(text, start, end, concept)

    def is_name(self, text: str, start: int, end: int, concept: int) -> bool:
        """Whether ``text[start:end]`` is a name, and no other number of a concept's title, which is a noun.

        Within a sentence, "Windows" are no windows, and "the Eagles" no birds: many names are plurals, but a
        plural is seldom written with a capital. Behind another name, a noun means the same: "the Emmy Awards"
        are awards. Where all words have capitals, nothing is told.
        """
        written = text[start:end]
        if not (written.isalpha() and written.istitle() and is_within_sentence(text, start)):
            return False
        before = _WORD_BEFORE.search(text, max(0, start - _BESIDE), start)
        if before is not None and before[1][0].isupper() and before[1].lower() not in self._stops:
            return False
        if not self.is_other_number(written, concept):
            return False
        return self._is_common(self._titles[concept], concept) and writes_small(
            around(text, start, end), _SOME
        )

    def is_other_number(self, written: str, concept: int) -> bool:
        """Whether a word is another number of a concept's title, as "Yankees" is of Yankee."""
        bare = QUALIFIER.sub("", self._titles[concept])
        forms = (inflect(bare) for inflect in self._inflections)
        return fold(bare) != fold(written) and fold(written) in (fold(form) for form in forms if form)

    def leads_a_name(self, text: str, start: int, end: int, concept: int) -> bool:
        """Whether ``text[start:end]``, a noun, stands before another one, both with capitals.

        Silicon Valley is a valley, and no silicon. A surname behind is no noun: "President Bush"; and
        what has a number is of the kind: "Patent Number 174,465".
        """
        written = text[start:end]
        if not (written.isalpha() and written.istitle()):
            return False
        behind = _WORD_BEHIND.match(text, end)
        if behind is None or not behind[1].istitle() or not self._is_common(self._titles[concept], concept):
            return False
        if not inflected(behind[1], self._inflections, self._aliases):
            return False
        is_surname = any("surname" in each.kinds for each in self._aliases.named(behind[1]))
        return not is_surname and writes_small(around(text, start, behind.end()), _SOME)

    def ends_a_name(self, text: str, start: int, end: int, concept: int) -> bool:
        """Whether ``text[start:end]``, a noun, stands behind two other words, all with capitals.

        Whoever names the Golden Gate Bridge speaks of that one, and of no bridges. Of 172 such nouns in
        sentences of articles, editors link one, and 112 lie within a longer link.
        """
        written = text[start:end]
        if not (written.isalpha() and written.istitle()):
            return False
        before = _TWO_BEFORE.search(text, max(0, start - _BESIDE), start)
        if before is None or not all(
            word[0].isupper() and word.lower() not in self._stops for word in before.groups()
        ):
            return False
        return self.is_noun(concept) and writes_small(around(text, before.start(), end), _SOME)

    def is_noun(self, concept: int) -> bool:
        """Whether a concept has no name of its own, by its title, or by its article and what it is about."""
        title = self._titles[concept]
        kind = self._kind(title)
        return kind < 0 or (
            kind == 0 and self._is_common(title, concept) and self._log_odds(concept) < A_NAME
        )

    def _named(self, concept: int) -> float:
        """The log-odds of a concept's having a name of its own; infinite where its title tells it."""
        odds = self._kept.get(concept)
        if odds is None:
            title = self._titles[concept]
            kind = self._kind(title)
            odds = kind * CERTAIN if kind else self._log_odds(concept)
            if odds >= A_NAME and odds < CERTAIN and self._is_common(title, concept):
                odds = -CERTAIN
            if len(self._kept) >= REMEMBERED:
                self._kept.clear()
            self._kept[concept] = odds
        return odds

    def _kind(self, title: str) -> int:
        """1 of a title that is a name, -1 of one that is none, 0 where it does not say."""
        rest = [
            word
            for word in _LETTERS.findall(QUALIFIER.sub("", title))[1:]
            if len(word) > 1 and word.lower() not in self._stops
        ]
        if not rest:
            return 0
        capitals = sum(word[0].isupper() for word in rest)
        return 1 if capitals == len(rest) else -1 if not any(word[0].isupper() for word in rest) else 0

    def _is_common(self, title: str, concept: int) -> bool:
        """Whether the article writes its title with a small letter: then a build knows its other number."""
        common = self._common.get(concept)
        if common is None:
            common = concept in inflected(QUALIFIER.sub("", title), self._inflections, self._aliases)
            if len(self._common) >= REMEMBERED:
                self._common.clear()
            self._common[concept] = common
        return common

    def _log_odds(self, concept: int) -> float:
        """That the concept has a name of its own, by what its article is about; 0 where it cannot be told."""
        if self._discriminant is None:
            return 0.0
        return self._discriminant(self._surroundings.of_concepts([concept])[0])

    @cached_property
    def _discriminant(self) -> Callable[[NDArray[np.float64]], float] | None:
        known = min(len(self._titles), self._surroundings.concepts)
        places = np.unique(np.linspace(0, known - 1, min(SAMPLED, known)).astype(np.int64)).tolist()
        kinds = np.array([self._kind(title) for title in self._titles.many(places)])
        if (kinds > 0).sum() < ENOUGH or (kinds < 0).sum() < ENOUGH:
            return None
        directions = self._surroundings.of_concepts(places)
        names, others = directions[kinds > 0], directions[kinds < 0]
        middles = names.mean(axis=0), others.mean(axis=0)
        spread = np.cov(np.concatenate([names - middles[0], others - middles[1]]).T)
        spread += np.eye(len(spread)) * (_RIDGE * np.trace(spread) / len(spread))
        axis = np.linalg.solve(spread, middles[0] - middles[1])
        middle = float(axis @ (middles[0] + middles[1])) / 2
        return lambda direction: float(axis @ direction) - middle
