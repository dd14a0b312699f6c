"""What a protocol selects, and the folder that it is written to."""

from __future__ import annotations

import csv
import io
import json
import platform
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from importlib.metadata import version
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

PAIRS = "pairs"
"""The table that every selection has."""

PROVENANCE = "selection.json"
"""The file that says how the pairs beside it were selected."""


@dataclass(frozen=True, slots=True)
class SelectionTable:
    """Rows under named columns; a cell is text, a number, or None where there is nothing."""

    columns: tuple[str, ...]
    rows: Sequence[tuple[object, ...]]


@dataclass(frozen=True, slots=True)
class Selection:
    """Pairs by a protocol, and where they come from.

    ``tables`` holds ``pairs``, which has at least the columns pair, left and right, and whatever else the
    protocol makes. ``resources``: the versions of what was read, a snapshot's id among them. ``counts``: what
    was found on the way.
    """

    protocol: str
    settings: msgspec.Struct
    seed: int
    tables: Mapping[str, SelectionTable]
    resources: Mapping[str, object] = field(default_factory=dict)
    counts: Mapping[str, object] = field(default_factory=dict)

    @property
    def pairs(self) -> SelectionTable:
        """The pairs."""
        return self.tables[PAIRS]

    def provenance(self, files: Mapping[str, bytes]) -> dict[str, object]:
        """How the pairs were selected, with a checksum (BLAKE2b-256) of each file."""
        return {
            "protocol": self.protocol,
            "seed": self.seed,
            "settings": msgspec.to_builtins(self.settings),
            "resources": dict(self.resources),
            "versions": {
                "wort-server": version("wort-server"),
                "python": platform.python_version(),
                "numpy": np.__version__,
            },
            "counts": {"pairs": len(self.pairs.rows), **self.counts},
            "files": {name: blake2b(content, digest_size=32).hexdigest() for name, content in files.items()},
        }


def generator(seed: int, *names: str) -> np.random.Generator:
    """Random numbers that depend on the seed and on what they are for, so that topics do not disturb another.

    >>> generator(1, "Atheism").integers(1000) == generator(1, "Atheism").integers(1000)
    np.True_
    """
    digest = blake2b("\0".join(names).encode(), digest_size=16).digest()
    return np.random.default_rng([seed, int.from_bytes(digest)])


def write_selection(selection: Selection, folder: Path) -> None:
    """Write the tables as CSV and the provenance as JSON into a new folder, all of them or nothing.

    Raises:
        FileExistsError: the folder is there and not empty.
    """
    files = {f"{name}.csv": as_csv(table) for name, table in selection.tables.items()}
    files[PROVENANCE] = f"{_json(selection.provenance(files))}\n".encode()
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=f".{folder.name}-", dir=folder.parent) as scratch:
        made = Path(scratch) / folder.name
        made.mkdir()
        for name, content in files.items():
            (made / name).write_bytes(content)
        made.rename(folder)


def as_csv(table: SelectionTable) -> bytes:
    """A table as a CSV file, in UTF-8."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(table.columns)
    writer.writerows(table.rows)
    return text.getvalue().encode()


def _json(value: Any) -> str:  # noqa: ANN401  # whatever JSON can hold
    return json.dumps(value, ensure_ascii=False, indent=2)
