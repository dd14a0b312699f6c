"""Concepts that a search found, and by which of their names."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from snapshots.naming.aliases import Aliases, AliasSense
from snapshots.naming.names import ARTICLE, Name, Names
from snapshots.strings import StringTable
from snapshots.text import words

Match = Literal["prefix", "alias", "words", "near"]

LIKELY = 0.1
"""The share of a name from which on a concept is found by it."""

_AROUND = " \"'()[].,;:!?"
"""What may stand around a number without being read with it, as a sign of percent is."""

_MOST_WORDS = 12
"""Words of a query that are looked for."""

_NAMES_OF_CONCEPT = 200
"""Names of a concept among which the one is looked for that matched."""


@dataclass(frozen=True, slots=True)
class SearchHit:
    """A concept that was found, and how.

    ``title`` is that of its article; ``redirect`` the one that matched, where it was not the article's, and
    ``alias`` the other name that did.
    """

    concept: int
    title: str
    match: Match
    redirect: str | None = None
    alias: str | None = None


class Hits:
    """Makes hits of names and concepts. Usable from several threads."""

    def __init__(self, names: Names, titles: StringTable, aliases: Aliases) -> None:
        """``titles``: those of the concepts."""
        self.names, self.aliases = names, aliases
        self._titles = titles

    def of_name(self, name: Name, match: Match) -> SearchHit:
        """The concept that a title or a redirect leads to."""
        redirect = None if name.kind == ARTICLE else name.title
        return SearchHit(name.concept, self._titles[name.concept], match, redirect)

    def of_alias(self, concept: int, alias: str) -> SearchHit:
        """A concept found by another name of it."""
        return SearchHit(concept, self._titles[concept], "alias", alias=alias)

    def called(self, folded: str, known: Sequence[AliasSense]) -> Iterator[SearchHit]:
        """Those of ``known``, which have an alias, that are likely meant by it."""
        return (self.of_alias(named.concept, folded) for named in known if named.share >= LIKELY)

    def worded(self, concept: int, asked: Sequence[str], match: Match) -> SearchHit:
        """A concept under the first of its names that has all words, if one has."""
        names = self.names.of_concept(concept, _NAMES_OF_CONCEPT)
        has_all = (name for name in names if all(word in name.folded for word in asked))
        name = next(has_all, None)
        return SearchHit(concept, self._titles[concept], match) if name is None else self.of_name(name, match)

    def in_links(self, concept: int) -> int:
        """The articles that link to a concept."""
        return next((name.in_links for name in self.names.of_concept(concept, 1)), 0)


def words_of(folded: str) -> list[str]:
    """The words of a query that are looked for; none of a letter or a number with a sign beside it.

    >>> words_of("war and peace"), words_of("c#"), words_of("c"), words_of("100 %")
    (['war', 'and', 'peace'], [], ['c'], [])
    """
    found = words(folded)[:_MOST_WORDS]
    if len(found) != 1 or folded == found[0]:
        return found
    is_number = found[0].isdecimal() and folded.strip(_AROUND) != found[0]
    return [] if is_number or len(found[0]) == 1 else found
