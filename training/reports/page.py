"""Reports and leaderboards as pages: one HTML file each, charts and all, no script, nothing to fetch."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from importlib.metadata import version
from pathlib import Path

import numpy as np
from jinja2 import Environment, FileSystemLoader, StrictUndefined, Template

from training.evaluation.report import Leaderboard, Predictions, Report
from training.reports import charts
from training.reports.boards import PAIRS, board_tables
from training.reports.declared import Chart, Section
from training.reports.drawing import DARK, LIGHT, palette
from training.reports.sections import sections
from training.reports.text import SEEN, beside, interval, share, signed, with_interval

_BOARD = (
    "Correlations with people's scores, with 95 % intervals: over the covered pairs, which have a concept on "
    "both sides, and over all, where what a measure does not cover counts as unrelated. The best feature is "
    "chosen, for each correlation apart, by the scores that it is then judged by. What is marked with an "
    f"asterisk ({SEEN}) saw pairs of that benchmark before, when it was trained or tuned, or by an encoder "
    "that was."
)


_PREDICTED = {
    "out-of-fold": "each topic predicted by a model of the others",
    "model": "predicted by the model as it is",
}


def render(report: Report, predictions: Predictions | None) -> str:
    """A report as a page; ``predictions``: what it is over, pair by pair, None where they are not at hand.

    Pairs whose prediction or score is not a finite number are left out of the charts.
    """
    drawn = report.resampling
    facts = {
        "Model": report.model,
        "Snapshot": report.snapshot,
        "Benchmark": f"{report.benchmark}, rows: {report.split}",
        "Its checksum": f"BLAKE2b-256 {report.checksum}",
        "Intervals": f"{100 * drawn.level:.0f} %, percentile bootstrap, {drawn.resamples:,} resamples of "
        f"{drawn.unit}, seed {drawn.seed}",
        "Made": f"{report.created}, wort {report.code_version}",
    }
    lead = f"{report.model} on {report.snapshot}: {_PREDICTED.get(report.predictions, report.predictions)}."
    parts = sections(report, _finite(predictions)).values()
    return _page(
        "evaluation", report.title, lead, parts, facts=facts, notes=report.notes, cards=_cards(report)
    )


def render_leaderboard(board: Leaderboard, reports: Sequence[tuple[Report, Predictions | None]]) -> str:
    """A leaderboard as a page, and below it each of the ``reports`` in short."""
    every = Section(
        "All benchmarks",
        _BOARD,
        tables=board_tables(board),
        charts=lambda: (charts.standings(board.rows, pairs, title) for pairs, title in PAIRS),
    )
    models = " and ".join(name for name in (board.model, *board.others, board.term_model) if name is not None)
    drawn = board.resampling
    facts = {
        "Snapshot": board.snapshot,
        "Encoder": board.encoder,
        "Intervals": f"{drawn.resamples:,} resamples of {drawn.unit}",
        "Made": f"{board.created}, wort {board.code_version}",
    }
    title = "One benchmark" if len(board.rows) == 1 else f"{len(board.rows)} benchmarks"
    lead, parts = (
        f"{models} on {board.snapshot}.",
        [every, *(_in_short(*one, board.notes) for one in reports)],
    )
    return _page("leaderboard", title, lead, parts, facts=facts, notes=board.notes, unfolded={every.title})


def render_sections(
    kicker: str, title: str, lead: str, parts: Sequence[Section], notes: Sequence[str] = ()
) -> str:
    """A page of any sections; ``kicker``: what kind of page it is, ``lead``: what it is of, in a sentence."""
    facts, names = {"Made by": f"wort {version('wort-server')}"}, {part.title for part in parts}
    return _page(kicker, title, lead, parts, facts=facts, notes=notes, unfolded=names)


def _cards(report: Report) -> list[tuple[str, str, str]]:
    """The figures at the top of a report's page: what each is, its value, and what is to be known of it."""
    model, coverage = report.of_model, report.coverage
    covered = share(coverage.resolved, coverage.pairs)
    pairs = ("pairs", f"{report.pairs:,}", f"{covered} of {coverage.pairs:,} have both concepts")
    if report.says_nothing:
        return [pairs]
    figures = {
        "Pearson": model.pearson.pooled,
        "Spearman": model.spearman.pooled,
        f"Spearman, mean of {report.topics:,} topics": model.spearman.mean,
    }
    cards = [
        (what, signed(figure.value), interval(figure))
        for what, figure in figures.items()
        if figure is not None
    ]
    margin = report.margins.get("spearman")
    if margin is not None and margin.value is not None:
        gained, side = beside(margin.value)
        cards.append((f"{side} the best feature", gained, f"Spearman, {margin.best}"))
    return [*cards, pairs]


def _in_short(report: Report, predictions: Predictions | None, said: Sequence[str]) -> Section:
    """A report as a part of a leaderboard's page; ``said``: notes that stand on the page already."""
    notes = tuple(note for note in report.notes if note not in said)
    if report.says_nothing:
        return Section(report.title, f"{report.pairs:,} pairs.", notes)
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
    return Section(report.title, figures, notes, charts=drawn)


def _finite(predictions: Predictions | None) -> Predictions | None:
    """The pairs that can be drawn."""
    if predictions is None:
        return None
    kept = np.isfinite(predictions.gold) & np.isfinite(predictions.predicted)
    gold, predicted = predictions.gold[kept], predictions.predicted[kept]
    return Predictions(gold, predicted, predictions.topic[kept], predictions.topics)


def _page(kicker: str, title: str, lead: str, sections: Iterable[Section], **more: object) -> str:
    """A page; ``more``: ``facts`` that stand below it, by name; ``notes``; ``cards``, as of a report.

    ``unfolded``: the sections whose tables are open at once.
    """
    return _template().render(kicker=kicker, title=title, lead=lead, sections=sections, **more)


@cache
def _template() -> Template:
    environment = Environment(
        loader=FileSystemLoader(Path(__file__).parent / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.globals |= {"light": palette(LIGHT), "dark": palette(DARK)}
    environment.globals |= {"notes": (), "cards": (), "unfolded": ()}
    return environment.get_template("page.html")
