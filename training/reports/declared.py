"""What a report's sections are declared with: tables whose cells each medium writes in its own way.

The terminal and the page both show them: the terminal in columns of fixed width, the page as HTML.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from operator import attrgetter
from typing import Any, Literal, NamedTuple

from training.evaluation.ablation import Scores
from training.evaluation.report import Figure
from training.reports.text import signed, with_interval

Medium = Literal["page", "terminal"]

Cell = str | int | float | Figure | Scores | None


class Beneath(str):
    """A text that belongs to the one in the row above: the terminal sets it in, and makes it faint."""

    __slots__ = ()


class Column(NamedTuple):
    """A column: what the terminal heads it with, and what the page does, which may be longer.

    ``of``: what it shows of that which a row is of, the name of an attribute or a function; the attribute
    that it is headed with where left out. ``text``: left-aligned, not a number. ``form``: how numbers are
    written. ``absent``: what stands for None. ``on``: the medium that it is left out on the other for. The
    page shows the intervals of figures beside them, the terminal in a column of its own.
    """

    heading: str = ""
    of: str | Callable[[Any], Cell] = ""
    page: str = ""
    text: bool = False
    form: str = ".3f"
    absent: str = "–"
    on: Literal["both", "page", "terminal"] = "both"

    @property
    def title(self) -> str:
        """What the page heads it with."""
        return self.page or self.heading.replace("\n", " ")

    def cell(self, shown: object) -> Cell:
        """What it shows of that which a row is of."""
        read = self.of if callable(self.of) else attrgetter(self.of or self.title)
        cell: Cell = read(shown)
        return cell

    def written(
        self, cell: Cell, number: Callable[[float | None, str], str] = signed, intervals: bool = True
    ) -> str:
        """A cell of it as the page writes it; another medium writes a ``number`` in its own way."""
        match cell:
            case None:
                return self.absent
            case str():
                return cell
            case int():
                return f"{cell:,}"
            case Figure():
                return with_interval(cell) if intervals else number(cell.value, self.form)
            case Scores():
                return f"{number(cell.pearson, self.form)} / {number(cell.spearman, self.form)}"
        return number(cell, self.form)


class Chart(NamedTuple):
    """A drawing with its title; ``says``: what it shows, in a sentence."""

    title: str
    svg: str
    says: str


@dataclass(frozen=True, slots=True)
class ReportTable:
    """A table: a row of each of those ``shown``, and in it a cell for each column.

    ``strong``: rows that are set off; ``ends``: rows after which the terminal draws a line. ``page_only``:
    left out on the terminal. ``wraps``: whether the terminal breaks a caption wider than the table;
    ``narrow``: whether it leaves a single space between columns.
    """

    caption: str
    shown: Collection[object]
    columns: tuple[Column, ...]
    strong: frozenset[int] = frozenset()
    ends: frozenset[int] = frozenset()
    page_only: bool = False
    wraps: bool = False
    narrow: bool = False

    def on(self, medium: Medium) -> tuple[list[Column], list[list[Cell]]]:
        """The columns that a medium shows, and the cells in each row."""
        columns = [column for column in self.columns if column.on in {"both", medium}]
        return columns, [[column.cell(one) for column in columns] for one in self.shown]


@dataclass(frozen=True, slots=True)
class Section:
    """A part of a report: what it is called, how its charts are read, what it says, and what it shows.

    ``text`` and ``charts`` are for the page, ``sentences`` and ``tables`` for both media. Charts are drawn
    when they are asked for; those that have nothing to draw are None.
    """

    title: str
    text: str = ""
    sentences: tuple[str, ...] = ()
    tables: tuple[ReportTable, ...] = ()
    charts: Callable[[], Iterable[Chart | None]] = tuple

    def tables_on(self, medium: Medium) -> list[ReportTable]:
        """The tables that a medium shows: those that have rows."""
        return [table for table in self.tables if table.shown and (medium == "page" or not table.page_only)]
