"""Searching for concepts by what somebody types: a name, its beginning, words of it, or nearly that."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain, islice

import marisa_trie
import numpy as np

from measures.arrays import Ints
from snapshots.naming.alias_use import AliasUse
from snapshots.naming.aliases import Aliases
from snapshots.naming.approximate import ApproximateSearch
from snapshots.naming.hits import Hits, SearchHit, words_of
from snapshots.naming.initials import initials
from snapshots.naming.mentions import QUALIFIER
from snapshots.naming.names import ARTICLE, Names
from snapshots.strings import StringTable
from snapshots.text import could_be_named
from wiki.folding import fold
from wiki.inflections import Inflection

LONGEST = 255
"""Characters of a query that are looked at: no title has more bytes."""

_BEGUN, _BEGUN_WORDS = 3, 30
"""From how many letters on a last word may be begun, and how many words it may be the beginning of."""

_NAMESAKES = 50
"""Titles that only qualifiers tell apart, among which the best known is looked for."""

Found = Mapping[int, SearchHit]
"""What was found so far, by concept."""

Way = Callable[[str, int, Found], Iterator[SearchHit]]
"""A way to find concepts."""


class TitleSearch:
    """Finds concepts by what is typed of their names. Usable from several threads."""

    def __init__(
        self,
        names: Names,
        variants: marisa_trie.RecordTrie,
        concept_titles: StringTable,
        aliases: Aliases,
        singular: Inflection | None = None,
        bare: Inflection | None = None,
        use: AliasUse | None = None,
        mutual: Callable[[Sequence[int]], Ints] | None = None,
    ) -> None:
        """``variants``: the trie of folded titles (``snapshots.layout.TRIES``).

        ``singular``: gives the singular of a noun, if it is a plural; None where no rules are known.
        ``bare``: likewise a noun without its article. ``use``: says which aliases are meant; without it, each
        is. ``mutual``: gives the mutual links of concepts (``snapshots.mutual_links``); without it, none are
        known.
        """
        self._names, self._aliases = names, aliases
        self._hits = Hits(names, concept_titles, aliases)
        self._approximate = ApproximateSearch(self._hits, variants, concept_titles)
        self.singular = singular
        self._bare = bare
        self._use = use
        self._mutual = mutual

    def find(self, text: str, limit: int) -> list[SearchHit]:
        """Concepts by what is typed of their names, up to ``limit``: what is written right comes first.

        Case and accents do not matter. First come those of which it is a title, then those of which it is
        another name, or of whose title it is the plural, those that are called so without its article, those
        whose title it is but for a qualifier, those of which a title begins so, and those whose titles have
        all its words, the last of which may be begun; each by their in-links, but of those that only
        qualifiers tell apart the best known before the others. Then come those of which it is
        another name that hardly anybody means, and those near it, the nearest first and of those as near the
        most linked. A title is near that is the text but for one edit. Where nothing was found, so is one
        that begins so, of fewer than six letters in whole words; of nine letters on, one that begins with it
        but for two edits, and of six letters on one that is the text but for two; then a title, too, that has
        all words but one, and one as near to that. Where none does, one that has some of the words, which are
        half of the text or more. Of three letters, two neighbours may be exchanged in a whole title. Few
        letters begin as they are written, or with the first two exchanged. No edit is one of a digit, or of a
        sign that is said: another number is another thing. A word that texts have is no error of another.
        """
        # One letter may become eighteen.
        folded = fold(text[:LONGEST])[:LONGEST]
        if not folded or not could_be_named(folded):
            return []
        hits: dict[int, SearchHit] = {}
        for ask in self._ways:
            for hit in ask(folded, limit, hits):
                hits.setdefault(hit.concept, hit)
                # Of those that are called so, the last may be the best known; of others, more are looked up.
                if len(hits) == limit and hit.match != "alias":
                    break
            if len(hits) >= limit:
                break
        return self._best_known_first(list(hits.values()), folded)[:limit]

    def qualified(self, text: str) -> list[SearchHit]:
        """Concepts whose titles are a text and a qualifier, as Queen (band), those with most of it first."""
        folded = fold(text[:LONGEST])[:LONGEST]
        called = (
            self._hits.called(folded, self._aliases.named(folded)) if could_be_named(folded) else iter(())
        )
        return [hit for hit in called if fold(hit.title).startswith(f"{folded} (")]

    def with_words(self, text: str, limit: int) -> list[SearchHit]:
        """Concepts whose names have all words of a text, each of them whole; the most linked first."""
        folded = fold(text[:LONGEST])[:LONGEST]
        asked = words_of(folded) if could_be_named(folded) else []
        return [self._hits.worded(each, asked, "words") for each in self._names.with_words(asked, limit)]

    def respelt(self, text: str, limit: int) -> list[SearchHit]:
        """Concepts whose names have the words of a text but for one that is spelt nearly so."""
        folded = fold(text[:LONGEST])[:LONGEST]
        return list(islice(self._approximate.respelt(folded, limit), limit))

    def spelling_out(self, letters: str) -> list[SearchHit]:
        """Concepts of much-linked titles whose words begin with these letters, the most linked first."""
        folded = fold(letters)
        named = self._names.popular(folded[:1]) if folded else []
        spelt = [name for name in named if name.kind == ARTICLE and folded in initials(name.folded)]
        return [self._hits.of_name(name, "words") for name in sorted(spelt, key=lambda name: -name.in_links)]

    def _best_known_first(self, hits: list[SearchHit], folded: str) -> list[SearchHit]:
        """Hits of which those that only qualifiers tell apart stand in their places, the best known first.

        Where the titles begin with the text ``folded``, one that is not among the hits may take a place.
        """
        if self._mutual is None:
            return hits
        found = {hit.concept for hit in hits}
        alike: dict[tuple[str, str], list[int]] = {}
        for place, hit in enumerate(hits):
            if (bare := QUALIFIER.sub("", hit.title)) != hit.title:
                alike.setdefault((hit.match, bare), []).append(place)
        ordered = list(hits)
        for (match, bare), places in alike.items():
            members = [hits[place] for place in places]
            if match == "prefix":
                members += (hit for hit in self._begun_by_namesakes(bare, folded) if hit.concept not in found)
            if len(members) < 2:
                continue
            concepts = [hit.concept for hit in members]
            links = [1 + self._hits.in_links(concept) for concept in concepts]
            known = np.array(links) * (1 + self._mutual(concepts)) ** 2
            for place, best in zip(places, np.argsort(-known, kind="stable").tolist(), strict=False):
                ordered[place] = members[best]
        return ordered

    def _begun_by_namesakes(self, bare: str, folded: str) -> Iterator[SearchHit]:
        """Those whose titles are ``bare`` but for a qualifier, and begin with ``folded``."""
        for name in self._names.beginning_with(fold(f"{bare} ("), _NAMESAKES):
            alike = name.kind == ARTICLE and QUALIFIER.sub("", name.title) == bare
            if alike and name.folded.startswith(folded):
                yield self._hits.of_name(name, "prefix")

    @property
    def _ways(self) -> tuple[Way, ...]:
        """What is asked in turn, each with the folded text, how many to find, and what was found before."""
        return (
            self._exactly,
            self._called,
            self._called_without_article,
            self._qualified,
            self._begun,
            self._with_all_words,
            self._hardly_called,
            self._nearly,
        )

    def _exactly(self, folded: str, _limit: int, _found: Found) -> Iterator[SearchHit]:
        """Those of which the text is the title, and then those to which it redirects."""
        names = sorted(self._names.spelt([folded]), key=lambda name: (name.kind, -name.in_links, name.title))
        return (self._hits.of_name(name, "prefix") for name in names)

    def _called(self, folded: str, _limit: int, _found: Found) -> Iterator[SearchHit]:
        """Those of which the text is another name, or else the plural of a title."""
        known = self._aliases.named(folded)
        if known and (self._use is None or self._use.is_meant(folded, known)):
            yield from self._hits.called(folded, known)
        if not known and self.singular is not None and (singular := self.singular(folded)):
            for name in self._names.spelt([singular]):
                if name.kind == ARTICLE:
                    yield self._hits.of_alias(name.concept, folded)

    def _called_without_article(self, folded: str, limit: int, found: Found) -> Iterator[SearchHit]:
        """Those of which the text without its article is a title or another name."""
        bare = None if self._bare is None else self._bare(folded)
        if bare is not None and len(bare) > 1:
            for hit in chain(self._exactly(bare, limit, found), self._called(bare, limit, found)):
                yield replace(hit, match="alias", alias=folded)

    def _qualified(self, folded: str, _limit: int, _found: Found) -> Iterator[SearchHit]:
        return iter(self.qualified(folded))

    def _hardly_called(self, folded: str, _limit: int, _found: Found) -> Iterator[SearchHit]:
        """Those of which the text is another name that is a word of its own, too."""
        known = self._aliases.named(folded)
        if known and self._use is not None and not self._use.is_meant(folded, known):
            yield from self._hits.called(folded, known)

    def _begun(self, folded: str, limit: int, _found: Found) -> Iterator[SearchHit]:
        return (self._hits.of_name(name, "prefix") for name in self._names.beginning_with(folded, limit))

    def _with_all_words(self, folded: str, limit: int, found: Found) -> Iterator[SearchHit]:
        """Those whose names have every word of the text, the last one perhaps as the beginning of a word."""
        asked = words_of(folded)
        if not asked:
            return
        concepts = dict.fromkeys(self._names.with_words(asked, limit))
        if len(concepts) + len(found) < limit and len(asked[-1]) >= _BEGUN:
            begun = [
                concept
                for word in self._names.words_begun(asked[-1], _BEGUN_WORDS)
                for concept in self._names.with_words([*asked[:-1], word], limit)
            ]
            by_links = sorted(set(begun), key=lambda concept: (-self._hits.in_links(concept), concept))
            concepts.update(dict.fromkeys(by_links))
        yield from (self._hits.worded(concept, asked, "words") for concept in concepts)

    def _nearly(self, folded: str, limit: int, found: Found) -> Iterator[SearchHit]:
        if self._use is not None and self._use.is_word(folded):
            return
        # Who has begun to write one thing has not begun to write another.
        near = self._approximate.of_one_edit if found else self._approximate.find
        yield from near(folded, limit)
