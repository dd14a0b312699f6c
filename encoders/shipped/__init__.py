"""The encoder that comes with the package: all-MiniLM-L6-v2, tuned to WORD's train split."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

from encoders.card import CARD


def shipped_encoder() -> Path | None:
    """The folder of the encoder that comes with this copy of wort; None where it was left out."""
    folder = Path(str(files(__name__)))
    return folder if (folder / CARD).is_file() else None
