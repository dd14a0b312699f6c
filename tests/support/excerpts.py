"""Excerpts of the starter, for what only snapshots have that lack concepts."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from app.serving.starter import snapshot_path
from building.excerpt import ExcerptSettings, most_linked, write_excerpt
from snapshots.naming.resolver import Resolver
from snapshots.snapshot import Snapshot


def starter_excerpt(folder: Path, concepts: int, without: Sequence[str] = ()) -> Snapshot:
    """The most linked ``concepts`` of the starter but for the articles ``without``, in ``folder``."""
    starter = Snapshot.open(snapshot_path())
    resolver = Resolver.open(starter)
    left_out = [resolver.article(title) for title in without]
    chosen = np.setdiff1d(most_linked(starter, concepts), left_out)
    return write_excerpt(starter, folder, chosen, ExcerptSettings())
