"""Searching for concepts by what somebody types: a name, its beginning, words of it, or nearly that."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain, islice
from typing import Literal

import marisa_trie
import numpy as np

from snapshots.annotator.names.alias_use import AliasUse
from snapshots.annotator.names.aliases import Aliases, AliasSense
from snapshots.initials import initials
from snapshots.names import ARTICLE, Name, Names
from snapshots.spelling import (
    EXCHANGED,
    ONE_EDIT,
    TWO_EDITS,
    Spellings,
    is_another,
    is_misspelt,
    same_signs,
    slips,
)
from snapshots.strings import StringTable
from snapshots.text import could_be_named, words
from wiki.folding import fold
from wiki.inflections import Inflection

Match = Literal["prefix", "alias", "words", "near"]

LONGEST = 255
"""Characters of a query that are looked at: no title has more bytes."""

_SAMPLED = 2000
"""Titles, from all over the wiki, that say which letters it is written with."""

_LETTERS = 48
"""Letters that are tried where one may be missing or wrong: the most frequent."""

_TWO_EDITS_BEGIN = 9
"""From how many letters on a name may only begin with the text but for two edits, and not be all of it: fewer
letters are near to the beginning of something ("asdfgh" to that of Afghanistan)."""

_LIKELY = 0.1
"""The share of a name from which on a concept is found by it."""

_AROUND = " \"'()[].,;:!?"
"""What may stand around a number without being read with it, as a sign of percent is."""

_MOST_WORDS = 12
"""Words of a query that are looked for."""

_BEGUN, _BEGUN_WORDS = 3, 30
"""From how many letters on a last word may be begun, and how many words it may be the beginning of."""

_SAME_LETTERS, _MOST_BEGUN = 3, 1000
"""The letters that a word with an error begins with rightly, and how many words that do so are compared."""

_SPELLINGS = 2
"""How many words a word that is written wrong may have meant, of those as near."""

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
    ) -> None:
        """``variants``: the trie of folded titles (``snapshots.layout.TRIES``).

        ``singular``: gives the singular of a noun, if it is a plural; None where no rules are known.
        ``bare``: likewise a noun without its article. ``use``: says which aliases are meant; without it, each
        is.
        """
        self._names = names
        self._variants = variants
        self._titles = concept_titles
        self._aliases = aliases
        self.singular = singular
        self._bare = bare
        self._use = use

    def find(self, text: str, limit: int) -> list[SearchHit]:
        """Concepts by what is typed of their names, up to ``limit``: what is written right comes first.

        Case and accents do not matter. First come those of which it is a title, then those of which it is
        another name, or of whose title it is the plural, those that are called so without its article, those
        whose title it is but for a qualifier, those of which a title begins so, and those whose titles have
        all its words, the last of which may be begun; each by their in-links. Then come those of which it is
        another name that hardly anybody means, and those near it, the nearest first and of those as near the
        most linked. A title is near that is the text but for one edit. Where nothing was found, so is one
        that begins so; of nine letters on, one that begins with it but for two edits, and of six letters on
        one that is the text but for two; then a title, too, that has all words but one, and one as near to
        that. Where none does, one that has some of the words, which are half of the text or
        more. Of three letters, two neighbours may be exchanged in a whole title. No edit is one of a digit,
        or of a sign that is said: another number is another thing. A word that texts have, and a name, is
        no error of another.
        """
        # One letter may become eighteen.
        folded = fold(text[:LONGEST])[:LONGEST]
        if not folded or not could_be_named(folded):
            return []
        hits: dict[int, SearchHit] = {}
        for hit in chain.from_iterable(ask(folded, limit, hits) for ask in self._ways):
            hits.setdefault(hit.concept, hit)
            if len(hits) == limit:
                break
        return list(hits.values())

    def qualified(self, text: str) -> list[SearchHit]:
        """Concepts whose titles are a text and a qualifier, as Queen (band), those with most of it first."""
        folded = fold(text[:LONGEST])[:LONGEST]
        called = self._named(folded, self._aliases.named(folded)) if could_be_named(folded) else iter(())
        return [hit for hit in called if fold(hit.title).startswith(f"{folded} (")]

    def with_words(self, text: str, limit: int) -> list[SearchHit]:
        """Concepts whose names have all words of a text, each of them whole; the most linked first."""
        folded = fold(text[:LONGEST])[:LONGEST]
        asked = _words_of(folded) if could_be_named(folded) else []
        return [self._worded(each, asked, "words") for each in self._names.with_words(asked, limit)]

    def respelt(self, text: str, limit: int) -> list[SearchHit]:
        """Concepts whose names have the words of a text but for one that is spelt nearly so."""
        folded = fold(text[:LONGEST])[:LONGEST]
        return [hit for *_, hit in islice(self._with_a_word_respelt(folded, limit), limit)]

    def spelling_out(self, letters: str) -> list[SearchHit]:
        """Concepts of much-linked titles whose words begin with these letters, the most linked first."""
        folded = fold(letters)
        named = self._names.popular(folded[:1]) if folded else []
        spelt = [name for name in named if name.kind == ARTICLE and folded in initials(name.folded)]
        return [self._hit(name, "words") for name in sorted(spelt, key=lambda name: -name.in_links)]

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
        return (self._hit(name, "prefix") for name in names)

    def _called(self, folded: str, _limit: int, _found: Found) -> Iterator[SearchHit]:
        """Those of which the text is another name, or else the plural of a title."""
        known = self._aliases.named(folded)
        if known and (self._use is None or self._use.is_meant(folded, known)):
            yield from self._named(folded, known)
        if not known and self.singular is not None and (singular := self.singular(folded)):
            for name in self._names.spelt([singular]):
                if name.kind == ARTICLE:
                    yield SearchHit(name.concept, self._titles[name.concept], "alias", alias=folded)

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
            yield from self._named(folded, known)

    def _named(self, folded: str, known: Sequence[AliasSense]) -> Iterator[SearchHit]:
        for named in known:
            if named.share >= _LIKELY:
                yield SearchHit(named.concept, self._titles[named.concept], "alias", alias=folded)

    def _begun(self, folded: str, limit: int, _found: Found) -> Iterator[SearchHit]:
        return (self._hit(name, "prefix") for name in self._names.beginning_with(folded, limit))

    def _with_all_words(self, folded: str, limit: int, found: Found) -> Iterator[SearchHit]:
        """Those whose names have every word of the text, the last one perhaps as the beginning of a word."""
        asked = _words_of(folded)
        if not asked:
            return
        concepts = dict.fromkeys(self._names.with_words(asked, limit))
        if len(concepts) + len(found) < limit and len(asked[-1]) >= _BEGUN:
            begun = [
                concept
                for word in self._names.words_begun(asked[-1], _BEGUN_WORDS)
                for concept in self._names.with_words([*asked[:-1], word], limit)
            ]
            by_links = sorted(set(begun), key=lambda concept: (-self._in_links(concept), concept))
            concepts.update(dict.fromkeys(by_links))
        yield from (self._worded(concept, asked, "words") for concept in concepts)

    def _nearly(self, folded: str, limit: int, found: Found) -> Iterator[SearchHit]:
        if (found or len(folded) < TWO_EDITS) and self._use is not None and self._use.is_word(folded):
            return
        near = self._near(folded, limit, 1 if found else 2)
        if found:
            # Who has begun to write one thing has not begun to write another.
            yield from (self._hit(name, "near") for _, name in near if is_misspelt(name.folded, folded, 1))
            return
        hits = [(edits, -name.in_links, self._hit(name, "near")) for edits, name in near]
        hits += self._nearly_called(folded)
        hits += self._with_a_word_respelt(folded, limit)
        if hits:
            yield from (hit for *_, hit in sorted(hits, key=lambda each: each[:2]))
            return
        if not any(map(str.isalpha, folded)):
            return  # "100 %" is neither 100 BC nor any other number
        yield from (self._hit(name, "near") for name in self._alike(folded, limit))
        asked = _words_of(folded)
        known = [word for word in asked if self._names.with_words([word], 1)]
        if 2 * len("".join(known)) >= len("".join(asked)):
            yield from (self._worded(each, known, "near") for each in self._names.with_words(known, limit))

    def _nearly_called(self, folded: str) -> Iterator[tuple[int, int, SearchHit]]:
        """Those of which something spelt nearly so is another name, each behind its edits and in-links."""
        if len(folded) < ONE_EDIT:
            return
        for spelling, edits in self._alias_spellings.near(folded, 1 + (len(folded) >= TWO_EDITS)).items():
            if spelling not in self._aliases.trie or not same_signs(folded, spelling):
                continue
            if is_misspelt(spelling, folded, edits) and not is_another(spelling, folded):
                # One letter that stands elsewhere is one mistake.
                made = 1 if sorted(spelling) == sorted(folded) else edits
                for hit in self._named(spelling, self._aliases.named(spelling)):
                    yield made, -self._in_links(hit.concept), replace(hit, match="near")

    def _with_a_word_respelt(self, folded: str, limit: int) -> Iterator[tuple[int, int, SearchHit]]:
        """Those whose names have the words of the text but for one, each behind its edits and in-links."""
        for edits, meant in self._respelt(folded):
            for concept in self._names.with_words(meant, limit):
                yield edits, -self._in_links(concept), self._worded(concept, meant, "near")

    def _respelt(self, folded: str) -> list[tuple[int, list[str]]]:
        """The words of the text with others for one that no name has, and how many edits that takes.

        Nothing where names have all of them, or lack several: that is more than a typing error.
        """
        asked = _words_of(folded)
        unknown = [place for place, word in enumerate(asked) if not self._names.with_words([word], 1)]
        if len(unknown) != 1:
            return []
        place, word = unknown[0], asked[unknown[0]]
        begun = self._names.words_begun(word[:_SAME_LETTERS], _MOST_BEGUN)
        slipped = (other for other in slips(word) if same_signs(word, other))
        begun += [other for other in slipped if self._names.with_words([other], 1)]
        for edits in range(1, 1 + (len(word) >= ONE_EDIT) + (len(word) >= TWO_EDITS)):
            near = [
                other
                for other in begun
                if is_misspelt(other, word, edits) and (len(asked) > 1 or not is_another(other, word))
            ]
            if near:
                return [(edits, [*asked[:place], other, *asked[place + 1 :]]) for other in near[:_SPELLINGS]]
        return []

    def _worded(self, concept: int, asked: Sequence[str], match: Match) -> SearchHit:
        """A concept under the first of its names that has all words, if one has."""
        names = self._names.of_concept(concept, _NAMES_OF_CONCEPT)
        has_all = (name for name in names if all(word in name.folded for word in asked))
        name = next(has_all, None)
        return SearchHit(concept, self._titles[concept], match) if name is None else self._hit(name, match)

    def _in_links(self, concept: int) -> int:
        return next((name.in_links for name in self._names.of_concept(concept, 1)), 0)

    def _near(self, folded: str, limit: int, most: int) -> list[tuple[int, Name]]:
        """Names that nearly begin with ``folded``, and by how many edits: the nearest and most linked first.

        Two edits, if ``most`` allows them, are tried where one does not lead to enough. Of letters that begin
        many titles, those are known that are named so exactly, some that begin so, and those among the most
        linked of the wiki.
        """
        if len(folded) == EXCHANGED:
            exchanged = {folded[1] + folded[0] + folded[2], folded[0] + folded[2] + folded[1]} - {folded}
            spelt = (name for name in self._names.spelt(exchanged) if same_signs(folded, name.folded))
            return sorted(((1, name) for name in spelt), key=_rank)
        names: list[tuple[int, Name]] = []
        allowed = (len(folded) >= ONE_EDIT) + (len(folded) >= TWO_EDITS)
        for edits in range(1, min(allowed, most) + 1):
            spellings = self._spellings.near(folded, edits)
            same = {spelling: made for spelling, made in spellings.items() if same_signs(folded, spelling)}
            names = [each for each in self._ranked(same) if _is_near(folded, *each)]
            if len({name.concept for _, name in names}) >= limit:
                break
        return names

    def _ranked(self, spellings: dict[str, int]) -> list[tuple[int, Name]]:
        """Names that begin with one of ``spellings``, by how many edits these are, then by their in-links."""
        # Of as many edits the longest first: they begin the fewest titles.
        order = sorted(spellings, key=lambda spelling: (spellings[spelling], -len(spelling), spelling))
        names = {*self._names.spelt(order), *self._names.completed(order)}
        names.update(name for spelling in order for name in self._names.popular(spelling))
        lengths = {len(spelling) for spelling in order}

        def edits(name: Name) -> int:
            return min(spellings.get(name.folded[:length], TWO_EDITS) for length in lengths)

        return sorted(((edits(name), name) for name in names), key=_rank)

    def _alike(self, folded: str, limit: int) -> list[Name]:
        """Names that begin with as many whole words of ``folded`` as any does, if these are half of it."""
        known = self._spellings.known_beginning(folded)
        ends = folded[len(known) : len(known) + 1] == " "  # the last word of it is whole
        begun = known if ends else known.rpartition(" ")[0]
        return self._names.beginning_with(begun, limit) if begun and 2 * len(begun) >= len(folded) else []

    def _hit(self, name: Name, match: Match) -> SearchHit:
        redirect = None if name.kind == ARTICLE else name.title
        return SearchHit(name.concept, self._titles[name.concept], match, redirect)

    @cached_property
    def _spellings(self) -> Spellings:
        rows = len(self._titles)
        sampled = np.linspace(0, rows - 1, min(rows, _SAMPLED)).astype(np.int64)
        counts = Counter(letter for row in sampled.tolist() for letter in fold(self._titles[row]))
        # Of equally frequent ones always the same.
        letters = sorted(counts, key=lambda letter: (-counts[letter], letter))[:_LETTERS]
        return Spellings(self._variants, "".join(letters))

    @cached_property
    def _alias_spellings(self) -> Spellings:
        return self._spellings.of(self._aliases.trie)


def _words_of(folded: str) -> list[str]:
    """The words of a query that are looked for; none of a letter or a number with a sign beside it.

    >>> _words_of("war and peace"), _words_of("c#"), _words_of("c"), _words_of("100 %")
    (['war', 'and', 'peace'], [], ['c'], [])
    """
    found = words(folded)[:_MOST_WORDS]
    if len(found) != 1 or folded == found[0]:
        return found
    is_number = found[0].isdecimal() and folded.strip(_AROUND) != found[0]
    return [] if is_number or len(found[0]) == 1 else found


def _rank(each: tuple[int, Name]) -> tuple[int, int, int, str]:
    """What puts names into order, each with its number of edits."""
    made, name = each
    return made, -name.in_links, name.kind, name.folded


def _is_near(text: str, edits: int, name: Name) -> bool:
    """Whether a name that begins with ``text`` but for some edits is near enough to be what was meant."""
    if len(text) < TWO_EDITS and name.folded[:1] != text[:1]:
        return is_misspelt(name.folded, text, edits)  # what is short begins as it is written
    return edits < 2 or len(text) >= _TWO_EDITS_BEGIN or is_misspelt(name.folded, text, 2)
