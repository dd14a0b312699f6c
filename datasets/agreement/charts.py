"""The charts of a report on agreement: distribution and spread of scores, reliability, transitivity."""

from __future__ import annotations

from collections.abc import Sequence

import altair as alt
import numpy as np

from datasets.agreement.report import AgreementReport, AnnotatorReport
from datasets.agreement.scores import ItemScores
from training.reports.declared import Chart
from training.reports.drawing import FIRST, SECOND, WIDTH, draw, legend_of_pairs, rows_of, scaled

BINS = 20
"""Bins of scores along an axis."""

_HEIGHT = 180


def distribution(scores: ItemScores, low: float, high: float) -> Chart | None:
    """How many items have which score (Zesch & Gurevych 2006, Figure 3)."""
    known = scores.score[~np.isnan(scores.score)]
    if not len(known):
        return None
    counts, edges = np.histogram(known, bins=BINS, range=(low, high))
    bars = [{"x": edges[i], "x2": edges[i + 1], "items": int(counts[i])} for i in np.flatnonzero(counts)]
    drawn = (
        rows_of(bars)
        .mark_bar(color=FIRST, opacity=0.75)
        .encode(
            x=scaled(alt.X, "x", "score", (low, high), tickCount=5),
            x2="x2:Q",
            y=scaled(alt.Y, "items", "items", tickCount=5, format=",d"),
            y2=alt.datum(0),
        )
    )
    says = (
        f"How many of {len(known):,} items have which score: the mean is {known.mean():.3f}, half of "
        f"the items lie from {np.quantile(known, 0.25):.3f} to {np.quantile(known, 0.75):.3f}."
    )
    return Chart("Scores", draw(drawn.properties(width=WIDTH, height=_HEIGHT), says), says)


def score_against_deviation(scores: ItemScores, low: float, high: float) -> Chart | None:
    """Score and deviation of each item, in cells, the darker the more items (the same, Figure 5)."""
    known = ~np.isnan(scores.score) & ~np.isnan(scores.deviation)
    score, deviation = scores.score[known], scores.deviation[known]
    if not len(score) or not deviation.max() > 0:
        return None
    most_deviation = float(deviation.max())
    counts, across, up = np.histogram2d(
        score, deviation, bins=BINS, range=((low, high), (0.0, most_deviation))
    )
    cells = [
        {"x": across[i], "x2": across[i + 1], "y": up[j], "y2": up[j + 1], "pairs": int(counts[i, j])}
        for i, j in np.argwhere(counts > 0).tolist()
    ]
    most = int(counts.max())
    darkness = alt.Scale(type="log", domain=[1, max(most, 2)], range=[0.14, 1])
    drawn = (
        rows_of(cells)
        .mark_rect(color=FIRST)
        .encode(
            x=scaled(alt.X, "x", "score", (low, high), tickCount=5),
            x2="x2:Q",
            y=scaled(alt.Y, "y", "deviation", (0.0, most_deviation), tickCount=5),
            y2="y2:Q",
            opacity=alt.Opacity("pairs:Q", scale=darkness, legend=legend_of_pairs(most)),
        )
    )
    third = (high - low) / 3
    middle = (score > low + third) & (score < high - third)
    says = f"Score against deviation of {len(score):,} items. "
    if middle.any() and (~middle).any():
        says += (
            f"The mean deviation is {deviation[middle].mean():.3f} in the middle third of the scale and "
            f"{deviation[~middle].mean():.3f} in the outer ones."
        )
    return Chart(
        "Score and deviation", draw(drawn.properties(width=WIDTH, height=_HEIGHT), says), says.strip()
    )


def reliability(report: AgreementReport) -> Chart | None:
    """The reliability of scores by the number of judgements: measured as dots, predicted as a line."""
    rows = [
        {"judgements": one.judgements, "predicted": one.predicted, "measured": one.measured}
        for one in report.curve
        if one.predicted is not None
    ]
    if len(rows) < 2:
        return None
    base = rows_of(rows).encode(x=scaled(alt.X, "judgements", "judgements an item", tickCount=5))
    line = base.mark_line(color=FIRST).encode(y=scaled(alt.Y, "predicted", "reliability", (0, 1)))
    dots = base.transform_filter("datum.measured !== null").mark_point(
        filled=True, color=SECOND, size=40, opacity=1
    )
    measured = [row for row in rows if row["measured"] is not None]
    says = (
        f"Reliability of scores by the number of judgements: measured {measured[0]['measured']:.3f} with "
        f"{measured[0]['judgements']}, {measured[-1]['measured']:.3f} with {measured[-1]['judgements']}; by "
        f"Spearman–Brown {rows[-1]['predicted']:.3f} with {rows[-1]['judgements']}."
    )
    drawn = (line + dots.encode(y="measured:Q")).properties(width=WIDTH, height=_HEIGHT)
    return Chart("How many judgements", draw(drawn, says), says)


def triangles(report: AgreementReport) -> Chart | None:
    """How far R1 and R3 are apart by R2 (Levy et al. 2015, Figure 1)."""
    if len(report.levels) < 2:
        return None
    rows = [{"second": one.level, "apart": one.mean} for one in report.levels]
    drawn = (
        rows_of(rows)
        .mark_line(color=FIRST, point={"filled": True, "size": 30, "color": FIRST})
        .encode(
            x=scaled(alt.X, "second", "R2", (0, 1), tickCount=5),
            y=scaled(alt.Y, "apart", "mean of |R3 − R1|", (0, max(row["apart"] for row in rows))),
        )
    )
    says = (
        f"Of {report.triangles:,} triangles: how far R1 and R3 are apart on average goes from "
        f"{rows[0]['apart']:.3f} where R2 is {rows[0]['second']:g} to {rows[-1]['apart']:.3f} where it is "
        f"{rows[-1]['second']:g}."
    )
    return Chart("Transitivity", draw(drawn.properties(width=WIDTH, height=_HEIGHT), says), says)


def agreement_of_annotators(annotators: Sequence[AnnotatorReport]) -> Chart | None:
    """Each annotator's agreement with the rest, by how many judgements there are."""
    rows = [{"judgements": one.judgements, "rest": one.rest} for one in annotators if one.rest is not None]
    if len(rows) < 2:
        return None
    r = [float(row["rest"]) for row in rows if row["rest"] is not None]
    lowest = min(0.0, *r)
    drawn = (
        rows_of(rows)
        .mark_point(filled=True, color=FIRST, size=40)
        .encode(
            x=scaled(alt.X, "judgements", "judgements", tickCount=4, format=",d"),
            y=scaled(alt.Y, "rest", "Pearson with the rest", (lowest, 1)),
        )
    )
    says = f"Agreement of {len(rows):,} annotators with the rest: from {min(r):.3f} to {max(r):.3f}."
    return Chart("Annotators", draw(drawn.properties(width=WIDTH, height=_HEIGHT), says), says)
