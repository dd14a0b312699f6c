"""What answers a request, from its start to its end."""

from __future__ import annotations

import datetime
import threading
from collections.abc import Callable
from functools import cached_property
from typing import Any, NamedTuple

import msgspec
import structlog

from app.errors import AppError
from app.scoring.annotating import TextAnnotator
from app.scoring.concepts import Scorer
from app.scoring.model_kinds import load_term_model
from app.scoring.terms import TermScorer, shipped_term_model, term_model_info
from app.serving.opening import trouble
from app.settings import Settings
from models.errors import ModelError
from models.protocol import RelatednessModel
from wort.schemas.releases import Integrity, ReleaseInfo, Served

log: Any = structlog.get_logger("wort")


class TermSettings(NamedTuple):
    """``model``: that of terms, None for the shipped one that suits. ``strict``: whether it must suit."""

    model: RelatednessModel | None = None
    strict: bool = False

    @classmethod
    def of(cls, settings: Settings) -> TermSettings:
        """What ``settings`` say.

        Raises:
            ModelError: the file that they name cannot be used as a model of terms.
        """
        path = settings.term_model
        return cls(None if path is None else load_term_model(path), settings.strict)


class Serving:
    """What answers a request: a scorer, a scorer of terms over the same snapshot, the release that they are.

    The scorer of terms and the annotator of texts are opened when they are first asked for: most servers are
    never asked.
    """

    def __init__(self, scorer: Scorer, terms: TermSettings, release: ReleaseInfo | None = None) -> None:
        self.scorer = scorer
        self.info = Served(scorer.model_info, scorer.snapshot_info, now(), release)
        self.integrity: Integrity = "unverified"
        self.damage: str | None = None
        self._settings = terms
        self._terms: TermScorer | None = None
        self._opening = threading.Lock()
        self._annotator: TextAnnotator | None = None
        self._opening_annotator = threading.Lock()

    def terms(self) -> TermScorer:
        """The scorer of terms, warm.

        Raises:
            NoTermModel, ModelError, ForeignModel: as ``TermScorer.open``.
            SnapshotError: the mention dictionary was replaced since the snapshot was opened, or is damaged.
        """
        with self._opening:
            if self._terms is None:
                # Those that senses of concepts are chosen with: what is known of a name is kept once.
                senses = self.scorer.pairs.senses
                terms = TermScorer.open(self.scorer.snapshot, senses, *self._settings)
                terms.warm()
                self._terms = terms
            return self._terms

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

    def take_over(self, before: Serving) -> None:
        """Have ready what is asked for here: what ``before`` has open is shared where it can be."""
        if before.scorer.snapshot is self.scorer.snapshot:
            self._terms, self._annotator = before._terms, before._annotator
            return
        asked: list[tuple[str, Callable[[], object]]] = []
        if before._terms is not None:
            asked.append(("terms unavailable", self.terms))
        if before._annotator is not None:
            asked.append(("texts unavailable", self.annotator))
        for event, opened in asked:
            try:
                opened()
            except Exception as error:
                # Whatever it is, concepts can be scored. It is tried again when somebody asks for it.
                log.warning(event, snapshot=self.scorer.snapshot.id, reason=trouble(error))

    def condemn(self, damage: str) -> None:
        """Have nothing more answered from a snapshot that is damaged."""
        self.integrity, self.damage = "damaged", damage

    def describe(self) -> Served:
        """What is served, and what is known of its files by now."""
        return msgspec.structs.replace(self.described, integrity=self.integrity, damage=self.damage)

    @cached_property
    def described(self) -> Served:
        """What is served, and which model scores terms."""
        try:
            model = self._settings.model or shipped_term_model(self.scorer.snapshot.id)
        except (AppError, ModelError):
            return self.info
        terms = term_model_info(model, self.scorer.snapshot.id)
        return msgspec.structs.replace(self.info, terms=terms)


def now() -> str:
    """The time in UTC, as ISO 8601."""
    return datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")
