"""How many of the names that people type first lead to a concept of a snapshot, and which by another name.

``python -m benchmarks.typed_first [SNAPSHOT]`` asks for each line of ``typed_first.txt``; without a snapshot
it is the starter. Whether an answer is right, a person has to say.
"""

from __future__ import annotations

import sys
from pathlib import Path

from app.serving.starter import snapshot_path
from snapshots.naming.resolver import Resolver
from snapshots.snapshot import Snapshot

NAMES = Path(__file__).with_suffix(".txt")


def main(folder: Path) -> None:
    """Print the counts, what was found by an alias, and what was not found."""
    resolver = Resolver.open(Snapshot.open(folder))
    found = {name: resolver.resolve(name, suggest=False) for name in NAMES.read_text().splitlines()}
    known = {name: one for name, one in found.items() if one.status == "ok"}
    aliases = [f"{name} ({one.title})" for name, one in known.items() if one.matched == "alias"]
    print(
        f"{len(known)} of {len(found)} lead to a concept, {len(aliases)} by an alias: {', '.join(aliases)}."
    )
    print(f"Not found: {', '.join(name for name in found if name not in known)}.")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else snapshot_path())
