"""The leaderboard on the terminal: a table for covered pairs and one for all, two lines a benchmark."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence

from rich.box import SIMPLE_HEAD
from rich.markup import escape
from rich.table import Table

from training.evaluation.leaderboard import BEST, CONCEPTS, FEWEST, MILNE_WITTEN, RANDOM, TERMS
from training.evaluation.report import Entry, Figure, Leaderboard, Row, Standing

_CONCEPTUAL = frozenset({CONCEPTS, MILNE_WITTEN})
"""What says nothing where too few pairs are covered."""

_HEADINGS = {
    CONCEPTS: "concept\nmodel",
    TERMS: "term\nmodel",
    BEST: "best single\nfeature",
    MILNE_WITTEN: "Milne-\nWitten",
    RANDOM: "random:\n95 %",
}


def tables(rows: Sequence[Row]) -> list[Table]:
    """The figures on covered pairs, and those on all pairs."""
    return [
        _table("Pairs with a concept on both sides", rows, lambda row: row.covered),
        _table("All pairs; what a measure does not cover counts as 0", rows, lambda row: row.all_pairs),
    ]


def lines(board: Leaderboard) -> list[str]:
    """What a reader of the tables must know, a line each."""
    resampling = board.resampling
    told = [
        "r: Pearson, ρ: Spearman, each with its 95 % interval; of rankings the mean ρ over the seeds.",
        f"Intervals: {resampling.resamples:,} resamples, of {resampling.unit}, seed {resampling.seed}.",
        f"Best single feature, by ρ. Covered pairs: {_best(board, lambda row: row.covered)}. "
        f"All pairs: {_best(board, lambda row: row.all_pairs)}.",
    ]
    few = [row for row in board.rows if 0 < row.covered.pairs < FEWEST]
    if few:
        listed = ", ".join(f"{row.benchmark} ({row.covered.pairs})" for row in few)
        told.append(f"Too few covered pairs to judge by: {listed}.")
    absent = [f"{row.benchmark} ({row.absent})" for row in board.rows if row.absent]
    if absent:
        told.append(f"Rows left out because the file has no article for a side: {', '.join(absent)}.")
    told += list(board.notes)
    if board.left_out:
        told.append("Left out:")
        told += [f"  {entry.benchmark}: {entry.reason}" for entry in board.left_out]
    return told


def _table(title: str, rows: Iterable[Row], standing: Callable[[Row], Standing]) -> Table:
    table = Table(
        title=title,
        title_justify="left",
        box=SIMPLE_HEAD,
        pad_edge=False,
        padding=0,  # the box has a space between columns, and there are many
        min_width=len(title),
    )
    table.add_column("", no_wrap=True)
    table.add_column("", no_wrap=True)
    rows = [row for row in rows if standing(row).pairs >= FEWEST]
    roles = _roles(standing(row) for row in rows)
    for role in roles:
        table.add_column(escape(_HEADINGS.get(role, role)), justify="right", no_wrap=True)
    for row in rows:
        judged = standing(row)
        share = f"{judged.pairs:,}" if judged.pairs == row.pairs else f"{judged.pairs:,} of {row.pairs:,}"
        name = escape(row.benchmark) + ("*" if row.seen else "")
        few = row.covered.pairs < FEWEST
        entries = [None if few and role in _CONCEPTUAL else judged.of(role) for role in roles]
        table.add_row(
            f"{name}\n  [dim]{share}[/]", "r\nρ", *(_cell(entry) for entry in entries), end_section=True
        )
    return table


def _roles(standings: Iterable[Standing]) -> list[str]:
    """Every role that stands somewhere: models first, then the best feature, then the rest as they come."""
    found = dict.fromkeys(entry.role for standing in standings for entry in standing.entries)
    leading = [role for role in (CONCEPTS, TERMS, BEST, MILNE_WITTEN) if role in found]
    return leading + [role for role in found if role not in leading]


def _cell(entry: Entry | None) -> str:
    if entry is None:
        return ""
    if entry.role == RANDOM:
        # Of chance alone the range says something.
        return f"{_interval(entry.pearson)}\n{_interval(entry.spearman)}"
    return f"{_figure(entry.pearson)}\n{_figure(entry.spearman)}"


def _figure(figure: Figure | None) -> str:
    """A figure and its interval in 12 characters: .612 .58–.65."""
    if figure is None:
        return ""
    return "–" if figure.value is None else f"{_short(figure.value, 3)} {_interval(figure):>7}"


def _interval(figure: Figure | None) -> str:
    if figure is None or figure.low is None or figure.high is None:
        return ""
    return f"{_short(figure.low)}–{_short(figure.high)}"


def _short(number: float, digits: int = 2) -> str:
    """A number from −1 to 1 without the 0 before its point.

    >>> _short(0.654), _short(-0.02), _short(1.0, 3)
    ('.65', '-.02', '1.000')
    """
    shown = f"{number:.{digits}f}".replace("-0.00", "0.00") if digits == 2 else f"{number:.{digits}f}"
    return shown.replace("0.", ".", 1) if abs(number) < 1 and "0." in shown else shown


def _best(board: Leaderboard, standing: Callable[[Row], Standing]) -> str:
    """Which feature was the best on which benchmarks."""
    found = defaultdict(list)
    for row in board.rows:
        if (entry := standing(row).of(BEST)) is not None:
            found[entry.name].append(row.benchmark)
    return "; ".join(f"{name} ({', '.join(benchmarks)})" for name, benchmarks in found.items()) or "none"
