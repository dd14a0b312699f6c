"""The charts of reports: numbers in, a drawing out with a sentence that says what it shows; None of nothing.

Scores on another scale than predictions, 0 to 1, can be set against them, but neither subtracted nor
calibrated.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict
from typing import Any

import altair as alt
import numpy as np

from measures.arrays import Floats
from models.protocol import FoldResult
from training.evaluation.ablation import Ablation
from training.evaluation.deciles import Decile
from training.evaluation.leaderboard import BEST, TERMS, is_model
from training.evaluation.report import Figure, LeaderboardRow, Measure
from training.reports.boards import Pairs, judged_rows, role_entry, role_name, roles_of
from training.reports.declared import Chart
from training.reports.drawing import (
    FIRST,
    SERIES,
    WIDTH,
    dashed,
    draw,
    in_places,
    legend_of_pairs,
    named_rows,
    ranked_bars,
    rows_of,
    scaled,
    series,
)
from training.reports.text import signed
from training.statistics.calibration import calibration, comparable
from training.statistics.correlation import CorrelationKind

CELLS = 20
"""Cells along a side of the chart of predictions against scores."""
_RESIDUAL_BIN = 0.05
_NAMED_TOPICS = 30
"""So many topics have their names beside their dots; more would not fit."""
_EQUAL = {"x": 0.0, "y": 0.0, "x2": 1.0, "y2": 1.0}
"""The line on which prediction and score are the same."""


def ranked_measures(
    measures: Sequence[Measure], kind: CorrelationKind, rejected: Sequence[Measure] = (), title: str = ""
) -> Chart | None:
    """WORT's Figure 1: the pooled correlation of each measure, the highest first, with its interval.

    The last of the measures is the model's, which is set off, as are those ``rejected``, that no model has.
    """
    groups = ["measure"] * (len(measures) - 1) + ["model"] * bool(measures) + ["rejected"] * len(rejected)
    rows = _best_first(
        {"name": measure.name, "group": group, **_with_ends(getattr(measure, kind).pooled)}
        for measure, group in zip((*measures, *rejected), groups, strict=True)
    )
    if not rows:
        return None
    best, worst = rows[0], rows[-1]
    domain = min(0.0, *(row["low"] for row in rows)), max(0.1, *(row["high"] for row in rows))
    x = scaled(alt.X, "value", kind.capitalize(), domain, tickCount=5, grid=False)
    return _chart(
        title or kind.capitalize(),
        ranked_bars(rows, x).properties(width=WIDTH - 40),
        f"{kind.capitalize()} correlation of {len(rows)} measures with people's scores, the highest first, "
        f"with 95 % intervals: {best['name']} leads with {signed(best['value'])}, {worst['name']} is last "
        f"with {signed(worst['value'])}.",
    )


def ablation_drops(ablation: Sequence[Ablation], kind: CorrelationKind) -> Chart | None:
    """What the model loses without each feature, the most first."""
    rows = _best_first({"name": one.feature, "value": getattr(one.drop, kind, None)} for one in ablation)
    if not rows:
        return None
    for row in rows:
        row["group"] = "model" if row["value"] >= 0 else "worse"
    x = scaled(alt.X, "value", f"{kind.capitalize()} lost without it", tickCount=4)
    return _chart(
        kind.capitalize(),
        ranked_bars(rows, x, digits=4).properties(width=WIDTH - 50),
        f"{kind.capitalize()} that the model loses without a feature: most without {rows[0]['name']}, "
        f"{signed(rows[0]['value'], '.4f')}.",
    )


def topic_spread(folds: Sequence[FoldResult], kind: CorrelationKind) -> Chart | None:
    """The correlation of each topic, sorted: a dot each, the larger the more pairs."""
    rows = _best_first(
        {"name": fold.topic, "value": getattr(fold, kind), "pairs": fold.pairs} for fold in folds
    )
    if not rows:
        return None
    best, worst, mean = rows[0], rows[-1], float(np.mean([row["value"] for row in rows]))
    few = len(rows) <= _NAMED_TOPICS
    axis = alt.Axis(domain=False, ticks=False, grid=False, labels=False)
    unnamed = alt.Y("place:O", title=f"{len(rows)} topics, the best first", axis=axis)
    dots = in_places(rows).mark_point(filled=True, color=FIRST, opacity=0.8)
    spread = dots.encode(
        x=scaled(alt.X, "value", f"{kind.capitalize()} within the topic", (min(0.0, worst["value"]), 1)),
        y=named_rows([row["name"] for row in rows]) if few else unnamed,
        size=_by_pairs(max(row["pairs"] for row in rows), (6, 70)),
    )
    size = {"width": WIDTH - (60 if few else 0), "height": (15 if few else 5) * len(rows) + 10}
    return _chart(
        f"{kind.capitalize()} within topics",
        (spread + dashed(x=mean)).properties(**size),
        f"{kind.capitalize()} correlation within each of {len(rows)} topics: mean {signed(mean)}, from "
        f"{signed(worst['value'])} ({worst['name']}) to {signed(best['value'])} ({best['name']}).",
    )


def by_popularity(deciles: Sequence[Decile], names: Sequence[str], kind: CorrelationKind) -> Chart | None:
    """The correlation of each of up to three measures on each decile, from rare concepts to popular ones."""
    rows = _defined(
        {"decile": one.number, "measure": name, "value": getattr(one, kind).get(name)}
        for one in deciles
        for name in names
    )
    if not rows:
        return None
    base = rows_of(rows).encode(
        x=alt.X("decile:O", title="tenth of the pairs, from rare to popular", axis=alt.Axis(labelAngle=0)),
        y=scaled(alt.Y, "value", kind.capitalize(), tickCount=6),
        color=series("measure", names),
    )
    lines = base.mark_line(strokeWidth=2) + base.mark_point(filled=True, size=30, opacity=1)
    own = [row["value"] for row in rows if row["measure"] == names[0]] or [None]
    return _chart(
        kind.capitalize(),
        lines.properties(width=WIDTH, height=200),
        f"{kind.capitalize()} correlation by popularity: {names[0]} goes from {signed(own[0])} on the rarest "
        f"tenth of the pairs to {signed(own[-1])} on the most popular.",
    )


def standings(rows: Sequence[LeaderboardRow], pairs: Pairs, title: str) -> Chart | None:
    """Spearman of the models and of the best feature on each benchmark, with intervals.

    Of more models than there are colours the last are left out.
    """
    judged = judged_rows(rows, pairs)
    models = [role for role in roles_of(judged, pairs) if is_model(role)]
    names = {role: _shown_name(role, judged, pairs, models) for role in (*models[: len(SERIES) - 1], BEST)}
    dots = _defined(
        {"place": place, "role": name, **_with_ends(entry.spearman)}
        for place, row in enumerate(judged, start=1)
        for role, name in names.items()
        if (entry := role_entry(row, pairs, role)) is not None
    )
    if not dots:
        return None
    drawn = [name for name in names.values() if any(dot["role"] == name for dot in dots)]
    base = rows_of(dots).encode(
        y=named_rows([row.benchmark for row in judged]),
        yOffset=alt.YOffset("role:N", sort=drawn),
        color=series("role", drawn),
    )
    points = base.mark_point(filled=True, size=44, opacity=1)
    chart = base.mark_rule(strokeWidth=1.5).encode(x="low:Q", x2="high:Q") + points.encode(
        x=scaled(alt.X, "value", "Spearman", tickCount=5)
    )
    spans = []
    for name in drawn:
        values = [dot["value"] for dot in dots if dot["role"] == name]
        spans.append(f"{name[:1].upper()}{name[1:]}: from {signed(min(values))} to {signed(max(values))}.")
    return _chart(
        f"Spearman, {title}",
        chart.properties(width=WIDTH - 60, height=max(34, 12 * len(drawn)) * len(judged)),
        f"Spearman correlation on {len(judged)} benchmarks, with 95 % intervals. {' '.join(spans)}",
    )


def _shown_name(role: str, rows: Sequence[LeaderboardRow], pairs: Pairs, models: Sequence[str]) -> str:
    """What a legend calls a role: its name where it is that of one of several models of concepts."""
    if role not in models or role == TERMS or len({*models} - {TERMS}) < 2:
        return role
    return role_name(rows, pairs, role)


def predicted_against_gold(gold: Floats, predicted: Floats) -> Chart | None:
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
        {"x": across[i], "x2": across[i + 1], "y": up[j], "y2": up[j + 1], "pairs": int(counts[i, j])}
        for i, j in np.argwhere(counts > 0).tolist()
    ]
    most = int(counts.max())
    darkness = alt.Scale(type="log", domain=[1, max(most, 2)], range=[0.14, 1])
    cells = rows_of(rows).mark_rect(color=FIRST)
    field: Any = cells.encode(
        x=scaled(alt.X, "x", "prediction", (0, 1)),
        x2="x2:Q",
        y=scaled(alt.Y, "y", "people's score", (low, high)),
        y2="y2:Q",
        opacity=alt.Opacity("pairs:Q", scale=darkness, legend=legend_of_pairs(most)),
    )
    return _chart(
        "Predicted and given",
        (field + dashed(**_EQUAL) if comparable(gold) else field).properties(width=WIDTH, height=WIDTH),
        f"Predictions against people's scores for {len(gold):,} pairs, in {CELLS} by {CELLS} cells. "
        f"The fullest cell has {most:,} pairs.",
    )


def calibration_curve(gold: Floats, predicted: Floats) -> Chart | None:
    """The mean score of the pairs of each bin of predictions, beside the line on which both are the same."""
    if not comparable(gold):
        return None
    calibrated = calibration(gold, predicted)
    base = rows_of(map(asdict, calibrated.bins)).encode(
        x=scaled(alt.X, "predicted", "mean prediction", (0, 1)),
        y=scaled(alt.Y, "gold", "people's mean score", (0, 1)),
    )
    most = max(one.pairs for one in calibrated.bins)
    dots = base.mark_point(filled=True, opacity=1, color=FIRST).encode(
        size=_by_pairs(most, (8, 240), domain=[0, most])
    )
    first, last = calibrated.bins[0], calibrated.bins[-1]
    return _chart(
        "Calibration",
        (dashed(**_EQUAL) + base.mark_line(color=FIRST, strokeWidth=1.5) + dots).properties(
            width=WIDTH, height=WIDTH
        ),
        f"Calibration: pairs predicted {first.predicted:.2f} on average have a mean score of "
        f"{first.gold:.2f}, those predicted {last.predicted:.2f} one of {last.gold:.2f}. The expected "
        f"calibration error is {calibrated.error or 0.0:.3f}.",
    )


def residual_distribution(gold: Floats, predicted: Floats) -> Chart:
    """How often which residual: people's score less the prediction, on one scale."""
    residuals = gold - predicted
    bins = round(2 / _RESIDUAL_BIN)
    counts, edges = np.histogram(np.clip(residuals, -1, 1), bins=bins, range=(-1, 1))
    bars = (
        rows_of({"x": edges[i], "x2": edges[i + 1], "pairs": int(counts[i])} for i in np.flatnonzero(counts))
        .mark_bar(color=FIRST, opacity=0.75)
        .encode(
            x=scaled(alt.X, "x", "people's score − prediction", (-1, 1), tickCount=5),
            x2="x2:Q",
            y=scaled(alt.Y, "pairs", "pairs", tickCount=5, format=",d"),
            y2=alt.datum(0),
        )
    )
    mean, spread = float(residuals.mean()), float(residuals.std())
    return _chart(
        "Residuals",
        (bars + dashed(x=0.0)).properties(width=WIDTH, height=180),
        f"Residuals of {len(gold):,} pairs: mean {signed(mean)}, standard deviation {spread:.3f}.",
    )


def residuals_by_prediction(gold: Floats, predicted: Floats) -> Chart:
    """Where residuals lie for low and for high predictions: median, quartiles and the middle 80 %."""
    names, quantiles = ("p10", "p25", "p50", "p75", "p90"), [0.1, 0.25, 0.5, 0.75, 0.9]
    order = np.argsort(predicted, kind="stable")
    parts = [part for part in np.array_split(order, min(20, max(1, len(order) // 20))) if part.size]
    rows: list[dict[str, float]] = [
        {"predicted": float(predicted[part].mean())}
        | dict(zip(names, np.quantile(gold[part] - predicted[part], quantiles).tolist(), strict=True))
        for part in parts
    ]
    base = rows_of(rows).encode(x=scaled(alt.X, "predicted", "prediction", (0, 1)))

    def edge(name: str) -> Any:  # noqa: ANN401 - of altair
        return scaled(alt.Y, name, "people's score − prediction", (-1, 1))

    wide = base.mark_area(color=FIRST, opacity=0.16).encode(y=edge("p10"), y2="p90:Q")
    half = base.mark_area(color=FIRST, opacity=0.3).encode(y=edge("p25"), y2="p75:Q")
    dots = alt.OverlayMarkDef(filled=True, size=18, color=FIRST)
    middle = base.mark_line(color=FIRST, strokeWidth=2, point=dots).encode(y=edge("p50"))
    return _chart(
        "Residuals by prediction",
        (wide + half + middle + dashed(y=0.0)).properties(width=WIDTH, height=180),
        f"Residuals by prediction, in {len(rows)} parts of equal size: the median goes from "
        f"{signed(rows[0]['p50'])} for the lowest predictions to {signed(rows[-1]['p50'])} for the highest.",
    )


def _chart(title: str, chart: Any, says: str) -> Chart:  # noqa: ANN401 - any of altair's chart types
    return Chart(title, draw(chart, says), says)


def _by_pairs(most: int, sizes: Sequence[int], domain: Any = alt.Undefined) -> alt.Size:  # noqa: ANN401
    """Dots whose area goes with the number of their pairs, ``most`` at most."""
    scale = alt.Scale(type="sqrt", domain=domain, range=list(sizes))
    return alt.Size("pairs:Q", scale=scale, legend=legend_of_pairs(most))


def _defined(rows: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """The rows whose ``value`` is defined."""
    return [row for row in rows if row["value"] is not None]


def _best_first(rows: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    return sorted(_defined(rows), key=lambda row: -row["value"])


def _with_ends(figure: Figure) -> dict[str, Any]:
    """A figure and its interval; the figure itself where the interval is not defined."""
    value, low, high = figure.value, figure.low, figure.high
    return {"value": value, "low": value if low is None else low, "high": value if high is None else high}
