"""``wort verify``: is a snapshot whole?"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from app.cli.exit_codes import FINDINGS
from app.cli.progress import steps


def verify(
    snapshot: Annotated[Path, typer.Argument(help="The snapshot's folder.")],
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Show no progress.")] = False,
) -> None:
    """Check every file of a snapshot against its manifest. Exits with 1 where something is wrong."""
    from snapshots.manifest import read_manifest
    from snapshots.snapshot import verify as problems_of

    manifest = read_manifest(snapshot)
    total = sum(entry.size for entry in manifest.files.values())
    done = 0
    with steps(quiet) as shown:
        shown.begin("checking", "bytes")

        def advance(_name: str, size: int) -> None:
            nonlocal done
            done += size
            shown.advance_to(done, total)

        problems = problems_of(snapshot, advance)
    for problem in problems:
        typer.echo(f"{snapshot}: {problem}", err=True)
    if problems:
        typer.echo("Copy the snapshot again or build it again.", err=True)
        raise typer.Exit(FINDINGS)
    typer.echo(f"{snapshot}: {len(manifest.files)} files, {total:,} bytes, all as they were written")
