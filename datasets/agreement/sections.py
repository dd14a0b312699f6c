"""A report on agreement in parts, for the terminal and for the page."""

from __future__ import annotations

from collections.abc import Sequence

from datasets.agreement import charts
from datasets.agreement.report import AgreementReport, AnnotatorReport
from datasets.agreement.scores import ItemScores
from training.reports.declared import Column, ReportTable, Section
from training.reports.page import render_sections
from training.reports.text import counted, signed

MOST_ANNOTATORS = 25
"""So many annotators are listed, those who agree least first; JSON has all."""

_REASONS = {"kappa": "kappa too low", "common": "too little in common", None: ""}


def sections(report: AgreementReport, scores: ItemScores) -> list[Section]:
    """The parts that have something to say, in the order in which they are read."""
    parts = [_measures(report), _annotators(report), _scores(report, scores), _enough(report)]
    if report.groups:
        parts.append(_groups(report))
    if report.levels:
        parts.append(_transitivity(report))
    return parts


def page(report: AgreementReport, scores: ItemScores) -> str:
    """The report as a page with its charts."""
    lead = f"How far annotators agree, and what their scores are worth. BLAKE2b-256 {report.checksum}."
    return render_sections("agreement", report.title, lead, sections(report, scores), report.notes)


def _counts(report: AgreementReport) -> list[str]:
    what = "answers" if report.kind == "best-worst" else "judgements"
    said = [
        f"{report.judgements:,} {what} ({report.kind}) by {counted(report.annotators, 'annotator')} of "
        f"{counted(report.items, 'item')}."
    ]
    if report.unknown:
        said.append(f"{counted(report.unknown, 'row')} without a judgement left out.")
    if report.repeated:
        said.append(f"{counted(report.repeated, 'judgement')} repeated: they count for “with themselves”.")
    if (left := report.filtered) is not None:
        said.append(
            f"WORD's filter left out {left.of_annotators - left.annotators:,} of {left.of_annotators:,} "
            f"annotators and {left.of_items - left.items:,} of {left.of_items:,} items. Mean kappa of those "
            f"who stay: {signed(left.kappa)}."
        )
    return said


def _measures(report: AgreementReport) -> Section:
    columns = (
        Column("measure", "name", text=True),
        Column("value", "value"),
        Column("of", "of", text=True),
        Column("question", "question", text=True, on="page"),
    )
    table = ReportTable("How far annotators agree", report.measures, columns)
    return Section("Agreement", sentences=tuple(_counts(report)), tables=(table,))


def _annotators(report: AgreementReport) -> Section:
    listed = _least_first(report.of_annotators)
    columns = {
        "annotator": Column("annotator", "annotator", text=True),
        "judgements": Column("judgements", "judgements"),
        "mean": Column("mean", "mean"),
        "kappa": Column("kappa", "kappa"),
        "rest": Column("rest", "rest", page="with the rest"),
        "themselves": Column("self", "themselves", page="with themselves"),
        "out": Column("left out", lambda one: _REASONS[one.out], text=True),
    }
    # What is known of nobody has no column.
    shown = (
        column
        for field, column in columns.items()
        if any(getattr(one, field) is not None for one in report.of_annotators)
    )
    more = len(report.of_annotators) - len(listed)
    said = (f"{more:,} more, who agree better, are in the report (--json).",) if more else ()
    table = ReportTable("Annotators, those who agree least first", listed, tuple(shown))
    return Section(
        "Annotators",
        sentences=said,
        tables=(table,),
        charts=lambda: (charts.agreement_of_annotators(report.of_annotators),),
    )


def _scores(report: AgreementReport, scores: ItemScores) -> Section:
    scale = report.low, report.high
    said = [f"Scores from {report.low:g} to {report.high:g}: mean {signed(report.mean)}."]
    if report.width is not None:
        said.append(f"Their 95 % intervals are {report.width:.3f} wide on average.")
    return Section(
        "Scores",
        sentences=tuple(said),
        charts=lambda: (charts.distribution(scores, *scale), charts.score_against_deviation(scores, *scale)),
    )


def _enough(report: AgreementReport) -> Section:
    said = []
    if report.needed is not None:
        said.append(f"A reliability of {report.asked.wanted:g} takes {_each(report.kind, report.needed)}.")
    width = report.asked.width * (report.high - report.low)
    if report.items_needing:
        said.append(
            f"The interval of {counted(report.items_needing, 'item')} is wider than {width:g}; about "
            f"{counted(report.further, 'judgement')} more would narrow them."
        )
    else:
        said.append(f"No interval is wider than {width:g}.")
    curve = ReportTable(
        "Reliability of scores by judgements an item",
        report.curve,
        (
            Column("judgements", "judgements"),
            Column("measured", "measured"),
            Column("predicted", "predicted"),
        ),
    )
    more = ReportTable(
        "Items that need most further judgements",
        report.more,
        (
            Column("item", "item", text=True),
            Column("low", "low"),
            Column("high", "high"),
            Column("judgements", "judgements"),
            Column("further", "further"),
        ),
        page_only=True,
    )
    return Section(
        "How many judgements are enough",
        sentences=tuple(said),
        tables=(curve, more),
        charts=lambda: (charts.reliability(report),),
    )


def _each(kind: str, number: int) -> str:
    if kind == "best-worst":
        return f"{counted(number, 'answer')} a tuple"
    return f"{counted(number, 'judgement')} an item"


def _groups(report: AgreementReport) -> Section:
    columns = (
        Column("group", "group", text=True),
        Column("items", "items"),
        Column("mean", "mean"),
        Column("deviation", "deviation", page="deviation of scores"),
        Column("disagreement", "disagreement", page="mean deviation of judgements"),
    )
    return Section("Groups", tables=(ReportTable("Scores by group", report.groups, columns),))


def _transitivity(report: AgreementReport) -> Section:
    said = (
        f"{report.triangles:,} triangles: |R3 − R1| and R2 correlate by {signed(report.transitivity)}; "
        "below 0, what is related to one of two related things is related to the other."
    )
    columns = (
        Column("R2", "level", form=".1f"),
        Column("|R3 − R1|", "mean"),
        Column("number", "differences"),
    )
    table = ReportTable("Transitivity", report.levels, columns)
    return Section(
        "Transitivity", sentences=(said,), tables=(table,), charts=lambda: (charts.triangles(report),)
    )


def _least_first(annotators: Sequence[AnnotatorReport]) -> list[AnnotatorReport]:
    def agreement(one: AnnotatorReport) -> float:
        known = [value for value in (one.kappa, one.rest) if value is not None]
        return known[0] if known else -1.0

    return sorted(annotators, key=agreement)[:MOST_ANNOTATORS]
