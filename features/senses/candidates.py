"""What a name or a term may mean: its candidate senses, how likely each is, and how a context changes that.

Priors are commonness (Ferragina & Scaiella 2010): the share of a mention's links that lead to the concept.
Those of a name are weighed by how well each concept is known (``snapshots.mutual_links``).
"""

from __future__ import annotations

import threading
from collections.abc import Iterable, Sequence
from functools import cached_property

import numpy as np

from features.catalogue import named
from features.extract import extract
from features.senses.choosing import SMOOTHING, CandidatePair, CandidateSenses, ChosenSenses, choose_senses
from features.senses.contained import ContainedNames
from features.senses.dictionary import MentionDictionary
from features.senses.lexicon import Lexicon, SparseVector
from features.senses.lru import CachedFunction
from measures import sense_priors
from measures.arrays import Floats, Ints
from measures.ranks import greatest
from snapshots.mutual_links import mutual_links
from snapshots.naming.given_names import SEVERAL, people_called
from snapshots.naming.mentions import QUALIFIER, fold, names_of
from snapshots.naming.names import RECORD
from snapshots.naming.own_words import OWN_WORDS, ArticleWords, is_behind_article, is_spelt_otherwise
from snapshots.naming.resolution import Resolution
from snapshots.naming.resolver import Resolver
from snapshots.snapshot import Snapshot
from snapshots.stop_words import base_language, stop_words_of
from snapshots.text import words

MINIMUM_LINK_PROBABILITY = 0.02
"""A mention in a term, or that a term is, names nothing there if it is a link less often than this."""

UNLINKED = SMOOTHING
"""What the senses to which no link under the name leads have of the whole prior together, where others are
linked: a disambiguation page names them, and a related other side may still speak for one of them."""

LONGEST_CONTEXT = 500
"""Characters of a context that are read: a topic or a sentence."""

DOMINANT = 0.5
"""The share of a name's links that lead to one sense from which on the name stands for that sense."""

KEPT_SENSES = 16 << 20
"""Bytes of terms with their candidates that are kept ready, and of names with theirs."""

NEARNESS = ("NPMI1_C", "MW", "ESA")
"""The features whose mean says how near two senses are while they are being chosen."""

IN_SHORT = 0.05
"""What the concepts have of the whole prior together whose articles have a name of several others in short:
Galileo Galilei, beside a spacecraft and a system of satellites."""

OF_TEXT = 3.0
"""How often ESA counts beside either of the others where the senses of names are chosen: by links, few of
which under a name lead to what is meant, Mercury (programming language) was nearest to Thermometer."""

_NEARNESS = named(NEARNESS)


def context_of(text: str | None) -> str | None:
    """What is read of the text around a name or a term; None where that is nothing."""
    return (text or "").strip()[:LONGEST_CONTEXT] or None


class Senses:
    """The senses of names and terms, over one snapshot. Reads only; usable from several threads.

    The mention dictionary and the words are opened when they are first needed: most servers are asked for
    titles alone.
    """

    def __init__(self, snapshot: Snapshot, resolver: Resolver) -> None:
        """``resolver``: that of the same snapshot."""
        self._snapshot = snapshot
        self._resolver = resolver
        self._articles = ArticleWords(snapshot)
        self._language = base_language(snapshot.manifest.language)
        self._opening = threading.Lock()
        self._terms = CachedFunction(self._term, KEPT_SENSES, CandidateSenses.bytes)
        self._names = CachedFunction(self._name, KEPT_SENSES, CandidateSenses.bytes)
        self._decided = CachedFunction(self._decide, KEPT_SENSES, lambda _: 28)

    @property
    def lexicon(self) -> Lexicon:
        """The words of the snapshot."""
        with self._opening:
            return self._lexicon

    @property
    def dictionary(self) -> MentionDictionary:
        """The mentions of the snapshot."""
        with self._opening:
            return self._dictionary

    @cached_property
    def _lexicon(self) -> Lexicon:
        return Lexicon(self._snapshot)

    @cached_property
    def _dictionary(self) -> MentionDictionary:
        return MentionDictionary(self._snapshot)

    @cached_property
    def _contained(self) -> ContainedNames:
        return ContainedNames(
            self.dictionary,
            self._snapshot.concept_titles,
            self._resolver.named,
            self._whole,
            self._is_named_by,
            stop_words_of(self._snapshot.manifest),
        )

    def of_term(self, term: str, context: str | None = None) -> CandidateSenses:
        """What a free term may name: as a whole, or else through the mentions in it."""
        return self._terms(term, context)

    def of_name(self, text: str, resolution: Resolution, context: str | None = None) -> CandidateSenses:
        """The senses of a mention, or of an ambiguous title, of which ``resolution`` is what ``text`` names.

        Of a snapshot without a mention dictionary, those of the title.
        """
        return self._names(
            text, context_of(context), resolution.title or "", resolution.status, resolution.concept
        )

    def shown(self, text: str, resolution: Resolution) -> list[int]:
        """The senses of an ambiguous title as somebody is to choose among them, the best known first.

        How well a concept is known counts as its square beside its share of the links: in the starter
        "Gandhi" is a link to a band alone. Nothing that is called so behind "The" stands before what is
        called just so: The Rock (film).
        """
        senses = self.of_name(text, resolution)
        weights = senses.priors * (1 + mutual_links(self._snapshot, senses.concepts.tolist()))
        shown: list[int] = senses.concepts[np.argsort(-weights, kind="stable")].tolist()
        called = [QUALIFIER.sub("", self._snapshot.concept_titles[concept]) for concept in shown]
        just = [place for place, name in enumerate(called) if fold(name) == fold(text)]
        behind = [place for place, name in enumerate(called) if is_behind_article(text, name, self._language)]
        if just and behind and behind[0] < just[0]:
            shown.insert(behind[0], shown.pop(just[0]))
        return shown

    def decided(self, term: str, context: str | None = None) -> int:
        """The concept that a term as a whole names, whatever it is compared with; -1 where that is open.

        A title, a redirect or a variant of one names its article. Other terms, and all within a context, name
        the sense that has more than ``DOMINANT`` of the term's links, as the context weighs them, or of the
        alias that the term is.
        """
        return self._decided(term, context_of(context))

    def names_as_a_whole(self, term: str) -> bool:
        """Whether all of a term names a concept; else its senses are those of mentions in it."""
        return bool(self._whole(term))

    def is_stated_word(self, term: str) -> bool:
        """Whether a term is a word in small letters whose concept it names because an article states that.

        That article is read. But people mean more by such a word, and its score with another concept is that
        of terms: as that of concepts it would cost 0.002 of the Pearson correlation with MTurk-771, and 0.004
        of the Spearman correlation.
        """
        if term != term.lower() or self.dictionary.number(term) >= 0:
            return False
        alias = self._resolver.resolve(term, suggest=False, candidates=False)
        return alias.matched == "alias" and not self._is_title(term, alias)

    def choose(self, pairs: Sequence[CandidatePair]) -> ChosenSenses:
        """The senses of each pair, both sides together (``features.senses.choosing``)."""
        return choose_senses(pairs, self.nearness)

    def choose_of_names(self, pairs: Sequence[CandidatePair]) -> ChosenSenses:
        """The senses of each pair of names of concepts, which texts tell of more than links."""
        return choose_senses(pairs, self.nearness_of_names)

    def nearness_of_names(self, left: Ints, right: Ints) -> Floats:
        """How near the concepts of pairs are while senses of names are being chosen: as ``nearness``."""
        npmi, mw, esa = extract(self._snapshot, left, right, _NEARNESS).T
        return np.asarray((npmi + mw + OF_TEXT * esa) / (2.0 + OF_TEXT), np.float64)

    def nearness(self, left: Ints, right: Ints) -> Floats:
        """How near the concepts of pairs are while senses of terms are chosen: float64[n], in [0, 1]."""
        values = extract(self._snapshot, left, right, _NEARNESS)
        # Rows that lie together are summed in one way; others in another, with other last digits.
        return np.asarray(np.ascontiguousarray(values).mean(axis=1), np.float64)

    def _term(self, term: str, context: str | None) -> CandidateSenses:
        if context is not None:
            return self._beside(self.of_term(term), context)
        whole = self._whole(term)
        return CandidateSenses.likeliest(
            [(concept, prior, 0) for concept, prior in whole.items()] or self._within(term)
        )

    def _decide(self, term: str, context: str | None) -> int:
        if context is None:
            resolution = self._resolver.resolve(term, suggest=False, candidates=False, aliases=False)
            if resolution.status == "ok":
                return resolution.concept
        if not self._whole(term):
            return -1
        senses = self.of_term(term, context)
        return int(senses.concepts[0]) if senses.priors[0] > DOMINANT else -1

    def _whole(self, term: str) -> dict[int, float]:
        """The concepts that the whole term names, and their commonness.

        What is no title may be another name, of which a concept has a share; so it is asked for by itself. In
        small letters it is not where it is the text of links.
        """
        resolution = self._resolver.resolve(term, suggest=False, candidates=False, aliases=False)
        is_title = resolution.status == "ok"
        mention = self.dictionary.number(term)
        if not is_title and (mention < 0 or term != term.lower()) and (alias := self._alias(term)):
            return alias
        linked = mention >= 0 and (is_title or self._is_named_by(mention))
        senses = self.dictionary.senses(mention) if linked else {}
        if is_title or not senses:
            titled = self._titled(resolution.status, resolution.title or "", resolution.concept)
            for concept in titled:
                senses.setdefault(concept, 1.0 / len(titled))
        return senses

    def _alias(self, term: str) -> dict[int, float]:
        """The concept whose other name a term is, and its share of that; with a capital, those with the rest.

        Words in lower case are too often something else: none but titles count, inflected or otherwise spelt,
        and what is stated by an article that is about the word.
        """
        alias = self._resolver.resolve(term, suggest=False, candidates=False)
        is_sure = term != term.lower() or self._is_title(term, alias) or self._is_own_word(term, alias)
        if alias.status != "ok" or not is_sure:
            return {}
        shares = {alias.concept: 1.0 if alias.prior is None else alias.prior}
        if term != term.lower():
            # An article of the same thing, whose title has other capitals, is no other sense.
            called, titles = fold(alias.title or ""), self._snapshot.concept_titles
            shares |= {other: share for other, share in alias.others if fold(titles[other]) != called}
        return shares

    def _is_title(self, term: str, alias: Resolution) -> bool:
        """Whether a term is the title of the concept that it names, inflected or otherwise spelt."""
        if alias.matched == "variant" or "inflected" in alias.alias:
            return True
        return "stated" in alias.alias and is_spelt_otherwise(term, alias.title or "", self._language)

    def _is_own_word(self, term: str, alias: Resolution) -> bool:
        """Whether the article that states a term as its name is about that word.

        So it is one of the ``OWN_WORDS`` that weigh the most in it, or used as another word of the title is:
        "football" and "soccer" of Association football, but not "skyline" of Horizon.
        """
        if "stated" not in alias.alias:
            return False
        word, others = fold(term), set(words(fold(alias.title or ""))) - {fold(term)}
        is_heavy = 0 <= self._articles.place(word, alias.concept) < OWN_WORDS
        return is_heavy or self._articles.is_used_as(word, others)

    def _within(self, term: str) -> list[tuple[int, float, int]]:
        """The concepts of the names in a term; one that several names have is the likeliest one's."""
        senses: dict[int, tuple[int, float, int]] = {}
        for number, of_name in enumerate(self._contained.of(term)):
            for concept, prior in of_name.items():
                if concept not in senses or senses[concept][1] < prior:
                    senses[concept] = (concept, prior, number)
        return list(senses.values())

    def _is_named_by(self, mention: int) -> bool:
        """Whether somebody who writes the text of a mention names a concept by it that has an article here.

        So it is not where it is too seldom a link; nor where it is one in less than ``DOMINANT`` of the
        articles that have it, and its one sense is told from others by a parenthesis: "Table (information)"
        says that there are other tables, and a table is more likely one of these, which have no article here.
        """
        probability = float(self.dictionary.link_probability(mention))
        if probability >= DOMINANT or probability < MINIMUM_LINK_PROBABILITY:
            return probability >= DOMINANT
        senses = tuple(self.dictionary.senses(mention))
        return len(senses) != 1 or not self._snapshot.concept_titles[senses[0]].endswith(")")

    def _name(self, text: str, context: str | None, title: str, status: str, concept: int) -> CandidateSenses:
        """The concepts to which links lead whose text is the name, and those that its title names.

        Of a name that is the text of no link, those whose alias it is, with their shares of it. So it is of
        one that names nothing where it is no link (``_is_named_by``), as far as it is none: "Gandhi" is
        seldom a link, and then to Gandhi (band).
        So it is of a surname that links take for several of a first name: "Williams" is no William.
        Whoever says that a text is a mention has a concept in mind, however rarely it is a link elsewhere.
        Beside how often it is meant there, how well it is known counts, in mutual links and one more, unless
        a context says which is meant: fishermen mean a bass that few articles link to. Beside several of the
        name, what is called so in short has ``IN_SHORT``.
        """
        mention = self.dictionary.number(text)
        if mention < 0 and status == "ambiguous":
            # "Mercury (disambiguation)" is what "mercury" may mean.
            names = sorted(names_of(title, self.dictionary.longest), key=len)
            mention = self.dictionary.number(names[0]) if names else -1
        linked = self.dictionary.senses(mention) if mention >= 0 else {}
        if plural := self._of_first_names(text, linked):
            mention, linked = -1, {}
        is_open = mention < 0 or not self._is_named_by(mention)
        shares = {named.concept: named.share for named in self._resolver.named(text)} if is_open else {}
        commonness = linked if mention >= 0 else shares
        titled = self._titled(status, title, concept)
        concepts = list(dict.fromkeys((*commonness, *titled, *shares, *plural)))
        in_links = self._snapshot.csr("in_links").sizes(np.array(concepts, np.int64))
        priors = sense_priors([commonness.get(each, 0.0) for each in concepts], in_links, UNLINKED)
        if linked and shares:
            probability = float(self.dictionary.link_probability(mention))
            of_name = np.array([shares.get(each, 0.0) for each in concepts])
            priors = probability * priors + (1.0 - probability) * of_name
        if context is None and len(concepts) > 1:
            known = priors * (1 + mutual_links(self._snapshot, concepts))
            priors = known * (priors.sum() / max(float(known.sum()), 1e-300))
        in_short = self._resolver.called_in_short(title, concepts) if status == "ambiguous" else []
        if in_short:
            total = float(priors.sum())
            priors = np.append(priors * (1 - IN_SHORT), [total * IN_SHORT / len(in_short)] * len(in_short))
            concepts += in_short
        senses = zip(concepts, priors.tolist(), [0] * len(concepts), strict=True)
        likeliest = CandidateSenses.likeliest(senses)
        return likeliest if context is None else self._beside(likeliest, context)

    def _of_first_names(self, name: str, linked: Iterable[int]) -> list[int]:
        """Those of the concepts of a name that it is the plural of, where people have the two as their names.

        ``SEVERAL`` have the noun for a first name, and somebody the plural for a surname.
        """
        titles, named = self._snapshot.concept_titles, self._resolver.named
        called = {each: QUALIFIER.sub("", titles[each]) for each in linked}
        several = [each for each, noun in called.items() if self.dictionary.is_plural(name, noun)]
        if not several or not any("surname" in each.kinds for each in named(name)):
            return []
        leading = self._snapshot.trie("titles", RECORD)
        people = {each: people_called(called[each], leading, titles, named) for each in several}
        return [each for each, of in people.items() if of >= SEVERAL]

    def _titled(self, status: str, title: str, concept: int) -> list[int]:
        """The concepts that the title of an article, or of a disambiguation page, names."""
        return [concept] if status == "ok" else self._resolver.senses(title) if status == "ambiguous" else []

    def _beside(self, own: CandidateSenses, context: str) -> CandidateSenses:
        """Some candidates with the priors that a context gives them, the likeliest first.

        A prior is multiplied by the sense's support, ½ (the cosine of its article's ESA vector and that of
        the context's words + the largest relatedness with a sense of the context, times that sense's prior),
        to which ``SMOOTHING`` is added. The priors of a mention keep their sum.
        """
        if len(own) < 2:
            return own
        around = self.of_term(context)
        apart = ~np.isin(around.concepts, own.concepts)
        concepts, weights = around.concepts[apart], around.priors[apart]
        related = self.nearness(np.repeat(own.concepts, len(concepts)), np.tile(concepts, len(own)))
        best = (related.reshape(len(own), -1) * weights).max(axis=1, initial=0.0)
        text = self.lexicon.esa(context)
        near = np.array([self._text_cosine(concept, text) for concept in own.concepts.tolist()])
        likely = own.priors * (SMOOTHING + 0.5 * (best + near))
        sums = np.bincount(own.mentions, own.priors) / np.maximum(np.bincount(own.mentions, likely), 1e-300)
        # Commonness is rounded: the shares of a mention may sum to a little more than 1.
        likely = np.minimum(likely * sums[own.mentions], 1.0)
        return own.reordered(greatest(likely, len(likely)), likely)

    def _text_cosine(self, concept: int, text: SparseVector) -> float:
        """The cosine of an article's ESA vector and that of a text."""
        table = self._snapshot.csr("esa")
        columns, values = table.row(concept), table.row_values(concept)
        _, here, there = np.intersect1d(columns, text.indices, assume_unique=True, return_indices=True)
        return float((values[here] * text.values[there]).sum() / (text.length or 1.0))
