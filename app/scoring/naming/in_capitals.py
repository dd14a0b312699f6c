"""Names in capitals that are read as words: what else they may abbreviate.

By "ISIS" and "PET" a goddess and an animal are found, which are called just so but for their case. Builds
keep no abbreviation that is a title: what else has these initials, titles, other names and words of articles
say.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np

from features.senses.lexicon import Lexicon
from snapshots.naming.initials import initials
from snapshots.naming.mentions import QUALIFIER, fold
from snapshots.naming.own_words import ArticleWords
from snapshots.naming.resolver import Resolver
from snapshots.snapshot import Snapshot

NEARLY = 4
"""From how many letters on the last may be another: the Islamic State of Iraq and the Levant is called ISIL,
and ISIS, too."""

HEAVIEST = 5
"""Of the words of an article, how many that weigh the most it is about: one may be its abbreviation."""

LOOKED_AT = 30
"""The articles in which a word weighs the most that are looked at."""

LITTLE = 20
"""In-links from which on a concept that its article calls by capitals is what they mean first."""


class Abbreviated:
    """Finds what abbreviations stand for. Reads only; usable from several threads."""

    def __init__(self, snapshot: Snapshot, resolver: Resolver, lexicon: Callable[[], Lexicon]) -> None:
        """``lexicon``: the words of the snapshot, opened when they are first needed."""
        self._snapshot, self._resolver, self._lexicon = snapshot, resolver, lexicon
        self._articles = ArticleWords(snapshot)

    def concepts(self, letters: str) -> list[int]:
        """The concepts whose initials are some letters, the most linked first.

        They have much-linked titles, are called so by their articles, or have the letters as a word that
        weighs much in them. Where no article has these initials that another links to, one counts that is
        called so but for the last letter.
        """
        folded = fold(letters)
        known = [*self._resolver.spelling_out(letters), *self._about(folded), *self._stated(folded)]
        if not any(map(self._links, known)):
            known += [each for near in self._nearly(folded) for each in self._stated(near)]
        return sorted(dict.fromkeys(known), key=lambda each: -self._links(each))

    def with_called(self, letters: str, suggested: Sequence[str]) -> tuple[str, ...]:
        """What is suggested for some letters, with the titles of what articles call so more than by any word.

        These stand in front, the most linked first; those that hardly any article links to, last. Their
        titles have the letters as initials, or are one word that has these in it: Tuberculosis, "TB".
        """
        folded = fold(letters)
        known = [each for each in self._weighing(folded) if self._articles.place(folded, each) == 0]
        spelt = [each for each in known if self._spells(each, folded) or self._has_letters(each, folded)]
        links = {self._snapshot.concept_titles[each]: self._links(each) for each in spelt}
        called = sorted(links, key=lambda title: -links[title])
        first = [title for title in called if links[title] >= LITTLE]
        return tuple(dict.fromkeys((*first, *suggested, *called)))

    def _about(self, folded: str) -> Iterator[int]:
        """Those whose articles have the letters as a word that weighs much, and whose titles have them."""
        for concept in self._weighing(folded):
            if self._spells(concept, folded) and 0 <= self._articles.place(folded, concept) < HEAVIEST:
                yield concept

    def _weighing(self, folded: str) -> Iterator[int]:
        """Those in whose articles some letters weigh the most as a word."""
        lexicon = self._lexicon()
        postings = lexicon.postings
        for word in lexicon.words(folded).ids.tolist():
            if word >= postings.rows:
                continue
            order = np.argsort(-postings.row_values(word), kind="stable")[:LOOKED_AT]
            for concept in postings.row(word)[order].tolist():
                if concept < self._snapshot.concepts:
                    yield concept

    def _stated(self, folded: str) -> list[int]:
        """Those that have the letters as another name, and as the initials of their titles."""
        return [each.concept for each in self._resolver.named(folded) if self._spells(each.concept, folded)]

    def _nearly(self, folded: str) -> Iterator[str]:
        """The letters with each other last one that a word of the same script may have."""
        if len(folded) >= NEARLY and folded.isascii():
            yield from (folded[:-1] + chr(last) for last in range(ord("a"), ord("z") + 1))

    def _spells(self, concept: int, folded: str) -> bool:
        return folded in initials(fold(self._snapshot.concept_titles[concept]))

    def _has_letters(self, concept: int, folded: str) -> bool:
        """Whether a title is one word that begins with the first of some letters, and has all in order."""
        title = fold(QUALIFIER.sub("", self._snapshot.concept_titles[concept]))
        left = iter(title)
        return title.isalpha() and title[0] == folded[0] and all(letter in left for letter in folded)

    def _links(self, concept: int) -> int:
        return int(self._snapshot.csr("in_links").sizes(concept))
