"""Reports and leaderboards as pages: one HTML file each, figures and all, no script, nothing to fetch."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path

import numpy as np
from jinja2 import Environment, FileSystemLoader, StrictUndefined

from training.evaluation.report import Leaderboard, Predictions, Report
from training.report_html.boards import PAIRS, board_tables, standings
from training.report_html.drawing import DARK, LIGHT, palette, signed
from training.report_html.measure_charts import ranked_measures
from training.report_html.parts import Card, Section, charts, interval, share, with_interval
from training.report_html.prediction_charts import predicted_against_gold
from training.report_html.sections import sections

_HOW = {
    "out-of-fold": "each topic predicted by a model of the others",
    "model": "predicted by the model as it is",
}


def render(report: Report, predictions: Predictions | None) -> str:
    """A report as a page; ``predictions``: what it is over, pair by pair, None where they are not at hand.

    Pairs whose prediction or score is not a finite number are left out of the plots.
    """
    return (
        _templates()
        .get_template("report.html")
        .render(
            title=_title(report),
            lead=f"{report.model} on {report.snapshot}: {_HOW.get(report.predictions, report.predictions)}.",
            cards=_cards(report),
            notes=report.notes,
            sections=list(sections(report, _finite(predictions))),
            footer=_footer(report),
        )
    )


def render_leaderboard(board: Leaderboard, reports: Sequence[tuple[Report, Predictions | None]]) -> str:
    """A leaderboard as a page, and below it each of the ``reports`` in short."""
    names = [name for name in (board.model, board.term_model) if name is not None]
    return (
        _templates()
        .get_template("leaderboard.html")
        .render(
            title="One benchmark" if len(board.rows) == 1 else f"{len(board.rows)} benchmarks",
            lead=f"{' and '.join(names)} on {board.snapshot}.",
            text=(
                "Correlations with people's scores, with 95 % intervals: over the covered pairs, which have "
                "a concept on both sides, and over all, where what a measure does not cover counts as "
                "unrelated. The best feature is chosen, for each correlation apart, by the scores that it "
                "is then judged by."
            ),
            notes=board.notes,
            figures=charts((f"Spearman, {title}", standings(board.rows, pairs)) for pairs, title in PAIRS),
            tables=board_tables(board),
            sections=[_in_short(report, predictions, board.notes) for report, predictions in reports],
            footer=[
                ("Snapshot", board.snapshot),
                *((("Encoder", board.encoder),) if board.encoder else ()),
                ("Intervals", f"{board.resampling.resamples:,} resamples of {board.resampling.unit}"),
                ("Made", f"{board.created}, wort {board.code_version}"),
            ],
        )
    )


def _title(report: Report) -> str:
    if report.row is not None and report.row.title:
        return report.row.title
    return report.benchmark


def _cards(report: Report) -> list[Card]:
    model = report.of_model
    cards = [
        Card(kind, signed(found.pooled.value), interval(found.pooled))
        for kind, found in (("Pearson", model.pearson), ("Spearman", model.spearman))
    ]
    if model.spearman.mean is not None:
        cards.append(
            Card(
                f"Spearman, mean of {report.topics:,} topics",
                signed(model.spearman.mean.value),
                interval(model.spearman.mean),
            )
        )
    margin = report.margins.get("spearman")
    if margin is not None and margin.value is not None:
        value = f"{100 * margin.value:+.1f} %".replace("-", "−")
        cards.append(Card("over the best feature", value, f"Spearman, {margin.best}"))
    found = report.coverage
    covered = f"{share(found.resolved, found.pairs)} of {found.pairs:,} have both concepts"
    cards.append(Card("pairs", f"{report.pairs:,}", covered))
    return cards


def _footer(report: Report) -> list[tuple[str, str]]:
    drawn = report.resampling
    return [
        ("Model", report.model),
        ("Snapshot", report.snapshot),
        ("Benchmark", f"{report.benchmark}, rows: {report.split}"),
        ("Its checksum", f"BLAKE2b-256 {report.checksum}"),
        (
            "Intervals",
            f"{100 * drawn.level:.0f} %, percentile bootstrap, {drawn.resamples:,} resamples of "
            f"{drawn.unit}, seed {drawn.seed}",
        ),
        ("Made", f"{report.created}, wort {report.code_version}"),
    ]


def _in_short(report: Report, predictions: Predictions | None, said: Sequence[str]) -> Section:
    """A report as a part of a leaderboard's page; ``said``: notes that stand on the page already."""
    found = _finite(predictions)
    drawn = [("Measures by Spearman", ranked_measures(report.measures, "spearman", report.rejected))]
    if found is not None:
        drawn.append(("Predicted and given", predicted_against_gold(found.gold, found.predicted)))
    model = report.of_model
    text = (
        f"{report.pairs:,} pairs. {model.name}: Pearson {with_interval(model.pearson.pooled)}, Spearman "
        f"{with_interval(model.spearman.pooled)}."
    )
    notes = (note for note in report.notes if note not in said)
    return Section(_title(report), " ".join((text, *notes)), charts(drawn))


def _finite(predictions: Predictions | None) -> Predictions | None:
    """The pairs that can be drawn."""
    if predictions is None:
        return None
    kept = np.isfinite(predictions.gold) & np.isfinite(predictions.predicted)
    return Predictions(
        predictions.gold[kept], predictions.predicted[kept], predictions.topic[kept], predictions.topics
    )


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
