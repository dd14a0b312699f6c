"""The section of a report on what may be expected of scores: calibration, intervals, thresholds."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from models.expectation import Estimate, OperatingPoint
from models.figures import told
from training.evaluation.report import Report
from training.reports.declared import Column, ReportTable, Section
from training.reports.text import signed
from training.statistics.intervals import IntervalCoverage

_ORDINALS = ("lowest", "highest"), ("least", "most")


def certainty_section(report: Report) -> Section:
    """What may be expected of the model's scores; the report has figures of it.

    Raises:
        ValueError: it has none.
    """
    certainty = report.certainty
    if certainty is None:
        raise ValueError("the report says nothing of what may be expected of scores")
    # They stand above the report, too, but these are figures that are looked up alone.
    sentences = [
        *report.notes,
        f"Calibration: mean predictions and mean scores are "
        f"{signed(certainty.calibration_error, '.4f')} apart, in ten bins of equal width, averaged over the "
        "pairs.",
    ]
    tables = []
    point_columns = _point_columns(
        {name: share for choice in certainty.chosen for name, share in choice.at_least.items()}
    )
    if (held := certainty.intervals) is not None:
        sentences.append(_coverage(held))
        tables.append(_parts(held))
    if certainty.thresholds is not None:
        points = certainty.thresholds
        sentences.append(
            f"Thresholds: a pair counts as related where at least {points.related_at:.0%} of its judges "
            f"say so, which they do of {points.related:.1%} of the pairs. Precision: the share of the pairs "
            "above the threshold that are related. Recall: the share of the related ones that are above it. "
            f"Intervals draw {report.resampling.unit}."
        )
        all_points = [("", point) for point in points.points]
        tables.append(ReportTable("What to expect of a threshold", all_points, point_columns))
    chosen = [(choice.wanted, choice.point) for choice in certainty.chosen]
    wanted = Column("wanted", lambda row: row[0], text=True)
    tables.append(ReportTable("Thresholds for what was asked", chosen, (wanted, *point_columns)))
    return Section(
        "What a score means",
        "A score is the share of people who are expected to say “related”. The interval is for what a panel "
        "such as those that judged these pairs would say.",
        tuple(sentences),
        tuple(table for table in tables if table.shown),
    )


def _coverage(held: IntervalCoverage) -> str:
    topics = (
        "" if held.tenth_topic is None else f" A tenth of the topics have less than {held.tenth_topic:.1%}."
    )
    return (
        f"Intervals: {held.held:.1%} of people's scores lie within theirs, which aim at {held.level:.0%}; "
        f"their mean width is {held.width:.3f}.{topics}"
    )


def _parts(held: IntervalCoverage) -> ReportTable:
    both = (("prediction", held.by_score), ("features with evidence", held.by_evidence))
    rows = [
        (_part(what, place, len(shares), ends), share)
        for (what, shares), ends in zip(both, _ORDINALS, strict=True)
        for place, share in enumerate(shares)
    ]
    columns = (
        Column("equal parts of the pairs", lambda row: row[0], text=True),
        Column("within", lambda row: f"{row[1]:.1%}"),
    )
    ends = frozenset({len(held.by_score) - 1})
    return ReportTable("Scores within their intervals", rows, columns, ends=ends)


def _part(what: str, place: int, parts: int, ends: tuple[str, str]) -> str:
    first, last = ends
    said = {0: f" ({first})", parts - 1: f" ({last})"}.get(place, "")
    return f"by {what}: {place + 1} of {parts}{said}"


def _point_columns(at_least: Mapping[str, float]) -> tuple[Column, ...]:
    """The columns of what was wanted and its operating point, if there is one.

    ``at_least``: the shares that were asked for, by name.
    """

    def column(heading: str, name: str) -> Column:
        return Column(heading, partial(_of_point, name=name, wanted=at_least.get(name)))

    return (
        Column("threshold", lambda row: "none reaches it" if row[1] is None else f"{row[1].threshold:.3f}"),
        column("precision", "precision"),
        column("recall", "recall"),
        column("pairs above", "above"),
    )


def _of_point(row: tuple[str, OperatingPoint | None], name: str, wanted: float | None) -> str:
    point = row[1]
    return "–" if point is None else _estimate(getattr(point, name), wanted)


def _estimate(estimate: Estimate, wanted: float | None) -> str:
    if estimate.value is None:
        return "–"
    value = told(estimate.value, wanted)
    if estimate.low is None or estimate.high is None:
        return value
    return f"{value} [{told(estimate.low, wanted)}, {told(estimate.high, wanted)}]"
