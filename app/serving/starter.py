"""What the package carries, so that the first command serves real concepts at once."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

from app.errors import NoStarter
from app.scoring.concepts import Scorer
from app.scoring.model_kinds import load_concept_model, load_term_model
from app.scoring.offered import NAMES, default_model, named_model, term_models, unknown_name
from models.protocol import RelatednessModel
from snapshots.snapshot import Snapshot


def snapshot_path() -> Path:
    """The folder of the starter snapshot.

    Raises:
        NoStarter: it was not installed.
    """
    folder = Path(str(files("snapshots") / "starter"))
    if not folder.is_dir():
        raise NoStarter(
            "No snapshot is named, and the starter snapshot is not installed here. Name a snapshot's folder "
            "(WORT_SNAPSHOT, --snapshot), or install the distribution wort-starter beside wort-server."
        )
    return folder


def model_path() -> Path:
    """The model that scores the starter snapshot where none is named."""
    return default_model(Snapshot.open(snapshot_path())).file


def open_scorer(snapshot: Path | None, model: Path | None, strict: bool = False) -> Scorer:
    """The scorer of a snapshot and a model; what is None is what the package carries.

    ``model``: a file, or one of ``NAMES``; None for the first of these whose evidence the snapshot has.

    Raises:
        snapshots.errors.SnapshotError, models.errors.ModelError, ForeignModel: as ``Scorer.open``.
        UnusableModel: the snapshot lacks tables that the named model reads.
    """
    folder = snapshot or snapshot_path()
    if model is None:
        return Scorer.open(folder, lambda opened: default_model(opened).model, strict)
    if str(model) in NAMES:
        return Scorer.open(folder, lambda opened: named_model(opened, str(model)), strict)
    return Scorer.open(folder, model, strict)


def concept_model(snapshot: Snapshot, model: Path) -> RelatednessModel:
    """The model of concepts in a file, or of one of ``NAMES`` for a snapshot; errors as ``open_scorer``."""
    return named_model(snapshot, str(model)) if str(model) in NAMES else load_concept_model(model)


def term_model(snapshot: Snapshot, model: Path) -> RelatednessModel:
    """The model of terms in a file, or of one of ``NAMES`` for a snapshot.

    Raises:
        UnknownModelName: none of that name comes with this copy of wort.
        ModelError: the file holds none.
    """
    name = str(model)
    if name not in NAMES:
        return load_term_model(model)
    shipped = term_models(snapshot.id)
    if name not in shipped:
        raise unknown_name(name, tuple(shipped))
    return shipped[name].model
