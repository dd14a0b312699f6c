"""First names: Prince William is no archbishop, nor was Irving Berlin a city.

Many people have a first name, and few of them are in a snapshot. So where one stands by itself, or before a
word with a capital, neither the one nor the other is taken for what happens to be called so.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from snapshots.annotator.doubting.surnames import REMEMBERED, Surnames
from snapshots.annotator.names.known_names import KnownNames
from snapshots.naming.given_names import SEVERAL, is_given_name, people_called
from snapshots.naming.mentions import QUALIFIER
from snapshots.text import words
from wiki.folding import fold
from wiki.inflections import BARE

WORKS = {"en": re.compile(r"\b(?:album|book|comics|film|movie|musical|novel|opera|play|series|song)\)$")}
"""By language, the qualifiers of works, which are seldom named before a word with a capital: "Emma Stone"."""

NEAR = 0.45
"""The cosine with the surroundings from which on one of many with a first name is meant. In the starter James
(son of Zebedee) has 0.70 in "James and John, the apostles of Jesus", and 0.16 in "James bought bread", and
William (archbishop of Mainz) 0.30 in "Prince William visited Australia"."""

NEAR_TITLE = 0.4
"""The same for whoever has the whole title: Sarah, Abraham's wife, has 0.33 in "Sarah went to school in
Boston", and 0.89 beside her husband."""

FOR_EACH = 0.004
"""People with a first name for each sentence with the word, from which on it is hardly anything else: in the
starter Sarah has 0.008 and David 0.005, but Muhammad 0.003, Victoria 0.001, Christian and August 0.0005."""

_LONGEST = 40
"""Characters of the longest first name."""

_BEFORE = re.compile(r"(?:^|[^\w.'’-])([^\W\d_]+)[ \u00a0]$")
_BEHIND = re.compile(r"[ \u00a0]([^\W\d_][\w-]*)")


class FirstNames:
    """Finds mentions that are a first name, or stand beside one. Reads only; usable from several threads."""

    def __init__(
        self,
        names: KnownNames,
        surnames: Surnames,
        language: str,
    ) -> None:
        """``surnames``: of the snapshot that has ``names``, whose language says what works are called."""
        self._names, self._surnames = names, surnames
        self._work, self._bare = WORKS.get(language), BARE.get(language)
        self._first: dict[str, bool] = {}

    def has(self, text: str, start: int, end: int, concept: int) -> bool:
        """Whether ``text[start:end]``, taken for a concept, is a word of a name with a first name.

        Before a word that the concept is called, a first name counts that is no title. Behind an article it
        is no person's: "the James River".
        """
        written, title = text[start:end], self._names.titles[concept]
        if self._is_anothers(text, start, end, concept):
            return True
        if not written.isalpha() or not written[0].isupper() or written.isupper():
            return False
        if self._work is not None and self._work.search(title) is not None:
            behind = _BEHIND.match(text, end)
            if behind is not None and behind[1][0].isupper() and fold(behind[1]) not in words(fold(title)):
                return True
        if fold(QUALIFIER.sub("", title)) != fold(written):
            return False
        before = _BEFORE.search(text, max(0, start - _LONGEST), start)
        if before is None or not before[1][0].isupper() or not self._is_nothing_else(before[1]):
            return False
        article = _BEFORE.search(text, max(0, before.start(1) - _LONGEST), before.start(1))
        return article is None or self._bare is None or self._bare(f"{article[1]} noun") is None

    def _is_anothers(self, text: str, start: int, end: int, concept: int) -> bool:
        """Whether ``text[start:end]`` is the surname of a concept behind the first name of somebody else.

        A middle name, behind one of its own, is no other's: "Alfred Joseph Hitchcock", and neither is a short
        form or a long one: "Albert Gore" is Al Gore.
        """
        written, own = text[start:end], self._names.words_of(concept)
        if not self._names.is_surname_of(written, concept):
            return False
        before = _BEFORE.search(text, max(0, start - _LONGEST), start)
        if before is None or not before[1].istitle() or _is_among(before[1], own):
            return False
        further = _BEFORE.search(text, max(0, before.start(1) - _LONGEST), before.start(1))
        if further is not None and _is_among(further[1], own):
            return False
        return self._is_nothing_else(before[1])

    def is_one_of_many(self, written: str, concept: int) -> bool:
        """Whether a concept is one of many who are called so first, and has not the whole of its title so.

        David has, and is meant. William (archbishop of Mainz) has not. Nor has Dan Morgan (bushranger), whom
        some knew as John Smith, like many others: of such a name, others have the surname.
        """
        if self._names.titles[concept] == written or not written.istitle():
            return False
        first, _, last = written.partition(" ")
        if last and fold(last) in self._names.words_of(concept):
            return False
        return self._is_common(first) and (not last or self._names.is_surname(last, but=concept))

    def is_one_of_several(self, written: str, concept: int) -> bool:
        """Whether a concept's whole title is the first name of several people, who are called so, too."""
        if not (written.isalpha() and written.istitle()):
            return False
        if fold(QUALIFIER.sub("", self._names.titles[concept])) != fold(written):
            return False
        known = self._first.get(written)
        if known is None:
            people = self._people(written) if self._surnames.is_first(written) else 0
            known = people >= max(SEVERAL, FOR_EACH * self._names.counted.sentences(fold(written)))
            if len(self._first) >= REMEMBERED:
                self._first = {}
            self._first[written] = known
        return known

    def _people(self, first: str) -> int:
        """How many people with a surname have a first name, of those whose titles begin with it."""
        names = self._names
        return people_called(first, names.leading, names.titles, names.aliases.named)

    def _is_common(self, word: str) -> bool:
        """Whether many are called so first, whether or not they have a surname."""
        return is_given_name(word, self._names.leading) and self._surnames.is_first(word)

    def _is_nothing_else(self, word: str) -> bool:
        """Whether a word with a capital is a first name and no other, as Sydney is in "Sydney Harbour"."""
        if word.isupper() or self._names.counted.is_stop(word.lower()) or not self._surnames.is_first(word):
            return False
        if self._is_common(word):
            return True
        return word not in self._names.leading and all(
            "surname" in one.kinds for one in self._names.aliases.named(word)
        )


def _is_among(name: str, own: Iterable[str]) -> bool:
    """Whether a name is one of some words in small letters, or is short for one, or one for it.

    >>> [_is_among(name, ["al", "gore"]) for name in ("Al", "Albert", "Alison", "Frank")]
    [True, True, True, False]
    """
    folded = fold(name)
    return any(word.startswith(folded) or folded.startswith(word) for word in own)
