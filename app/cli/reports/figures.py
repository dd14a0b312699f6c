"""A report on the terminal: the table of figures, and what a reader of it must know."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from rich.box import SIMPLE_HEAD
from rich.console import Console, JustifyMethod
from rich.markup import escape
from rich.table import Table

from app.batch.files.formats import STANDARD
from app.cli.printable import printable
from app.cli.progress import STDERR
from app.cli.reports import board
from models.figures import figure
from training.evaluation.report import Leaderboard, Report
from training.reports.declared import Beneath, ReportTable, Section
from training.reports.sections import sections
from training.reports.text import counted

SHOWN = 20
"""Unresolved titles that are shown; the report in JSON has all."""

_WIDTH = 100
"""How wide the table is where the terminal does not say how wide it is."""


def show(report: Report, *files: Path | None, full: bool = False) -> None:
    """Print the report; on standard error where one of the ``files`` asked for takes standard output.

    Of one that says nothing, what is said over all pairs, what is covered, and why it says nothing.

    ``full``: all tests of differences, not those of the model alone.
    """
    console = _console(files)
    declared = sections(report, full=full)
    if report.says_nothing:
        if report.row is not None:
            _print(console, board.tables([report.row]), [])
        _print(console, [], [*_coverage(report, declared["coverage"]), *report.notes])
        return
    if report.row is not None:
        rows = [report.row]
        _print(console, board.tables(rows), [board.best(rows), *board.few(rows), *board.seen(rows)])
    _print(console, [], report.notes)
    measures = declared["measures"]
    judged, rejected = measures.tables
    _print(console, [judged], [*_coverage(report, declared["coverage"]), *measures.sentences])
    _print(console, [rejected] if rejected.shown else [], [])
    for name in ("certainty", "differences", "popularity", "ablation", "learners"):
        section = declared.get(name, Section(name))
        tables = section.tables_on("terminal")
        _print(console, tables, section.sentences if tables else ())
        if name == "differences" and tables and report.all_differences:
            sentence = f"Tests of every two measures, {len(report.all_differences):,}, are in the report"
            _print(console, [], [f"{sentence} (--report, --html)."])


def show_board(leaderboard: Leaderboard, *files: Path | None) -> None:
    """Print the leaderboard, as ``show`` does a report."""
    _print(_console(files), board.tables(leaderboard.rows), board.lines(leaderboard))


def show_sections(parts: Iterable[Section], *files: Path | None) -> None:
    """Print the sentences and tables of any sections, as ``show`` does a report."""
    console = _console(files)
    for part in parts:
        _print(console, (), part.sentences)
        _print(console, part.tables_on("terminal"), ())


def _console(files: Iterable[Path | None]) -> Console:
    console = STDERR if STANDARD in files else Console()
    return console if console.is_terminal else Console(file=console.file, width=_WIDTH)


def _print(console: Console, tables: Iterable[ReportTable], lines: Iterable[str]) -> None:
    for table in tables:
        console.print(_table(table))
    for line in lines:
        console.print(line, markup=False, highlight=False, soft_wrap=True)


def _table(declared: ReportTable) -> Table:
    """A declared table, without what is for the page alone."""
    table = Table(
        title=escape(declared.caption),
        title_justify="left",
        box=SIMPLE_HEAD,
        pad_edge=False,
        padding=0 if declared.narrow else (0, 1, 0, 0),
        min_width=None if declared.wraps else len(declared.caption),
    )
    columns, rows = declared.on("terminal")
    for column in columns:
        justify: JustifyMethod = "left" if column.text else "right"
        table.add_column(escape(column.heading), justify=justify, no_wrap=True)
    for place, row in enumerate(rows):
        cells: list[str] = []
        for column, cell in zip(columns, row, strict=True):
            text = escape(printable(column.written(cell, _number, intervals=False)))
            cells.append(f"  [dim]{text}[/]" if isinstance(cell, Beneath) else text)
        style = "bold" if place in declared.strong else ""
        table.add_row(*cells, style=style, end_section=place in declared.ends)
    return table


def _number(value: float | None, form: str) -> str:
    return "–" if value is None else figure(value, form)


def _coverage(report: Report, section: Section) -> list[str]:
    """What the section says, and after the first sentence the first titles that stood in the way."""
    unresolved = report.coverage.unresolved
    first, *others = section.sentences
    if unresolved:
        first = first.removesuffix(".") + ":"
    titles = [f"  {one.title} ({one.reason}, {counted(one.pairs, 'pair')})" for one in unresolved[:SHOWN]]
    if len(unresolved) > SHOWN:
        titles.append(f"  and {len(unresolved) - SHOWN:,} more, listed in the report (--report).")
    return [first, *titles, *others]
