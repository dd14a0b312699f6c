"""Aliases as mentions: other names of concepts, where a text has them and no link ever does.

Of a mention that editors link is known how often it is a link, and to what. An alias that is none has its
concepts for senses, by their shares, and is taken to be a link as often as the titles of these are, each by
its share. But a word that is no inflected title is a link no more often than articles link to the concept at
all for each sentence with the word, or for each article if it is short for a title: "met" is hardly ever
methionine, and "who" seldom an organisation. Of several words, the sentences are those that would have them
all by chance: a book is hardly ever Unua Libro for being a "first book".
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterable, Sequence
from itertools import chain
from typing import NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from snapshots.annotator.doubting.cases import is_within_sentence
from snapshots.annotator.doubting.surnames import Surnames, meant_alone
from snapshots.annotator.names.abbreviated_names import AbbreviatedNames
from snapshots.annotator.names.abbreviations import is_abbreviation
from snapshots.annotator.names.accented_names import AccentedNames
from snapshots.annotator.names.companies import Companies
from snapshots.annotator.names.false_plurals import FalsePlurals
from snapshots.annotator.names.known_names import KnownNames
from snapshots.annotator.names.numbered_titles import NumberedTitles
from snapshots.annotator.names.other_spellings import OtherSpellings
from snapshots.annotator.names.placed_titles import PlacedTitles
from snapshots.annotator.names.short_names import is_short_for
from snapshots.annotator.names.spelt import LINKED, SpeltTitles
from snapshots.annotator.spotting import Spots, Spotter
from snapshots.csr import CSR
from snapshots.naming.alias_use import is_one_of_several
from snapshots.naming.aliases import LONGEST, Aliases, AliasSense, inflected
from snapshots.naming.mentions import mention_of
from snapshots.naming.names import RECORD
from snapshots.snapshot import Snapshot
from snapshots.stop_words import base_language
from snapshots.text import ends_sentence
from wiki.folding import fold
from wiki.inflections import SINGULARS, inflections_of

OTHER_WORD = 2
"""Times the sentences with a plural that is a title, above which its singular is another word: in the starter
"short" stands in 28 times as many as "shorts", and "antibiotic" in 0.7 times as many as "antibiotics"."""

_GOES_ON = re.compile(r"[ \u00a0][^\W\d_A-Z]")
"""What stands behind a word with which a sentence begins, and which it goes on from in small letters."""


class MentionRow(NamedTuple):
    """How often a mention is a link, and the concepts int64[n] that it may mean, with their shares of it."""

    link_probability: float
    concepts: NDArray[np.int64]
    shares: NDArray[np.float64]


_NOTHING = MentionRow(0.0, np.zeros(0, np.int64), np.zeros(0))


class AliasMentions:
    """The aliases of a snapshot as mentions, numbered from behind the last mention on.

    Behind these are numbered the concepts whose titles have a spelling of their own, and behind them the
    aliases twice more: for where a text writes one as a surname, by itself, and for where a stop word has
    capitals, as an abbreviation.
    """

    def __init__(
        self,
        mentions: Spotter,
        in_links: CSR,
        spelt: SpeltTitles,
        surnames: Surnames,
        otherwise: OtherSpellings,
        false_plurals: FalsePlurals,
        abbreviated: AbbreviatedNames,
        numbered: NumberedTitles,
        language: str = "",
    ) -> None:
        """``mentions``: the dictionary; ``in_links``: of the concepts; ``surnames``: with all names.

        ``language``: of the wiki, in which nouns are inflected.
        """
        names = surnames.names
        aliases, titles = names.aliases, names.titles
        self._spelt, self._behind = spelt, len(mentions.trie) + len(aliases.trie)
        self._surnames, self._alone = surnames, self._behind + len(titles)
        self._capitals = self._alone + len(aliases.trie)
        self._otherwise, self._false_plurals, self._abbreviated = otherwise, false_plurals, abbreviated
        self._aliases, self._mentions, self._titles = aliases, mentions, titles
        self._numbered, self._placed = numbered, PlacedTitles(names.leading, in_links)
        self._companies = Companies(names.leading, in_links)
        self._accented = AccentedNames(names.leading, in_links, surnames.is_own_name, surnames.stands_alone)
        self._inflections, self._singular = inflections_of(language), SINGULARS.get(language)
        self._in_links, self._counted = in_links, names.counted
        self._spotter = Spotter(aliases.trie)

    @classmethod
    def of_snapshot(cls, snapshot: Snapshot, mentions: Spotter) -> Self | None:
        """Those of a snapshot; None where it has no aliases.

        Raises:
            DamagedSnapshot: a file was altered, or replaced since the snapshot was opened.
        """
        aliases = Aliases.of_snapshot(snapshot)
        if not len(aliases):
            return None
        language = base_language(snapshot.manifest.language)
        surnames = Surnames.of_language(KnownNames.of_snapshot(snapshot, aliases), language)
        spelt = SpeltTitles(snapshot.trie("titles", RECORD))
        otherwise = OtherSpellings(mentions.trie, language)
        false_plurals = FalsePlurals.of_snapshot(snapshot, mentions.trie)
        in_links, titles = snapshot.csr("in_links"), snapshot.concept_titles
        leading = snapshot.trie("titles", RECORD)
        abbreviated = AbbreviatedNames(titles, leading, aliases, in_links, language)
        numbered = NumberedTitles(leading, language)
        return cls(
            mentions, in_links, spelt, surnames, otherwise, false_plurals, abbreviated, numbered, language
        )

    @property
    def aliases(self) -> Aliases:
        """The aliases themselves."""
        return self._aliases

    def is_none(self, mention: int, senses: CSR) -> bool:
        """Whether a mention of the dictionary is a false plural, and no mention at all."""
        return self._false_plurals.has(mention, senses)

    def is_stop(self, word: str) -> bool:
        """Whether a word, in small letters, is a stop word here."""
        return self._counted.is_stop(word)

    @property
    def surnames(self) -> Surnames:
        """The surnames among them."""
        return self._surnames

    def spots(self, text: str, spots: Spots, is_linked: Callable[[int], bool]) -> Spots:
        """``spots``, the mentions in a text, with the aliases in it that are none.

        In "the onion", in small letters, The Onion is left out for what stands behind the stop word.
        ``is_linked``: whether a mention is a link often enough to be looked at. One that is not may be an
        alias all the same, as it is in an excerpt, which lacks it.
        """
        alias_spots = self._spotter.spots(text)
        restore, known = self._aliases.trie.restore_key, self._mentions.trie

        def is_mention(folded: str | None) -> bool:
            number = -1 if folded is None else known.get(folded, -1)
            return number >= 0 and is_linked(number)

        fresh = [not is_mention(restore(number)) for number in alias_spots[:, 2].tolist()]
        alias_spots = alias_spots[np.array(fresh, np.bool_)]
        numbers = alias_spots[:, 2].tolist()
        alias_spots[:, 2] += len(known)
        spelt = {(one.start, one.end): self._behind + one.concept for one in self._spelt.found(text)}
        others = self._accented, self._numbered, self._abbreviated
        for one in chain.from_iterable(each.found(text) for each in others):
            spelt[one.start, one.end] = self._behind + one.concept
        names = list(map(self._alias_of, spots[:, 2].tolist()))
        both = np.concatenate([self._meant(text, spots, names), self._meant(text, alias_spots, numbers)])
        places = set(map(tuple, both[:, :2].tolist()))
        for start, end, mention in self._otherwise.found(text):
            if (start, end) not in places and is_linked(mention):
                spelt.setdefault((start, end), mention)
        plain = np.array([place not in spelt for place in map(tuple, both[:, :2].tolist())], np.bool_)
        own = np.array([(*place, mention) for place, mention in spelt.items()], np.int32).reshape(-1, 3)
        both = np.concatenate([both[plain], own])
        both = both[np.lexsort((both[:, 1], both[:, 0]))]
        places = set(map(tuple, both[:, :2].tolist()))
        parts = self._otherwise.are_parts(text)
        capitals = set(map(tuple, both[both[:, 2] >= self._capitals, :2].tolist()))
        kept = [
            start not in parts and not self._is_led(text, start, end, places, capitals)
            for start, end in both[:, :2].tolist()
        ]
        return both[np.array(kept, np.bool_)]

    def _meant(self, text: str, spots: Spots, names: Iterable[int]) -> Spots:
        """Those of some spots that mean what has their names for aliases: -1 where nothing has.

        A sentence's stop is no part of a name, and any doctor in small letters is not Doctor (Doctor Who).
        Surnames by themselves get their numbers, and so do abbreviations that are spelt as stop words.
        """
        kept = []
        for (start, end, mention), name in zip(spots.tolist(), names, strict=True):
            named = self._aliases.row(name) if name >= 0 else []
            written = text[start:end]
            if named and ends_sentence(written):
                continue
            if self._is_one_of_several(text, start, end, named):
                continue
            is_surname = any("surname" in each.kinds for each in named)
            meant = mention
            if is_surname and self._surnames.stands_alone(text, start, end):
                meant = self._alone + name
            elif is_abbreviation(text, start, end, self.is_stop) and self._abbreviated.stated(named):
                meant = self._capitals + name
            kept.append((start, end, meant))
        return np.array(kept, np.int32).reshape(-1, 3)

    def _is_one_of_several(self, text: str, start: int, end: int, named: Sequence[AliasSense]) -> bool:
        """Whether a spot is a noun that one title alone has, before a parenthesis, or the plural of one.

        The first letter of several words may only begin a sentence, as in "Side effects are rare", and so may
        that of a noun, as articles inflect it: "Bugs are found".
        """
        written = text[start:end]
        if not named and self._singular is not None:
            named = self._aliases.named(self._singular(written) or "")
        if not named or not is_one_of_several(named, self._titles):
            return False
        if written.islower():
            return True
        if not written[1:].islower() or is_within_sentence(text, start):
            return False
        if " " in written:
            return True
        is_noun = any("inflected" in each.kinds for each in named)
        is_noun = is_noun or named[0].concept in inflected(written, self._inflections, self._aliases)
        return is_noun and _GOES_ON.match(text, end) is not None

    def _is_led(
        self,
        text: str,
        start: int,
        end: int,
        places: Container[tuple[int, int]],
        capitals: Container[tuple[int, int]],
    ) -> bool:
        """Whether a spot in small letters is a stop word and what is a spot by itself.

        ``capitals``: the spots that are abbreviations: in "the WHO", The Who is none.
        """
        first, _, rest = text[start:end].partition(" ")
        if not rest or not self._counted.is_stop(first.lower()):
            return False
        return (end - len(rest), end) in (places if rest.islower() else capitals)

    def _alias_of(self, mention: int) -> int:
        """The row of the alias that a mention is; -1 where it is none."""
        if mention >= self._capitals:
            return mention - self._capitals
        if mention >= self._alone:
            return mention - self._alone
        number = mention - len(self._mentions.trie)
        return self._aliases.trie.get(self._mentions.trie.restore_key(mention), -1) if number < 0 else number

    def named(self, mention: int) -> list[AliasSense]:
        """The concepts that have a mention for an alias, whether or not it is one that editors link."""
        if self._behind <= mention < self._alone:
            return [AliasSense(mention - self._behind, 1.0, ())]
        number = self._alias_of(mention)
        named = [] if number < 0 else self._aliases.row(number)
        return named if mention < self._capitals else self._abbreviated.stated(named)

    def placed(self, mention: int, known: Sequence[int]) -> list[AliasSense]:
        """What has a mention before a comma, or a legal form, in its title, beside ``known``, its senses."""
        if self._behind <= mention < self._alone or mention >= self._capitals:
            return []
        if mention < len(self._mentions.trie):
            folded = self._mentions.trie.restore_key(mention)
        else:
            folded = self._aliases.trie.restore_key(self._alias_of(mention))
        return self._placed.senses(folded, known) or self._companies.senses(folded, known)

    def tables(
        self, mentions: NDArray[np.int32], link_probability: NDArray[np.float32], senses: CSR
    ) -> tuple[NDArray[np.float32], CSR]:
        """The link probability and the senses of some mentions, aliases among them: a row each, in order.

        ``link_probability`` and ``senses`` are the tables of the mentions that are no aliases.
        """
        made = [self.row(mention, link_probability, senses) for mention in mentions.tolist()]
        probabilities = np.array([each.link_probability for each in made], np.float32)
        # Of the types of the table, and read-only as it is: for such the kernels are compiled.
        indptr = np.cumsum([0, *(len(each.concepts) for each in made)], dtype=np.int64)
        concepts = np.concatenate([np.zeros(0, np.int64), *(each.concepts for each in made)])
        shares = np.concatenate([np.zeros(0), *(each.shares for each in made)])
        concepts, shares = concepts.astype(senses.indices.dtype), shares.astype(senses.weights.dtype)
        for array in (indptr, concepts, shares):
            array.flags.writeable = False
        return probabilities, CSR(indptr, concepts, shares, senses.columns)

    def row(self, mention: int, link_probability: NDArray[np.float32], senses: CSR) -> MentionRow:
        """What is known of a mention, of either kind; the tables as for ``tables``."""
        if mention < len(self._mentions.trie):
            if self._false_plurals.has(mention, senses):
                return _NOTHING
            concepts, shares = senses.row(mention), senses.row_values(mention)
            return MentionRow(
                float(link_probability[mention]), concepts.astype(np.int64), shares.astype(np.float64)
            )
        if self._behind <= mention < self._alone:
            return MentionRow(LINKED, np.array([mention - self._behind], np.int64), np.ones(1))
        number = self._alias_of(mention)
        key, named = self._aliases.trie.restore_key(number), sorted(self._aliases.row(number))
        if mention >= self._capitals:
            named = self._abbreviated.stated(named)
            shares = np.array([each.share for each in named])
            shares /= shares.sum()
            often = np.array([self._as_often_as(each.concept, link_probability) for each in named])
            concepts = np.array([each.concept for each in named], np.int64)
            return MentionRow(float(shares @ often), concepts, shares)
        if mention >= self._alone:
            return self._by_itself(key, named, link_probability, senses)
        concepts = np.array([each.concept for each in named], np.int64)
        shares = np.array([each.share for each in named])
        linked = [self._linked(key, each, link_probability) for each in named]
        return MentionRow(float(shares @ np.array(linked)), concepts, shares)

    def _by_itself(
        self, key: str, named: list[AliasSense], link_probability: NDArray[np.float32], senses: CSR
    ) -> MentionRow:
        """What a surname means that stands by itself: what links say, and else those who have it.

        If links lead to some of these, the others count alone. An excerpt may lack some, and their shares.
        """
        number, rest = self._mentions.trie.get(key, -1), 1.0
        linked = self.row(number, link_probability, senses) if number >= 0 else _NOTHING
        if number >= 0:
            known = set(linked.concepts.tolist())
            others = [each for each in named if "surname" in each.kinds and each.concept not in known]
            rest = 1 - sum(each.share for each in named if each not in others)
            named = others
        if not named:
            return linked
        concepts = np.array([each.concept for each in named], np.int64)
        shares = np.array([each.share for each in named]) / rest
        as_titles = np.array([self._as_often_as(each.concept, link_probability) for each in named])
        links = float(self._in_links.sizes(concepts).sum() / shares.sum())
        likely = (1 - linked.link_probability) * meant_alone(links, self._counted.sentences(key))
        weights = np.concatenate([linked.link_probability * linked.shares, likely * as_titles * shares])
        total = float(weights.sum())
        return MentionRow(total, np.concatenate([linked.concepts, concepts]), weights / (total or 1))

    def _linked(self, key: str, named: AliasSense, link_probability: NDArray[np.float32]) -> float:
        """How often an alias is a link to one of its concepts."""
        as_title, places = self._as_often_as(named.concept, link_probability), self._counted.by_chance(key)
        title = self._titles[named.concept]
        if places == 0 or ("inflected" in named.kinds and not self._is_other_word(key, fold(title))):
            return as_title
        # Of a surname that does not stand by itself, most articles that have it speak of somebody else.
        is_name = "surname" not in named.kinds and not self._counted.is_stop(key)
        if is_name and is_short_for(key, title):
            places = self._aliases.articles(key) or places
        return min(as_title, float(self._in_links.sizes(named.concept)) / places)

    def _is_other_word(self, key: str, title: str) -> bool:
        """Whether the singular of a title in the plural is so common that it is another word."""
        often = self._counted.sentences(key) > OTHER_WORD * self._counted.sentences(title)
        return often and self._false_plurals.is_singular(key, title)

    def _as_often_as(self, concept: int, link_probability: NDArray[np.float32]) -> float:
        """How often the title of a concept is a link where it stands in a text; 0 where it is no mention."""
        mention = mention_of(self._titles[concept], LONGEST)
        number = -1 if mention is None else self._mentions.trie.get(mention, -1)
        return float(link_probability[number]) if number >= 0 else 0.0
