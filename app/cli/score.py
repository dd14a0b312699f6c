"""``wort score``: a file of pairs, scored."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from app.batch.files.delimited import Decimal
from app.batch.files.formats import EXTENSIONS, STANDARD, Format, format_of
from app.cli.answering import model_name, serving, settings_for, term_scorer, warn
from app.cli.exit_codes import FINDINGS
from app.cli.interruption import GOES_ON, Interrupted, Interruption
from app.cli.progress import TerminalSteps, steps
from app.cli.settings import AskedModel, AskedSnapshot
from app.errors import PairsError
from wort.schemas.relatedness import Ambiguous

if TYPE_CHECKING:
    from app.batch.files.rows import PairRow, Position, Reader
    from app.batch.results import RowScorer, UnknownName
    from app.settings import Settings

SHOWN = 100
"""Bad rows that are reported one by one; the rest are counted."""

_UNPACKED_BY = {".gz": "gunzip", ".bz2": "bunzip2", ".xz": "unxz", ".zst": "unzstd", ".zip": "unzip"}
"""How the names of compressed files end, and what unpacks them."""

UNKNOWN_SHOWN, SUGGESTED = 5, 3
"""Unknown names that are told of, those of the most rows, and the titles that are suggested for each."""


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
    terms: Annotated[
        bool, typer.Option("--terms", help="The cells are free terms, of one word or several.")
    ] = False,
    left: Annotated[str, typer.Option(help="The column of one concept or term.")] = "left",
    right: Annotated[str, typer.Option(help="The column of the other.")] = "right",
    context: Annotated[
        str | None,
        typer.Option(help="With --terms, the column of what a pair is about (context, if there is one)."),
    ] = None,
    ambiguous: Annotated[
        Ambiguous,
        typer.Option(
            help="What becomes of a side that may mean several concepts: report it, or resolve it to the "
            "likeliest and add which."
        ),
    ] = "report",
    header: Annotated[
        bool,
        typer.Option(
            "--header/--no-header",
            help="Whether the first row of a table names its columns; else the first two hold the pair.",
        ),
    ] = True,
    decimal: Annotated[
        Decimal,
        typer.Option(help="The sign of decimals in the numbers that are added to a table, as . or ,"),
    ] = ".",
    prefix: Annotated[
        str, typer.Option(help="Put before the names of the added columns, where they are taken.")
    ] = "",
    explain: Annotated[
        bool, typer.Option("--explain", help="Add each feature's value and contribution.")
    ] = False,
    snapshot: AskedSnapshot = None,
    model: AskedModel = None,
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

    A concept is a title, a Wikipedia address, in JSON Lines and Parquet a page id, in JSON Lines a mention;
    with --terms, free terms are compared. Each row is kept, with score, status, error and what was found
    added; one that cannot be read is told in its error. Stop it at any time: the same command goes on where
    it left off.
    """
    # Imported here, so that help is quick.
    from app.batch.scoring import ScoringJob, run
    from app.outputs import check_output

    if context is not None and not terms:
        raise typer.BadParameter("a context is for free terms; add --terms", param_hint="--context")
    if terms and ambiguous == "resolve":
        raise typer.BadParameter("the senses of free terms are always chosen", param_hint="--ambiguous")
    read_as = form or format_of(pairs)
    if read_as is None:
        if pairs != STANDARD:
            _check_there(pairs)
            raise _formless(pairs)
        read_as = Format.CSV
    if not header and read_as not in {Format.CSV, Format.TSV}:
        raise typer.BadParameter(f"{read_as} has none; it is for tables", param_hint="--no-header")
    job = ScoringJob(
        source=pairs,
        output=output,
        source_format=read_as,
        output_format=output_format or _format_of_output(output) or read_as,
        left=left,
        right=right,
        context=context,
        prefix=prefix,
        explain=explain,
        header=header,
        decimal=decimal,
    )
    if output != STANDARD:
        check_output(output)  # before what scores is opened
    _check_there(pairs)
    settings = settings_for(snapshot, model, terms, strict)
    scorer = _row_scorer(settings, terms, ambiguous)
    warn(scorer.provenance.model)
    interruption = Interruption()
    # Rows and a bar on one terminal would stand in each other's way.
    among_rows = output == STANDARD and sys.stdout.isatty()
    with steps(quiet or among_rows or not sys.stderr.isatty()) as shown, interruption.listening():
        reporter = Reporter(str(pairs), shown, interruption)
        try:
            counts = run(job, scorer, reporter, force)
        except Interrupted as stopped:
            shown.end()
            if STANDARD not in (pairs, output):
                typer.echo(f"wort: {GOES_ON}", err=True)
            raise typer.Exit(128 + stopped.number) from None
    if not quiet:
        typer.echo(f"wort: {summary(counts)}", err=True)
        for line in chosen_senses(scorer.chosen):
            typer.echo(f"wort: {line}", err=True)
        for line in unknown_names(scorer.most_unknown(UNKNOWN_SHOWN), scorer.unknown):
            typer.echo(f"wort: {line}", err=True)
        typer.echo(f"wort: {scored_by(scorer)}", err=True)
        typer.echo(f"wort: {scorer.provenance.snapshot.attribution}", err=True)
    if strict and counts.total() > counts["ok"] + counts["identical"]:
        raise typer.Exit(FINDINGS)


def _check_there(pairs: Path) -> None:
    """Refuse what is no file of pairs and no pipe.

    Raises:
        PairsError: it does not exist, or is a folder.
    """
    if pairs != STANDARD and (pairs.is_dir() or not pairs.exists()):
        there_is = "is a folder" if pairs.is_dir() else "does not exist"
        raise PairsError(f"{pairs} {there_is}. Name a file of pairs.")


def _formless(pairs: Path) -> typer.BadParameter:
    """The error that says what to do with a file of pairs whose name says no format."""
    ending = pairs.suffix.lower()
    if ending in _UNPACKED_BY:
        return typer.BadParameter(
            f"{pairs} is compressed; unpack it first, as {_UNPACKED_BY[ending]} does", param_hint="PAIRS"
        )
    if ending == ".json":
        return typer.BadParameter(
            f"{pairs} is named as JSON, and pairs are read as JSON Lines, an object a line. Write it so and "
            "name it .jsonl (jq -c '.[]' does that of a list); if it has such lines already, add "
            "--format jsonl",
            param_hint="PAIRS",
        )
    endings = ", ".join(f".{known}" for known in Format)
    return typer.BadParameter(
        f"the name {pairs} ends in none of {endings}. Save the pairs as one of these (a spreadsheet "
        "as CSV UTF-8), or say which of them it is",
        param_hint="--format",
    )


def _format_of_output(output: Path) -> Format | None:
    """The format that an output's name says; None where it has no ending, so that it has the input's.

    Raises:
        typer.BadParameter: it has an ending that is no format's: what opens such files by their names could
            not read what would be in it.
    """
    known = format_of(output)
    if known is None and output.suffix:
        raise typer.BadParameter(
            f"the name {output} ends in {output.suffix}, which is none of {', '.join(EXTENSIONS)}. Name it "
            "otherwise, or say its format with --output-format.",
            param_hint="--output",
        )
    return known


def _row_scorer(settings: Settings, terms: bool, ambiguous: Ambiguous) -> RowScorer:
    """What scores the rows: what a server with these settings serves."""
    from app.batch.results import ConceptRowScorer, TermRowScorer

    if terms:
        return TermRowScorer(term_scorer(settings))
    return ConceptRowScorer(serving(settings).scorer, ambiguous)


class Reporter:
    """Tells people how it goes: bad rows one by one, the rest as a bar. Stops where it is asked to."""

    def __init__(self, source: str, shown: TerminalSteps, interruption: Interruption) -> None:
        self._source = source
        self._shown = shown
        self._interruption = interruption
        self._size: int | None = None
        self._bad = 0

    def begin(self, reader: Reader, resumed: Position | None) -> None:
        """Start the bar."""
        self._size = reader.size
        if resumed is not None:
            typer.echo(f"wort: going on at {self._source}:{resumed.line}", err=True)
        self._shown.begin("scoring", reader.unit)

    def bad_row(self, row: PairRow, reason: str) -> None:
        """Report one bad row."""
        self._bad += 1
        if self._bad <= SHOWN:
            typer.echo(f"{self._source}:{row.line}: {reason}", err=True)
        elif self._bad == SHOWN + 1:
            typer.echo("further bad rows are only marked in the output, with status invalid", err=True)

    def advance(self, position: Position, counts: Counter[str]) -> None:
        """Move the bar."""
        self._shown.advance_to(position.offset, self._size)
        self._interruption.check()


def unknown_names(names: Sequence[UnknownName], of: int = 0) -> Iterator[str]:
    """Which names no concept has, and what may be meant by them, in words. ``of``: how many there are in all.

    >>> list(unknown_names([("Mom", 2, ("Mother", "Parent")), ("asdfgh", 1, ())]))
    ["no concept is called 'Mom' (2 times): perhaps Mother or Parent", "no concept is called 'asdfgh' (once)"]
    >>> list(unknown_names([("asdfgh", 1, ())], 4))[1]
    'nor by 3 other names, which the column error has'
    """
    from wort.schemas.naming import quoted
    from wort.schemas.shown import counted

    for name, sides, suggestions in names:
        times = "once" if sides == 1 else f"{sides:,} times"
        perhaps = f": perhaps {' or '.join(suggestions[:SUGGESTED])}" if suggestions else ""
        yield f"no concept is called {quoted(name)} ({times}){perhaps}"
    if (more := of - len(names)) > 0:
        yield f"nor by {counted(more, 'other name', 'other names')}, which the column error has"


def chosen_senses(sides: int) -> Iterator[str]:
    """On how many sides a name means what was chosen among several senses, in words; nothing of none.

    >>> list(chosen_senses(1)), list(chosen_senses(0))
    (["of 1 name with several senses, one was chosen: left_matched or right_matched is 'sense'"], [])
    """
    if sides:
        names = "1 name" if sides == 1 else f"{sides:,} names"
        yield f"of {names} with several senses, one was chosen: left_matched or right_matched is 'sense'"


def scored_by(scorer: RowScorer) -> str:
    """Which models scored, on which snapshot."""
    provenance = scorer.provenance
    models = [provenance.model] if provenance.concepts is None else [provenance.model, provenance.concepts]
    names = " and ".join(map(model_name, models))
    return f"scored by {names}, on {provenance.snapshot.id}"


def summary(counts: Counter[str]) -> str:
    """How many rows have each status, in words.

    >>> summary(Counter(invalid=2)).partition("; ")[2]
    'none has a score, and the column error says why'
    """
    statuses = ("ok", "identical", "unknown", "ambiguous", "invalid")
    parts = [f"{counts[status]:,} {status}" for status in statuses]
    rows = "row" if counts.total() == 1 else "rows"
    scored = counts["ok"] + counts["identical"]
    why = "" if scored or not counts else "; none has a score, and the column error says why"
    return f"{counts.total():,} {rows}: {', '.join(parts)}{why}"
