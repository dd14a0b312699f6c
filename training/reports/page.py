"""Reports and leaderboards as pages: one HTML file each, charts and all, no script, nothing to fetch."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path

import numpy as np
from jinja2 import Environment, FileSystemLoader, StrictUndefined

from training.evaluation.report import Leaderboard, Predictions, Report
from training.reports import charts
from training.reports.boards import PAIRS, board_tables
from training.reports.declared import Chart, Section
from training.reports.drawing import DARK, LIGHT, palette
from training.reports.sections import sections
from training.reports.text import interval, share, signed, with_interval

_HOW = {
    "out-of-fold": "each topic predicted by a model of the others",
    "model": "predicted by the model as it is",
}
_BOARD = (
    "Correlations with people's scores, with 95 % intervals: over the covered pairs, which have a concept on "
    "both sides, and over all, where what a measure does not cover counts as unrelated. The best feature is "
    "chosen, for each correlation apart, by the scores that it is then judged by."
)


def render(report: Report, predictions: Predictions | None) -> str:
    """A report as a page; ``predictions``: what it is over, pair by pair, None where they are not at hand.

    Pairs whose prediction or score is not a finite number are left out of the charts.
    """
    drawn = report.resampling
    how = _HOW.get(report.predictions, report.predictions)
    return _page(
        kicker="evaluation",
        title=_title(report),
        lead=f"{report.model} on {report.snapshot}: {how}.",
        cards=_cards(report),
        notes=report.notes,
        sections=sections(report, _finite(predictions)).values(),
        footer={
            "Model": report.model,
            "Snapshot": report.snapshot,
            "Benchmark": f"{report.benchmark}, rows: {report.split}",
            "Its checksum": f"BLAKE2b-256 {report.checksum}",
            "Intervals": f"{100 * drawn.level:.0f} %, percentile bootstrap, {drawn.resamples:,} resamples of "
            f"{drawn.unit}, seed {drawn.seed}",
            "Made": f"{report.created}, wort {report.code_version}",
        },
    )


def render_leaderboard(board: Leaderboard, reports: Sequence[tuple[Report, Predictions | None]]) -> str:
    """A leaderboard as a page, and below it each of the ``reports`` in short."""
    names = [name for name in (board.model, board.term_model) if name is not None]
    every = Section(
        "All benchmarks",
        _BOARD,
        tables=board_tables(board),
        charts=lambda: (charts.standings(board.rows, pairs, title) for pairs, title in PAIRS),
    )
    return _page(
        kicker="leaderboard",
        title="One benchmark" if len(board.rows) == 1 else f"{len(board.rows)} benchmarks",
        lead=f"{' and '.join(names)} on {board.snapshot}.",
        cards=(),
        notes=board.notes,
        sections=[every, *(_in_short(*one, board.notes) for one in reports)],
        unfolded={every.title},
        footer={
            "Snapshot": board.snapshot,
            **({"Encoder": board.encoder} if board.encoder else {}),
            "Intervals": f"{board.resampling.resamples:,} resamples of {board.resampling.unit}",
            "Made": f"{board.created}, wort {board.code_version}",
        },
    )


def _title(report: Report) -> str:
    return report.row.title if report.row is not None and report.row.title else report.benchmark


def _cards(report: Report) -> list[tuple[str, str, str]]:
    """The figures to be seen first: what each is, its value, and what belongs to it."""
    model, coverage, margin = report.of_model, report.coverage, report.margins.get("spearman")
    correlations = {"Pearson": model.pearson.pooled, "Spearman": model.spearman.pooled}
    if model.spearman.mean is not None:
        correlations[f"Spearman, mean of {report.topics:,} topics"] = model.spearman.mean
    cards = [(what, signed(figure.value), interval(figure)) for what, figure in correlations.items()]
    if margin is not None and margin.value is not None:
        value = f"{100 * margin.value:+.1f} %".replace("-", "−")
        cards.append(("over the best feature", value, f"Spearman, {margin.best}"))
    covered = f"{share(coverage.resolved, coverage.pairs)} of {coverage.pairs:,} have both concepts"
    return [*cards, ("pairs", f"{report.pairs:,}", covered)]


def _in_short(report: Report, predictions: Predictions | None, said: Sequence[str]) -> Section:
    """A report as a part of a leaderboard's page; ``said``: notes that stand on the page already."""
    kept = _finite(predictions)

    def drawn() -> tuple[Chart | None, ...]:
        by_spearman = "Measures by Spearman"
        ranked = charts.ranked_measures(report.measures, "spearman", report.rejected, by_spearman)
        return ranked, None if kept is None else charts.predicted_against_gold(kept.gold, kept.predicted)

    model = report.of_model
    figures = (
        f"{report.pairs:,} pairs. {model.name}: Pearson {with_interval(model.pearson.pooled)}, Spearman "
        f"{with_interval(model.spearman.pooled)}."
    )
    notes = (note for note in report.notes if note not in said)
    return Section(_title(report), figures, tuple(notes), charts=drawn)


def _finite(predictions: Predictions | None) -> Predictions | None:
    """The pairs that can be drawn."""
    if predictions is None:
        return None
    kept = np.isfinite(predictions.gold) & np.isfinite(predictions.predicted)
    gold, predicted = predictions.gold[kept], predictions.predicted[kept]
    return Predictions(gold, predicted, predictions.topic[kept], predictions.topics)


def _page(unfolded: Sequence[str] | set[str] = (), **content: object) -> str:
    return _templates().get_template("page.html").render(unfolded=unfolded, **content)


@cache
def _templates() -> Environment:
    environment = Environment(
        loader=FileSystemLoader(Path(__file__).parent / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.globals |= {"light": palette(LIGHT), "dark": palette(DARK)}
    return environment
