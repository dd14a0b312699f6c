"""``wort score``: a file of pairs, scored."""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from app.cli.exit_codes import FINDINGS
from app.cli.progress import Steps, steps
from app.cli.settings import read_settings
from app.files.formats import STANDARD, Format, format_of

if TYPE_CHECKING:
    from app.files.rows import Position, Reader, Row

SHOWN = 100
"""Bad rows that are reported one by one; the rest are counted."""


def score(
    pairs: Annotated[
        Path,
        typer.Argument(help="The pairs: a .csv, .tsv, .jsonl or .parquet file, or - for standard input."),
    ],
    output: Annotated[
        Path, typer.Option("--output", "-o", help="The file to write, or - for standard output.")
    ] = STANDARD,
    form: Annotated[
        Format | None, typer.Option("--format", help="The input's format, where its name does not say it.")
    ] = None,
    output_format: Annotated[
        Format | None, typer.Option(help="The output's; without it, what its name says, else the input's.")
    ] = None,
    left: Annotated[str, typer.Option(help="The column of one concept.")] = "left",
    right: Annotated[str, typer.Option(help="The column of the other.")] = "right",
    prefix: Annotated[
        str, typer.Option(help="Put before the names of the added columns, where they are taken.")
    ] = "",
    explain: Annotated[
        bool, typer.Option("--explain", help="Add each feature's value and contribution.")
    ] = False,
    snapshot: Annotated[
        Path | None, typer.Option(help="The snapshot to use; without it, the one that comes with wort.")
    ] = None,
    model: Annotated[
        Path | None, typer.Option(help="The model to score with; without it, the one that comes with wort.")
    ] = None,
    strict: Annotated[
        bool,
        typer.Option(
            "--strict", help="Exit with 1 where a row has no score; refuse a model of another snapshot."
        ),
    ] = False,
    force: Annotated[bool, typer.Option("--force", help="Overwrite the output if it exists.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Show no progress.")] = False,
) -> None:
    """Score a file of pairs.

    A concept is a title, a Wikipedia address, or in JSON Lines and Parquet a page id. Each row is kept, with
    score, status, left_title, right_title and error added. Stop it at any time: the same command goes on
    where it left off.
    """
    # Imported here, so that help is quick.
    from app.batch import Job, run
    from app.starter import open_scorer

    read_as = form or format_of(pairs)
    if read_as is None:
        if pairs != STANDARD:
            raise typer.BadParameter(f"the name {pairs} says no format", param_hint="--format")
        read_as = Format.CSV
    job = Job(
        source=pairs,
        output=output,
        source_format=read_as,
        output_format=output_format or format_of(output) or read_as,
        left=left,
        right=right,
        prefix=prefix,
        explain=explain,
    )
    settings = read_settings(snapshot=snapshot, model=model, strict=strict or None)
    scorer = open_scorer(settings.snapshot, settings.model, settings.strict)
    if scorer.model_info.warning is not None:
        typer.echo(f"wort: {scorer.model_info.warning}", err=True)
    with steps(quiet or not sys.stderr.isatty()) as shown:
        reporter = Reporter(str(pairs), shown)
        try:
            counts = run(job, scorer, reporter, force)
        except KeyboardInterrupt:
            shown.end()
            if STANDARD not in (pairs, output):
                typer.echo("wort: stopped. The same command goes on from here.", err=True)
            raise
    if not quiet:
        typer.echo(f"wort: {summary(counts)}", err=True)
    if strict and counts.total() > counts["ok"] + counts["identical"]:
        raise typer.Exit(FINDINGS)


class Reporter:
    """Tells people how it goes: bad rows one by one, the rest as a bar."""

    def __init__(self, source: str, shown: Steps) -> None:
        self._source = source
        self._shown = shown
        self._size: int | None = None
        self._bad = 0

    def begin(self, reader: Reader, resumed: Position | None) -> None:
        """Start the bar."""
        self._size = reader.size
        if resumed is not None:
            typer.echo(f"wort: going on at {self._source}:{resumed.line}", err=True)
        self._shown.begin("scoring", reader.unit)

    def bad_row(self, row: Row, reason: str) -> None:
        """Report one bad row."""
        self._bad += 1
        if self._bad <= SHOWN:
            typer.echo(f"{self._source}:{row.line}: {reason}", err=True)
        elif self._bad == SHOWN + 1:
            typer.echo("further bad rows are only marked in the output, with status invalid", err=True)

    def advance(self, position: Position, counts: Counter[str]) -> None:
        """Move the bar."""
        self._shown.advance_to(position.offset, self._size)


def summary(counts: Counter[str]) -> str:
    """How many rows have each status, in words."""
    statuses = ("ok", "identical", "unknown", "ambiguous", "invalid")
    parts = [f"{counts[status]:,} {status}" for status in statuses]
    return f"{counts.total():,} rows: {', '.join(parts)}"
