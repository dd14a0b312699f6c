"""The section of a report on what may be expected of scores: calibration, intervals, thresholds."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from models.expectation import Estimate
from training.evaluation.report import Certainty, Report
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
    sentences = [
        f"Calibration: mean predictions and mean scores are "
        f"{signed(certainty.calibration_error, '.4f')} apart, in ten bins of equal width, averaged over the "
        "pairs.",
    ]
    tables = []
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
        tables.append(
            ReportTable("What to expect of a threshold", points.points, _of_points(lambda point: point))
        )
    tables.append(_chosen(certainty))
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


def _chosen(certainty: Certainty) -> ReportTable:
    wanted = Column("wanted", text=True)
    columns = (wanted, *_of_points(lambda choice: choice.point))
    return ReportTable("Thresholds for what was asked", certainty.chosen, columns)


def _of_points(point_of: Callable[[Any], Any]) -> tuple[Column, ...]:
    """The columns of an operating point, which ``point_of`` finds in a row; none does where it is None."""

    def cell(name: str) -> Callable[[Any], str]:
        def written(row: Any) -> str:  # noqa: ANN401 - any row that has a point
            point = point_of(row)
            return "–" if point is None else _estimate(getattr(point, name))

        return written

    def threshold(row: Any) -> str:  # noqa: ANN401 - any row that has a point
        point = point_of(row)
        return "none reaches it" if point is None else f"{point.threshold:.3f}"

    names = (("precision", "precision"), ("recall", "recall"), ("pairs above", "above"))
    return (Column("threshold", threshold), *(Column(title, cell(name)) for title, name in names))


def _estimate(estimate: Estimate) -> str:
    if estimate.value is None:
        return "–"
    if estimate.low is None or estimate.high is None:
        return f"{estimate.value:.2f}"
    return f"{estimate.value:.2f} [{estimate.low:.2f}, {estimate.high:.2f}]"
