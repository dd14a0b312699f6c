"""A release of the registry, opened and checked before anybody is answered by it."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from app.errors import AppError, BrokenRelease, ForeignModel
from app.scoring.concepts import Scorer
from app.serving import events
from app.serving.checking import Checks
from app.serving.starter import model_path, snapshot_path
from app.serving.trial import TRIED
from features.catalogue import SIGNATURES
from models.errors import ModelError
from models.files import loads
from models.registry.errors import DamagedModel, RegistryError, UnknownModel
from models.registry.records import Release
from models.registry.registry import Registry
from snapshots.errors import SnapshotError, TableError
from snapshots.manifest import MANIFEST
from snapshots.naming.resolver import Resolver
from snapshots.snapshot import Snapshot


def open_release(
    release: Release, artifact: bytes, strict: bool, current: Scorer | None, checks: Checks | None
) -> Scorer:
    """The scorer of ``release``, whose model file is ``artifact``, checked and warm.

    ``current``: what is served meanwhile, None at the start of a server. Where the release has the same
    snapshot, it is shared. ``checks``: has every file of the snapshot read, unless that was done; so a
    rollback need not read them again. None to leave that to the caller: nobody waits for it but at the start.

    Raises:
        BrokenRelease: it is not the snapshot that was promoted, a file of it was altered, or it does not
            score.
        SnapshotError, ModelError: the folder or the file cannot be used.
        ForeignModel: ``strict``, and the model was trained on another snapshot.
        Exception: anything else is of the machine, and may have passed when it is tried again.
    """
    snapshot = Snapshot.open(folder_of(release))
    if snapshot.id != release.snapshot_id and not release.shipped:
        raise BrokenRelease(
            f"{release.location} holds the snapshot {snapshot.id} and was promoted as {release.snapshot_id}. "
            "Put the snapshot back, or promote the one that is there."
        )
    model = loads(artifact, SIGNATURES)
    named = (release.number, release.model)
    if checks is not None:
        checks.check(snapshot)
    if current is not None and _same(current.snapshot, snapshot):
        scorer = Scorer(current.snapshot, current.resolver, model, named, current.pairs)
    else:
        scorer = Scorer(snapshot, Resolver.open(snapshot), model, named)
    if strict:
        scorer.refuse_foreign()
    scorer.warm()
    if current is not None:
        # What is served meanwhile has its percentiles; none shall wait for those of the new one either.
        scorer.percentiles.of(np.zeros(0))
    probe(scorer)
    return scorer


def probe(scorer: Scorer) -> None:
    """Try ``scorer`` with concepts from all over its snapshot.

    Raises:
        BrokenRelease: it has none, does not find them by their titles, or gives them scores that are none.
    """
    rows = scorer.snapshot.concepts
    if rows == 0:
        raise BrokenRelease(f"{scorer.snapshot.folder} has no concepts. Promote another snapshot.")
    concepts = np.unique(np.linspace(0, rows - 1, TRIED).astype(np.int64))
    for concept in concepts.tolist():
        title = scorer.snapshot.concept_titles[concept]
        if scorer.resolver.resolve(title).concept != concept:
            raise BrokenRelease(
                f"{scorer.snapshot.folder} does not find its own article {title!r}. Build it again."
            )
    raw = scorer.raw(concepts, np.roll(concepts, 1))
    scores = scorer.model.clipped(raw)
    wrong = ~(np.isfinite(raw) & (scores >= 0) & (scores <= 1))
    if wrong.any():
        raise BrokenRelease(
            f"{wrong.sum()} of {len(wrong)} pairs that it was tried with have no score from 0 to 1: the "
            "snapshot or the model is damaged. `wort verify` finds which file."
        )


def folder_of(release: Release) -> Path:
    """Where the snapshot of a release is; of what ships with wort, where this one is installed."""
    return snapshot_path() if release.shipped else Path(release.location)


def artifact_of(registry: Registry, release: Release) -> bytes:
    """The model file of a release; of what ships with wort, this one's.

    Raises:
        DamagedModel, UnknownModel: the registry does not hold it, or not as it was registered.
    """
    return model_path().read_bytes() if release.shipped else registry.artifact(release.model)


def trouble(error: Exception) -> str:
    """What an error says to a person who looks at what is served; the kind of one that was not foreseen."""
    if isinstance(error, (AppError, ModelError, RegistryError, TableError)):
        return str(error)
    return f"{type(error).__name__}: {error}"


def kind_of(error: Exception, release: Release) -> events.Trouble:
    """What an error of ``artifact_of`` or ``open_release`` means for ``release``.

    A folder that is not there may be mounted yet.
    """
    if isinstance(error, RegistryError):
        return "final" if isinstance(error, DamagedModel | UnknownModel) else "registry"
    if (
        isinstance(error, BrokenRelease | ForeignModel | ModelError | SnapshotError)
        and (folder_of(release) / MANIFEST).exists()
    ):
        return "final"
    return "missing" if isinstance(error, SnapshotError) else "passing"


def _same(first: Snapshot, second: Snapshot) -> bool:
    return first.folder == second.folder and first.seal == second.seal
