"""The figures of an experiment as tables, ours beside a paper's: for the terminal, as Markdown, as JSON."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from training.json_report import JSONReport

Cell = str | int | float | None
"""A text, a count, a figure, or nothing where there is none (or a paper gives none)."""


class PaperTable(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One table: its title, the names of its columns, its rows, and what a reader must know of it."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    note: str = ""


class Experiment(JSONReport, frozen=True, forbid_unknown_fields=True):
    """All tables of one experiment, on the snapshot of this id and a file of this checksum (BLAKE2b-256)."""

    name: str
    snapshot: str
    checksum: str
    tables: tuple[PaperTable, ...]

    def markdown(self) -> str:
        """The tables as Markdown."""
        return "\n\n".join(_markdown(table) for table in self.tables) + "\n"


def shown(cell: Cell, digits: int = 3) -> str:
    """A cell as people read it: figures with three digits, counts in thousands, nothing as a dash.

    >>> shown(0.61251), shown(9856), shown(None), shown("ESA")
    ('0.613', '9,856', '–', 'ESA')
    """
    if cell is None:
        return "–"
    if isinstance(cell, float):
        return f"{cell:.{digits}f}"
    return f"{cell:,}" if isinstance(cell, int) else cell


def both_of(*names: str) -> tuple[str, ...]:
    """What columns of both correlations are called, of each of the names.

    >>> both_of("pooled")
    ('r, pooled', 'ρ, pooled')
    """
    return tuple(f"{kind}, {name}" for name in names for kind in "rρ")


def numeric(table: PaperTable, column: int) -> bool:
    """Whether a column holds numbers, which stand at its right edge."""
    cells = [row[column] for row in table.rows]
    return any(not isinstance(cell, str) for cell in cells if cell is not None)


def _markdown(table: PaperTable) -> str:
    lines = [f"**{table.title}**", "", _line(table.columns)]
    lines.append(_line(["--:" if numeric(table, column) else "---" for column in range(len(table.columns))]))
    lines += [_line([shown(cell) for cell in row]) for row in table.rows]
    if table.note:
        lines += ["", table.note]
    return "\n".join(lines)


def _line(cells: Sequence[str]) -> str:
    escaped = (cell.replace("|", r"\|") for cell in cells)
    return f"| {' | '.join(escaped)} |"
