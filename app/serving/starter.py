"""What the package carries, so that the first command serves real concepts at once."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

from app.scoring.concepts import Scorer
from app.scoring.model_kinds import load_term_model
from app.scoring.terms import TermScorer
from features.senses.candidates import Senses
from models.shipped import path as shipped
from snapshots.resolver import Resolver
from snapshots.snapshot import Snapshot


def snapshot_path() -> Path:
    """The folder of the starter snapshot."""
    return Path(str(files("snapshots") / "starter"))


def model_path() -> Path:
    """The model that was trained on the starter snapshot."""
    return shipped("starter")


def open_scorer(snapshot: Path | None, model: Path | None, strict: bool = False) -> Scorer:
    """The scorer of a snapshot and a model; what is None is what the package carries.

    Raises:
        snapshots.errors.SnapshotError, models.errors.ModelError, ForeignModel: as ``Scorer.open``.
    """
    return Scorer.open(snapshot or snapshot_path(), model or model_path(), strict)


def open_term_scorer(snapshot: Path | None, model: Path | None, strict: bool = False) -> TermScorer:
    """The scorer of terms over a snapshot; what is None is what the package carries.

    Raises:
        snapshots.errors.SnapshotError: the folder cannot be used as a snapshot.
        models.errors.ModelError, ForeignModel, NoTermModel: as ``TermScorer.open``.
    """
    opened = Snapshot.open(snapshot or snapshot_path())
    loaded = None if model is None else load_term_model(model)
    return TermScorer.open(opened, Senses(opened, Resolver.open(opened)), loaded, strict)
