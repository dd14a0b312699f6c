"""Pairs of free terms to results: the one scorer of terms behind the service and the batch command."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import compress
from typing import Any, Literal, NamedTuple

import msgspec
import numpy as np

from app.errors import ForeignModel, NoTermModel, UnusableModel
from app.scoring.concepts import Scorer
from app.scoring.judged import explanations, intervals, level_of, values_by_name
from app.scoring.offered import WORT, reads_encoder, term_models, term_trouble
from features.senses.candidates import context_of
from features.terms.catalogue import term_features
from features.terms.encoded import EncodesTexts
from features.terms.extract import TermExtractor, TermPair, TermSense
from features.terms.order import read_of_order
from measures.arrays import Bools, Floats
from models.protocol import RelatednessModel, TextsEncoder
from snapshots.text import words
from wort.schemas.described import ModelInfo, Used
from wort.schemas.terms import ResolvedTerms, Sense, TermResult, TermSide, TermStatus

EVIDENCE: dict[Used, tuple[str, ...]] = {
    "concepts": ("senses",),
    "words": ("TR9856", "words"),
    "encoder": ("encoder",),
}
"""The groups of features of terms that rest on each kind of evidence."""

LONGEST_TERM = 255
"""Characters of a term: what is longer is a text. Work grows with the product of the two terms' lengths."""


Senses = tuple[TermSense | None, TermSense | None]


class OfOneModel(NamedTuple):
    """Some of the pairs of a request, and what judges them.

    ``rows``: their places. ``values``: float64[len(rows), features] as ``model`` reads them. ``senses``: what
    the two sides of each were taken for, and ``used``: the evidence that adds something to its score.
    ``known``: whether enough is known of both for an interval of its own, bool[len(rows)]; None of concepts.
    """

    rows: list[int]
    model: RelatednessModel
    values: Floats
    senses: list[Senses]
    used: list[tuple[Used, ...]]
    known: Bools | None = None


class TermScorer:
    """A model of terms and what reads its features, beside a scorer of concepts. Threads may share it."""

    def __init__(
        self, concepts: Scorer, model: RelatednessModel, encoder: EncodesTexts | None = None
    ) -> None:
        """``concepts``: scores the pairs whose two terms name concepts; what is known of names is shared.

        ``encoder``: of texts, for models that read what it says.
        """
        self.concepts = concepts
        self.snapshot = concepts.snapshot
        self.model = model
        self.snapshot_info = concepts.snapshot_info
        self.model_info = term_model_info(model, self.snapshot.id, encoder)
        self._pairs, self._senses = concepts.pairs, concepts.pairs.senses
        self._extractor = TermExtractor(self._senses, encoder=encoder)
        self._features = term_features(model.reads)
        self._by_text = reads_encoder(model)

    @classmethod
    def open(
        cls,
        concepts: Scorer,
        model: RelatednessModel | None,
        strict: bool = False,
        encoder: EncodesTexts | None = None,
    ) -> TermScorer:
        """The scorer beside one of concepts; ``model`` is None for the shipped one that suits the snapshot.

        Raises:
            ForeignModel: ``strict``, and the model was trained on another snapshot, or with another encoder.
            UnusableModel: it compares texts by an encoder, and there is none.
            NoTermModel, ModelError: as ``shipped_term_model``.
        """
        model = model or shipped_term_model(concepts.snapshot.id)
        trouble = term_trouble(model, encoder is not None)
        if trouble is not None:
            raise UnusableModel(trouble)
        scorer = cls(concepts, model, encoder)
        if strict and scorer.model_info.warning is not None:
            raise ForeignModel(
                f"{scorer.model_info.warning} Name a model of terms that was trained on this snapshot, with "
                "this encoder if it compares texts, or leave out --strict."
            )
        return scorer

    def warm(self) -> None:
        """Score two terms, so that the first pair does not wait for code to be compiled or tables turned."""
        title = self.snapshot.concept_titles[0]
        self.score([TermPair(title, f"{title} {title}"), TermPair("of", title, title)], compare=False)

    def is_idle(self, pair: TermPair, result: TermResult) -> bool:
        """Whether a pair, whose ``result`` is known, has a context that leaves its score as it is."""
        if pair.context is None or result.score is None:
            return False
        (without,) = self.score([TermPair(pair.left, pair.right)], compare=False)
        return without.score == result.score

    def abbreviated(self, side: TermSide) -> list[str]:
        """Titles of what a term in capitals may abbreviate that was taken for another concept as a word."""
        if side.sense is None or not side.sense.whole:
            return []
        return self._pairs.abbreviated(side.asked, side.sense.title)

    def misspelt(self, side: TermSide) -> str | None:
        """The title that a term with unknown words is nearly spelt as; None where it is none's error."""
        if not side.unknown_words or (side.sense is not None and side.sense.whole):
            return None
        named = self._pairs.one(side.asked)
        return named.suggestions[0] if named.status == "unknown" and named.misspelt else None

    def score(
        self,
        pairs: Sequence[TermPair],
        explain: bool = False,
        features: bool = False,
        compare: bool = True,
    ) -> list[TermResult]:
        """The result of each pair, in order.

        Where both terms name concepts, whatever they are compared with, it is that of these; where one does
        as a stated word, only if both name the same one. A pair with a term of which nothing is known has no
        score and does not disturb the others. ``compare``: whether
        scores come with percentiles, among those of pairs of concepts, whose scale is that of terms too.
        """
        sides = {term: self.known(term) for pair in pairs for term in (pair.left, pair.right)}
        # All but the terms is cut.
        pairs = [TermPair(pair.left, pair.right, *map(context_of, pair[2:])) for pair in pairs]
        concepts = [self.named(pair) for pair in pairs]
        of_pairs = [self._told(pair, sides[pair.left], sides[pair.right]) for pair in pairs]
        statuses = [
            self._status(pair, named, told.left, told.right)
            for pair, named, told in zip(pairs, concepts, of_pairs, strict=True)
        ]
        results = [
            self._same(pair, named, told) if status == "identical" else TermResult(None, status, told)
            for pair, named, status, told in zip(pairs, concepts, statuses, of_pairs, strict=True)
        ]
        rows = [row for row, status in enumerate(statuses) if status == "ok"]
        for judged in self.judged(pairs, concepts, rows):
            for row, of_pair in zip(judged.rows, _columns(judged, explain, features), strict=True):
                asked, (score, senses, interval, used, shown, explanation) = results[row].resolved, of_pair
                results[row] = TermResult(
                    score,
                    "ok",
                    ResolvedTerms(*map(self._with_sense, (asked.left, asked.right), senses)),
                    interval,
                    used,
                    judged.model.name,
                    shown,
                    explanation,
                )
        return self._placed(results) if compare else results

    def _same(self, pair: TermPair, concepts: tuple[int, int], told: ResolvedTerms) -> TermResult:
        """The result of two terms that are the same: where both name one concept, this is said."""
        if concepts[0] != concepts[1] or concepts[0] < 0:
            return TermResult(1.0, "identical", told)
        senses = self._extractor.named_senses(pair, *concepts)
        sides = map(self._with_sense, (told.left, told.right), senses)
        return TermResult(1.0, "identical", ResolvedTerms(*sides), used=("concepts",))

    def _placed(self, results: list[TermResult]) -> list[TermResult]:
        """Results with the percentiles of their scores."""
        scores = np.array([result.score for result in results if result.score is not None], np.float64)
        ranks = iter(self.concepts.percentiles.of(scores) if len(scores) else ())
        return [
            result if result.score is None else msgspec.structs.replace(result, percentiles=next(ranks))
            for result in results
        ]

    def judged(
        self, pairs: Sequence[TermPair], concepts: Sequence[tuple[int, int]], rows: Sequence[int]
    ) -> list[OfOneModel]:
        """What judges the pairs at ``rows``: the one way from two sides to a model and its features.

        ``concepts``: those that the two sides of each pair name, -1 where they are open. Two that are named
        are judged by the model of concepts, as anywhere; all else, and what a stated word names, by the model
        of terms.
        """
        by_concepts = [
            row
            for row in rows
            if min(concepts[row]) >= 0 and not any(map(self._senses.is_stated_word, pairs[row][:2]))
        ]
        by_terms = sorted(set(rows).difference(by_concepts))
        left, right = np.array([concepts[row] for row in by_concepts], np.int64).reshape(-1, 2).T
        named = [self._extractor.named_senses(pairs[row], *concepts[row]) for row in by_concepts]
        of_terms = [pairs[row] for row in by_terms]
        values = self._extractor.extract(of_terms, self._features)
        values = read_of_order(values, self.model.reads, of_terms)
        chosen = self._extractor.senses_of(of_terms)
        return [
            OfOneModel(
                by_concepts,
                self.concepts.model,
                self.concepts.values(left, right),
                named,
                [("concepts",)] * len(named),
            ),
            OfOneModel(
                by_terms,
                self.model,
                values,
                chosen,
                self._used(values),
                self._extractor.known_enough(of_terms),
            ),
        ]

    def named(self, pair: TermPair) -> tuple[int, int]:
        """The concepts that the two terms name, whatever they are compared with; -1 where that is open.

        A term that is described is compared by what is said of it, also where a concept is called so.
        """
        if max(len(pair.left), len(pair.right)) > LONGEST_TERM:
            return -1, -1
        left = -1 if pair.left_description else self._senses.decided(pair.left, pair.context)
        right = -1 if pair.right_description else self._senses.decided(pair.right, pair.context)
        return left, right

    def meant(self, term: str, context: str | None) -> int:
        """The concept that a term is scored as, in its context; -1 where that is open, or it is a word."""
        return -1 if self._senses.is_stated_word(term) else self._senses.decided(term, context)

    def _used(self, values: Floats) -> list[tuple[Used, ...]]:
        """The evidence that adds something to the score that the model of terms gives each pair.

        ``values``: float64[n, features], as the model reads them.
        """
        adds = self.model.contributions(values) != 0
        of_kinds = [
            adds[:, [feature.group in groups for feature in self._features]].any(axis=1).tolist()
            for groups in EVIDENCE.values()
        ]
        return [tuple(compress(EVIDENCE, of_pair)) for of_pair in zip(*of_kinds, strict=True)]

    def known(self, term: str) -> TermSide:
        """What is known of a term by itself."""
        if not term.strip() or len(term) > LONGEST_TERM:
            return TermSide(term, "invalid")
        known = self._extractor.known(term)
        # An encoder has something to say of any word, if only by its letters, and nothing of "!!!".
        status: Literal["ok", "unknown"] = "ok" if known or (self._by_text and words(term)) else "unknown"
        return TermSide(term, status, known.words, known.unknown)

    def can_score(self, pair: TermPair) -> bool:
        """Whether ``score`` has a number for a pair: whether enough is known of its two terms."""
        told = self._told(pair, self.known(pair.left), self.known(pair.right))
        return self._status(pair, self.named(pair), told.left, told.right) in ("ok", "identical")

    def answers(self, left: str, right: str) -> bool:
        """Whether two names of no concepts are worth comparing as terms: whether that has an answer.

        The letters of an address can be compared, but nobody means them.
        """
        return "://" not in left + right and self.can_score(TermPair(left, right))

    def _told(self, pair: TermPair, left: TermSide, right: TermSide) -> ResolvedTerms:
        """The two sides of a pair as they are known beside each other.

        An encoder says something of any letters beside a word that is known. Where neither term has one, it
        compares letters with letters, and puts whatever it has not read before near each other.
        """
        described = pair.left_description or pair.right_description
        known = any(self._extractor.known(term) for term in (pair.left, pair.right))
        if known or described or not left.status == right.status == "ok" or self._extractor.identical(pair):
            return ResolvedTerms(left, right)
        return ResolvedTerms(*(msgspec.structs.replace(side, status="unknown") for side in (left, right)))

    def _status(
        self, pair: TermPair, concepts: tuple[int, int], left: TermSide, right: TermSide
    ) -> TermStatus:
        if "invalid" in (left.status, right.status):
            return "invalid"
        described = pair.left_description or pair.right_description
        if self._extractor.identical(pair) and not described:
            return "identical"
        if min(concepts) >= 0:
            return "identical" if concepts[0] == concepts[1] else "ok"
        return "unknown" if "unknown" in (left.status, right.status) else "ok"

    def _with_sense(self, side: TermSide, sense: TermSense | None) -> TermSide:
        if sense is None:
            return side
        page_id = self.snapshot.page_ids[sense.concept]
        named = Sense(sense.title, page_id, sense.prior, sense.alternatives, sense.whole)
        return TermSide(side.asked, side.status, side.words, side.unknown_words, named)


def _columns(judged: OfOneModel, explain: bool, features: bool) -> Iterator[tuple[Any, ...]]:
    """What is said of each pair: score, senses, interval, evidence, features, explanation."""
    model, values = judged.model, judged.values
    nothing = [None] * len(values)
    scores = model.score(values)
    return zip(
        scores.tolist(),
        judged.senses,
        intervals(model, values, level_of(model), scores, judged.known),
        judged.used,
        values_by_name(model.reads, values) if features else nothing,
        explanations(model, values) if explain else nothing,
        strict=True,
    )


def term_model_info(model: RelatednessModel, snapshot: str, encoder: EncodesTexts | None = None) -> ModelInfo:
    """What answers say of a model of terms that scores with a snapshot, and with an encoder if it has one."""
    warnings = [model.check_snapshot(snapshot)]
    if encoder is not None:
        warnings.append(model.check_encoder(TextsEncoder(encoder.name, encoder.digest, encoder.kind)))
    said = " ".join(warning for warning in warnings if warning is not None)
    return ModelInfo(name=model.name, trained_on=model.snapshot, warning=said or None)


def term_model_trained_on(snapshot: str) -> RelatednessModel | None:
    """The model of terms that comes with wort and was trained on the snapshot of this id, if there is one."""
    try:
        model = shipped_term_model(snapshot)
    except NoTermModel:
        return None
    return model if model.snapshot == snapshot else None


def shipped_term_model(snapshot: str) -> RelatednessModel:
    """The linear model of terms that comes with wort for a snapshot, or the general one.

    Raises:
        NoTermModel: none comes with this copy of wort.
        ModelError: the file is damaged.
    """
    shipped = term_models(snapshot).get(WORT)
    if shipped is None:
        raise NoTermModel("no model of terms comes with this copy of wort. Train one, and name it.")
    return shipped.model
