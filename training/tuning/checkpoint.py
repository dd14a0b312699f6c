"""Where a tuning stands, on disk: a tuning that was killed goes on from there, to the same end."""

from __future__ import annotations

import json
from importlib import import_module
from pathlib import Path
from typing import Any

from models.whole_file import whole_file

SECONDS = 60.0
"""Between two states that are kept, at least; unless said otherwise."""


class Checkpoint:
    """The last state of one tuning: tensors by name, and a few numbers.

    ``key``: what the tuning depends on. The state of a tuning with another key is not found.
    """

    def __init__(self, file: Path, key: str) -> None:
        self._file = file
        self._key = key

    def save(self, tensors: dict[str, Any], numbers: dict[str, Any]) -> None:
        """Keep a state in place of the last one: whole, or not at all."""
        said = {"key": self._key, "numbers": json.dumps(numbers)}
        self._file.parent.mkdir(parents=True, exist_ok=True)
        with whole_file(self._file) as file:
            file.write(import_module("safetensors.torch").save(tensors, metadata=said))

    def load(self) -> tuple[dict[str, Any], dict[str, Any]] | None:
        """The state that was kept; None where there is none, or one of another tuning, or a damaged one."""
        library = import_module("safetensors")
        if not self._file.is_file():
            return None
        try:
            with library.safe_open(self._file, "pt") as opened:
                said = opened.metadata() or {}
                if said.get("key") != self._key:
                    return None
                tensors = {name: opened.get_tensor(name) for name in opened.keys()}  # noqa: SIM118
                return tensors, json.loads(said["numbers"])
        except (library.SafetensorError, KeyError, ValueError):
            return None

    def remove(self) -> None:
        """Forget the state; the tuning is done."""
        self._file.unlink(missing_ok=True)
