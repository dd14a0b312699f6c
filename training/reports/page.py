"""Reports and leaderboards as pages: one HTML file each, charts and all, no script, nothing to fetch."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import cache
from importlib.metadata import version
from pathlib import Path

import numpy as np
from jinja2 import Environment, FileSystemLoader, StrictUndefined

from training.evaluation.report import Leaderboard, Predictions, Report
from training.reports import charts
from training.reports.boards import PAIRS, board_tables
from training.reports.declared import Chart, Section
from training.reports.drawing import DARK, LIGHT, palette
from training.reports.sections import sections
from training.reports.text import SEEN, interval, share, signed, with_interval

_BOARD = (
    "Correlations with people's scores, with 95 % intervals: over the covered pairs, which have a concept on "
    "both sides, and over all, where what a measure does not cover counts as unrelated. The best feature is "
    "chosen, for each correlation apart, by the scores that it is then judged by. What is marked with an "
    f"asterisk ({SEEN}) saw pairs of that benchmark before, when it was trained or tuned, or by an encoder "
    "that was."
)


def render(report: Report, predictions: Predictions | None) -> str:
    """A report as a page; ``predictions``: what it is over, pair by pair, None where they are not at hand.

    Pairs whose prediction or score is not a finite number are left out of the charts.
    """
    return _page("report.html", report=report, sections=sections(report, _finite(predictions)).values())


def render_leaderboard(board: Leaderboard, reports: Sequence[tuple[Report, Predictions | None]]) -> str:
    """A leaderboard as a page, and below it each of the ``reports`` in short."""
    every = Section(
        "All benchmarks",
        _BOARD,
        tables=board_tables(board),
        charts=lambda: (charts.standings(board.rows, pairs, title) for pairs, title in PAIRS),
    )
    parts = [every, *(_in_short(*one, board.notes) for one in reports)]
    return _page("leaderboard.html", board=board, sections=parts, unfolded={every.title})


def render_sections(
    kicker: str, title: str, lead: str, parts: Sequence[Section], notes: Sequence[str] = ()
) -> str:
    """A page of any sections; ``kicker``: what kind of page it is, ``lead``: what it is of, in a sentence."""
    names = {part.title for part in parts}
    return _page(
        "sections.html",
        names,
        kicker=kicker,
        title=title,
        lead=lead,
        sections=parts,
        notes=notes,
        version=version("wort-server"),
    )


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
    return Section(report.title, figures, tuple(notes), charts=drawn)


def _finite(predictions: Predictions | None) -> Predictions | None:
    """The pairs that can be drawn."""
    if predictions is None:
        return None
    kept = np.isfinite(predictions.gold) & np.isfinite(predictions.predicted)
    gold, predicted = predictions.gold[kept], predictions.predicted[kept]
    return Predictions(gold, predicted, predictions.topic[kept], predictions.topics)


def _page(template: str, unfolded: Collection[str] = (), **content: object) -> str:
    return _templates().get_template(template).render(unfolded=unfolded, **content)


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
    environment.globals |= {"interval": interval, "share": share, "signed": signed}
    return environment
