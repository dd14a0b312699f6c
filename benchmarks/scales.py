"""What Pearson's correlation loses to the scale on which people judged.

    python -m benchmarks.scales SNAPSHOT MODEL DATA --json benchmarks/results/scales.json

A score is a share of people who say "related". Most benchmarks asked for a degree instead, and of two terms
that hardly anybody calls related, one may still be rated far above the other. Each benchmark is judged by a
model of terms, over all pairs: by its score, and by functions of it that keep the order, so that Spearman's
correlation is the same for all. The last one is learnt from the benchmark itself, in ten folds: isotonic
regression, what any such function could reach.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import numpy as np
import typer
from numpy.typing import NDArray
from sklearn.isotonic import IsotonicRegression
from sklearn.model_selection import KFold, cross_val_predict

from app.scoring.model_kinds import load_term_model
from benchmarks.report import Cell, Table, new_report, publish
from encoders.encoder import open_encoder
from snapshots.naming.resolver import Resolver
from snapshots.snapshot import Snapshot
from training.benchmarks.judgements import Benchmark
from training.evaluation.sources import judgements_of
from training.evaluation.term_judge import TermJudge
from training.statistics.correlation import pearson_spearman

BENCHMARKS = ["word-train", "wikisim", "men", "wordsim353", "mturk-771", "tr9856", "bird"]
"""The larger ones of two terms; those who judged the first said yes or no."""

EDGE = 1e-3
"""What is added to a share and to its rest, so that both have a logarithm."""

FOLDS = 10

Scores = NDArray[np.float64]


def row(benchmark: Benchmark, scores: Scores) -> tuple[Cell, ...]:
    """A benchmark's correlations."""
    judged = np.array([judgement.score for judgement in benchmark.judgements])
    _, spearman = pearson_spearman(scores, judged)
    ways = scores, np.sqrt(scores), np.log((scores + EDGE) / (1 - scores + EDGE)), learnt(scores, judged)
    pearsons = [f"{pearson_spearman(way, judged)[0] or 0.0:.3f}" for way in ways]
    return f"`{benchmark.name}`", len(judged), f"{spearman or 0.0:.3f}", *pearsons


def learnt(scores: Scores, judged: Scores) -> Scores:
    """What people would judge, by a function of the score alone that was fitted to the other folds."""
    folds = KFold(FOLDS, shuffle=True, random_state=1)
    return np.asarray(
        cross_val_predict(IsotonicRegression(out_of_bounds="clip"), scores[:, None], judged, cv=folds)
    )


def main(
    folder: Annotated[Path, typer.Argument(metavar="SNAPSHOT", help="The snapshot.")],
    file: Annotated[Path, typer.Argument(metavar="MODEL", help="A model of terms that suits it.")],
    data: Annotated[Path, typer.Argument(metavar="DATA", help="The folder of the benchmarks.")],
    encoder: Annotated[Path, typer.Option(help="What compares texts.")] = Path("encoders/shipped"),
    json: Annotated[Path | None, typer.Option(help="A file to write the report to.")] = None,
) -> None:
    """Judge each benchmark on several scales."""
    snapshot = Snapshot.open(folder)
    model = load_term_model(file)
    judge = TermJudge.open(snapshot, Resolver.open(snapshot), model, open_encoder(encoder))
    benchmarks, _ = judgements_of(BENCHMARKS, data, "all", "en")
    rows = []
    for benchmark in benchmarks:
        scores = judge.scores(benchmark, judge.values(benchmark))
        rows.append(row(benchmark, np.asarray(scores)))
    columns = (
        "benchmark",
        "pairs",
        "Spearman",
        "Pearson",
        "of the root",
        "of the log-odds",
        "of the best fit",
    )
    table = Table("scales", "Pearson's correlation on several scales", columns, rows)
    publish(new_report("scales", f"{snapshot.id}, {model.name}", [table]), json)


if __name__ == "__main__":
    typer.run(main)
