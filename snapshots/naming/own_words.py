"""Whether an article is about a word, by the weight that this has in it: a sign of what is called so.

An article that lists what else its subject was ever called names words that it hardly uses again: Gift has
"present", and John F. Kennedy "Jack". Whoever writes such a word means something else more often.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property

import numpy as np

from snapshots.mutual_links import mutual_links
from snapshots.naming.aliases import LONGEST, Aliases, AliasSense
from snapshots.naming.given_names import is_given_name
from snapshots.naming.mentions import QUALIFIER, mention_of
from snapshots.naming.names import ARTICLE, RECORD, Names
from snapshots.naming.spelling import is_within
from snapshots.naming.word_counts import WordCounts
from snapshots.snapshot import Snapshot
from snapshots.text import words
from wiki.folding import fold
from wiki.inflections import BARE, Inflection
from wiki.spellings import otherwise_spelt

_WRITTEN = 20
"""Sentences with a word from which on it may have a meaning of its own."""

_SAME_BEGINNING = 5
"""Letters that another form of a word begins with alike: "transportation", of Transport."""

_ALIKE = 0.62
"""The cosine of two words' vectors from which on they are used alike: "tune" and "melody" have 0.85, "soccer"
and "football" 0.88, "fall" and "autumn" 0.61, "voice" and "melody" 0.56."""


_HEAVIEST = 30
"""Words that an article may be about: as many as the starter keeps of each."""

OWN_WORDS = 5
"""Of these, how many that weigh the most it is about surely."""

_LOOKED_AT = 20
"""The most linked concepts with a plural in a name that are looked at."""


_SHORT_FOR = 2.0
"""How many times as much as any other word of its title the first weighs in an article that calls its subject
by that alone: 6.5 in Galileo Galilei and 3.3 in Rock music, but 1.5 in Cell division."""


def is_spelt_otherwise(name: str, title: str, language: str) -> bool:
    """Whether a name is a title in another spelling, by the rules of a language.

    >>> is_spelt_otherwise("colour", "Color", "en"), is_spelt_otherwise("football", "Soccer", "en")
    (True, False)
    """
    return fold(title) in map(fold, otherwise_spelt(name, language))


def is_behind_article(name: str, title: str, language: str) -> bool:
    """Whether a title is a name behind a definite article.

    >>> is_behind_article("Rock", "The Rock", "en"), is_behind_article("Rock", "Rock", "en")
    (True, False)
    """
    bare = BARE.get(language)
    without = None if bare is None else bare(title)
    return without is not None and fold(without) == fold(name)


class ArticleWords:
    """The words of the articles of a snapshot. Reads only; usable from several threads.

    Its methods raise DamagedSnapshot where a table was altered, or replaced since the snapshot was opened.
    """

    def __init__(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot

    def place(self, word: str, concept: int) -> int:
        """How many words weigh more in a concept's article than ``word``, which is folded.

        -1 where it is none of the ``_HEAVIEST``, or the snapshot does not keep it.
        """
        number, table = self._number(word), self._snapshot.csr("tfidf")
        at = np.flatnonzero(table.row(concept) == number)
        if number < 0 or not len(at):
            return -1
        weights = table.row_values(concept)
        heavier = int((weights > weights[at[0]]).sum())
        return heavier if heavier < _HEAVIEST else -1

    def is_used_as(self, word: str, others: Iterable[str]) -> bool:
        """Whether the vector of a word is near that of one of the others; all are folded."""
        vectors = self._snapshot.array("word_vectors")
        numbers = [number for other in others if 0 <= (number := self._number(other)) < len(vectors)]
        if not 0 <= (number := self._number(word)) < len(vectors) or not numbers:
            return False
        return bool((vectors[numbers] @ vectors[number]).max() >= _ALIKE)

    def _number(self, word: str) -> int:
        """The id of a word; -1 where it is none."""
        # What cannot be printed, a zero among it, the trie takes for something else.
        if not word or not word.isprintable():
            return -1
        records = self._snapshot.trie("words", "<I").get(word)
        return int(records[0][0]) if records else -1


class OwnWords(ArticleWords):
    """Says by the words of articles which names have other meanings."""

    def __init__(
        self,
        snapshot: Snapshot,
        names: Names,
        aliases: Aliases,
        singular: Inflection | None = None,
        plural: Inflection | None = None,
    ) -> None:
        """``singular``: gives the singular of a noun, if it is a plural; None where no rules are known.

        ``plural``: likewise the plural of one.
        """
        super().__init__(snapshot)
        self._names, self._aliases = names, aliases
        self._singular, self._plural = singular, plural

    def is_others(self, name: str, best: AliasSense) -> bool:
        """Whether a name that an article states of ``best`` is rather of something, or somebody, else."""
        return self._is_of_another(name, best) or self._is_anybodys(name, best)

    def _is_of_another(self, name: str, best: AliasSense) -> bool:
        """Whether a word that an article states as a name of ``best`` is rather written of something else.

        So it is where more articles write it than link to the concept, whose own hardly does, unless it is
        the title in another spelling, or used as a word of the title is: "colour", or "soccer". What writes
        its plural often is about it, too: "person" is Human, of which "people" is a heavy word.
        """
        key, title = mention_of(name, LONGEST), fold(self._snapshot.concept_titles[best.concept])
        if best.kinds != ("stated",) or key is None or " " in key or key in words(title):
            return False
        if not _WRITTEN <= self._counts.sentences(key) < float("inf"):
            return False
        links = 1 + int(self._snapshot.csr("in_links").sizes(best.concept))
        if links >= self._aliases.articles(name) or not len(self._snapshot.csr("tfidf").row(best.concept)):
            return False
        plural = None if self._plural is None else self._plural(key)
        is_heavy = any(self.place(form, best.concept) >= 0 for form in (key, plural) if form is not None)
        if is_heavy or is_within(title, key, 2):
            return False
        if len(key) > _SAME_BEGINNING and title.startswith(key[:_SAME_BEGINNING]):
            return False
        return not self.is_used_as(key, words(title))

    def _is_anybodys(self, name: str, best: AliasSense) -> bool:
        """Whether a name is a given name and the surname of somebody who is linked more than ``best``.

        No word of it is one of the title: a bushranger, too, called himself John Smith.
        """
        parts, title = words(fold(name)), fold(self._snapshot.concept_titles[best.concept])
        if best.kinds != ("stated",) or len(parts) < 2 or not set(parts).isdisjoint(words(title)):
            return False
        if not is_given_name(parts[0].capitalize(), self._snapshot.trie("titles", RECORD)):
            return False
        links = self._snapshot.csr("in_links").sizes
        others = [one.concept for one in self._aliases.named(parts[-1]) if "surname" in one.kinds]
        return any(int(links(other)) > int(links(best.concept)) for other in others if other != best.concept)

    def called_in_short(self, name: str, known: Sequence[int]) -> list[int]:
        """What the articles of others call by a word, the first of their titles: Galileo Galilei.

        It weighs ``_SHORT_FOR`` times as much there as the others, and more than any word. They are among
        the most linked of the wiki, and have more links, and mutual links, than any of ``known``, those that
        have the whole name: beside what is known better, hardly anybody means them.
        """
        key = fold(name)
        popular = [each for each in self._names.popular(f"{key} ") if each.kind == ARTICLE]
        short = [
            each for each in popular if each.concept not in known and self._is_short_for(key, each.concept)
        ]
        if not short or not known:
            return []
        links = int(self._snapshot.csr("in_links").sizes(np.array(known, np.int64)).max())
        often = int(mutual_links(self._snapshot, known).max())
        mutual = mutual_links(self._snapshot, [each.concept for each in short]).tolist()
        both = zip(short, mutual, strict=True)
        return [each.concept for each, of in both if each.in_links > links and of > often]

    def _is_short_for(self, key: str, concept: int) -> bool:
        """Whether the article of a concept calls it by the first word of its title, and by no other."""
        title = fold(self._snapshot.concept_titles[concept])
        if QUALIFIER.sub("", title) != title or "," in title or self.place(key, concept) != 0:
            return False
        table = self._snapshot.csr("tfidf")
        weights = dict(zip(table.row(concept).tolist(), table.row_values(concept).tolist(), strict=True))
        others = (weights.get(self._number(word), 0.0) for word in words(title) if word != key)
        return bool(weights[self._number(key)] >= _SHORT_FOR * max(others, default=np.inf))

    def better_known_kinds(self, name: str, concept: int) -> list[int]:
        """What more articles link to than to a concept of which a word is another name, and ends with it.

        Its article is about the word, too: American football is, which "football" need not be, and
        Association football has fewer links in the starter.
        """
        key, titles = fold(name), self._snapshot.concept_titles
        if words(key) != [key]:
            return []
        links = self._snapshot.csr("in_links").sizes
        least, end = int(links(concept)), f" {key}"
        ending = [each for each in self._names.with_words([key], _LOOKED_AT) if titles[each].endswith(end)]
        kinds = [each for each in ending if each != concept and int(links(each)) > least]
        return [each for each in kinds if 0 <= self.place(key, each) < OWN_WORDS]

    def rather_called(self, name: str, best: AliasSense) -> list[int]:
        """What else than ``best``, and sooner, somebody means by a name of it; mostly nothing."""
        return self._plural_called(name, best) + self._longer_called(name, best)

    def _plural_called(self, plural: str, best: AliasSense) -> list[int]:
        """What else somebody means by a plural, which ``best`` has as one: those whose titles end with it.

        So it is where the plural is written more often than its singular, and theirs are the articles in
        which it weighs most, while in the concept's own another word does: "Yankees" are hardly several of
        a Yankee, but "airlines" are of an Airline.
        """
        folded = fold(plural)
        singular = None if self._singular is None else self._singular(folded)
        sentences = self._counts.sentences
        if best.kinds != ("inflected",) or singular is None or sentences(folded) <= sentences(singular):
            return []
        if self.place(folded, best.concept) == 0:
            return []
        others = self._names.with_words([folded], _LOOKED_AT)
        titles, end = self._snapshot.concept_titles, f" {plural[:1].upper()}{plural[1:]}"
        return [one for one in others if titles[one].endswith(end) and self.place(folded, one) == 0]

    def _longer_called(self, name: str, best: AliasSense) -> list[int]:
        """What is rather meant by a name of several words that the article of ``best`` states as its own.

        Those are linked more, and their titles are the name and what goes on with a stop word: Native
        Americans in the United States for "Native Americans", which the article on Indian Trade has in bold.
        """
        if " " not in name or "stated" not in best.kinds:
            return []
        folded = f"{fold(name)} "
        links = int(self._snapshot.csr("in_links").sizes(best.concept))
        return [
            each.concept
            for each in self._names.beginning_with(folded, _LOOKED_AT)
            if each.kind == ARTICLE
            and each.in_links > links
            and self._counts.is_stop(each.folded.removeprefix(folded).partition(" ")[0])
        ]

    @cached_property
    def _counts(self) -> WordCounts:
        return WordCounts.of_snapshot(self._snapshot)
