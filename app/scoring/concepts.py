"""Pairs to results: the one scorer behind the service and the batch command."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import NamedTuple, Self, TypeVar

import numpy as np

from app.errors import ForeignModel
from app.scoring.judged import explanations, intervals, level_of, values_by_name
from app.scoring.model_kinds import load_concept_model
from app.scoring.naming.resolving import Helped, Pair, PairResolver
from app.scoring.percentiles import PercentileScale
from app.scoring.reasons import pair_evidence
from features.catalogue import FEATURE_NAMES, FEATURES, named
from features.extract import extract
from features.feature import ConceptFeature
from features.gathering import gatherer_of
from measures.arrays import Floats, Ints
from models.protocol import RelatednessModel
from snapshots.naming.resolution import Resolution
from snapshots.naming.resolver import Resolver
from snapshots.snapshot import Snapshot
from wort.schemas.described import Interval, ModelInfo, SnapshotInfo
from wort.schemas.evidence import PairEvidence, Percentiles
from wort.schemas.explanations import Explanation
from wort.schemas.relatedness import Ambiguous, PairResult, PairStatus
from wort.schemas.sides import Resolved, Status

T = TypeVar("T")

_GRAVITY: dict[str, int] = {"ok": 0, "ambiguous": 1, "unknown": 2, "invalid": 3}
"""Which side's trouble names the pair's, where both have some: the one that is furthest from a concept."""

HELPED = 20
"""Of the unknown titles of a request this many, the first, get suggestions, which take some milliseconds
each; as many ambiguous ones get candidates. So an answer is not many times as long as what was asked."""


class Reading(NamedTuple):
    """A model, and the features that it reads."""

    model: RelatednessModel
    features: tuple[ConceptFeature, ...]

    @classmethod
    def of(cls, model: RelatednessModel) -> Self:
        """A model with its features."""
        return cls(model, named(model.reads))

    def values(self, snapshot: Snapshot, left: Ints, right: Ints) -> Floats:
        """The features that the model reads, float64[n, m]: the one place that has them computed for it."""
        return extract(snapshot, left, right, self.features)


class Scorer:
    """A snapshot, its resolver and a model. Safe to share between threads."""

    def __init__(
        self,
        snapshot: Snapshot,
        resolver: Resolver,
        model: RelatednessModel,
        release: tuple[int, str] | tuple[None, None] = (None, None),
        pairs: PairResolver | None = None,
    ) -> None:
        """``release``: the number of the release that is scored with, and its model's ``name@version``.

        ``pairs``: what resolves pairs against the same snapshot, where that is open already.
        """
        number, version = release
        self.snapshot = snapshot
        self.resolver = resolver
        self.model = model
        self._explaining = Reading.of(model)
        self._scoring = Reading.of(model.weighed)
        self.pairs = pairs or PairResolver(snapshot, resolver)
        self.percentiles = PercentileScale(snapshot, model.weighed)
        self._level = level_of(model)
        self.snapshot_info = snapshot_info(snapshot)
        self.model_info = ModelInfo(
            name=model.name,
            trained_on=model.snapshot,
            warning=model.check_snapshot(snapshot.id),
            version=version,
            release=number,
        )

    @classmethod
    def open(
        cls, snapshot: Path, model: Path | Callable[[Snapshot], RelatednessModel], strict: bool = False
    ) -> Scorer:
        """Open the snapshot folder and the model file, or the model that suits the snapshot.

        Raises:
            snapshots.errors.SnapshotError: the folder cannot be used as a snapshot.
            models.errors.ModelError: the file cannot be used as a model of these features.
            ForeignModel: ``strict``, and the model was trained on another snapshot.
        """
        opened = Snapshot.open(snapshot)
        # Whatever is found to be damaged in the tables is said before anything is scored.
        gatherer_of(opened, FEATURES)
        loaded = load_concept_model(model) if isinstance(model, Path) else model(opened)
        scorer = cls(opened, Resolver.open(opened), loaded)
        if strict:
            scorer.refuse_foreign()
        return scorer

    def by_model(self, model: RelatednessModel) -> Scorer:
        """The scorer by another model over the same snapshot: what is known of names is shared."""
        return Scorer(self.snapshot, self.resolver, model, pairs=self.pairs)

    def refuse_foreign(self) -> None:
        """Do nothing where the model was trained on the snapshot.

        Raises:
            ForeignModel: it was trained on another one.
        """
        if self.model_info.warning is not None:
            raise ForeignModel(
                f"{self.model_info.warning} Train a model on this snapshot, or leave out --strict."
            )

    def warm(self) -> None:
        """Compile, and begin to score what percentiles rest on, so that the first pair waits for neither.

        This takes as long whatever the snapshot's size: where it is large and not in memory yet, the first
        pairs may still wait for percentiles.
        """
        for explain in (False, True):
            self.score([], explain)
        self.percentiles.begin()
        if self.snapshot.concepts > 1:
            pair_evidence(self.snapshot, 0, 1)

    def relatedness(self, left: Ints, right: Ints) -> Floats:
        """The scores of pairs of different concepts, by their ids, int64[n] each: float64[n], from 0 to 1."""
        return self.model.clipped(self.raw(left, right))

    def raw(self, left: Ints, right: Ints) -> Floats:
        """What ``relatedness`` cuts to the model's range: float64[n], which still tells the best apart."""
        return self._scoring.model.raw(self._scoring.values(self.snapshot, left, right))

    def intervals(self, concept: int, others: Ints) -> list[Interval] | list[None]:
        """The interval of ``concept`` with each of ``others``, int64[n], its pairs with them."""
        if self._level is None:
            return [None] * len(others)
        values = self._scoring.values(self.snapshot, np.full(len(others), concept), others)
        return intervals(self._scoring.model, values, self._level)

    def score(
        self,
        pairs: Sequence[Pair],
        explain: bool = False,
        features: bool = False,
        suggest: int = HELPED,
        candidates: int | None = HELPED,
        ambiguous: Ambiguous = "report",
        helped: Helped | None = None,
        compare: bool = True,
    ) -> list[PairResult]:
        """The result of each pair, in order; a side is a title, a Wikipedia URL, a page id or a mention.

        A pair that cannot be resolved has no score and does not disturb the others. ``suggest``,
        ``candidates``, ``ambiguous`` and ``helped`` are those of ``PairResolver.pairs``. ``compare``: whether
        scores come with percentiles, and explanations with evidence.
        """
        resolved = self.pairs.pairs(pairs, suggest, candidates, ambiguous, helped)
        statuses = [_status(left, right) for left, right in resolved]
        rows = [row for row, status in enumerate(statuses) if status == "ok"]
        left = np.array([resolved[row][0].concept for row in rows], np.int64)
        right = np.array([resolved[row][1].concept for row in rows], np.int64)
        reading = self._explaining if explain else self._scoring
        model = reading.model
        if features:
            every = extract(self.snapshot, left, right)
            values = model.read_from(every, FEATURE_NAMES)
        else:
            values = reading.values(self.snapshot, left, right)
        of_rows = model.score(values)
        scores: list[float | None] = [1.0 if status == "identical" else None for status in statuses]
        _place(of_rows.tolist(), rows, scores)
        between: list[Interval | None] = [None] * len(pairs)
        if self._level is not None:
            _place(intervals(model, values, self._level, of_rows), rows, between)
        ranks: list[Percentiles | None] = [None] * len(pairs)
        known = [row for row, score in enumerate(scores) if score is not None]
        if compare and known:
            _place(self.percentiles.of(np.array([scores[row] for row in known], np.float64)), known, ranks)
        shown: list[dict[str, float] | None] = [None] * len(pairs)
        explained: list[Explanation | None] = [None] * len(pairs)
        reasons: list[PairEvidence | None] = [None] * len(pairs)
        if features:
            _place(values_by_name(FEATURE_NAMES, every), rows, shown)
        if explain:
            _place(explanations(self.model, values), rows, explained)
            if compare:
                concepts = zip(left.tolist(), right.tolist(), strict=True)
                _place([pair_evidence(self.snapshot, *two) for two in concepts], rows, reasons)
        side = self.pairs.side
        columns = (pairs, resolved, scores, statuses, between, ranks, shown, explained, reasons)
        return [
            PairResult(
                score=score,
                status=status,
                interval=interval,
                percentiles=rank,
                resolved=Resolved(side(pair[0], first), side(pair[1], second)),
                features=of_pair,
                explanation=explanation,
                evidence=evidence,
            )
            for pair, (first, second), score, status, interval, rank, of_pair, explanation, evidence in zip(
                *columns, strict=True
            )
        ]

    def values(self, left: Ints, right: Ints) -> Floats:
        """The features that the model names, those without weight, too: float64[n, m]."""
        return self._explaining.values(self.snapshot, left, right)


def snapshot_info(snapshot: Snapshot) -> SnapshotInfo:
    """What answers say of a snapshot."""
    manifest = snapshot.manifest
    return SnapshotInfo(
        id=snapshot.id,
        wiki=manifest.wiki,
        language=manifest.language,
        dump_date=manifest.dump_date,
        concepts=snapshot.concepts,
        licence=manifest.licence,
        attribution=manifest.attribution,
        works=tuple(manifest.works),
        excerpt_of=None if manifest.parent is None else snapshot.universe,
    )


def _place(values: Iterable[T], rows: Sequence[int], into: list[T | None]) -> None:
    for row, value in zip(rows, values, strict=True):
        into[row] = value


def pair_status(left: Status, right: Status) -> Status:
    """What is said of a pair whose two sides are so."""
    return max(left, right, key=_GRAVITY.__getitem__)


def _status(left: Resolution, right: Resolution) -> PairStatus:
    if left.concept >= 0 and right.concept >= 0:
        return "identical" if left.concept == right.concept else "ok"
    return pair_status(left.status, right.status)
