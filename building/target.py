"""The folder that a snapshot is going to be, looked at before the work rather than after it."""

from __future__ import annotations

import os
from pathlib import Path

from snapshots.errors import SnapshotError


def check_target(target: Path) -> None:
    """Refuse a name that is taken, be it by a link that leads nowhere.

    Raises:
        SnapshotError: it is, or no folder can be made there.
    """
    if target.is_symlink() and not target.exists():
        raise SnapshotError(
            f"{target} leads nowhere, to {target.readlink()}. Remove this link, or name another folder."
        )
    if target.exists():
        raise SnapshotError(
            f"{target} exists already, and a snapshot is never overwritten. Remove it or name another folder."
        )
    above = next(folder for folder in target.absolute().parents if os.path.lexists(folder))
    if not above.is_dir() or not os.access(above, os.W_OK | os.X_OK):
        raise SnapshotError(
            f"{above}, below which {target} should be made, is no folder that may be written."
        )
