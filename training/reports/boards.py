"""A leaderboard in tables: benchmarks in rows, on covered pairs and on all pairs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from training.evaluation.leaderboard import BEST, CONCEPTS, FEWEST, MILNE_WITTEN
from training.evaluation.report import Leaderboard, LeaderboardEntry, LeaderboardFigures, LeaderboardRow
from training.reports.declared import Cell, ReportTable, page_table
from training.reports.text import share, with_interval
from training.statistics.correlation import CORRELATIONS, CorrelationKind

Pairs = Literal["covered", "all_pairs"]

PAIRS: tuple[tuple[Pairs, str], ...] = (("covered", "covered pairs"), ("all_pairs", "all pairs"))
"""What a benchmark is judged on: pairs with a concept on both sides, and all."""

KINDS: tuple[CorrelationKind, ...] = tuple(CORRELATIONS)

_CONCEPTUAL = frozenset({CONCEPTS, MILNE_WITTEN})
"""What says nothing where too few pairs are covered."""


def judged_rows(rows: Sequence[LeaderboardRow], pairs: Pairs) -> list[LeaderboardRow]:
    """The benchmarks with pairs enough to judge by."""
    return [row for row in rows if standing(row, pairs).pairs >= FEWEST]


def standing(row: LeaderboardRow, pairs: Pairs) -> LeaderboardFigures:
    """The measures on the one set of pairs or on the other."""
    return row.covered if pairs == "covered" else row.all_pairs


def role_entry(row: LeaderboardRow, pairs: Pairs, role: str) -> LeaderboardEntry | None:
    """Who has this role; nobody where it rests on concepts and too few pairs have them."""
    few = role in _CONCEPTUAL and row.covered.pairs < FEWEST
    return None if few else standing(row, pairs).of(role)


def board_tables(board: Leaderboard) -> tuple[ReportTable, ...]:
    """The figures on covered pairs and on all, of each kind, and the benchmarks that have none."""
    tables = [
        _figures(judged_rows(board.rows, pairs), pairs, kind, f"{kind.capitalize()}, {title}")
        for pairs, title in PAIRS
        for kind in ("spearman", "pearson")
    ]
    left_out = [(one.benchmark, one.reason) for one in board.left_out]
    tables.append(page_table("Not judged", ("benchmark", "why"), left_out, texts=2))
    return tuple(table for table in tables if table.rows)


def standing_tables(row: LeaderboardRow) -> tuple[ReportTable, ...]:
    """The measures of one benchmark on covered pairs and on all."""
    return tuple(
        page_table(
            f"{title.capitalize()}: {standing(row, pairs).pairs:,}",
            ("role", "measure", *map(str.capitalize, KINDS)),
            [(one.role, one.names, one.pearson, one.spearman) for one in standing(row, pairs).entries],
            texts=2,
        )
        for pairs, title in PAIRS
    )


def _figures(rows: Sequence[LeaderboardRow], pairs: Pairs, kind: str, caption: str) -> ReportTable:
    roles = list(dict.fromkeys(entry.role for row in rows for entry in standing(row, pairs).entries))
    lines = []
    for row in rows:
        judged = standing(row, pairs).pairs
        name = (row.title or row.benchmark) + (" (trained on it)" if row.seen else "")
        cells = (_shown(role_entry(row, pairs, role), kind) for role in roles)
        lines.append((name, judged, share(judged, row.pairs), *cells))
    return page_table(caption, ("benchmark", "pairs", "of all", *roles), lines)


def _shown(entry: LeaderboardEntry | None, kind: str) -> Cell:
    if entry is None or entry.role != BEST:
        return None if entry is None else getattr(entry, kind)
    best = entry.by_pearson or entry.name if kind == "pearson" else entry.name
    return f"{best} {with_interval(getattr(entry, kind))}"
