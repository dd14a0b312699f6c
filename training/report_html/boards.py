"""A leaderboard as figures and tables: benchmarks in rows, on covered pairs and on all pairs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import altair as alt

from training.evaluation.leaderboard import BEST, CONCEPTS, FEWEST, MILNE_WITTEN, TERMS
from training.evaluation.report import Leaderboard, LeaderboardEntry, LeaderboardFigures, LeaderboardRow
from training.report_html.drawing import FIRST, SECOND, THIRD, WIDTH, Kind, draw, named_rows, signed
from training.report_html.parts import Table, share, table, with_interval

Pairs = Literal["covered", "all_pairs"]

PAIRS: tuple[tuple[Pairs, str], ...] = (("covered", "covered pairs"), ("all_pairs", "all pairs"))
"""What a benchmark is judged on: pairs with a concept on both sides, and all."""

_DRAWN = (CONCEPTS, TERMS, BEST)
_CONCEPTUAL = frozenset({CONCEPTS, MILNE_WITTEN})
_ROW = 34


def standings(rows: Sequence[LeaderboardRow], pairs: Pairs) -> str | None:
    """Spearman of the models and of the best feature on each benchmark, with intervals."""
    judged = [row for row in rows if _standing(row, pairs).pairs >= FEWEST]
    found = [
        (place, entry)
        for place, row in enumerate(judged, start=1)
        for role in _DRAWN
        if (entry := _entry(row, pairs, role)) is not None and entry.spearman.value is not None
    ]
    if not found:
        return None
    roles = [role for role in _DRAWN if any(entry.role == role for _, entry in found)]
    dots = [
        {"place": place, "role": entry.role, "value": entry.spearman.value, **_ends(entry)}
        for place, entry in found
    ]
    base = alt.Chart(alt.InlineData(dots)).encode(
        y=named_rows([row.benchmark for row in judged]),
        yOffset=alt.YOffset("role:N", sort=roles),
        color=alt.Color(
            "role:N", title=None, scale=alt.Scale(domain=roles, range=[FIRST, SECOND, THIRD][: len(roles)])
        ),
    )
    chart = base.mark_rule(strokeWidth=1.5).encode(x="low:Q", x2="high:Q") + base.mark_point(
        filled=True, size=44, opacity=1
    ).encode(x=alt.X("value:Q", title="Spearman", axis=alt.Axis(tickCount=5)))
    spans = []
    for role in roles:
        values = [entry.spearman.value or 0.0 for _, entry in found if entry.role == role]
        spans.append(f"{role.capitalize()}: from {signed(min(values))} to {signed(max(values))}.")
    return draw(
        chart.properties(width=WIDTH - 60, height=_ROW * len(judged)),
        f"Spearman correlation on {len(judged)} benchmarks, with 95 % intervals. {' '.join(spans)}",
    )


def board_tables(board: Leaderboard) -> tuple[Table, ...]:
    """The figures on covered pairs and on all, of each kind, and the benchmarks that have none."""
    kinds: tuple[Kind, ...] = ("spearman", "pearson")
    made = [_figures(board.rows, pairs, title, kind) for pairs, title in PAIRS for kind in kinds]
    if board.left_out:
        rows = [(one.benchmark, one.reason) for one in board.left_out]
        made.append(table("Not judged", ("benchmark", "why"), rows, texts=2))
    return tuple(one for one in made if one.rows)


def _figures(rows: Sequence[LeaderboardRow], pairs: Pairs, title: str, kind: Kind) -> Table:
    judged = [row for row in rows if _standing(row, pairs).pairs >= FEWEST]
    roles = list(dict.fromkeys(entry.role for row in judged for entry in _standing(row, pairs).entries))
    lines = [
        (
            (row.title or row.benchmark) + (" (trained on it)" if row.seen else ""),
            f"{_standing(row, pairs).pairs:,}",
            share(_standing(row, pairs).pairs, row.pairs),
            *(_shown(_entry(row, pairs, role), kind) for role in roles),
        )
        for row in judged
    ]
    return table(f"{kind.capitalize()}, {title}", ("benchmark", "pairs", "of all", *roles), lines)


def _shown(entry: LeaderboardEntry | None, kind: Kind) -> str:
    if entry is None:
        return "–"
    if entry.role != BEST:
        return with_interval(getattr(entry, kind))
    return f"{best_name(entry, kind)} {with_interval(getattr(entry, kind))}"


def best_name(entry: LeaderboardEntry, kind: Kind) -> str:
    """The feature whose correlation of this kind is the best one."""
    return entry.by_pearson or entry.name if kind == "pearson" else entry.name


def _standing(row: LeaderboardRow, pairs: Pairs) -> LeaderboardFigures:
    standing: LeaderboardFigures = getattr(row, pairs)
    return standing


def _entry(row: LeaderboardRow, pairs: Pairs, role: str) -> LeaderboardEntry | None:
    """Who has this role; nobody where it rests on concepts and too few pairs have them."""
    few = role in _CONCEPTUAL and row.covered.pairs < FEWEST
    return None if few else _standing(row, pairs).of(role)


def _ends(entry: LeaderboardEntry) -> dict[str, float | None]:
    figure = entry.spearman
    return {
        "low": figure.value if figure.low is None else figure.low,
        "high": figure.value if figure.high is None else figure.high,
    }
