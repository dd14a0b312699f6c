"""``wort excerpt``: a small snapshot out of a large one."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def excerpt(
    snapshot: Annotated[Path, typer.Argument(help="The snapshot to take from.")],
    output: Annotated[Path, typer.Option("--output", "-o", help="The folder to make; it must not exist.")],
    concepts: Annotated[
        int, typer.Option("--concepts", "-n", help="How many concepts to keep.", min=1)
    ] = 5_000,
    titles: Annotated[
        typer.FileText | None,
        typer.Option(help="A file of titles to keep, one a line (- for standard input).", encoding="utf-8"),
    ] = None,
    chosen_by: Annotated[
        str | None,
        typer.Option(help="The work that the titles were taken from, to be named beside the other sources."),
    ] = None,
) -> None:
    """Make a small snapshot: some concepts, with the statistics of the whole.

    The concepts are those of a file of titles, then the most linked ones. The starter snapshot is made so.
    """
    import numpy as np

    from building.excerpt import ExcerptSettings, most_linked, write_excerpt
    from building.target import check_target
    from snapshots.resolver import Resolver
    from snapshots.snapshot import Snapshot

    check_target(output)
    parent = Snapshot.open(snapshot)
    ids: dict[int, None] = {}
    if titles is not None:
        lines = [line.strip() for line in titles if line.strip()]
        resolutions = Resolver.open(parent).resolve_many(lines)
        missing = [line for line, each in zip(lines, resolutions, strict=True) if each.concept < 0]
        ids = dict.fromkeys(each.concept for each in resolutions if each.concept >= 0)
        for line in missing:
            typer.echo(f"no concept: {line}", err=True)
        typer.echo(f"{len(ids):,} concepts named, {len(missing):,} titles lead to none", err=True)
        if len(ids) > concepts:
            raise typer.BadParameter(
                f"the titles name {len(ids):,} concepts, more than {concepts:,}", param_hint="--concepts"
            )
    for concept in most_linked(parent, parent.concepts):
        if len(ids) >= concepts:
            break
        ids[int(concept)] = None
    chosen = np.array(list(ids), np.int64)
    made = write_excerpt(parent, output, chosen, ExcerptSettings(), chosen_by)
    size = sum(entry.size for entry in made.manifest.files.values())
    typer.echo(f"{output}: snapshot {made.id}, {made.concepts:,} concepts, {size:,} bytes")
