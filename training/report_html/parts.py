"""What pages are put together from: cards of figures, charts with their captions, tables, sections."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import unescape

from training.evaluation.report import Figure
from training.report_html.drawing import signed


@dataclass(frozen=True, slots=True)
class Card:
    """A figure to be seen first: what it is, its value, and what belongs to it."""

    what: str
    value: str
    note: str


@dataclass(frozen=True, slots=True)
class Chart:
    """A drawing with its title and what it says."""

    title: str
    svg: str
    caption: str


@dataclass(frozen=True, slots=True)
class Row:
    """A row of a table, its head first; ``strong``: set off, as the model's is."""

    cells: tuple[str, ...]
    strong: bool = False


@dataclass(frozen=True, slots=True)
class Table:
    """A table; ``numeric``: the places of the columns of numbers."""

    caption: str
    columns: tuple[str, ...]
    rows: tuple[Row, ...]
    numeric: frozenset[int]


@dataclass(frozen=True, slots=True)
class Section:
    """A part of the page."""

    title: str
    text: str
    figures: tuple[Chart, ...] = ()
    tables: tuple[Table, ...] = ()


def charts(found: Iterable[tuple[str, str | None]]) -> tuple[Chart, ...]:
    """The drawings that there are, by title; what stands in place of a drawing is its caption too."""
    return tuple(Chart(title, svg, message(svg)) for title, svg in found if svg is not None)


def message(svg: str) -> str:
    """What a drawing says."""
    found = re.search(r'aria-label="([^"]*)"', svg)
    return unescape(found[1]) if found else ""


def table(
    caption: str,
    columns: Sequence[str],
    rows: Iterable[Sequence[str]],
    texts: int = 1,
    strong: str | None = None,
) -> Table:
    """A table whose first ``texts`` columns are text and the others numbers; ``strong``: the head set off."""
    return Table(
        caption,
        tuple(columns),
        tuple(Row(tuple(row), strong is not None and row[0] == strong) for row in rows),
        frozenset(range(texts, len(columns))),
    )


def with_interval(figure: Figure | None) -> str:
    """A correlation and its interval: ``0.752 [0.731, 0.770]``."""
    if figure is None or figure.value is None:
        return "–"
    if figure.low is None or figure.high is None:
        return signed(figure.value)
    return f"{signed(figure.value)} [{signed(figure.low)}, {signed(figure.high)}]"


def interval(figure: Figure) -> str:
    """The interval alone, in words."""
    if figure.low is None or figure.high is None:
        return "no interval"
    return f"95 %: {signed(figure.low)} to {signed(figure.high)}"


def share(part: int, whole: int) -> str:
    """A share in percent.

    >>> share(1, 3), share(0, 0)
    ('33.3 %', '–')
    """
    return f"{100 * part / whole:.1f} %" if whole else "–"
