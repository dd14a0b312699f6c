"""A report on the terminal: the table of figures, and what a reader of it must know."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path

import typer
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from app.batch.files.formats import STANDARD
from app.cli.progress import STDERR
from app.cli.reports import board, sections
from app.errors import OutputExists
from app.outputs import check_output
from training.evaluation.report import Correlations, Figure, Leaderboard, Measure, Report

SHOWN = 20
"""Unresolved titles that are shown; the report in JSON has all."""

KINDS = ("Pearson", "Spearman")
"""The kinds of correlation, in the order of their columns."""

_WIDTH = 100
"""How wide the table is where the terminal does not say how wide it is."""


def check_outputs(*paths: Path | None, force: bool) -> None:
    """Refuse what could not be written before the work rather than after it.

    Raises:
        OutputExists: one of the files exists already, and ``force`` was not given.
        OutputUnusable: one of the names is a link that leads nowhere, a folder or a device, or is not to be
            written.
        typer.BadParameter: the folder of one of them does not exist, or two of them are the same file.
    """
    for path in paths:
        if path is not None and path != STANDARD:
            check_output(path)
    files = [path if path == STANDARD else path.resolve() for path in paths if path is not None]
    if len(set(files)) < len(files):
        raise typer.BadParameter(f"{files[0]} cannot hold two outputs. Name another file for one of them.")
    for path in paths:
        if path is None or path == STANDARD:
            continue
        if not path.parent.is_dir():
            raise typer.BadParameter(f"{path.parent}, where {path.name} should go, is no folder.")
        if path.exists() and not force:
            raise OutputExists(f"{path} exists already. Name another file, or overwrite it with --force.")


def show(report: Report, *files: Path | None, full: bool = False) -> None:
    """Print the report; on standard error where one of the ``files`` asked for takes standard output.

    ``full``: all tests of differences, not those of the model alone.
    """
    console = _console(files)
    if report.row is not None:
        _print(console, board.tables([report.row]), [board.best([report.row]), *board.too_few([report.row])])
    _print(console, [_table(report)], [*_coverage(report), *_reading(report)])
    for table, lines in sections.of(report, full):
        _print(console, [table], lines)
    _print(console, [], report.notes)


def show_board(leaderboard: Leaderboard, *files: Path | None) -> None:
    """Print the leaderboard, as ``show`` does a report."""
    _print(_console(files), board.tables(leaderboard.rows), board.lines(leaderboard))


def write(content: bytes, file: Path | None) -> None:
    """Write a report where it was asked for: a file, or standard output."""
    if file == STANDARD:
        sys.stdout.buffer.write(content)
    elif file is not None:
        file.write_bytes(content)


def _console(files: Iterable[Path | None]) -> Console:
    console = STDERR if STANDARD in files else Console()
    return console if console.is_terminal else Console(file=console.file, width=_WIDTH)


def _print(console: Console, tables: Iterable[Table], lines: Iterable[str]) -> None:
    for table in tables:
        console.print(table)
    for line in lines:
        console.print(line, markup=False, highlight=False, soft_wrap=True)


def _table(report: Report) -> Table:
    topics = f", {report.topics:,} topics" if report.topics else ""
    title = f"{report.benchmark} ({report.split}): {report.pairs:,} pairs{topics}"
    table = Table(
        title=escape(title), title_justify="left", box=SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0)
    )
    table.add_column("", no_wrap=True)
    columns = ("95 %", "by\ntopic") if report.topics else ("95 %",)
    for heading in ("evidence", *(part for kind in KINDS for part in (kind, *columns))):
        table.add_column(heading, justify="right", no_wrap=True)
    leading = {margin.best for margin in report.margins.values()}
    for measure in report.measures:
        style = "bold" if measure is report.of_model or measure.name in leading else ""
        cells = _row(measure, by_topic=report.topics > 0)
        table.add_row(*cells, style=style, end_section=measure is report.measures[-2])
    return table


def _row(measure: Measure, by_topic: bool) -> list[str]:
    cells = [escape(measure.name), "" if measure.evidence is None else f"{measure.evidence:,}"]
    for kind in (measure.pearson, measure.spearman):
        cells += [_number(kind.pooled), _interval(kind.pooled)]
        if by_topic:
            cells.append("" if kind.mean is None else _number(kind.mean))
    return cells


def _number(figure: Figure) -> str:
    return "–" if figure.value is None else f"{figure.value:.3f}"


def _interval(figure: Figure) -> str:
    return "" if figure.low is None or figure.high is None else f"{figure.low:.2f}, {figure.high:.2f}"


def _coverage(report: Report) -> list[str]:
    coverage = report.coverage
    unknown = "titles do not resolve" if report.of == "concepts" else "terms are unknown"
    lines = [
        f"{coverage.resolved:,} of {coverage.pairs:,} pairs have both {report.of} in {report.snapshot}; "
        f"{len(coverage.unresolved):,} {unknown}{':' if coverage.unresolved else '.'}"
    ]
    lines += [
        f"  {entry.title} ({entry.reason}, {_counted(entry.pairs, 'pair')})"
        for entry in coverage.unresolved[:SHOWN]
    ]
    if len(coverage.unresolved) > SHOWN:
        lines.append(f"  and {len(coverage.unresolved) - SHOWN:,} more, listed in the report (--report).")
    if coverage.identical:
        lines.append(
            f"Score 1 without a model: {_counted(coverage.identical, 'pair')} of one "
            f"{report.of.removesuffix('s')} with itself."
        )
    if coverage.other_split:
        lines.append(f"Left unread: {_counted(coverage.other_split, 'row')} of the other split.")
    return lines


def _counted(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"


def _reading(report: Report) -> list[str]:
    """How the figures came about, and the model beside the best feature."""
    predictions = {
        "out-of-fold": "The model's figures are of predictions by leave-one-topic-out.",
        "ten-fold": "The model's figures are of predictions in ten shuffled folds: pairs of one term may be "
        "on both sides.",
        "model": f"The model's figures are of the predictions of {report.model} as it is.",
    }
    resampling = report.resampling
    lines = [
        predictions[report.predictions],
        f"Intervals: {resampling.resamples:,} resamples of {resampling.unit}, seed {resampling.seed}.",
    ]
    for name, kind in zip(KINDS, (report.of_model.pearson, report.of_model.spearman), strict=True):
        margin = report.margins[name.lower()]
        if margin.value is not None:
            paper = f" (the paper, on WORD's test split: {margin.paper:+.0%})"
            lines.append(
                f"{name}: {margin.value:+.1%} over the best feature, {margin.best}"
                f"{paper if report.of == 'concepts' else ''}.{_undefined(kind)}"
            )
    return lines


def _undefined(kind: Correlations) -> str:
    if not kind.undefined:
        return ""
    return f" Undefined in {kind.undefined:,} topics, which their mean leaves out."
