"""Two articles of one thing, whose titles are spellings of one another: Grey wolf and Gray wolf.

A dump that was assembled of several works has such pairs. Titles that are spelt alike may well be of
different things, as Louver and Louvre are: the articles of one thing have words in common that weigh most in
both.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache

from snapshots.naming.by_letters import PrefixTrie, with_letters_of
from snapshots.snapshot import Snapshot
from wiki.folding import fold
from wiki.regional import titles_abroad

_IN_COMMON = 5
"""Of the words that weigh most in two articles, how many those of one thing have in common at the least: in
the starter Labour Day and Labor Day have 7, Grey wolf and Gray wolf 13, but Louver and Louvre 1."""


_KEPT = 1 << 14
"""Concepts whose best known article is remembered: to look for it takes as long as to find a name."""


class Twins:
    """Finds such articles. Usable from several threads."""

    def __init__(
        self, snapshot: Snapshot, article: Callable[[str], int], variants: PrefixTrie, language: str
    ) -> None:
        """``article``: the concept of a title, -1 where there is none; ``variants``: the folded titles.

        ``language``: that of the wiki.
        """
        self._snapshot, self._article, self._variants = snapshot, article, variants
        self._language = language
        self._best_known = lru_cache(_KEPT)(self._find_best_known)

    def of(self, concept: int) -> list[int]:
        """The other articles of the thing that a concept is; mostly none.

        Raises:
            DamagedSnapshot: a table was altered, or replaced since the snapshot was opened.
        """
        spelt = dict.fromkeys(map(self._article, self._spellings(self._snapshot.concept_titles[concept])))
        return [other for other in spelt if other not in (-1, concept) and self._are_alike(concept, other)]

    def titles(self, concept: int) -> list[str]:
        """The titles of the other articles; none of no concept, -1."""
        twins = self.of(concept) if concept >= 0 else []
        return [self._snapshot.concept_titles[twin] for twin in twins]

    def best_known(self, concept: int) -> int:
        """Of the articles of one thing, that to which the most articles link.

        Raises:
            DamagedSnapshot: a table was altered, or replaced since the snapshot was opened.
        """
        return self._best_known(concept)

    def _find_best_known(self, concept: int) -> int:
        links = self._snapshot.csr("in_links").sizes
        return max((concept, *self.of(concept)), key=lambda each: int(links(each)))

    def _spellings(self, title: str) -> Iterator[str]:
        yield from titles_abroad(title, self._language)
        if "-" in title:
            yield title.replace("-", " ")
        if letters := with_letters_of(fold(title), self._variants):
            yield letters[:1].upper() + letters[1:]

    def _are_alike(self, one: int, other: int) -> bool:
        row = self._snapshot.csr("tfidf").row
        return len(set(row(one).tolist()).intersection(row(other).tolist())) >= _IN_COMMON
