"""A leaderboard in tables: benchmarks in rows, on covered pairs and on all pairs."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Literal

from features.catalogue import FEATURE_NAMES
from training.evaluation.leaderboard import (
    BEST,
    MILNE_WITTEN,
    TERMS,
    is_model,
    of_feature,
)
from training.evaluation.report import (
    FEWEST,
    Figure,
    Leaderboard,
    LeaderboardEntry,
    LeaderboardFigures,
    LeaderboardRow,
)
from training.reports.declared import Column, ReportTable
from training.reports.text import SEEN, share, with_interval
from training.statistics.correlation import CORRELATIONS, CorrelationKind

Pairs = Literal["covered", "all_pairs"]

PAIRS: tuple[tuple[Pairs, str], ...] = (("covered", "covered pairs"), ("all_pairs", "all pairs"))
"""What a benchmark is judged on: pairs with a concept on both sides, and all."""

KINDS: tuple[CorrelationKind, ...] = tuple(CORRELATIONS)

_CONCEPTUAL = frozenset({MILNE_WITTEN, *map(of_feature, FEATURE_NAMES)})
"""What says nothing where too few pairs are covered, beside the models of concepts."""


def judged_rows(rows: Sequence[LeaderboardRow], pairs: Pairs) -> list[LeaderboardRow]:
    """The benchmarks with pairs enough to judge by."""
    return [row for row in rows if standing(row, pairs).pairs >= FEWEST]


def standing(row: LeaderboardRow, pairs: Pairs) -> LeaderboardFigures:
    """The measures on the one set of pairs or on the other."""
    return row.covered if pairs == "covered" else row.all_pairs


def roles_of(rows: Sequence[LeaderboardRow], pairs: Pairs) -> list[str]:
    """The roles that are taken in any of the rows, in the order in which they come."""
    return list(dict.fromkeys(entry.role for row in rows for entry in standing(row, pairs).entries))


def role_entry(row: LeaderboardRow, pairs: Pairs, role: str) -> LeaderboardEntry | None:
    """Who has this role; nobody where it rests on concepts and too few pairs have them."""
    of_concepts = role in _CONCEPTUAL or (is_model(role) and role != TERMS)
    few = of_concepts and row.covered.pairs < FEWEST
    return None if few else standing(row, pairs).of(role)


def role_name(rows: Sequence[LeaderboardRow], pairs: Pairs, role: str) -> str:
    """What has this role, by its name: on the first of the rows that somebody has it on."""
    return next(entry.name for row in rows if (entry := role_entry(row, pairs, role)) is not None)


def judged_of(row: LeaderboardRow, pairs: Pairs) -> str:
    """How many pairs of a benchmark are judged, and of how many where these are not all."""
    judged = standing(row, pairs).pairs
    return f"{judged:,}" if judged == row.pairs else f"{judged:,} of {row.pairs:,}"


def role_figure(
    row: LeaderboardRow, pairs: Pairs, role: str, kind: CorrelationKind, unseen: str = ""
) -> tuple[Figure | None, str]:
    """The figure of who has this role, None where nobody has, and its mark: ``unseen`` but for ``SEEN``."""
    entry = role_entry(row, pairs, role)
    figure: Figure | None = getattr(entry, kind, None)
    return figure, SEEN if entry is not None and row.saw(entry, kind) else unseen


def written_figure(row: LeaderboardRow, pairs: Pairs, role: str, kind: CorrelationKind) -> str | None:
    """A figure with its mark and its interval, the best feature with its name; None where nobody has it."""
    figure, mark = role_figure(row, pairs, role, kind)
    entry = role_entry(row, pairs, role)
    if entry is None or figure is None:
        return None
    written = with_interval(figure, mark)
    return f"{entry.name_by(kind)} {written}" if role == BEST else written


def board_tables(board: Leaderboard) -> tuple[ReportTable, ...]:
    """The figures on covered pairs and on all, of each kind, and the benchmarks that have none."""
    tables = [
        _figures(judged_rows(board.rows, pairs), pairs, kind, f"{kind.capitalize()}, {title}")
        for pairs, title in PAIRS
        for kind in reversed(KINDS)
    ]
    columns = Column("benchmark", text=True), Column("why", "reason", text=True)
    return tuple(
        table for table in (*tables, ReportTable("Not judged", board.left_out, columns)) if table.shown
    )


def standing_tables(row: LeaderboardRow) -> tuple[ReportTable, ...]:
    """The measures of one benchmark on covered pairs and on all."""
    columns = (
        Column("role", text=True),
        Column("measure", "names", text=True),
        *(Column(kind.capitalize(), kind) for kind in KINDS),
    )
    return tuple(
        ReportTable(f"{title.capitalize()}: {judged.pairs:,}", judged.entries, columns)
        for pairs, title in PAIRS
        for judged in (standing(row, pairs),)
    )


def _figures(
    rows: Sequence[LeaderboardRow], pairs: Pairs, kind: CorrelationKind, caption: str
) -> ReportTable:
    columns = (
        Column("benchmark", lambda row: row.title or row.benchmark, text=True),
        Column("pairs", lambda row: standing(row, pairs).pairs),
        Column("of all", lambda row: share(standing(row, pairs).pairs, row.pairs)),
        *(
            Column(role, partial(written_figure, pairs=pairs, role=role, kind=kind))
            for role in roles_of(rows, pairs)
        ),
    )
    return ReportTable(caption, rows, columns)
