"""What a benchmark found: tables of figures, and the machine that they were measured on.

Every benchmark makes a ``Report``, prints it, and writes it as JSON where ``--json`` says. Those in
``benchmarks/results/`` are the ones that the documents show.
"""

from __future__ import annotations

import datetime
import os
import platform
import re
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec
from rich.console import Console
from rich.table import Table as RichTable

Cell = str | float | int | None


class Table(msgspec.Struct, frozen=True):
    """Figures, a row each. ``columns`` name them with their units; a first column says what a row is of.

    ``name`` is how documents ask for the table, ``title`` what stands above it, ``note`` below it.
    """

    name: str
    title: str
    columns: tuple[str, ...]
    rows: list[tuple[Cell, ...]]
    note: str = ""

    def figure(self, row: str, column: str) -> float:
        """What stands in the first row of that name; 0 where nothing does."""
        place = self.columns.index(column)
        return float(next((line[place] or 0 for line in self.rows if line[0] == row), 0))


class Hardware(msgspec.Struct, frozen=True):
    """The machine. ``load``: how many processes ran on it in the last minute, in the mean."""

    processor: str
    cores: int
    memory_gb: float
    system: str
    python: str
    load: float

    def __str__(self) -> str:
        return (
            f"{self.cores} cores of {self.processor}, {self.memory_gb:.0f} GB, {self.system}, "
            f"Python {self.python}, load {self.load:.1f} at the start"
        )


class Report(msgspec.Struct, frozen=True):
    """Everything that one run of a benchmark found, and of what: ``subject``, such as a snapshot's id."""

    name: str
    command: str
    date: str
    hardware: Hardware
    subject: str
    tables: list[Table]
    notes: list[str] = []

    def table(self, name: str) -> Table:
        """The table of that name."""
        return next(table for table in self.tables if table.name == name)


_LOAD = os.getloadavg()[0]
"""Taken before this process adds to it."""


def hardware() -> Hardware:
    """This machine."""
    cpuinfo = Path("/proc/cpuinfo")
    found = re.search(r"model name\s*:\s*(.+)", cpuinfo.read_text()) if cpuinfo.exists() else None
    return Hardware(
        processor=found[1].strip() if found else platform.processor() or platform.machine(),
        cores=len(os.sched_getaffinity(0)),
        memory_gb=round(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 1e9, 1),
        system=f"{platform.system()} {platform.machine()}",
        python=platform.python_version(),
        load=round(_LOAD, 2),
    )


def new_report(name: str, subject: str, tables: list[Table], notes: Sequence[str] = ()) -> Report:
    """A report of the command that is running, on this machine, today."""
    # Whoever repeats it has other folders: their last parts say what was given.
    given = [Path(argument).name if "/" in argument else argument for argument in sys.argv[1:]]
    command = " ".join(["python -m", f"benchmarks.{name}", *given])
    today = datetime.datetime.now(datetime.UTC).date().isoformat()
    return Report(name, command, today, hardware(), subject, tables, list(notes))


def publish(report: Report, json: Path | None = None) -> None:
    """Print a report's tables, and write it as JSON where that is asked for."""
    console = Console()
    console.print(f"{report.subject}\n{report.hardware}", highlight=False)
    for table in report.tables:
        shown = RichTable(title=table.title, title_justify="left", caption=table.note or None)
        for place, column in enumerate(table.columns):
            shown.add_column(column, justify="left" if place == 0 else "right", overflow="fold")
        for row in table.rows:
            shown.add_row(*map(text, row))
        console.print(shown)
    for note in report.notes:
        console.print(note, highlight=False)
    if json is not None:
        json.parent.mkdir(parents=True, exist_ok=True)
        json.write_bytes(msgspec.json.format(msgspec.json.encode(report), indent=1) + b"\n")


def read_report(path: Path) -> Report:
    """The report in a file of JSON."""
    return msgspec.json.decode(path.read_bytes(), type=Report)


def markdown(table: Table) -> str:
    """The table as documents write it."""
    lines = [table.columns, ("---", *["--:"] * (len(table.columns) - 1)), *table.rows]
    body = "\n".join("| " + " | ".join(map(text, line)) + " |" for line in lines)
    return f"{body}\n\n{table.note}" if table.note else body


def text(cell: Cell) -> str:
    """A figure as people read it: whole numbers with separators, others to three digits.

    >>> text(48512), text(48512.3), text(2.8571), text(0.00412), text(None)
    ('48,512', '48,512', '2.86', '0.00412', '')
    """
    if cell is None:
        return ""
    if isinstance(cell, str):
        return cell
    if isinstance(cell, int) or abs(cell) >= 1000:
        return f"{cell:,.0f}"
    return f"{cell:.3g}"


def median_seconds(call: Callable[[], object], rounds: int = 5, warm: int = 1) -> float:
    """The median wall time of ``rounds`` calls, after ``warm`` calls that do not count."""
    for _ in range(warm):
        call()
    times = []
    for _ in range(rounds):
        start = time.perf_counter()
        call()
        times.append(time.perf_counter() - start)
    return statistics.median(times)
