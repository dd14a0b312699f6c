"""The parts of a report's page, in the order in which they are read; a part without figures is left out."""

from __future__ import annotations

from collections.abc import Iterator

from training.evaluation.report import LeaderboardFigures, Measure, Predictions, Report
from training.report_html.calibration import calibration, comparable
from training.report_html.differences import differences
from training.report_html.drawing import Kind, signed
from training.report_html.measure_charts import (
    ablation_drops,
    by_popularity,
    ranked_measures,
    topic_spread,
)
from training.report_html.parts import Section, Table, charts, share, table, with_interval
from training.report_html.prediction_charts import (
    calibration_curve,
    predicted_against_gold,
    residual_distribution,
    residuals_by_prediction,
)
from training.retraining.report import RetrainReport

SHOWN = 200
"""Unresolved titles on the page; the report as JSON has all."""

_KINDS: tuple[Kind, ...] = ("pearson", "spearman")


def sections(report: Report, predictions: Predictions | None) -> Iterator[Section]:
    """Every part that the report has figures for; ``predictions``: finite numbers."""
    if isinstance(report, RetrainReport):
        yield _verdict(report)
    yield _measures(report)
    if predictions is not None and len(predictions.gold):
        yield _predictions(predictions)
    if report.folds:
        yield _topics(report)
    if report.row is not None:
        yield Section("Beside baselines", _BASELINES, (), _standings(report))
    if report.deciles:
        yield _popularity(report)
    if report.ablation:
        yield _ablation(report)
    if report.learners:
        yield _learners(report)
    if report.differences or report.all_differences:
        yield differences(report)
    yield _coverage(report)


def _verdict(report: RetrainReport) -> Section:
    checks = table(
        "The gate's conditions",
        ("condition", "holds", "finding"),
        [(check.name, "yes" if check.passed else "no", check.finding) for check in report.verdict.checks],
        texts=3,
    )
    outcome = "passed" if report.verdict.passed else "did not pass"
    told = " ".join(filter(None, (report.asked, report.verdict.reason)))
    if report.asked:
        outcome += ", and did not decide"
    return Section(f"The gate: {outcome}", told, (), (checks,))


def _measures(report: Report) -> Section:
    listed = (*report.measures, *report.rejected)
    by_topic = _KINDS if report.topics else ()
    rows = [
        (
            one.name,
            *(with_interval(getattr(one, kind).pooled) for kind in _KINDS),
            *(with_interval(getattr(one, kind).mean) for kind in by_topic),
            "–" if one.evidence is None else f"{one.evidence:,}",
        )
        for one in sorted(listed, key=_by_spearman)
    ]
    kinds = [kind.capitalize() for kind in _KINDS]
    columns = ("measure", *kinds, *(f"{kind.capitalize()} by topic" for kind in by_topic), "evidence")
    return Section(
        "Measures",
        "Each feature alone, and the model, against people's scores, over all pairs at once. Lines are 95 % "
        f"intervals from {report.resampling.resamples:,} resamples of {report.resampling.unit}."
        + (" Violet: measures that WORT rejected." if report.rejected else ""),
        charts(
            (kind.capitalize(), ranked_measures(report.measures, kind, report.rejected)) for kind in _KINDS
        ),
        (table("Every measure", columns, rows, strong=report.measures[-1].name),),
    )


def _predictions(found: Predictions) -> Section:
    gold, predicted = found.gold, found.predicted
    if not comparable(gold):
        text = (
            f"People's scores lie between {signed(gold.min(), 2)} and {signed(gold.max(), 2)}, predictions "
            "between 0 and 1: they can be set against each other, and not subtracted."
        )
        return Section(
            "Predictions", text, charts([("Predicted and given", predicted_against_gold(gold, predicted))])
        )
    calibrated = calibration(gold, predicted)
    bins = table(
        "Calibration in figures",
        ("predictions", "pairs", "mean prediction", "mean score"),
        [
            (f"{one.low:.1f} to {one.high:.1f}", f"{one.pairs:,}", signed(one.predicted), signed(one.gold))
            for one in calibrated.bins
        ],
    )
    return Section(
        "Predictions",
        "A prediction is calibrated if people's scores of the pairs that have it average to it. The expected "
        "calibration error is how far they are apart, in ten bins of equal width, averaged over the pairs: "
        f"{signed(calibrated.error)}.",
        charts(
            (
                ("Predicted and given", predicted_against_gold(gold, predicted)),
                ("Calibration", calibration_curve(gold, predicted)),
                ("Residuals", residual_distribution(gold, predicted)),
                ("Residuals by prediction", residuals_by_prediction(gold, predicted)),
            )
        ),
        (bins,),
    )


def _topics(report: Report) -> Section:
    rows = [
        (fold.topic, f"{fold.pairs:,}", signed(fold.pearson), signed(fold.spearman))
        for fold in sorted(report.folds, key=lambda fold: -(-2.0 if fold.spearman is None else fold.spearman))
    ]
    return Section(
        "Topics",
        "How well the model orders the pairs of each topic. A correlation is undefined where there is one "
        "pair, or where all scores or all predictions are the same.",
        charts((f"{kind.capitalize()} within topics", topic_spread(report.folds, kind)) for kind in _KINDS),
        (table("Every topic", ("topic", "pairs", "Pearson", "Spearman"), rows),),
    )


_BASELINES = (
    "The model beside the best single feature, chosen for each correlation by these very scores, "
    "Milne-Witten alone, and baselines. Over all pairs, one that a measure does not cover counts as "
    "unrelated."
)


def _standings(report: Report) -> tuple[Table, ...]:
    if report.row is None:
        return ()
    standings = (("Covered pairs", report.row.covered), ("All pairs", report.row.all_pairs))
    return tuple(_standing(f"{title}: {found.pairs:,}", found) for title, found in standings)


def _standing(caption: str, found: LeaderboardFigures) -> Table:
    return table(
        caption,
        ("role", "measure", "Pearson", "Spearman"),
        [
            (entry.role, entry.names, with_interval(entry.pearson), with_interval(entry.spearman))
            for entry in found.entries
        ],
        texts=2,
    )


def _popularity(report: Report) -> Section:
    known = list(report.deciles[0].spearman)
    model = report.measures[-1].name
    model = model if model in known else f"model {model}"
    ranked = [one.name for one in sorted(report.measures[:-1], key=_by_spearman)]
    names = [name for name in (model, *ranked) if name in known][:3]
    rows = [
        (
            f"{one.number}",
            f"{one.low:,} to {one.high:,}",
            f"{one.pairs:,}",
            *(signed(one.spearman.get(name)) for name in names),
        )
        for one in report.deciles
    ]
    return Section(
        "Rare and popular concepts",
        "The pairs in ten parts of equal size, by the in-links of the less linked concept.",
        charts((kind.capitalize(), by_popularity(report.deciles, names, kind)) for kind in _KINDS),
        (table("Spearman by in-links", ("part", "in-links", "pairs", *names), rows, texts=2),),
    )


def _ablation(report: Report) -> Section:
    rows = [
        (
            one.feature,
            f"{one.addends}",
            *(signed(getattr(one.alone, kind), 4) for kind in _KINDS),
            *(signed(None if one.without is None else getattr(one.without, kind), 4) for kind in _KINDS),
        )
        for one in report.ablation
    ]
    columns = ("feature", "addends", "Pearson alone", "Spearman alone", "Pearson without", "Spearman without")
    return Section(
        "What each feature adds",
        "Models fitted anew without one feature, or with it alone, predicting each topic from the others.",
        charts((kind.capitalize(), ablation_drops(report.ablation, kind)) for kind in _KINDS),
        (table("Ablation in figures", columns, rows),),
    )


def _learners(report: Report) -> Section:
    rows = [
        (
            one.learner,
            one.description,
            signed(one.pearson),
            signed(one.spearman),
            signed(one.pearson_mean),
            signed(one.spearman_mean),
        )
        for one in report.learners
    ]
    columns = ("learner", "what it is", "Pearson", "Spearman", "Pearson by topic", "Spearman by topic")
    return Section(
        "Other learners",
        "The same features and the same folds, learnt otherwise.",
        (),
        (table("Learners", columns, rows, texts=2),),
    )


def _coverage(report: Report) -> Section:
    found = report.coverage
    text = (
        f"{found.resolved:,} of {found.pairs:,} pairs ({share(found.resolved, found.pairs)}) have a concept "
        f"on both sides; {found.identical:,} of them are of a concept with itself, whose score is 1."
    )
    if found.other_split:
        text += f" {found.other_split:,} rows of the other split were not read."
    if not found.unresolved:
        return Section("Coverage", text)
    titles = len(found.unresolved)
    caption = f"The {titles:,} titles without a concept" if titles > 1 else "The title without a concept"
    if titles > SHOWN:
        caption = f"{SHOWN} of the {titles:,} titles without a concept, those of the most pairs first"
    rows = [(one.title, one.reason, f"{one.pairs:,}") for one in found.unresolved[:SHOWN]]
    return Section("Coverage", text, (), (table(caption, ("title", "why", "pairs"), rows, texts=2),))


def _by_spearman(measure: Measure) -> float:
    value = measure.spearman.pooled.value
    return 2.0 if value is None else -value
