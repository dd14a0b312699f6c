"""The snapshot of a release, looked at before anybody is served by it."""

from __future__ import annotations

import sys
from pathlib import Path

from app.cli.registry.files import releasable
from app.cli.verify import problems_of
from app.serving.starter import model_path, snapshot_path
from features.catalogue import SIGNATURES
from models.errors import ModelError
from models.files import loads
from models.registry.errors import DamagedModel
from models.registry.records import Release, Shipped
from models.registry.registry import Registry
from snapshots.errors import DamagedSnapshot, SnapshotError
from snapshots.snapshot import Snapshot


def sound(folder: Path, checksums: bool) -> Snapshot:
    """The snapshot in ``folder``; ``checksums``: that of every file is compared, not its size alone.

    Raises:
        SnapshotError: it cannot be used.
    """
    opened = Snapshot.open(folder)
    quiet = not sys.stderr.isatty()
    problems = (
        problems_of(opened.folder, opened.manifest, f"checking {opened.id}", quiet) if checksums else []
    )
    if problems:
        more = f", and {len(problems) - 1} more problems" if len(problems) > 1 else ""
        raise DamagedSnapshot(f"{folder}: {problems[0]}{more}. Copy the snapshot again or build it again.")
    return opened


def what_ships() -> Shipped:
    """The model and the snapshot that come with this version of wort.

    Raises:
        ModelError, SnapshotError: they are damaged.
    """
    content = model_path().read_bytes()
    model = loads(content, SIGNATURES)
    return Shipped(
        model=content,
        name=model.name,
        snapshot_id=Snapshot.open(snapshot_path()).id,
        location=str(snapshot_path().resolve()),
        dataset=model.trained_on,
    )


def problem_of(registry: Registry, release: Release | None, checksums: bool) -> str | None:
    """Why a release, or None for what ships, could not be served by this machine; None if it can be."""
    try:
        if release is None:
            sound(snapshot_path(), checksums)
            return None
        releasable(registry.artifact(release.model), release.model)
        opened = sound(Path(release.location), checksums)
    except (ModelError, DamagedModel, SnapshotError) as error:
        return str(error)
    if opened.id != release.snapshot_id:
        return f"{release.location} holds the snapshot {opened.id}, and {release.snapshot_id} was promoted."
    return None
