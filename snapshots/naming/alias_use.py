"""Whether somebody who writes a name means one of the concepts that have it as an alias.

Two signs say that something else may be meant, which has no article here. The name is a word that stands in
far more sentences than articles link to all that have it: "rose" is hardly ever Lionel Rose, and whether
"joy" is Bill Joy had better be asked. Or nothing makes it a name but that one title has it before a
parenthesis: "Doctor (Doctor Who)" says that there are others.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property

from snapshots.csr import CSR
from snapshots.errors import damaged
from snapshots.naming.aliases import LONGEST, Aliases, AliasSense
from snapshots.naming.mentions import mention_of
from snapshots.naming.names import ARTICLE
from snapshots.naming.own_words import is_spelt_otherwise
from snapshots.naming.word_counts import WordCounts
from snapshots.snapshot import Snapshot
from snapshots.stop_words import base_language
from snapshots.strings import StringTable
from snapshots.text import words
from wiki.inflections import Inflection

SELDOM = 0.01
"""The links to all that have a name, and they themselves, for each sentence with it, below which it is hardly
ever theirs. Of names below it in the starter nearly all are words, of those above it most are names."""

DOUBTFUL = 0.08
"""Links to the one that has most of a name, and it itself, for each sentence with the name, below which a
surname, an abbreviation or the part of a title may be a word of its own. In the starter "joy" (Bill Joy) has
0.02, "gates" 0.05 and "cook" 0.07, "Mozart" 0.12 and "Obama" 0.40."""

PART = 0.02
"""The same for a word of a title that the article states as a name of its own, where the title is a name, as
its capitals say: in the starter "valve" (Valve Corporation) has 0.017 and "crosby" (Crosby, Stills & Nash)
0.023. A part of another title is meant: "wolf" is the Grey wolf, and "program" Computer program."""

SINGULAR = 0.1
"""The same for the singular of a name that an article states as a plural: in the starter "tune" has 0.093, of
"Tunes" (Tunis), "sid" 0.02, and "tory" 0.35. Where the title itself is a noun with a plural, as Movie is for
"film", it is meant however often it is written."""

ABBREVIATED, OF_TWO_LETTERS = 0.0125, 0.06
"""Links for each sentence, as above, below which it is asked for what an abbreviation in capitals stands; of
two letters so much is called that more is needed. In the starter "GM" (George Medal) has 0.011 and "DC"
(direct current) 0.053, "RAM" 0.013, "CD" 0.063 and "NFL" 0.10. "LED" is asked for as well, since sentences
are counted with "led"."""

MOSTLY = 0.33
"""Links to the one that has most of a name, and it itself, for each article with the name, from which on it
is meant however many sentences have the name: a person's own article repeats it in most of them. In the
starter "joy" (Bill Joy) has 0.03, "cook" 0.17, "Mozart" 0.36, "Tchaikovsky" 0.37 and "Beckham" 0.90."""

MOSTLY_ABBREVIATED = 0.2
"""The same for an abbreviation in capitals, of three letters or more, beside which articles write the name in
full: in the starter "CPU" has 0.22, and "ATM" (Automated teller machine) 0.15."""

WRITTEN = 10
"""Sentences with a word from which on it is one: in the starter "smoking" stands in hundreds, and "Hund" in
19. Of names with a typing error it has one in fifty as a word."""

COMMON = 400
"""Sentences with a word from which on it is a common one: in the starter "raid" stands in 936, and "tardis"
in 357."""

LIKELY = 0.1
"""The share of a name, stated of another concept, from which on a plural is not simply taken for one: of
"Windows", Microsoft Windows has 0.15."""

_OF_DISAMBIGUATION = "(disambiguation)"
"""What the title of a page ends with that lists meanings, in English."""


def is_one_of_several(named: Sequence[AliasSense], titles: StringTable) -> bool:
    """Whether a name's concepts are one alone, whose title says by a parenthesis that there are others."""
    best = named[0]
    if best.share < 1 or best.kinds not in (("unqualified",), ("unqualified", "inflected")):
        return False
    return titles[best.concept].endswith(")") and not lists_meanings(titles[best.concept])


def lists_meanings(title: str) -> bool:
    """Whether a title is that of a page of meanings, which some dumps have among their articles."""
    return title.endswith(_OF_DISAMBIGUATION)


def is_placed(title: str) -> bool:
    """Whether what stands behind a comma in a title is a name, all in capitals, and no list.

    >>> [is_placed(title) for title in ("Washington, D.C.", "Emerson, Lake & Palmer", "Mary, Queen of Scots")]
    [True, False, False]
    """
    return all(word[0].isupper() for word in title.partition(", ")[2].split())


class AliasUse:
    """Of the aliases of a snapshot, which are meant by who writes them. Usable from several threads."""

    def __init__(
        self,
        opened: Callable[[], tuple[WordCounts, CSR]],
        titles: StringTable,
        singular: Inflection | None,
        articles: Callable[[str], int] = lambda name: 0,
        language: str = "",
    ) -> None:
        """``opened``: the counts of words, and the in-links of the concepts, called when they are asked for.

        ``singular``: gives the singular of a noun, if it is a plural; None where no rules are known.
        ``articles``: how many articles have a name, 0 where that is not known (``Aliases.articles``).
        ``language``: of the wiki, in which a title may be spelt otherwise; "" where no rules are known.
        """
        self._opened = opened
        self._titles = titles
        self._singular = singular
        self._articles = articles
        self._language = language

    @classmethod
    def of_snapshot(cls, snapshot: Snapshot, singular: Inflection | None, aliases: Aliases) -> AliasUse:
        """Those of a snapshot, which has ``aliases``."""
        return cls(
            lambda: (WordCounts.of_snapshot(snapshot), snapshot.csr("in_links")),
            snapshot.concept_titles,
            singular,
            aliases.articles,
            base_language(snapshot.manifest.language),
        )

    @cached_property
    def _tables(self) -> tuple[WordCounts, CSR]:
        return self._opened()

    def is_meant(self, name: str, named: Sequence[AliasSense], written: str | None = None) -> bool:
        """Whether ``name``, as somebody wrote it, may well mean one of ``named``, which have it as an alias.

        An abbreviation in capitals is no word, nor is a name of several words; the plural of a title means
        what the title means. No page is meant that lists meanings. ``written``: the inflection of the name
        that was written instead of it.

        Raises:
            DamagedSnapshot: a table was altered, or replaced since the snapshot was opened.
        """
        best, key = named[0], mention_of(name, LONGEST)
        if best.kinds == ("unqualified",) and self.lists_meanings(best.concept):
            return False
        if key is None or " " in key or ("stated" in best.kinds and len(name) > 1 and name.isupper()):
            return True
        if best.kinds == ("inflected",) and self._is_plural_of(name, best.concept):
            return True
        word = key if written is None else mention_of(written, LONGEST)
        return word is not None and self._links_to_all(best) >= SELDOM * self._sentences(word)

    def is_one_of_several(self, named: Sequence[AliasSense]) -> bool:
        """Whether ``named`` is a single concept, whose title says by a parenthesis that there are others.

        A plural of what is before the parenthesis is no more its own.
        """
        return is_one_of_several(named, self._titles)

    def lists_meanings(self, concept: int) -> bool:
        """Whether a concept is a page of meanings, which some dumps have among their articles."""
        return lists_meanings(self._titles[concept])

    def is_word(self, name: str) -> bool:
        """Whether articles write ``name`` so often as a word that it is no typing error of another.

        Raises:
            DamagedSnapshot: a table was altered, or replaced since the snapshot was opened.
        """
        key = mention_of(name, LONGEST)
        return key is not None and self._sentences(key) >= WRITTEN

    def is_in_doubt(self, name: str, named: Sequence[AliasSense]) -> bool:
        """Whether it should be asked if ``name`` means the first of ``named``, even where no other has it.

        So it should of one of several, of a plural that is another's own name or has a meaning of its own
        ("glasses"), and of the singular of a title in the plural that is a common word itself: "short" is
        hardly Shorts; and of a surname, the part of a title, or a name that is no word of the title, that
        stands in many more sentences than articles link to the concept: in many times more if it is an
        abbreviation in capitals; but not where a good part of the articles with the name link to the concept,
        nor of a title that is only spelt otherwise: "behaviour" is Behavior.

        Raises:
            DamagedSnapshot: a table was altered, or replaced since the snapshot was opened.
        """
        if self.is_one_of_several(named):
            return True
        best, key = named[0], mention_of(name, LONGEST)
        if best.kinds == ("inflected",):
            is_others = any("stated" in other.kinds and other.share >= LIKELY for other in named[1:])
            is_plural = len(name) > len(self._titles[best.concept])
            # "CATS" has the singular that "cats" has, while "CDs" is no plural of capitals.
            written = name.lower() if name.isupper() else name
            is_its_own = is_plural and self._singular is not None and self._singular(written) is None
            return is_others or is_its_own or self._is_common_singular(name, best)
        if key is None or " " in key or self._is_mostly_meant(name, best) or self._is_title_of(key, best):
            return False
        if name.isupper():
            enough = OF_TWO_LETTERS if len(name) == 2 else ABBREVIATED
            return self._sentences(key) < math.inf and self._links_to(best) < enough * self._sentences(key)
        title, enough = self._titles[best.concept], DOUBTFUL
        if "stated" in best.kinds and "surname" not in best.kinds and key in words(title):
            if not any(word[0].isupper() for word in title.split()[1:]):
                return False
            enough = PART
        return self._links_to(best) < enough * self._sentences(key)

    def _is_mostly_meant(self, name: str, best: AliasSense) -> bool:
        """Whether a good part of the articles with a name link to the one that has most of it."""
        articles = self._articles(name)
        enough = MOSTLY_ABBREVIATED if name.isupper() and len(name) > 2 else MOSTLY
        return articles > 0 and self._links_to(best) >= enough * articles

    def _is_title_of(self, key: str, best: AliasSense) -> bool:
        """Whether a name that an article states is its title, spelt otherwise."""
        title = self._titles[best.concept]
        return "stated" in best.kinds and is_spelt_otherwise(key, title, self._language)

    def is_singular_of(self, word: str, named: AliasSense) -> bool:
        """Whether ``word`` may be the singular of a name that the article of one concept states.

        Raises:
            DamagedSnapshot: a table was altered, or replaced since the snapshot was opened.
        """
        key = mention_of(word, LONGEST)
        return key is not None and self._links_to(named) >= SINGULAR * self._sentences(key)

    def with_placed(
        self, named: Sequence[AliasSense], records: Iterable[tuple[str, tuple[int, int]]]
    ) -> list[AliasSense]:
        """``named``, and those whose titles have the name before a comma, each with its share of them all.

        A build takes those alone behind whose comma stands another title: of Washington, D.C., it does not.
        ``records``: of titles that begin with the name and a comma (``snapshots.naming.names.RECORD``).

        Raises:
            DamagedSnapshot: a table was altered, or replaced since the snapshot was opened.
        """
        known = {each.concept for each in named}
        links = {
            concept: 1 + float(self._tables[1].sizes(concept))
            for title, (kind, concept) in records
            if kind == ARTICLE and concept not in known and is_placed(title)
        }
        if not links:
            return list(named)
        before = self._links_to_all(named[0])
        total = before + sum(links.values())
        both = [each._replace(share=each.share * before / total) for each in named]
        both += [AliasSense(concept, of / total, ("unqualified",)) for concept, of in links.items()]
        return sorted(both, key=lambda each: -each.share)

    def _links_to_all(self, best: AliasSense) -> float:
        """Links to all that have a name, and they themselves: those to the best one, by its share.

        Raises:
            DamagedSnapshot: it has no share.
        """
        if not best.share > 0:
            raise damaged("the table alias_shares", f"a name has the share {best.share:g}")
        return self._links_to(best) / best.share

    def _links_to(self, named: AliasSense) -> float:
        """Links to the one of those that have a name, and it itself."""
        return 1 + float(self._tables[1].sizes(named.concept))

    def _sentences(self, word: str) -> float:
        return self._tables[0].sentences(word)

    def is_word_in_small_letters(self, name: str, concept: int) -> bool:
        """Whether ``name`` is a word, and the title of ``concept`` but for capitals, which it does not mean.

        So it is where it stands in far more sentences than articles link to the concept, and in many: "next"
        is not NeXT, while "nato" is NATO, and "ikea" IKEA. Of "iPhone", the title alone has a capital in
        front.

        Raises:
            DamagedSnapshot: a table was altered, or replaced since the snapshot was opened.
        """
        title, key = self._titles[concept], mention_of(name, LONGEST)
        if name[1:] == title[1:] or name[1:] != name[1:].lower() or name.lower() != title.lower():
            return False
        is_raised = title[1].isupper() and not title[2:].isupper()
        if is_raised or key is None or " " in key:
            return False
        sentences = self._sentences(key)
        enough = SINGULAR if sentences >= COMMON else ABBREVIATED
        return 1 + float(self._tables[1].sizes(concept)) < enough * sentences

    def is_rather_another_word(self, word: str, other: str, times: float) -> bool:
        """Whether ``word`` stands in more than so many times the sentences that ``other`` stands in.

        Raises:
            DamagedSnapshot: a table was altered, or replaced since the snapshot was opened.
        """
        key, beside = mention_of(word, LONGEST), mention_of(other, LONGEST)
        if key is None or beside is None:
            return False
        return self._sentences(key) > times * self._sentences(beside)

    def _is_common_singular(self, name: str, best: AliasSense) -> bool:
        """Whether ``name`` is the singular of a title in the plural, and is written more often than that.

        Or more often than articles link to it, as far as they do to any stated plural.
        """
        title = self._titles[best.concept]
        singular = None if self._singular is None else self._singular(title)
        if singular is None or singular.lower() != name.lower():
            return False
        return self.is_rather_another_word(name, title, 1) or not self.is_singular_of(name, best)

    def _is_plural_of(self, name: str, concept: int) -> bool:
        singular = None if self._singular is None else self._singular(name)
        return singular is not None and singular.lower() == self._titles[concept].lower()
