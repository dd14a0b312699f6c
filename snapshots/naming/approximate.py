"""Approximate search: concepts of which a title, a word of it or another name is nearly what is typed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from functools import cached_property

import marisa_trie
import numpy as np

from snapshots.naming.hits import Hits, SearchHit, words_of
from snapshots.naming.names import Name
from snapshots.naming.spelling import (
    EXCHANGED,
    ONE_EDIT,
    TWO_EDITS,
    Spellings,
    begins_alike,
    is_another,
    is_misspelt,
    same_signs,
    slips,
)
from snapshots.strings import StringTable
from wiki.folding import fold

_SAMPLED = 2000
"""Titles, from all over the wiki, that say which letters it is written with."""

_LETTERS = 48
"""Letters that are tried where one may be missing or wrong: the most frequent."""

_TWO_EDITS_BEGIN = 9
"""From how many letters on a name may only begin with the text but for two edits, and not be all of it: fewer
letters are near to the beginning of something ("asdfgh" to that of Afghanistan)."""

_SAME_LETTERS, _MOST_BEGUN = 3, 1000
"""The letters that a word with an error begins with rightly, and how many words that do so are compared."""

_SPELLINGS = 2
"""How many words a word that is written wrong may have meant, of those as near."""


class ApproximateSearch:
    """Finds concepts by names that are typed nearly right. Usable from several threads."""

    def __init__(self, hits: Hits, variants: marisa_trie.RecordTrie, titles: StringTable) -> None:
        """``variants``: the trie of folded titles; ``titles``: those of the concepts."""
        self._hits, self._names, self._aliases = hits, hits.names, hits.aliases
        self._variants, self._titles = variants, titles

    def of_one_edit(self, folded: str, limit: int) -> Iterator[SearchHit]:
        """Those of which a title is the text but for one edit: the nearest and most linked first."""
        for _, name in self._near(folded, limit, 1):
            if is_misspelt(name.folded, folded, 1):
                yield self._hits.of_name(name, "near")

    def find(self, folded: str, limit: int) -> Iterator[SearchHit]:
        """Those of which a title begins nearly so, or another name or a word is nearly so.

        Where there are none, those of titles that have a part of the text.
        """
        near = self._near(folded, limit, 2)
        hits = [(edits, -name.in_links, self._hits.of_name(name, "near")) for edits, name in near]
        hits += self._nearly_called(folded)
        hits += self._with_a_word_respelt(folded, limit)
        if hits:
            yield from (hit for *_, hit in sorted(hits, key=lambda each: each[:2]))
            return
        if not any(map(str.isalpha, folded)):
            return  # "100 %" is neither 100 BC nor any other number
        yield from (self._hits.of_name(name, "near") for name in self._alike(folded, limit))
        asked = words_of(folded)
        known = [word for word in asked if self._names.with_words([word], 1)]
        if 2 * len("".join(known)) >= len("".join(asked)):
            concepts = self._names.with_words(known, limit)
            yield from (self._hits.worded(each, known, "near") for each in concepts)

    def respelt(self, folded: str, limit: int) -> Iterator[SearchHit]:
        """Those whose names have the words of the text but for one that is spelt nearly so."""
        return (hit for *_, hit in self._with_a_word_respelt(folded, limit))

    def _nearly_called(self, folded: str) -> Iterator[tuple[int, int, SearchHit]]:
        """Those of which something spelt nearly so is another name, each behind its edits and in-links."""
        if len(folded) < ONE_EDIT:
            return
        for spelling, edits in self._alias_spellings.near(folded, 1 + (len(folded) >= TWO_EDITS)).items():
            if spelling not in self._aliases.trie or not same_signs(folded, spelling):
                continue
            if len(folded) < TWO_EDITS and not begins_alike(spelling, folded):
                continue
            if is_misspelt(spelling, folded, edits) and not is_another(spelling, folded):
                # One letter that stands elsewhere is one mistake.
                made = 1 if sorted(spelling) == sorted(folded) else edits
                for hit in self._hits.called(spelling, self._aliases.named(spelling)):
                    yield made, -self._hits.in_links(hit.concept), replace(hit, match="near")

    def _with_a_word_respelt(self, folded: str, limit: int) -> Iterator[tuple[int, int, SearchHit]]:
        """Those whose names have the words of the text but for one, each behind its edits and in-links."""
        for edits, meant in self._respelt(folded):
            for concept in self._names.with_words(meant, limit):
                yield edits, -self._hits.in_links(concept), self._hits.worded(concept, meant, "near")

    def _respelt(self, folded: str) -> list[tuple[int, list[str]]]:
        """The words of the text with others for one that no name has, and how many edits that takes.

        Nothing where names have all of them, or lack several: that is more than a typing error.
        """
        asked = words_of(folded)
        unknown = [place for place, word in enumerate(asked) if not self._names.with_words([word], 1)]
        if len(unknown) != 1:
            return []
        place, word = unknown[0], asked[unknown[0]]
        begun = self._names.words_begun(word[:_SAME_LETTERS], _MOST_BEGUN)
        slipped = (other for other in slips(word) if same_signs(word, other) and begins_alike(other, word))
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


def _rank(each: tuple[int, Name]) -> tuple[int, int, int, str]:
    """What puts names into order, each with its number of edits."""
    made, name = each
    return made, -name.in_links, name.kind, name.folded


def _is_near(text: str, edits: int, name: Name) -> bool:
    """Whether a name that begins with ``text`` but for some edits is near enough to be what was meant."""
    if len(text) < TWO_EDITS:
        return begins_alike(name.folded, text) and _has_in_front(name.folded, text, edits)
    if len(text) == TWO_EDITS and name.folded[:1] != text[:1]:
        return is_misspelt(name.folded, text, 1)
    return edits < 2 or len(text) >= _TWO_EDITS_BEGIN or is_misspelt(name.folded, text, 2)


def _has_in_front(name: str, text: str, edits: int) -> bool:
    """Whether a short text is a name, or the first words of it, but for some edits.

    Few letters are near to the beginning of too much: "perro" to that of Petroleum.
    """
    if is_misspelt(name, text, edits):
        return True
    front = " ".join(name.split()[: len(text.split())])
    return is_misspelt(front, text, edits) and not is_another(front, text)
