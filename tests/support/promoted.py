"""A registry with the toy wiki's models and snapshots to promote, and what each of them answers."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

import msgspec

from app.scoring.concepts import Scorer
from models.protocol import TrainingSet
from models.registry.records import Release
from models.registry.registry import Registry
from tests.support.served import served_snapshot, toy_model
from tests.wikis.small_wiki import SmallWiki
from tests.wikis.toy import TITLES, TOY, concept

OTHER = replace(
    TOY,
    links=TOY.links | {(concept("Cat"), concept("Piano")), (concept("Zyzzyva"), concept("Piano"))},
    esa=(TOY.esa[1], TOY.esa[0], *TOY.esa[2:]),
    tfidf=({**TOY.tfidf[0], "mouse": 5.0}, *TOY.tfidf[1:]),
)
"""The toy wiki of another date: the same titles, other links and texts."""

PAIRS = [(left, right) for left in TITLES for right in TITLES[:4] if left != right]


@dataclass(frozen=True)
class Candidate:
    """A registered model and the snapshot to promote it with."""

    ref: str
    snapshot: str
    folder: Path
    scores: tuple[float | None, ...]


class ToyRegistry:
    """A registry at ``url`` and a folder of snapshots and models."""

    def __init__(self, folder: Path, url: str | None = None) -> None:
        self.folder = folder
        self.url = url or f"sqlite:///{folder / 'wort.sqlite'}"
        self.registry = Registry.open(self.url)

    def snapshot(self, name: str, wiki: SmallWiki = TOY) -> Path:
        """The folder of a snapshot, made when first asked for."""
        folder = self.folder / name
        return folder if folder.exists() else served_snapshot(folder, wiki)

    def candidate(self, snapshot: Path, intercept: float) -> Candidate:
        """A model trained on ``snapshot``, registered as a new version of ``toy``."""
        identity = identity_of(snapshot)
        path = toy_model(self.folder / "model.json", identity, intercept)
        ref = self.register(path.read_bytes(), identity)
        results = Scorer.open(snapshot, path).score(PAIRS)
        return Candidate(ref, identity, snapshot, tuple(result.score for result in results))

    def register(self, model: bytes, snapshot: str) -> str:
        """The ref of a model file, registered."""
        dataset = TrainingSet("made up", "00", 0)
        registered = self.registry.register(
            model, name="toy", snapshot=snapshot, report=None, dataset=dataset, who="a test"
        )
        return registered.ref

    def promote(
        self, candidate: Candidate, *, folder: Path | None = None, identity: str | None = None
    ) -> Release:
        """Put a candidate in force; ``folder`` and ``identity`` where they shall be wrong."""
        return self.registry.promote(
            candidate.ref,
            snapshot_id=identity or candidate.snapshot,
            location=str(folder or candidate.folder),
            reason="tried",
            who="a test",
        )

    def rollback(self) -> Release:
        """Put the release before in force again."""
        return self.registry.rollback(reason="on second thoughts", who="a test")


def identity_of(snapshot: Path) -> str:
    """The id that a snapshot's manifest states."""
    manifest = msgspec.json.decode((snapshot / "manifest.json").read_bytes())
    return str(manifest["id"])
