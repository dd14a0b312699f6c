"""``wort excerpt``: a small snapshot out of a large one."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from building.excerpt import ExcerptSettings


def excerpt(
    snapshot: Annotated[Path, typer.Argument(help="The snapshot to take from.")],
    output: Annotated[Path, typer.Option("--output", "-o", help="The folder to make; it must not exist.")],
    concepts: Annotated[
        int, typer.Option("--concepts", "-n", help="How many concepts to keep.", min=1)
    ] = 5_000,
    titles: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="A file of titles to keep, in UTF-8, one a line (- for standard input)."
        ),
    ] = None,
    chosen_by: Annotated[
        str | None,
        typer.Option(help="The work that the titles were taken from, to be named beside the other sources."),
    ] = None,
    cuts: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            metavar="SETTING=NUMBER",
            help="Keep more or less of the tables than by default, as esa_concepts=200; may be repeated. "
            "docs/starter.md says what each setting cuts.",
        ),
    ] = None,
) -> None:
    """Make a small snapshot: some concepts, with the statistics of the whole.

    The concepts are those of a file of titles, then the most linked ones. The starter snapshot is made so.
    """
    import numpy as np

    from building.excerpt import most_linked, write_excerpt
    from building.target import check_target
    from snapshots.naming.resolver import Resolver
    from snapshots.snapshot import Snapshot

    settings = _settings(cuts or [])
    check_target(output)
    named = None if titles is None else _titles(titles)
    parent = Snapshot.open(snapshot)
    ids: dict[int, None] = {}
    if named is not None:
        resolutions = Resolver.open(parent).resolve_many(named)
        missing = [line for line, each in zip(named, resolutions, strict=True) if each.concept < 0]
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
    made = write_excerpt(parent, output, chosen, settings, chosen_by)
    size = sum(entry.size for entry in made.manifest.files.values())
    typer.echo(f"{output}: snapshot {made.id}, {made.concepts:,} concepts, {size:,} bytes")


def _titles(file: Path) -> list[str]:
    """The titles that a file or standard input has, one a line.

    Raises:
        NotText: it cannot be read as lines of text.
    """
    from app.cli.inputs import text_of

    written = "A file of titles has one a line."
    lines = text_of(file, absent=written, folder=f"Name a file. {written}").splitlines()
    return [line.strip() for line in lines if line.strip()]


def _settings(cuts: list[str]) -> ExcerptSettings:
    """What ``--set`` says, each ``SETTING=NUMBER``; the rest as it is by default."""
    import msgspec

    from building.excerpt import ExcerptSettings

    given = dict(cut.partition("=")[::2] for cut in cuts)
    known = ExcerptSettings.__struct_fields__
    for cut, number in given.items():
        if cut not in known or not number:
            raise typer.BadParameter(
                f"{cut!r} is no setting and its number. Write one of these with =, as esa_concepts=200: "
                f"{', '.join(known)}",
                param_hint="--set",
            )
        try:
            msgspec.convert({cut: number}, ExcerptSettings, strict=False)
        except msgspec.ValidationError:
            raise typer.BadParameter(
                f"{cut} cannot be {number!r}. By default it is {getattr(ExcerptSettings(), cut)}.",
                param_hint="--set",
            ) from None
    return msgspec.convert(given, ExcerptSettings, strict=False)
