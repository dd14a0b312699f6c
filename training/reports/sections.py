"""What a report shows, section by section: declared here once, for the terminal and for the page."""

from __future__ import annotations

from functools import partial
from typing import Any

from training.evaluation.ablation import Scores
from training.evaluation.deciles import Decile
from training.evaluation.report import Correlations, Figure, Measure, Predictions, Report
from training.reports import charts
from training.reports.boards import KINDS, standing_tables
from training.reports.certainty import certainty_section
from training.reports.declared import Cell, Column, ReportTable, Section
from training.reports.text import beside, counted, share, signed
from training.retraining.report import RetrainReport
from training.statistics.calibration import calibration, comparable
from training.statistics.correlation import CorrelationKind
from training.statistics.significance import Difference, shown_p

SHOWN = 200
"""Unresolved titles on the page; the report as JSON has all."""

_BOTH = tuple(Column(kind.capitalize(), kind) for kind in KINDS)

_READING = {
    "out-of-fold": "The model's figures are of predictions by leave-one-topic-out.",
    "topic-folds": "The model's figures are of predictions by leaving out the folds of topics that the text "
    "encoder was tuned without, each whole.",
    "ten-fold": "The model's figures are of predictions in ten shuffled folds: pairs of one term may be "
    "on both sides.",
    "model": "The model's figures are of the predictions of {} as it is.",
}
_BASELINES = (
    "Beside baselines",
    "The model beside the best single feature, chosen for each correlation by these very scores, "
    "Milne-Witten alone, and baselines. Over all pairs, one that a measure does not cover counts as "
    "unrelated.",
)
_DIFFERENCES = (
    "p: Steiger's Z, two-sided. MRDS: the least difference of r, or of ρ, that is significant at 0.05 for "
    "measures that correlate so. Both take pairs to be independent, which pairs of one topic are not quite."
)
_SQUARES = (
    "In the squares of every two measures, p stands above the diagonal, with * where it is below 0.05, and "
    "below it by how much the measure of the column is better than that of the row."
)


def sections(report: Report, predictions: Predictions | None = None, full: bool = True) -> dict[str, Section]:
    """Every part that the report has figures for, by name, in the order in which the page shows them.

    Of a report that says nothing, what it covers is left.

    ``predictions``: finite numbers. ``full``: all tests of neighbours, not those of the model alone.
    """
    if report.says_nothing:
        return {"coverage": _coverage(report)}
    parts = {
        "gate": isinstance(report, RetrainReport) and _gate(report),
        "measures": _measures(report),
        "predictions": predictions and len(predictions.gold) and _predictions(predictions),
        "certainty": report.certainty and certainty_section(report),
        "topics": report.folds and _topics(report),
        "baselines": report.row and Section(*_BASELINES, tables=standing_tables(report.row)),
        "popularity": report.deciles and _popularity(report),
        "ablation": report.ablation and _ablation(report),
        "learners": report.learners and _learners(report),
        "differences": (report.differences or report.all_differences) and differences(report, full),
        "coverage": _coverage(report),
    }
    return {name: part for name, part in parts.items() if isinstance(part, Section)}


def _gate(report: RetrainReport) -> Section:
    outcome = "passed" if report.verdict.passed else "did not pass"
    if report.asked:
        outcome += ", and did not decide"
    told = tuple(filter(None, (report.asked, report.verdict.reason)))
    columns = (
        Column("condition", "name", text=True),
        Column("holds", lambda check: "yes" if check.passed else "no", text=True),
        Column("finding", text=True),
    )
    table = ReportTable("The gate's conditions", report.verdict.checks, columns)
    return Section(f"The gate: {outcome}", "", told, (table,))


def _measures(report: Report) -> Section:
    topics = f", {report.topics:,} topics" if report.topics else ""
    leading = {report.of_model.name, *(margin.best for margin in report.margins.values())}
    table = ReportTable(
        f"{report.benchmark} ({report.split}): {report.pairs:,} pairs{topics}",
        report.measures,
        _judged(report, Column("by\ntopic", absent=""), intervals=True),
        frozenset(place for place, measure in enumerate(report.measures) if measure.name in leading),
        frozenset({len(report.measures) - 2}),
        wraps=True,
    )
    rejected = ReportTable(
        "Measures that the paper tried and left out",
        report.rejected,
        _judged(report, Column("by topic", on="page")),
    )
    return Section(
        "Measures",
        "Each feature alone, and the model, against people's scores, over all pairs at once. Lines are 95 % "
        f"intervals.{' Violet: measures that WORT rejected.' if report.rejected else ''}",
        _reading(report),
        (table, rejected),
        lambda: (charts.ranked_measures(report.measures, kind, report.rejected) for kind in KINDS),
    )


def _judged(report: Report, by_topic: Column, intervals: bool = False) -> tuple[Column, ...]:
    """The columns of measures; ``by_topic``: how the means over topics are shown, where there are any.

    ``intervals``: whether the terminal shows them.
    """
    columns = [Column("", "name", "measure", text=True), Column("evidence", absent="")]
    for kind in KINDS:
        columns.append(Column(kind.capitalize(), f"{kind}.pooled"))
        if intervals:
            columns.append(Column("95 %", partial(_ends, kind=kind), on="terminal"))
        if report.topics:
            columns.append(by_topic._replace(of=f"{kind}.mean", page=f"{kind.capitalize()} by topic"))
    return tuple(columns)


def _ends(measure: Measure, kind: CorrelationKind) -> str:
    pooled: Figure = getattr(measure, kind).pooled
    return "" if pooled.low is None or pooled.high is None else f"{pooled.low:.2f}, {pooled.high:.2f}"


def _reading(report: Report) -> tuple[str, ...]:
    """How the figures came about, and the model beside the best feature."""
    drawn = report.resampling
    lines = [
        _READING[report.predictions].format(report.model),
        f"Intervals: {drawn.resamples:,} resamples of {drawn.unit}, seed {drawn.seed}.",
    ]
    for kind in KINDS:
        margin = report.margins.get(kind)
        if margin is not None and margin.value is not None:
            paper = f" (the paper, on WORD's test split: {100 * margin.paper:.0f} % over it)"
            lines.append(
                f"{kind.capitalize()}: {' '.join(beside(margin.value))} the best feature, {margin.best}"
                f"{paper if report.of == 'concepts' else ''}.{_undefined(getattr(report.of_model, kind))}"
            )
    return tuple(lines)


def _undefined(kind: Correlations) -> str:
    return f" Undefined in {kind.undefined:,} topics, which their mean leaves out." if kind.undefined else ""


def _predictions(predictions: Predictions) -> Section:
    gold, predicted = predictions.gold, predictions.predicted
    if not comparable(gold):
        text = (
            f"People's scores lie between {signed(gold.min(), '.2f')} and {signed(gold.max(), '.2f')}, "
            "predictions between 0 and 1: they can be set against each other, and not subtracted."
        )
        return Section("Predictions", text, charts=lambda: (charts.predicted_against_gold(gold, predicted),))
    calibrated = calibration(gold, predicted)
    drawn = (charts.predicted_against_gold, charts.calibration_curve)
    residuals = (charts.residual_distribution, charts.residuals_by_prediction)
    columns = (
        Column("predictions", lambda one: f"{one.low:.1f} to {one.high:.1f}", text=True),
        Column("pairs"),
        Column("mean prediction", "predicted"),
        Column("mean score", "gold"),
    )
    return Section(
        "Predictions",
        "A prediction is calibrated if people's scores of the pairs that have it average to it. The expected "
        "calibration error is how far they are apart, in ten bins of equal width, averaged over the pairs: "
        f"{signed(calibrated.error)}.",
        tables=(ReportTable("Calibration in figures", calibrated.bins, columns),),
        charts=lambda: (chart(gold, predicted) for chart in (*drawn, *residuals)),
    )


def _topics(report: Report) -> Section:
    folds = sorted(report.folds, key=lambda fold: 2.0 if fold.spearman is None else -fold.spearman)
    return Section(
        "Topics",
        "How well the model orders the pairs of each topic. A correlation is undefined where there is one "
        "pair, or where all scores or all predictions are the same.",
        tables=(ReportTable("Every topic", folds, (Column("topic", text=True), Column("pairs"), *_BOTH)),),
        charts=lambda: (charts.topic_spread(report.folds, kind) for kind in KINDS),
    )


def _popularity(report: Report) -> Section:
    """The terminal shows the model, the best feature and Milne-Witten, the page the two best features too."""
    judged = report.deciles[0].spearman
    model = report.model if report.model in judged else f"model {report.model}"
    ranked = [one.name for one in sorted(report.measures[:-1], key=_by_spearman)]
    drawn = [name for name in (model, *ranked) if name in judged][:3]
    best = report.margins["spearman"].best if "spearman" in report.margins else None
    asked = dict.fromkeys((report.model, best, "MW"))
    both = [name for name in asked if all(name in one.pearson for one in report.deciles)]
    names: list[Any] = list(dict.fromkeys((*both, *drawn)))
    table = ReportTable(
        "By in-links of the less linked concept, in tenths of the pairs: Pearson / Spearman",
        report.deciles,
        (
            Column("in-links", lambda one: f"{one.low:,} to {one.high:,}", text=True),
            Column("pairs"),
            *(
                Column(name, partial(_of_decile, name=name), on="both" if name in both else "page")
                for name in names
            ),
        ),
    )
    return Section(
        "Rare and popular concepts",
        "The pairs in ten parts of equal size, by the in-links of the less linked concept.",
        tables=(table,),
        charts=lambda: (charts.by_popularity(report.deciles, drawn, kind) for kind in KINDS),
    )


def _of_decile(decile: Decile, name: str) -> Scores:
    return Scores(decile.pearson.get(name), decile.spearman.get(name))


def _ablation(report: Report) -> Section:
    columns = (
        Column(page="feature", text=True),
        Column("addends", on="page"),
        Column("alone", form=".4f", absent=""),
        Column("without", form=".4f", absent=""),
        Column("what it adds", "drop", form="+.4f", absent=""),
    )
    return Section(
        "What each feature adds",
        "Models fitted anew without one feature, or with it alone, predicting each topic from the others.",
        tables=(
            ReportTable(
                "Fitted to this benchmark, out of fold: Pearson / Spearman", report.ablation, columns
            ),
        ),
        charts=lambda: (charts.ablation_drops(report.ablation, kind) for kind in KINDS),
    )


def _learners(report: Report) -> Section:
    columns = (
        Column(page="learner", text=True),
        Column("what it is", "description", text=True, on="page"),
        *_BOTH,
        *(Column(f"{kind.capitalize()}\nby topic", f"{kind}_mean") for kind in KINDS),
    )
    table = ReportTable("Learners on the same folds", report.learners, columns)
    return Section(
        "Other learners", "The same features and the same folds, learnt otherwise.", tables=(table,)
    )


def differences(report: Report, full: bool = True) -> Section:
    """The tests of neighbours as a list, those of every two measures as a square for each correlation."""
    listed = [
        one
        for kind in KINDS
        for one in report.differences
        if one.kind == kind and (full or report.model in (one.first, one.second))
    ]
    of_pearson = sum(one.kind == KINDS[0] for one in listed)
    columns = (
        Column("", "first", "measure", text=True),
        Column("kind", lambda one: one.kind.capitalize(), text=True, on="page"),
        Column("r", "r_first"),
        Column("beside", "second", text=True),
        Column("r", "r_second", "its r"),
        Column("r of both", "r_between", on="page"),
        Column("Z", "z", form=".2f", on="page"),
        Column("MRDS", "mrds_05"),
        Column("p", lambda one: shown_p(one.log10_p)),
        Column("", lambda one: "significant" if one.significant else "", "at 0.05"),
    )
    neighbours = ReportTable(
        "Differences from the best feature, the baselines and the neighbours in the order",
        listed,
        columns,
        ends=frozenset({of_pearson - 1, len(listed) - 1}),
    )
    of_kinds = [(kind, [one for one in report.all_differences if one.kind == kind]) for kind in KINDS]
    squares = tuple(_square(kind, tests) for kind, tests in of_kinds if tests)
    text = _SQUARES if squares else ""
    return Section("Which differences are significant", text, (_DIFFERENCES,), (neighbours, *squares))


def _square(kind: CorrelationKind, tests: list[Difference]) -> ReportTable:
    """Every two measures; ``tests``: of each two one, the better one first, as ``compare_all`` has them."""
    r = {one.first: one.r_first for one in tests} | {one.second: one.r_second for one in tests}
    names = list(dict.fromkeys([one.first for one in tests] + [one.second for one in tests]))
    of_two = {(one.first, one.second): one for one in tests}

    def cell(row: str, column: str) -> Cell:
        if (above := of_two.get((row, column))) is not None:
            return shown_p(above.log10_p) + ("*" if above.significant else "")
        below = of_two.get((column, row))
        if below is None:
            return ""
        return None if below.r_first is None or below.r_second is None else below.r_first - below.r_second

    columns = (
        Column("measure", lambda name: f"{names.index(name) + 1}. {name}", text=True),
        Column("r", r.get),
        *(Column(str(place), partial(cell, column=name)) for place, name in enumerate(names, start=1)),
    )
    return ReportTable(f"{kind.capitalize()} of every two measures", names, columns, page_only=True)


def _coverage(report: Report) -> Section:
    coverage = report.coverage
    titles = len(coverage.unresolved)
    unknown = "titles do not resolve" if report.of == "concepts" else "terms are unknown"
    sentences = [
        f"{coverage.resolved:,} of {coverage.pairs:,} pairs have both {report.of} in {report.snapshot}; "
        f"{titles:,} {unknown}."
    ]
    if coverage.identical:
        sentences.append(
            f"Score 1 without a model: {counted(coverage.identical, 'pair')} of one "
            f"{report.of.removesuffix('s')} with itself."
        )
    if coverage.other_split:
        sentences.append(f"Left unread: {counted(coverage.other_split, 'row')} of the other split.")
    caption = f"The {titles:,} titles without a concept" if titles > 1 else "The title without a concept"
    if titles > SHOWN:
        caption = f"{SHOWN} of the {titles:,} titles without a concept, those of the most pairs first"
    columns = Column("title", text=True), Column("why", "reason", text=True), Column("pairs")
    table = ReportTable(caption, coverage.unresolved[:SHOWN], columns)
    text = f"{share(coverage.resolved, coverage.pairs)} of the pairs have a concept on both sides."
    return Section("Coverage", text, tuple(sentences), (table,))


def _by_spearman(measure: Measure) -> float:
    value = measure.spearman.pooled.value
    return 2.0 if value is None else -value
