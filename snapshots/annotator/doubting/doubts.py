"""Doubts: which senses are more likely wrong than right, by what stands around and how they are written.

A mention that links lead to one concept alone is not sure to mean it. An annotation is left out where a
logistic model, which editors' links were fitted to, gives its sense less than even odds.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache
from typing import NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from snapshots.annotator.doubting.cases import ALWAYS_GREAT, Cases
from snapshots.annotator.doubting.first_names import NEAR, NEAR_TITLE, FirstNames
from snapshots.annotator.doubting.full_names import FullNames
from snapshots.annotator.doubting.longer_before import LongerBefore, SaidOf
from snapshots.annotator.doubting.longer_names import LongerNames
from snapshots.annotator.doubting.namesakes import Namesakes
from snapshots.annotator.doubting.nearer import NearerNamesakes
from snapshots.annotator.doubting.offices import office_before
from snapshots.annotator.doubting.rare_abbreviations import NEAR as NEAR_STATED
from snapshots.annotator.doubting.rare_abbreviations import RareAbbreviations
from snapshots.annotator.doubting.surnames import Surnames
from snapshots.annotator.doubting.surroundings import TextSurroundings
from snapshots.annotator.doubting.title_pairs import TitlePairs
from snapshots.annotator.doubting.verbs import is_order, is_verb, is_verb_of_noun
from snapshots.annotator.doubting.word_forms import WordForms
from snapshots.annotator.leads import Fits
from snapshots.annotator.names.known_names import KnownNames
from snapshots.naming.aliases import Aliases
from snapshots.naming.names import FILE, Names
from snapshots.snapshot import Snapshot
from snapshots.stop_words import base_language, stop_words_of
from wiki.inflections import inflections_of

UNKNOWN = 0.5
"""The cosine with surroundings of which no word is known: what it is in the mean where the sense is right."""

COMMON = 0.4
"""How often a word in small letters is a link, below which it is a common one, where others have capitals. If
its cosine with the surroundings is negative, the concept is not meant: of 727 such words in sentences of
English articles, editors link three to what the starter takes them for. "A film star" is no star of the sky,
"the second president" no second, nor are "the Confederate forces" a force."""

WEIGHTS = {
    "logarithm of the link probability": 0.52,
    "commonness": 2.37,
    "coherence": 0.52,
    "cosine with the surroundings": 2.01,
    "how much nearer a namesake is": -7.92,
    "a name in small letters": -1.78,
    "a noun with capitals": -2.24,
    "a single word": -0.73,
}
"""What the log-odds of a sense are made of, and what each counts, by ``python -m benchmarks.doubts``."""

INTERCEPT = -0.59

EVIDENCE = tuple(WEIGHTS)
"""The columns of evidence."""

_WEIGHTS = np.array(list(WEIGHTS.values()))
COSINE = EVIDENCE.index("cosine with the surroundings")
"""Its column."""
_CASES = [EVIDENCE.index("a name in small letters"), EVIDENCE.index("a noun with capitals")]


class DoubtedSense(NamedTuple):
    """An annotation as it is doubted: its paragraph's number, its place there, and what was chosen."""

    paragraph: int
    start: int
    end: int
    concept: int
    link_probability: float
    commonness: float
    coherence: float


class SenseEvidence(NamedTuple):
    """What speaks for annotations and against them: ``values`` float64[n, 8] as ``EVIDENCE`` says.

    ``alone`` bool[n]: whether nothing that is known stands around. Such an annotation is doubted for how it
    is written alone: whoever gives a text of one word has a concept in mind.
    """

    values: NDArray[np.float64]
    alone: NDArray[np.bool_]


class Doubts:
    """The doubts of a snapshot. Reads only; usable from several threads."""

    def __init__(
        self,
        surroundings: TextSurroundings,
        cases: Cases,
        namesakes: Namesakes,
        longer_names: LongerNames,
        surnames: Surnames,
        first_names: FirstNames,
        title_pairs: TitlePairs,
        rare_abbreviations: RareAbbreviations,
        word_forms: WordForms,
        language: str,
    ) -> None:
        """``language``: of the wiki, which says what verbs stand behind."""
        self._surroundings, self._cases, self._namesakes = surroundings, cases, namesakes
        self._longer_names, self._surnames, self._first_names = longer_names, surnames, first_names
        self._title_pairs, self._language = title_pairs, language
        self._rare_abbreviations, self._word_forms = rare_abbreviations, word_forms
        self._longer_before = LongerBefore(cases, surnames, surroundings.concepts, language)
        self._full_names = FullNames(surnames, surroundings.concepts, language)
        self._nearer = NearerNamesakes(namesakes, surnames, self._full_names, surroundings)

    @classmethod
    def of_snapshot(
        cls, snapshot: Snapshot, aliases: Aliases, surnames: Surnames | None = None
    ) -> Self | None:
        """Those of a snapshot; None where it lacks the tables that tell.

        ``surnames``: the snapshot's, where they are open already.

        Raises:
            DamagedSnapshot: a file was altered, or replaced since the snapshot was opened.
        """
        surroundings = TextSurroundings.of_snapshot(snapshot)
        if surroundings is None or FILE not in snapshot.manifest.files:
            return None
        language = base_language(snapshot.manifest.language)
        inflections = inflections_of(language)
        titles, stops = snapshot.concept_titles, stop_words_of(snapshot.manifest)
        names = Names(snapshot.folder / FILE, snapshot.concepts)
        surnames = surnames or Surnames.of_language(KnownNames.of_snapshot(snapshot, aliases), language)
        known = surnames.names
        word_forms = WordForms(known.counted, language)
        return cls(
            surroundings,
            Cases(
                titles,
                aliases,
                surroundings,
                stops,
                inflections,
                word_forms,
                ALWAYS_GREAT.get(language, frozenset()),
                language,
            ),
            Namesakes(names, titles, snapshot.csr("in_links"), surroundings, language, stops),
            LongerNames(known),
            surnames,
            FirstNames(known, surnames, language),
            TitlePairs(names, titles, known.counted),
            RareAbbreviations(aliases, snapshot.csr("in_links")),
            word_forms,
            language,
        )

    def likely(
        self, paragraphs: Sequence[str], chosen: Sequence[DoubtedSense], context: Sequence[int]
    ) -> NDArray[np.bool_]:
        """Whether each annotation is as likely right as wrong, or likelier: bool[n].

        ``chosen``: those of all paragraphs, in order; ``context``: concepts that the text is about.
        """
        likely = np.ones(len(chosen), np.bool_)
        # An excerpt may have senses that it has no words of.
        inside = [place for place, one in enumerate(chosen) if one.concept < self._surroundings.concepts]
        values, alone = self.evidence(paragraphs, [chosen[place] for place in inside], context)
        said = ~alone | values[:, _CASES].any(axis=1)
        likely[inside] = (values @ _WEIGHTS + INTERCEPT >= 0) | ~said
        cosines = values[:, COSINE].tolist()
        parts = [
            place
            for place, cosine in zip(inside, cosines, strict=True)
            if self.is_part(paragraphs, chosen[place], cosine)
        ]
        likely[parts] = False
        likely[self._within_names(paragraphs, chosen, inside, cosines)] = False
        likely[self.within_titles(paragraphs, chosen, np.flatnonzero(likely).tolist())] = False
        otherwise = [
            place
            for place, cosine in zip(inside, cosines, strict=True)
            if self._is_written_otherwise(paragraphs, chosen[place], cosine)
        ]
        likely[otherwise] = False
        words = [paragraphs[one.paragraph][one.start : one.end] for one in chosen]
        of_others = self._surnames.are_anothers(
            paragraphs, [(words[place], chosen[place].concept) for place in inside]
        )
        likely[[place for place, others in zip(inside, of_others, strict=True) if others]] = False
        return likely

    def is_part(self, paragraphs: Sequence[str], one: DoubtedSense, cosine: float) -> bool:
        """Whether an annotation is a word of a longer name, of what the snapshot does not have.

        A noun means the same in a name: the Stikine River is a river. ``cosine``: that with the surroundings.
        """
        text = paragraphs[one.paragraph]
        written = text[one.start : one.end]
        is_common = one.link_probability < COMMON and written.isalpha() and written.islower()
        if cosine < 0 and is_common and text != text.lower():
            return True
        office = office_before(text, one.start, self._language)
        if office is not None and self._surnames.names.is_surname_of(written, one.concept):
            return not self._surroundings.is_about(one.concept, office)
        if self._first_names.has(text, one.start, one.end, one.concept):
            return True
        if self._surnames.names_a_thing(text, one.start, one.end, one.concept):
            return True
        if self._is_far(written, one.concept, cosine):
            return True
        part = self._longer_names.has(text, one.start, one.end, one.concept)
        return part and not self._cases.is_noun(one.concept)

    def _is_far(self, written: str, concept: int, cosine: float) -> bool:
        """Whether a concept is too far from the surroundings for what others are called as well."""
        return (
            (cosine < NEAR and self._first_names.is_one_of_many(written, concept))
            or (cosine < NEAR_TITLE and self._first_names.is_one_of_several(written, concept))
            or (cosine < NEAR_STATED and self._rare_abbreviations.has(written, concept))
        )

    def _within_names(
        self,
        paragraphs: Sequence[str],
        chosen: Sequence[DoubtedSense],
        places: Sequence[int],
        cosines: Sequence[float],
    ) -> list[int]:
        """Which annotations are the first noun of a name of two, or the last of one of three words.

        "Silicon" is one of "Silicon Valley", and "Bridge" of "Golden Gate Bridge".
        What the text is about anyway is meant: what fits its surroundings, or has small letters elsewhere.
        """
        small = {one.concept for one in chosen if paragraphs[one.paragraph][one.start].islower()}
        return [
            place
            for place, cosine in zip(places, cosines, strict=True)
            if cosine < NEAR
            and (one := chosen[place]).concept not in small
            and (span := (paragraphs[one.paragraph], one.start, one.end, one.concept))
            and (self._cases.leads_a_name(*span) or self._cases.ends_a_name(*span))
        ]

    def within_titles(
        self, paragraphs: Sequence[str], chosen: Sequence[DoubtedSense], places: Sequence[int]
    ) -> list[int]:
        """Which of some annotations, by their places, are a word of what has another concept's title.

        A noun is no part of it where it stands last: an opera house is a house, and the Gold Rush no gold.
        """
        known = self._surroundings.concepts
        pairs = {
            place: list(self._longer_names.pairs(paragraphs[one.paragraph], one.start, one.end, one.concept))
            for place in places
            if (one := chosen[place]).concept < known
        }
        titled = self._title_pairs.concepts(pair for each in pairs.values() for pair in each)
        within = []
        for place, each in pairs.items():
            one = chosen[place]
            written = paragraphs[one.paragraph][one.start : one.end]
            if any(
                titled[pair] - {one.concept} and (pair[0] == written or not self._cases.is_noun(one.concept))
                for pair in each
            ):
                within.append(place)
        return within

    def _is_written_otherwise(self, paragraphs: Sequence[str], one: DoubtedSense, cosine: float) -> bool:
        """Whether an annotation is no noun of its concept's: a verb, or a word with another case.

        ``cosine``: that with the surroundings.
        """
        text = paragraphs[one.paragraph]
        place = text, one.start, one.end
        if is_verb(*place, self._language):
            return True
        if is_verb_of_noun(*place, self._language) and self._word_forms.is_verbal(text[one.start : one.end]):
            return True
        if is_order(*place, self._language) and self._word_forms.is_verbal(text[one.start : one.end].lower()):
            return True
        if self._cases.is_other_word(*place, one.concept, cosine):
            return True
        return self._cases.lacks_capital(*place, one.concept) or self._cases.is_name(*place, one.concept)

    def longer_before(
        self, paragraphs: Sequence[str], chosen: Sequence[DoubtedSense], context: Sequence[int]
    ) -> dict[int, int]:
        """Which annotations are short for a longer one before them: the place of that, by theirs."""
        said = [SaidOf(paragraphs[one.paragraph], one.start, one.end, one.concept) for one in chosen]
        return self._longer_before.places(said, self.fits(paragraphs, chosen, context))

    def full_names(
        self, paragraphs: Sequence[str], chosen: Sequence[DoubtedSense], context: Sequence[int]
    ) -> dict[int, int]:
        """Which annotations are surnames of who was named in full before: the place of that, by theirs."""
        said = [SaidOf(paragraphs[one.paragraph], one.start, one.end, one.concept) for one in chosen]
        return self._full_names.places(said, self.fits(paragraphs, chosen, context))

    def may_be(self, text: str, start: int, end: int, concepts: Sequence[int]) -> NDArray[np.bool_]:
        """Which of the senses of ``text[start:end]`` it may have, as it is written: bool[n].

        No name, where it is a noun, nor a company in small letters; and behind "in" nobody with that surname,
        where a place has it as well.
        """
        may = np.array([not self._cases.cannot_be(text, start, end, each) for each in concepts])
        if self._full_names.is_behind_place(text, start):
            names = self._surnames.names
            others = may & [not names.is_surname_of(text[start:end], each) for each in concepts]
            may = others if others.any() else may
        return may

    def evidence(
        self, paragraphs: Sequence[str], chosen: Sequence[DoubtedSense], context: Sequence[int]
    ) -> SenseEvidence:
        """What speaks for each annotation and against it. Their concepts are rows of the snapshot."""
        around = self._around(paragraphs, chosen, context)
        known: NDArray[np.bool_] = np.einsum("ij,ij->i", around, around) > 0
        own = self._surroundings.of_concepts([one.concept for one in chosen])
        cosines = np.where(known, np.einsum("ij,ij->i", own, around), UNKNOWN)
        written = [paragraphs[one.paragraph][one.start : one.end] for one in chosen]
        single = [len(words.split()) == 1 for words in written]
        namesakes = self._namesakes.of_words(
            words for words, alone in zip(written, single, strict=True) if alone and not words[0].islower()
        )
        rows = np.zeros((len(chosen), len(EVIDENCE)))
        for place, one in enumerate(chosen):
            text = paragraphs[one.paragraph]
            others = namesakes.get(written[place]) if known[place] else None
            rows[place] = (
                math.log(max(one.link_probability, 1e-6)),
                one.commonness,
                one.coherence,
                cosines[place],
                0.0
                if others is None
                else self._nearer.nearer(
                    text,
                    (one.start, one.end),
                    one.concept,
                    others,
                    around[place],
                    float(cosines[place]),
                    bool(context),
                ),
                self._cases.small_name(text, one.start, one.end, one.concept),
                self._cases.great_noun(text, one.start, one.end, one.concept),
                single[place],
            )
        return SenseEvidence(rows, ~known)

    def fits(self, paragraphs: Sequence[str], chosen: Sequence[DoubtedSense], context: Sequence[int]) -> Fits:
        """Tells the cosines of an annotation's surroundings, by its place, with concepts of the snapshot."""
        around = cache(lambda: self._around(paragraphs, chosen, context))
        return lambda place, concepts: self._surroundings.of_concepts(concepts.tolist()) @ around()[place]

    def cosines(self, paragraphs: Sequence[str], chosen: Sequence[DoubtedSense]) -> NDArray[np.float64]:
        """The cosine of each annotation with the words around it, as ``evidence`` has it: float64[n].

        It is ``UNKNOWN`` where none of them is known, and of concepts that the snapshot has no words of.
        """
        inside = [place for place, one in enumerate(chosen) if one.concept < self._surroundings.concepts]
        around = self._around(paragraphs, [chosen[place] for place in inside], ())
        own = self._surroundings.of_concepts([chosen[place].concept for place in inside])
        cosines = np.full(len(chosen), UNKNOWN)
        known = np.einsum("ij,ij->i", around, around) > 0
        cosines[inside] = np.where(known, np.einsum("ij,ij->i", own, around), UNKNOWN)
        return cosines

    def _around(
        self, paragraphs: Sequence[str], chosen: Sequence[DoubtedSense], context: Sequence[int]
    ) -> NDArray[np.float64]:
        """The direction of what stands around each annotation and of the context, of length 1, or 0."""
        spans: list[list[tuple[int, int]]] = [[] for _ in paragraphs]
        for one in chosen:
            spans[one.paragraph].append((one.start, one.end))
        around = self._surroundings.around(paragraphs, spans)
        if not context:
            return around
        about = self._surroundings.of_concepts(context).mean(axis=0)
        both = around + about
        lengths = np.sqrt(np.einsum("ij,ij->i", both, both))[:, None]
        return np.where(lengths > 0, both / np.where(lengths > 0, lengths, 1.0), 0.0)
