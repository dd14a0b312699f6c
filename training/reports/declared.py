"""What a report's sections are declared with: tables whose cells each medium writes in its own way.

The terminal and the page both show them: the terminal in columns of fixed width, the page as HTML.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from training.evaluation.ablation import Scores
from training.evaluation.report import Figure

if TYPE_CHECKING:
    from training.reports.charts import Chart

Cell = str | int | float | Figure | Scores | None


class Column(NamedTuple):
    """A column: what the terminal heads it with, and what the page does, which may be longer.

    ``text``: left-aligned, not a number. ``form``: how numbers are written. ``absent``: what stands for None.
    ``interval``: whether the terminal gives the intervals of figures a column beside them; the page always
    shows them. ``page_only``: left out on the terminal.
    """

    heading: str = ""
    page: str = ""
    text: bool = False
    form: str = ".3f"
    absent: str = "–"
    interval: bool = False
    page_only: bool = False

    @property
    def title(self) -> str:
        """What the page heads it with."""
        return self.page or self.heading.replace("\n", " ")


@dataclass(frozen=True, slots=True)
class ReportTable:
    """A table: a cell for each column in each row.

    ``strong``: rows that are set off; ``ends``: rows after which the terminal draws a line. ``page_only``:
    left out on the terminal. ``wraps``: whether the terminal breaks a caption wider than the table.
    """

    caption: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    strong: frozenset[int] = frozenset()
    ends: frozenset[int] = frozenset()
    page_only: bool = False
    wraps: bool = False


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


def page_table(
    caption: str, headings: Sequence[str], rows: Iterable[tuple[Cell, ...]], texts: int = 1
) -> ReportTable:
    """A table of the page alone, whose first ``texts`` columns are text."""
    columns = tuple(Column(heading, text=place < texts) for place, heading in enumerate(headings))
    return ReportTable(caption, columns, tuple(rows), page_only=True)
