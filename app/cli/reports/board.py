"""The leaderboard on the terminal: a table for covered pairs and one for all, two lines a benchmark."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence

from rich.box import SIMPLE_HEAD
from rich.markup import escape
from rich.table import Table

from training.evaluation.baselines import RANDOM
from training.evaluation.leaderboard import BEST, CONCEPTS, FEWEST, MILNE_WITTEN, TERMS
from training.evaluation.report import (
    Figure,
    Leaderboard,
    LeaderboardEntry,
    LeaderboardFigures,
    LeaderboardRow,
)

_CONCEPTUAL = frozenset({CONCEPTS, MILNE_WITTEN})
"""What says nothing where too few pairs are covered."""

_HEADINGS = {
    CONCEPTS: "concept\nmodel",
    TERMS: "term\nmodel",
    BEST: "best single\nfeature",
    MILNE_WITTEN: "Milne-\nWitten",
    RANDOM: "random:\n95 %",
}


def tables(rows: Sequence[LeaderboardRow]) -> list[Table]:
    """The figures on covered pairs, and those on all pairs; none where every row has too few pairs."""
    made = [
        _table("Pairs with a concept on both sides", rows, lambda row: row.covered),
        _table("All pairs; what a measure does not cover counts as 0", rows, lambda row: row.all_pairs),
    ]
    return [table for table in made if table.row_count]


def too_few(rows: Sequence[LeaderboardRow]) -> list[str]:
    """Which of them have no figures on covered pairs, in a line; no line where all have."""
    few = [
        f"{row.benchmark} ({row.covered.pairs})"
        for row in rows
        if row.covered.pairs < FEWEST and row.kind != "documents"
    ]
    return [f"Too few pairs with a concept on both sides to judge by: {', '.join(few)}."] if few else []


def best(rows: Sequence[LeaderboardRow]) -> str:
    """Which feature was the best, on which benchmarks, in a line."""
    found = {"Covered pairs": _best(rows, lambda row: row.covered)}
    found["All pairs"] = _best(rows, lambda row: row.all_pairs)
    told = [f"{pairs}: {features}." for pairs, features in found.items() if features]
    return " ".join(("Best single feature, chosen for r and for ρ apart.", *(told or ["There is none."])))


def lines(board: Leaderboard) -> list[str]:
    """What a reader of the tables must know, a line each."""
    resampling = board.resampling
    told = [
        "r: Pearson, ρ: Spearman, each with its 95 % interval; of rankings the mean ρ over the seeds.",
        f"Intervals: {resampling.resamples:,} resamples, of {resampling.unit}, seed {resampling.seed}.",
        best(board.rows),
        *too_few(board.rows),
    ]
    absent = [f"{row.benchmark} ({row.absent})" for row in board.rows if row.absent]
    if absent:
        told.append(f"Rows left out because the file has no article for a side: {', '.join(absent)}.")
    told += list(board.notes)
    if board.left_out:
        told.append("Left out:")
        told += [f"  {entry.benchmark}: {entry.reason}" for entry in board.left_out]
    return told


def _table(
    title: str, rows: Iterable[LeaderboardRow], standing: Callable[[LeaderboardRow], LeaderboardFigures]
) -> Table:
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
    roles = [role for role in _roles(map(standing, rows)) if any(_entry(row, standing, role) for row in rows)]
    for role in roles:
        table.add_column(escape(_HEADINGS.get(role, role)), justify="right", no_wrap=True)
    for row in rows:
        judged = standing(row)
        share = f"{judged.pairs:,}" if judged.pairs == row.pairs else f"{judged.pairs:,} of {row.pairs:,}"
        name = escape(row.benchmark) + ("*" if row.seen else "")
        cells = (_cell(_entry(row, standing, role)) for role in roles)
        table.add_row(f"{name}\n  [dim]{share}[/]", "r\nρ", *cells, end_section=True)
    return table


def _entry(
    row: LeaderboardRow, standing: Callable[[LeaderboardRow], LeaderboardFigures], role: str
) -> LeaderboardEntry | None:
    """Who has this role; nobody where it rests on concepts and too few pairs have them."""
    few = role in _CONCEPTUAL and row.covered.pairs < FEWEST
    return None if few else standing(row).of(role)


def _roles(standings: Iterable[LeaderboardFigures]) -> list[str]:
    """Every role that stands somewhere: models first, then the best feature, then the rest as they come."""
    found = dict.fromkeys(entry.role for standing in standings for entry in standing.entries)
    leading = [role for role in (CONCEPTS, TERMS, BEST, MILNE_WITTEN) if role in found]
    return leading + [role for role in found if role not in leading]


def _cell(entry: LeaderboardEntry | None) -> str:
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


def _best(rows: Sequence[LeaderboardRow], standing: Callable[[LeaderboardRow], LeaderboardFigures]) -> str:
    """Which feature was the best on which benchmarks."""
    found = defaultdict(list)
    for row in rows:
        if standing(row).pairs >= FEWEST and (entry := standing(row).of(BEST)) is not None:
            found[entry.names].append(row.benchmark)
    return "; ".join(f"{name} ({', '.join(benchmarks)})" for name, benchmarks in found.items())
