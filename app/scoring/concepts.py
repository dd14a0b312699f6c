"""Pairs to results: the one scorer behind the service and the batch command."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from app.errors import ForeignModel
from app.scoring.model_kinds import load_concept_model
from app.wire.described import ModelInfo, SnapshotInfo
from app.wire.relatedness import Contribution, Explanation, PairResult, PairStatus, Side
from features.catalogue import FEATURE_NAMES
from features.extract import extract
from models.model import Model
from tables.resolver import Resolution, Resolver
from tables.snapshot import Snapshot

_GRAVITY: dict[str, int] = {"ok": 0, "ambiguous": 1, "unknown": 2, "invalid": 3}
"""Which side's trouble names the pair's, where both have some: the one that is furthest from a concept."""

HELPED = 20
"""Of the unknown titles of a request this many, the first, get suggestions, which take some milliseconds
each; as many ambiguous ones get candidates. So an answer is not many times as long as what was asked."""


class Scorer:
    """A snapshot, its resolver and a model. Safe to share between threads."""

    def __init__(
        self,
        snapshot: Snapshot,
        resolver: Resolver,
        model: Model,
        release: tuple[int, str] | tuple[None, None] = (None, None),
    ) -> None:
        """``release``: the number of the release that is scored with, and its model's ``name@version``."""
        number, version = release
        self.snapshot = snapshot
        self.resolver = resolver
        self.model = model
        self.snapshot_info = snapshot_info(snapshot)
        self.model_info = ModelInfo(
            name=model.name,
            trained_on=model.snapshot,
            warning=model.check_snapshot(snapshot.id),
            version=version,
            release=number,
        )

    @classmethod
    def open(cls, snapshot: Path, model: Path, strict: bool = False) -> Scorer:
        """Open the snapshot folder and the model file.

        Raises:
            tables.errors.SnapshotError: the folder cannot be used as a snapshot.
            models.errors.ModelError: the file cannot be used as a model of these features.
            ForeignModel: ``strict``, and the model was trained on another snapshot.
        """
        opened = Snapshot.open(snapshot)
        scorer = cls(opened, Resolver.open(opened), load_concept_model(model))
        if strict:
            scorer.refuse_foreign()
        return scorer

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
        """Score nothing, so that the first pair does not wait for code to be compiled."""
        self.score([])

    def score(
        self,
        pairs: Sequence[tuple[str | int, str | int]],
        explain: bool = False,
        features: bool = False,
        suggest: int = HELPED,
        candidates: int | None = HELPED,
    ) -> list[PairResult]:
        """The result of each pair, in order; a side is a title, a Wikipedia URL or a page id.

        A pair that cannot be resolved has no score and does not disturb the others. ``suggest`` and
        ``candidates`` are those of ``Resolver.resolve_many``.
        """
        asked = list(chain.from_iterable(pairs))
        resolved = dict(zip(asked, self.resolver.resolve_many(asked, suggest, candidates), strict=True))
        sides = {reference: _side(reference, resolution) for reference, resolution in resolved.items()}
        ends = [(resolved[left], resolved[right]) for left, right in pairs]
        statuses = [_status(left, right) for left, right in ends]
        rows = [row for row, status in enumerate(statuses) if status == "ok"]
        values = extract(
            self.snapshot,
            np.array([ends[row][0].concept for row in rows], np.int64),
            np.array([ends[row][1].concept for row in rows], np.int64),
        )
        scores = dict(zip(rows, self.model.score(values).tolist(), strict=True))
        explained = (
            dict(zip(rows, explanations(self.model, FEATURE_NAMES, values), strict=True)) if explain else {}
        )
        shown = dict(zip(rows, by_name(FEATURE_NAMES, values), strict=True)) if features else {}
        return [
            PairResult(
                score=1.0 if status == "identical" else scores.get(row),
                status=status,
                left=sides[left],
                right=sides[right],
                features=shown.get(row),
                explanation=explained.get(row),
            )
            for row, ((left, right), status) in enumerate(zip(pairs, statuses, strict=True))
        ]


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
    )


def explanations(model: Model, names: Sequence[str], values: NDArray[np.float64]) -> list[Explanation]:
    """Where the score of each row of ``values`` comes from; ``names`` are those of its columns."""
    contributions = model.contributions(values).tolist()
    raw = model.raw(values).tolist()
    return [
        Explanation(
            model.intercept,
            [Contribution(*entry) for entry in zip(names, of_pair, added, strict=True)],
            total,
        )
        for of_pair, added, total in zip(values.tolist(), contributions, raw, strict=True)
    ]


def by_name(names: Sequence[str], values: NDArray[np.float64]) -> list[dict[str, float]]:
    """Each row of ``values`` by the names of its columns."""
    return [dict(zip(names, of_pair, strict=True)) for of_pair in values.tolist()]


def _side(asked: str | int, resolution: Resolution) -> Side:
    return Side(
        asked=asked,
        status=resolution.status,
        title=resolution.title,
        page_id=resolution.page_id,
        matched=resolution.matched,
        candidates=resolution.candidates,
        suggestions=resolution.suggestions,
    )


def _status(left: Resolution, right: Resolution) -> PairStatus:
    if left.status == right.status == "ok":
        return "identical" if left.concept == right.concept else "ok"
    return max(left.status, right.status, key=_GRAVITY.__getitem__)
