"""Which titles are common nouns: all begin with a capital, but behind other words they have small letters.

Truck is one, for there are a Pickup truck and "trucks"; Lviv is none, for there is a University of Lviv.
"""

from __future__ import annotations

from typing import Protocol

from snapshots.naming.aliases import Aliases
from snapshots.strings import StringTable
from snapshots.text import words
from wiki.folding import fold
from wiki.inflections import Inflection

_LOOKED_AT = 50
"""Of the concepts whose names have a word, the most linked, how many titles say how it is written."""

_SHORTEST = 4
"""Letters of a word from which on its case tells: many shorter ones join others, as "of" does."""


class NamesByWord(Protocol):
    """The names of a snapshot (``snapshots.naming.names``)."""

    def with_words(self, words: list[str], limit: int) -> list[int]:
        """The concepts whose names have each of ``words``, folded; the most linked first."""


class CommonNouns:
    """Says which titles are common nouns. Usable from several threads."""

    def __init__(
        self, names: NamesByWord, titles: StringTable, aliases: Aliases, plural: Inflection | None
    ) -> None:
        """``plural``: gives the plural of a noun; None where no rules are known."""
        self._names, self._titles, self._aliases, self._plural = names, titles, aliases, plural

    def has(self, concept: int) -> bool:
        """Whether the title of a concept is known to be a common noun.

        Raises:
            DamagedSnapshot: a table was altered, or replaced since the snapshot was opened.
        """
        title = self._titles[concept].partition(" (")[0]
        if " " in title:
            return _in_small_letters(title) > 0
        plural = None if self._plural is None else self._plural(title)
        alike = [] if plural is None else self._aliases.named(plural)
        if any(each.concept == concept and "inflected" in each.kinds for each in alike):
            return True
        folded = fold(title)
        others = self._names.with_words([folded], _LOOKED_AT) if words(folded) == [folded] else []
        return sum(_in_small_letters(self._titles[other], folded) for other in others) > 0


def _in_small_letters(title: str, word: str | None = None) -> int:
    """How many more words behind the first have small letters than capitals; of all, or of one word.

    >>> [_in_small_letters(title) for title in ("Capital punishment", "University of Lviv", "Amazon River")]
    [1, -1, -1]
    >>> _in_small_letters("Pickup truck", "truck"), _in_small_letters("Fire truck race", "fire")
    (1, 0)
    """
    behind = [each.strip("(),.:;") for each in title.split()[1:]]
    telling = [
        each
        for each in behind
        if each[:1].isalpha() and (len(each) >= _SHORTEST if word is None else fold(each) == word)
    ]
    return sum(1 if each[0].islower() else -1 for each in telling)
