"""Pairs of free terms to results: the one scorer of terms behind the service and the batch command."""

from __future__ import annotations

from collections.abc import Sequence

from app.errors import ForeignModel, NoTermModel
from app.scoring.concepts import by_name, explanations, snapshot_info
from app.scoring.model_kinds import load_term_model
from features.senses.candidates import Senses, context_of
from features.terms.catalogue import TERM_FEATURE_NAMES
from features.terms.extract import TermExtractor, TermPair, TermSense
from models.protocol import RelatednessModel
from models.shipped import shipped_models
from snapshots.snapshot import Snapshot
from wort.schemas.described import ModelInfo
from wort.schemas.terms import ResolvedTerms, Sense, TermResult, TermSide, TermStatus

LONGEST_TERM = 255
"""Characters of a term: what is longer is a text. Work grows with the product of the two terms' lengths."""

GENERAL = "terms-enwiki-relinked"
"""The shipped model for snapshots that none was trained on: the one that saw the most articles."""


class TermScorer:
    """A snapshot, the extractor of terms over it and a model of terms. Safe to share between threads."""

    def __init__(self, snapshot: Snapshot, senses: Senses, model: RelatednessModel) -> None:
        """``senses``: those of the same snapshot."""
        self.snapshot = snapshot
        self.model = model
        self.snapshot_info = snapshot_info(snapshot)
        self.model_info = term_model_info(model, snapshot.id)
        self._extractor = TermExtractor(senses)

    @classmethod
    def open(
        cls, snapshot: Snapshot, senses: Senses, model: RelatednessModel | None, strict: bool = False
    ) -> TermScorer:
        """The scorer over an open snapshot; ``model`` is None for the shipped one that suits it.

        ``senses``: those of the same snapshot.

        Raises:
            ForeignModel: ``strict``, and the model was trained on another snapshot.
            NoTermModel, ModelError: as ``shipped_term_model``.
        """
        scorer = cls(snapshot, senses, model or shipped_term_model(snapshot.id))
        if strict and scorer.model_info.warning is not None:
            raise ForeignModel(
                f"{scorer.model_info.warning} Name a model of terms that was trained on this snapshot, or "
                "leave out --strict."
            )
        return scorer

    def warm(self) -> None:
        """Score two terms, so that the first pair does not wait for code to be compiled or tables turned."""
        title = self.snapshot.concept_titles[0]
        self.score([TermPair(title, f"{title} {title}"), TermPair("of", title, title)])

    def score(
        self, pairs: Sequence[TermPair], explain: bool = False, features: bool = False
    ) -> list[TermResult]:
        """The result of each pair, in order.

        A pair with a term of which nothing is known has no score and does not disturb the others.
        """
        sides = {term: self._side(term) for pair in pairs for term in (pair.left, pair.right)}
        pairs = [pair._replace(context=context_of(pair.context)) for pair in pairs]
        statuses = [self._status(pair, sides[pair.left], sides[pair.right]) for pair in pairs]
        rows = [row for row, status in enumerate(statuses) if status == "ok"]
        scored = [pairs[row] for row in rows]
        values = self.model.read_from(self._extractor.extract(scored), TERM_FEATURE_NAMES)
        senses = dict(zip(rows, self._extractor.senses_of(scored), strict=True))
        scores = dict(zip(rows, self.model.score(values).tolist(), strict=True))
        names = self.model.reads
        explained = dict(zip(rows, explanations(self.model, names, values), strict=True)) if explain else {}
        shown = dict(zip(rows, by_name(names, values), strict=True)) if features else {}
        return [
            TermResult(
                1.0 if status == "identical" else scores.get(row),
                status,
                self._resolved(sides[pair.left], sides[pair.right], senses.get(row)),
                features=shown.get(row),
                explanation=explained.get(row),
            )
            for row, (pair, status) in enumerate(zip(pairs, statuses, strict=True))
        ]

    def _side(self, term: str) -> TermSide:
        """What is known of a term by itself."""
        if not term.strip() or len(term) > LONGEST_TERM:
            return TermSide(term, "invalid")
        known = self._extractor.known(term)
        return TermSide(term, "ok" if known else "unknown", known.words, known.unknown)

    def _status(self, pair: TermPair, left: TermSide, right: TermSide) -> TermStatus:
        if "invalid" in (left.status, right.status):
            return "invalid"
        if self._extractor.identical(pair):
            return "identical"
        return "unknown" if "unknown" in (left.status, right.status) else "ok"

    def _resolved(
        self, left: TermSide, right: TermSide, senses: tuple[TermSense | None, TermSense | None] | None
    ) -> ResolvedTerms:
        """The two sides, with the senses that the features of senses rest on."""
        if senses is None:
            return ResolvedTerms(left, right)
        return ResolvedTerms(self._with_sense(left, senses[0]), self._with_sense(right, senses[1]))

    def _with_sense(self, side: TermSide, sense: TermSense | None) -> TermSide:
        if sense is None:
            return side
        page_id = self.snapshot.page_ids[sense.concept]
        named = Sense(sense.title, page_id, sense.prior, sense.alternatives)
        return TermSide(side.asked, side.status, side.words, side.unknown_words, named)


def term_model_info(model: RelatednessModel, snapshot: str) -> ModelInfo:
    """What answers say of a model of terms that scores with a snapshot."""
    return ModelInfo(name=model.name, trained_on=model.snapshot, warning=model.check_snapshot(snapshot))


def term_model_trained_on(snapshot: str) -> RelatednessModel | None:
    """The model of terms that comes with wort and was trained on the snapshot of this id, if there is one."""
    try:
        model = shipped_term_model(snapshot)
    except NoTermModel:
        return None
    return model if model.snapshot == snapshot else None


def shipped_term_model(snapshot: str) -> RelatednessModel:
    """The model of terms that comes with wort for a snapshot; where none was trained on it, the general one.

    Raises:
        NoTermModel: none comes with this copy of wort.
        ModelError: the file is damaged.
    """
    models = {file.stem: load_term_model(file) for file in shipped_models("terms-")}
    suiting = [model for model in models.values() if model.snapshot == snapshot]
    if not suiting and GENERAL not in models:
        raise NoTermModel("no model of terms comes with this copy of wort. Train one, and name it.")
    return suiting[0] if suiting else models[GENERAL]
