"""``wort verify``: is a snapshot whole?"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from app.cli.exit_codes import FINDINGS
from app.cli.progress import steps

if TYPE_CHECKING:
    from snapshots.manifest import Manifest


def verify(
    snapshot: Annotated[Path, typer.Argument(help="The snapshot's folder.")],
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Show no progress.")] = False,
) -> None:
    """Check every file of a snapshot against its manifest. Exits with 1 where something is wrong."""
    from snapshots.manifest import read_manifest

    manifest = read_manifest(snapshot)
    problems = problems_of(snapshot, manifest, "checking", quiet)
    for problem in problems:
        typer.echo(f"{snapshot}: {problem}", err=True)
    if problems:
        typer.echo("Copy the snapshot again or build it again.", err=True)
        raise typer.Exit(FINDINGS)
    total = sum(entry.size for entry in manifest.files.values())
    typer.echo(f"{snapshot}: {len(manifest.files)} files, {total:,} bytes, all as they were written")


def problems_of(folder: Path, manifest: Manifest, label: str, quiet: bool) -> list[str]:
    """What is wrong with the files of a snapshot, read with a step on the terminal unless ``quiet``."""
    from snapshots.snapshot import verify as read_all

    total = sum(entry.size for entry in manifest.files.values())
    done = 0
    with steps(quiet) as shown:
        shown.begin(label, "bytes")

        def advance(_name: str, size: int) -> None:
            nonlocal done
            done += size
            shown.advance_to(done, total)

        return read_all(folder, advance)
