"""The figures of predictions: against people's scores, the residuals, and the calibration.

Numbers in, SVG out; None where there is nothing to draw. Scores on another scale than predictions, 0 to 1,
can be set against them, but neither subtracted nor calibrated.
"""

from __future__ import annotations

from typing import Any

import altair as alt
import numpy as np

from measures.arrays import Floats
from training.report_html.calibration import calibration, comparable
from training.report_html.drawing import FAINT, FIRST, WIDTH, draw, level, signed, size_legend

CELLS = 20
"""Cells along a side of the plot of predictions against scores."""

_RESIDUAL_BIN = 0.05


def predicted_against_gold(gold: Floats, predicted: Floats) -> str | None:
    """How many pairs have which prediction and which score: a field of cells, the darker the more."""
    if not len(gold):
        return None
    low, high = (0.0, 1.0) if comparable(gold) else (float(gold.min()), float(gold.max()))
    if high <= low:
        low, high = low - 0.5, high + 0.5
    counts, across, up = np.histogram2d(
        np.clip(predicted, 0.0, 1.0), gold, bins=CELLS, range=((0.0, 1.0), (low, high))
    )
    rows = [
        {
            "x": across[i],
            "x2": across[i + 1],
            "y": up[j],
            "y2": up[j + 1],
            "pairs": int(counts[i, j]),
        }
        for i, j in np.argwhere(counts > 0).tolist()
    ]
    most = int(counts.max())
    cells = (
        alt.Chart(alt.InlineData(rows))
        .mark_rect(color=FIRST)
        .encode(
            x=alt.X("x:Q", title="prediction", scale=alt.Scale(domain=[0, 1])),
            x2="x2:Q",
            y=alt.Y("y:Q", title="people's score", scale=alt.Scale(domain=[low, high], nice=False)),
            y2="y2:Q",
            opacity=alt.Opacity(
                "pairs:Q",
                scale=alt.Scale(type="log", domain=[1, max(most, 2)], range=[0.14, 1]),
                legend=size_legend(most),
            ),
        )
    )
    chart: Any = cells + _diagonal() if comparable(gold) else cells
    return draw(
        chart.properties(width=WIDTH, height=WIDTH),
        f"Predictions against people's scores for {len(gold):,} pairs, in {CELLS} by {CELLS} cells. "
        f"The fullest cell has {most:,} pairs.",
    )


def calibration_curve(gold: Floats, predicted: Floats) -> str | None:
    """The mean score of the pairs of each bin of predictions, beside the line on which both are the same."""
    if not comparable(gold):
        return None
    found = calibration(gold, predicted)
    rows = [{"predicted": one.predicted, "gold": one.gold, "pairs": one.pairs} for one in found.bins]
    base = alt.Chart(alt.InlineData(rows)).encode(
        x=alt.X("predicted:Q", title="mean prediction", scale=alt.Scale(domain=[0, 1])),
        y=alt.Y("gold:Q", title="people's mean score", scale=alt.Scale(domain=[0, 1])),
    )
    most = max(one.pairs for one in found.bins)
    dots = base.mark_point(filled=True, opacity=1, color=FIRST).encode(
        size=alt.Size(
            "pairs:Q",
            scale=alt.Scale(type="sqrt", domain=[0, most], range=[8, 240]),
            legend=size_legend(most),
        )
    )
    chart = _diagonal() + base.mark_line(color=FIRST, strokeWidth=1.5) + dots
    first, last = found.bins[0], found.bins[-1]
    return draw(
        chart.properties(width=WIDTH, height=WIDTH),
        f"Calibration: pairs predicted {first.predicted:.2f} on average have a mean score of "
        f"{first.gold:.2f}, those "
        f" predicted {last.predicted:.2f} one of {last.gold:.2f}. The expected calibration error is "
        f"{found.error or 0.0:.3f}.",
    )


def residual_distribution(gold: Floats, predicted: Floats) -> str | None:
    """How often which residual: people's score less the prediction."""
    if not comparable(gold):
        return None
    residuals = gold - predicted
    count = round(2 / _RESIDUAL_BIN)
    counts, edges = np.histogram(np.clip(residuals, -1, 1), bins=count, range=(-1, 1))
    rows = [
        {"x": edges[i], "x2": edges[i + 1], "pairs": int(pairs)}
        for i, pairs in enumerate(counts.tolist())
        if pairs
    ]
    bars = (
        alt.Chart(alt.InlineData(rows))
        .mark_bar(color=FIRST, opacity=0.75)
        .encode(
            x=alt.X(
                "x:Q",
                title="people's score − prediction",
                scale=alt.Scale(domain=[-1, 1]),
                axis=alt.Axis(tickCount=5),
            ),
            x2="x2:Q",
            y=alt.Y("pairs:Q", title="pairs", axis=alt.Axis(tickCount=5, format=",d")),
            y2=alt.datum(0),
        )
    )
    mean, spread = float(residuals.mean()), float(residuals.std())
    return draw(
        (bars + level("x", 0.0)).properties(width=WIDTH, height=180),
        f"Residuals of {len(gold):,} pairs: mean {signed(mean)}, standard deviation {spread:.3f}.",
    )


def residuals_by_prediction(gold: Floats, predicted: Floats) -> str | None:
    """Where residuals lie for low and for high predictions: median, quartiles and the middle 80 %."""
    if not comparable(gold):
        return None
    order = np.argsort(predicted, kind="stable")
    parts = [part for part in np.array_split(order, min(20, max(1, len(order) // 20))) if part.size]
    quantiles = [np.quantile(gold[part] - predicted[part], [0.1, 0.25, 0.5, 0.75, 0.9]) for part in parts]
    names = ("p10", "p25", "p50", "p75", "p90")
    rows = [
        {"predicted": float(predicted[part].mean()), **dict(zip(names, found.tolist(), strict=True))}
        for part, found in zip(parts, quantiles, strict=True)
    ]
    base = alt.Chart(alt.InlineData(rows)).encode(
        x=alt.X("predicted:Q", title="prediction", scale=alt.Scale(domain=[0, 1]))
    )
    title, scale = "people's score − prediction", alt.Scale(domain=[-1, 1])
    wide = base.mark_area(color=FIRST, opacity=0.16).encode(
        y=alt.Y("p10:Q", title=title, scale=scale), y2="p90:Q"
    )
    half = base.mark_area(color=FIRST, opacity=0.3).encode(
        y=alt.Y("p25:Q", title=title, scale=scale), y2="p75:Q"
    )
    middle = base.mark_line(
        color=FIRST, strokeWidth=2, point=alt.OverlayMarkDef(filled=True, size=18, color=FIRST)
    ).encode(y=alt.Y("p50:Q", title=title, scale=scale))
    return draw(
        (wide + half + middle + level("y", 0.0)).properties(width=WIDTH, height=180),
        f"Residuals by prediction, in {len(rows)} parts of equal size: the median goes from "
        f"{signed(rows[0]['p50'])} for the lowest predictions to {signed(rows[-1]['p50'])} for the highest.",
    )


def _diagonal() -> Any:  # noqa: ANN401 - a chart
    """The line on which prediction and score are the same."""
    ends = [{"a": 0.0, "b": 1.0}]
    return (
        alt.Chart(alt.InlineData(ends))
        .mark_rule(color=FAINT, strokeDash=[4, 3])
        .encode(x=alt.X("a:Q"), y=alt.Y("a:Q"), x2="b:Q", y2="b:Q")
    )
