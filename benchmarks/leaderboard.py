"""The tables of docs/leaderboard.md: everything beside everything, on every benchmark, with intervals.

    wort evaluate --snapshot SNAPSHOT --model … --encoder … --benchmark all --features --report board.json
    python -m benchmarks.leaderboard board.json --json benchmarks/results/leaderboard.json
    python -m benchmarks.pages

Nothing is computed here: the first command judges, the second writes its figures as the documents show them.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from pathlib import Path
from typing import Annotated

import msgspec
import typer

from benchmarks.report import Cell, Table, new_report, publish
from training.evaluation.baselines import RANDOM
from training.evaluation.leaderboard import FEATURE, TERMS, is_model
from training.evaluation.report import Leaderboard, LeaderboardRow
from training.reports.boards import (
    KINDS,
    PAIRS,
    Pairs,
    judged_of,
    judged_rows,
    role_entry,
    role_figure,
    role_name,
    roles_of,
    written_figure,
)
from training.reports.text import interval
from training.statistics.correlation import CorrelationKind

NAMES: dict[Pairs, str] = {"covered": "covered", "all_pairs": "all"}
"""What tables over these pairs are called in part."""


def tables(board: Leaderboard) -> list[Table]:
    """A table for each set of pairs and correlation, of models and baselines, and one of features."""
    return [
        make(judged_rows(board.rows, pairs), pairs, kind)
        for make, (pairs, _), kind in product((measures, features), PAIRS, KINDS)
    ]


def measures(rows: Sequence[LeaderboardRow], pairs: Pairs, kind: CorrelationKind) -> Table:
    """Benchmarks in rows: models, the best single feature and the baselines."""
    roles = [role for role in roles_of(rows, pairs) if not role.startswith(f"{FEATURE} ")]
    shown = [role for role in roles if any(role_entry(row, pairs, role) for row in rows)]
    return Table(
        f"{NAMES[pairs]}-{kind}",
        f"{kind.capitalize()}, {dict(PAIRS)[pairs]}",
        ("benchmark", "pairs", *(_heading(role, rows, pairs) for role in shown)),
        [
            (f"`{row.benchmark}`", judged_of(row, pairs), *(cell(row, pairs, role, kind) for role in shown))
            for row in rows
        ],
    )


def features(rows: Sequence[LeaderboardRow], pairs: Pairs, kind: CorrelationKind) -> Table:
    """Features in rows, benchmarks in columns."""
    roles = [role for role in roles_of(rows, pairs) if role.startswith(f"{FEATURE} ")]
    return Table(
        f"features-{NAMES[pairs]}-{kind}",
        f"{kind.capitalize()} of single features, {dict(PAIRS)[pairs]}",
        ("feature", *(f"`{row.benchmark}`" for row in rows)),
        [
            (role.removeprefix(f"{FEATURE} "), *(cell(row, pairs, role, kind) for row in rows))
            for role in roles
        ],
    )


def cell(row: LeaderboardRow, pairs: Pairs, role: str, kind: CorrelationKind) -> Cell:
    """A figure with its interval; of chance the interval alone, and the best feature with its name."""
    if role == RANDOM:
        figure, _ = role_figure(row, pairs, role, kind)
        return None if figure is None else interval(figure).removeprefix("95 %: ")
    return written_figure(row, pairs, role, kind)


def _heading(role: str, rows: Sequence[LeaderboardRow], pairs: Pairs) -> str:
    """A model by its name, anything else by its role."""
    if not is_model(role):
        return role
    name = role_name(rows, pairs, role)
    return f"{name} (of terms)" if role == TERMS and not name.startswith("terms") else name


def main(
    board: Annotated[Path, typer.Argument(help="What `wort evaluate --report` wrote of several benchmarks.")],
    json: Annotated[Path | None, typer.Option(help="A file to write the report to.")] = None,
) -> None:
    """Write a leaderboard as the documents show it."""
    judged = msgspec.json.decode(board.read_bytes(), type=Leaderboard)
    resampling = judged.resampling
    subject = f"{judged.snapshot}; {resampling.resamples:,} resamples of {resampling.unit}"
    publish(new_report("leaderboard", subject, tables(judged), judged.notes), json)


if __name__ == "__main__":
    typer.run(main)
