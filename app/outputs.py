"""Where an answer goes, looked at before the work rather than after it."""

from __future__ import annotations

import os
from pathlib import Path

from app.errors import OutputUnusable


def check_output(path: Path) -> None:
    """Refuse a name under which no file can be written; one that is there already is the caller's to refuse.

    Raises:
        OutputUnusable: it is a link that leads nowhere, a folder or a device, or may not be written; or it
            stands in no folder.
    """
    if path.is_symlink() and not path.exists():
        raise OutputUnusable(
            f"{path} is a link that leads nowhere, to {path.readlink()}. Remove it, or name another file."
        )
    if path.exists() and not path.is_file():
        raise OutputUnusable(
            f"{path} is a folder or a device, which no file takes the place of. Name a file."
        )
    if not path.parent.is_dir():
        why = "is no folder" if path.parent.exists() else "does not exist"
        raise OutputUnusable(f"{path.parent}, where {path.name} should go, {why}. Name another file.")
    for place, may in ((path, os.W_OK), (path.parent, os.W_OK | os.X_OK)):
        if place.exists() and not os.access(place, may):
            raise OutputUnusable(f"{place} may not be written by this user. Name another file.")


def check_folder(path: Path) -> None:
    """Refuse a name under which no folder can be made, or which is not one.

    Raises:
        OutputUnusable: it is a link that leads nowhere, or a file; or it may not be written, or made there.
    """
    if path.is_symlink() and not path.exists():
        raise OutputUnusable(
            f"{path} is a link that leads nowhere, to {path.readlink()}. Name another folder."
        )
    if path.exists() and not path.is_dir():
        raise OutputUnusable(f"{path} is no folder. Name another one.")
    # Folders above it are made where they are missing.
    place = next(each for each in (path, *path.absolute().parents) if os.path.lexists(each))
    if not place.is_dir():
        raise OutputUnusable(f"{place}, where {path.name} should go, is no folder. Name another one.")
    if not os.access(place, os.W_OK | os.X_OK):
        raise OutputUnusable(f"{place} may not be written by this user. Name another folder.")
