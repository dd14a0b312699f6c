"""The models that come with the package, one JSON file each."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path


def path(name: str) -> Path:
    """The file of the shipped model ``name``."""
    return Path(str(files(__name__) / f"{name}.json"))
