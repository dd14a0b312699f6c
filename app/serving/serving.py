"""What answers a request, from its start to its end."""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import cached_property
from typing import Any

import msgspec
import structlog

from app.scoring.annotating import TextAnnotator
from app.scoring.concepts import Scorer
from app.scoring.naming.meant import MeantConcepts
from app.scoring.related import related
from app.scoring.terms import TermScorer
from app.serving.models import HeldModels, TermSettings
from app.serving.opening import trouble
from models.storage.times import now
from wort.schemas.releases import Integrity, ReleaseInfo, Served

log: Any = structlog.get_logger("wort")


class Serving:
    """What answers a request: a scorer, others by other models, scorers of terms, the release that they are.

    All are over one snapshot. What no request names is opened by ``warm``, else when it is first asked for.
    ``models``: by which names which model scores.
    """

    def __init__(self, scorer: Scorer, terms: TermSettings, release: ReleaseInfo | None = None) -> None:
        self.scorer = scorer
        if terms.encoder is not None:
            scorer.pairs.suggest_by(MeantConcepts(scorer.snapshot, terms.encoder.open))
        self.info = Served(scorer.model_info, scorer.snapshot_info, now(), release)
        self.integrity: Integrity = "unverified"
        self.damage: str | None = None
        self.models = HeldModels(scorer, terms)
        self._scorers: dict[str, Scorer] = {}
        self._terms: dict[str | None, TermScorer] = {}
        self._opening = threading.Lock()
        self._annotator: TextAnnotator | None = None
        self._opening_annotator = threading.Lock()

    def scorer_by(self, name: str | None) -> Scorer:
        """The scorer by the model of this name; None for the one in force.

        Raises:
            UnknownModelName, UnusableModel, ModelError: as ``HeldModels.of_concepts``.
        """
        if name is None:
            return self.scorer
        with self._opening:
            scorer = self._scorers.get(name)
            if scorer is None:
                model = self.models.of_concepts(name)
                scorer = self.scorer if model == self.scorer.model else self.scorer.by_model(model)
                self._scorers[name] = scorer
            return scorer

    def terms(self, name: str | None = None) -> TermScorer:
        """The scorer of terms by the model of this name, warm; None for that in force.

        Raises:
            UnknownModelName, UnusableModel, NoTermModel, ModelError, ForeignModel: as
                ``HeldModels.term_scorer``.
            SnapshotError: the mention dictionary was replaced since the snapshot was opened, or is damaged.
        """
        concepts = self.scorer_by(self.models.concepts_beside(name))
        with self._opening:
            if name not in self._terms:
                terms = self.models.term_scorer(concepts, name)
                terms.warm()
                self._terms[name] = terms
            return self._terms[name]

    def annotator(self) -> TextAnnotator:
        """The annotator of texts, warm.

        Raises:
            SnapshotError: as ``TextAnnotator.open``.
        """
        with self._opening_annotator:
            if self._annotator is None:
                annotator = TextAnnotator.open(self.scorer.snapshot)
                annotator.warm()
                self._annotator = annotator
            return self._annotator

    def warm(self) -> None:
        """Compute once what any request may ask for, so that the first waits no longer than the next.

        Concepts can be scored where terms and texts cannot: what they lack is said to whoever asks for them.

        Raises:
            TableError: the snapshot cannot be scored.
        """
        self.scorer.warm()
        if self.scorer.snapshot.concepts > 1:
            related(self.scorer, 0, 1)
        self._open_all()

    def take_over(self, before: Serving) -> None:
        """Have all ready in place of ``before``: what that has open is shared where it can be."""
        if before.scorer.snapshot is self.scorer.snapshot:
            self._annotator = before._annotator
        self._open_all(before)

    def _open_all(self, before: Serving | None = None) -> None:
        """Open what scores terms and what annotates; say so where ``before`` had what is not there now."""
        opened: list[tuple[str, Callable[[], object], object]] = [
            ("terms unavailable", self.terms, before and before._terms),
            ("texts unavailable", self.annotator, before and before._annotator),
        ]
        for event, open_, was_there in opened:
            try:
                open_()
            except Exception as error:
                # Whatever it is, concepts can be scored. It is tried again when somebody asks for it.
                if was_there:
                    log.warning(event, snapshot=self.scorer.snapshot.id, reason=trouble(error))

    def condemn(self, damage: str) -> None:
        """Have nothing more answered from a snapshot that is damaged."""
        self.integrity, self.damage = "damaged", damage

    def describe(self) -> Served:
        """What is served, and what is known of its files by now."""
        return msgspec.structs.replace(self.described, integrity=self.integrity, damage=self.damage)

    @cached_property
    def described(self) -> Served:
        """What is served, which model scores terms, and which models may be asked for."""
        return msgspec.structs.replace(self.info, terms=self.models.terms_info(), models=self.models.listed())
