"""Manifests as somebody could write them who knows how they are checked."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

from snapshots.manifest import MANIFEST


def read(folder: Path) -> dict[str, Any]:
    """The fields of a snapshot's manifest."""
    record: dict[str, Any] = json.loads((folder / MANIFEST).read_text())
    return record


def signed(record: dict[str, Any]) -> bytes:
    """A manifest of these fields, whatever they are, with the checksum that it should have."""
    first = {"format": record.get("format"), "checksum": ""}
    blank = json.dumps(first | {name: value for name, value in record.items() if name not in first}).encode()
    digest = hashlib.blake2b(blank, digest_size=32).hexdigest()
    return blank.replace(b'"checksum": ""', f'"checksum": "{digest}"'.encode(), 1)


def rewrite(folder: Path, **fields: Any) -> None:
    """Give a snapshot's manifest other fields, and the checksum of these."""
    (folder / MANIFEST).write_bytes(signed(read(folder) | fields))
