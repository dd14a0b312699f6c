"""The models that come with the package, one JSON file each."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path


def path(name: str) -> Path:
    """The file of the shipped model ``name``."""
    return Path(str(files(__name__) / f"{name}.json"))


def shipped_models(prefix: str) -> list[Path]:
    """The files of the shipped models whose names begin with ``prefix``, in alphabetical order."""
    folder = Path(str(files(__name__)))
    return sorted(folder.glob(f"{prefix}*.json"))
