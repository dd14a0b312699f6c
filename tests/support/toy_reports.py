"""A made-up report with every section, and a leaderboard: what pages of reports are tested on."""

from __future__ import annotations

from typing import Any

import msgspec
import numpy as np

from models.protocol import FoldResult
from training.coverage import Coverage, UnresolvedTitle
from training.evaluation.ablation import Ablation, Scores
from training.evaluation.deciles import Decile
from training.evaluation.report import (
    Correlations,
    Figure,
    Leaderboard,
    LeaderboardEntry,
    LeaderboardFigures,
    LeaderboardRow,
    LearnerResult,
    LeftOut,
    Margin,
    Measure,
    Predictions,
    Report,
    Resampling,
)
from training.statistics.significance import Difference

EVIL = 'Ævar & "Søn" <script>alert(1)</script> \u202e日本 ☃'
"""A title as people may write one: any letters, and what HTML takes for itself."""


def figure(value: float | None) -> Figure:
    return Figure(value, None, None) if value is None else Figure(value, value - 0.05, value + 0.04)


def correlations(value: float | None) -> Correlations:
    return Correlations(figure(value), figure(value), 0)


def measure(name: str, value: float | None, evidence: int | None = 7) -> Measure:
    return Measure(name, evidence, correlations(value), correlations(None if value is None else value - 0.1))


def entries(*values: tuple[str, str, float]) -> tuple[LeaderboardEntry, ...]:
    return tuple(
        LeaderboardEntry(role, name, figure(value), figure(value - 0.1)) for role, name, value in values
    )


def row(title: str = "Toy") -> LeaderboardRow:
    judged = entries(("concept model", "m", 0.7), ("best feature", "ESA", 0.6), ("random", "random", 0.0))
    return LeaderboardRow(
        benchmark="toy",
        title=title,
        kind="concepts",
        checksum="00ff",
        split="all",
        pairs=40,
        topics=2,
        unresolved=(),
        covered=LeaderboardFigures(30, judged),
        all_pairs=LeaderboardFigures(40, judged),
        seen=("m",),
    )


def report(**changes: Any) -> Report:
    made = Report(
        predictions="out-of-fold",
        model="wort-toy",
        snapshot="toywiki-1",
        benchmark="toy.csv",
        checksum="00ff",
        split="all",
        pairs=30,
        topics=2,
        coverage=Coverage(40, 30, 1, 0, (UnresolvedTitle(EVIL, "unknown", 3),)),
        measures=(
            measure("ESA", 0.61),
            measure("MW", -0.2),
            measure("CATEGORY", None),
            measure("wort-toy", 0.74, None),
        ),
        margins={"pearson": Margin("ESA", 0.21, 0.13), "spearman": Margin("ESA", -0.015, 0.16)},
        folds=(
            FoldResult(EVIL, 20, 0.5, 0.4),
            FoldResult("cats", 9, 0.7, None),
            FoldResult("cats", 1, None, None),
        ),
        resampling=Resampling("topics", 1000, 0.95, 1),
        notes=(f"About {EVIL}.",),
        created="2026-01-01T00:00:00+00:00",
        code_version="0.0",
        row=row(),
        rejected=(measure("JSD", 0.3),),
        differences=(
            Difference("ESA", "MW", "pearson", 0.61, -0.2, 0.1, 30, 3.2, 0.0013, -2.9, 0.2, -3.0, True),
        ),
        deciles=tuple(
            Decile(
                number, number, number + 1, 3, {"wort-toy": 0.5, "ESA": None}, {"wort-toy": 0.4, "ESA": 0.1}
            )
            for number in range(1, 4)
        ),
        ablation=(
            Ablation("all", 3, Scores(0.7, 0.6), None, None),
            Ablation("ESA", 2, Scores(0.6, 0.5), Scores(0.65, 0.6), Scores(0.05, 0.0)),
            Ablation("MW", 1, Scores(None, None), Scores(0.71, 0.6), Scores(-0.01, 0.0)),
        ),
        learners=(LearnerResult("ridge", "least squares, shrunk", 0.7, 0.6, None, 0.5),),
    )
    return msgspec.structs.replace(made, **changes)


BARE: dict[str, Any] = {
    "folds": (),
    "row": None,
    "rejected": (),
    "differences": (),
    "deciles": (),
    "ablation": (),
    "learners": (),
    "notes": (),
    "topics": 0,
}


def predictions(n: int = 30, seed: int = 1) -> Predictions:
    draw = np.random.default_rng(seed)
    gold = draw.random(n)
    return Predictions(gold, np.clip(gold + draw.normal(0, 0.2, n), 0, 1), np.zeros(n, np.int64), ("cats",))


def board() -> Leaderboard:
    return Leaderboard(
        snapshot="toywiki-1",
        model="m",
        term_model=None,
        encoder=None,
        rows=(row(), row(EVIL)),
        left_out=(LeftOut("kore", f"not found: {EVIL}"),),
        resampling=Resampling("pairs", 10, 0.95, 1),
        notes=(),
        created="2026-01-01T00:00:00+00:00",
        code_version="0.0",
    )
