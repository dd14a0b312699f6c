"""``wort build``: from a dump to a snapshot."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.table import Table

from app.cli.progress import STDERR, Steps, steps

if TYPE_CHECKING:
    from tables.manifest import Manifest
    from tables.stage import Stage


def build(
    dump: Annotated[
        Path,
        typer.Argument(
            help="A pages-articles dump: .xml, .xml.bz2, or multistream with its index beside it."
        ),
    ],
    output: Annotated[Path, typer.Option("--output", "-o", help="The folder to make; it must not exist.")],
    index: Annotated[
        Path | None, typer.Option(help="The index of a multistream dump, if it is not beside it.")
    ] = None,
    memory: Annotated[
        str, typer.Option(help="How much memory the build may use, such as 4GB. More is faster.")
    ] = "4GB",
    workers: Annotated[
        int | None, typer.Option(help="How many processes; one a core by default.", min=1)
    ] = None,
    without: Annotated[
        list[str] | None,
        typer.Option(
            help="Leave out a stage, such as word2vec: its features then have no evidence. Repeatable."
        ),
    ] = None,
    date: Annotated[
        str, typer.Option(help="The dump's date, YYYY-MM-DD, where its file name does not state it.")
    ] = "",
    keep_work: Annotated[
        bool, typer.Option("--keep-work", help="Keep the folder of intermediate tables, OUTPUT.build.")
    ] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Show no progress.")] = False,
) -> None:
    """Build a snapshot from a Wikipedia dump.

    Stop it at any time: the same command goes on where it left off.
    """
    # Imported here: no other command needs the parser and the engine.
    from features.measures import positive_pmi  # noqa: PLC0415
    from tables.build import STAGES, build_snapshot, work_folder  # noqa: PLC0415
    from tables.runner import LocalRunner  # noqa: PLC0415
    from wiki.dump import Dump  # noqa: PLC0415

    left_out = frozenset(without or ())
    unknown = left_out - {stage.name for stage in STAGES}
    if unknown:
        known = ", ".join(stage.name for stage in STAGES)
        raise typer.BadParameter(f"no stage is called {', '.join(sorted(unknown))}. Stages: {known}.")
    if date and not re.fullmatch(r"\d{4}-\d{2}-\d{2}", date):
        raise typer.BadParameter("a date is written YYYY-MM-DD", param_hint="--date")
    opened = Dump.open(dump, index)
    runner = LocalRunner(workers or os.cpu_count() or 1, parse_size(memory), work_folder(output) / "scratch")
    with runner, steps(quiet) as shown:
        snapshot = build_snapshot(
            opened,
            output,
            runner,
            positive_pmi,
            dump_date=date,
            without=left_out,
            announce=lambda stage: _begin(shown, stage),
            progress=shown.advance_to,
            keep_work=keep_work,
        )
    if not quiet:
        STDERR.print(_summary(snapshot.manifest))
    typer.echo(f"{output}: snapshot {snapshot.id}, {snapshot.concepts:,} concepts")


def parse_size(text: str) -> int:
    """Return the number of bytes that ``text`` (4GB, 512 MB, 2GiB) means."""
    found = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*([KMGT]?)(i?)B?\s*", text, re.IGNORECASE)
    if found is None:
        raise typer.BadParameter(f"{text!r} is not a size such as 4GB", param_hint="--memory")
    base = 1024 if found[3] else 1000
    return int(float(found[1]) * base ** " KMGT".index(found[2].upper() or " "))


def _begin(shown: Steps, stage: Stage) -> None:
    shown.begin(stage.label or stage.name, "bytes" if stage.name == "pages" else "")


def _summary(manifest: Manifest) -> Table:
    table = Table("stage", "seconds", "share", title="What the build cost", title_justify="left")
    for column in table.columns[1:]:
        column.justify = "right"
    whole = sum(stage.seconds for stage in manifest.stages) or 1.0
    for stage in manifest.stages:
        table.add_row(stage.name, f"{stage.seconds:.1f}", f"{stage.seconds / whole:.0%}")
    table.add_row("together", f"{whole:.1f}", "", style="bold")
    return table
