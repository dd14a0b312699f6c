"""The figures of measures: correlations by measure, by topic, by popularity, and what a feature adds.

Numbers in, SVG out; None where there is nothing to draw. Each figure is as wide as a telephone's screen, and
says in a sentence what it shows.
"""

from __future__ import annotations

from collections.abc import Sequence

import altair as alt
import numpy as np

from models.protocol import FoldResult
from training.evaluation.ablation import Ablation
from training.evaluation.deciles import Decile
from training.evaluation.report import Figure, Measure
from training.report_html.drawing import (
    FAINT,
    FIRST,
    INK,
    SECOND,
    THIRD,
    WIDTH,
    Kind,
    draw,
    level,
    named_rows,
    signed,
    size_legend,
)

_ROW = 18
_NAMED_TOPICS = 30
"""So many topics have their names beside their dots; more would not fit."""


def ranked_measures(
    measures: Sequence[Measure], kind: Kind, rejected: Sequence[Measure] = (), model: bool = True
) -> str | None:
    """WORT's Figure 1: the pooled correlation of each measure, the highest first, with its interval.

    ``model``: whether the last of the measures is the model's, which is set off. ``rejected``: measures that
    no model has, set off too.
    """
    groups = ["measure"] * (len(measures) - 1) + ["model" if model else "measure"]
    judged = [*zip(measures, groups, strict=False), *((one, "rejected") for one in rejected)]
    found = [(one.name, group, getattr(one, kind).pooled) for one, group in judged]
    known = sorted((one for one in found if one[2].value is not None), key=lambda one: -one[2].value)
    if not known:
        return None
    rows = [
        {
            "place": place,
            "group": group,
            "value": figure.value,
            "shown": signed(figure.value),
            **_ends(figure),
        }
        for place, (_, group, figure) in enumerate(known, start=1)
    ]
    least = min(0.0, *(_ends(figure)["low"] for _, _, figure in known))
    most = max(0.1, *(_ends(figure)["high"] for _, _, figure in known))
    domain = ["model", "measure", "rejected"]
    base = alt.Chart(alt.InlineData(rows)).encode(y=named_rows([name for name, _, _ in known]))
    bars = base.mark_bar(height=11, cornerRadiusEnd=2).encode(
        x=alt.X(
            "value:Q",
            title=kind.capitalize(),
            scale=alt.Scale(domain=[least, most], nice=False),
            axis=alt.Axis(tickCount=5, grid=False),
        ),
        color=alt.Color("group:N", legend=None, scale=alt.Scale(domain=domain, range=[FIRST, FAINT, THIRD])),
        opacity=alt.Opacity("group:N", legend=None, scale=alt.Scale(domain=domain, range=[0.9, 0.45, 0.45])),
    )
    intervals = base.mark_rule(color=INK, strokeWidth=1.2).encode(x="low:Q", x2="high:Q")
    values = base.mark_text(align="right", color=INK).encode(x=alt.value(WIDTH + 4), text="shown:N")
    best, worst = known[0], known[-1]
    return draw(
        (bars + intervals + values).properties(width=WIDTH - 40, height=_ROW * len(rows)),
        f"{kind.capitalize()} correlation of {len(rows)} measures with people's scores, the highest first, "
        f"with 95 % intervals: {best[0]} leads with {signed(best[2].value)}, {worst[0]} is last with "
        f"{signed(worst[2].value)}.",
    )


def topic_spread(folds: Sequence[FoldResult], kind: Kind = "spearman") -> str | None:
    """The correlation of each topic, sorted: a dot each, the larger the more pairs."""
    known = sorted(
        (
            (fold.topic, float(value), fold.pairs)
            for fold in folds
            if (value := getattr(fold, kind)) is not None
        ),
        key=lambda one: -one[1],
    )
    if not known:
        return None
    few = len(known) <= _NAMED_TOPICS
    rows = [
        {"place": place, "value": value, "pairs": pairs}
        for place, (_, value, pairs) in enumerate(known, start=1)
    ]
    mean = float(np.mean([value for _, value, _ in known]))
    if few:
        y = named_rows([topic for topic, _, _ in known])
    else:
        axis = alt.Axis(domain=False, ticks=False, grid=False, labels=False)
        y = alt.Y("place:O", title=f"{len(rows)} topics, the best first", axis=axis)
    chart = (
        alt.Chart(alt.InlineData(rows))
        .mark_point(filled=True, color=FIRST, opacity=0.8)
        .encode(
            x=alt.X(
                "value:Q",
                title=f"{kind.capitalize()} within the topic",
                scale=alt.Scale(domain=[min(0.0, known[-1][1]), 1]),
            ),
            y=y,
            size=alt.Size(
                "pairs:Q",
                scale=alt.Scale(type="sqrt", range=[6, 70]),
                legend=size_legend(max(pairs for _, _, pairs in known)),
            ),
        )
    ) + level("x", mean)
    return draw(
        chart.properties(width=WIDTH - (60 if few else 0), height=(15 if few else 5) * len(rows) + 10),
        f"{kind.capitalize()} correlation within each of {len(rows)} topics: mean {signed(mean)}, from "
        f"{signed(known[-1][1])} ({known[-1][0]}) to {signed(known[0][1])} ({known[0][0]}).",
    )


def by_popularity(deciles: Sequence[Decile], names: Sequence[str], kind: Kind = "spearman") -> str | None:
    """The correlation of each of up to three measures on each decile, from rare concepts to popular ones."""
    rows = [
        {"decile": one.number, "measure": name, "value": value}
        for one in deciles
        for name in names
        if (value := getattr(one, kind).get(name)) is not None
    ]
    if not rows:
        return None
    base = alt.Chart(alt.InlineData(rows)).encode(
        x=alt.X("decile:O", title="tenth of the pairs, from rare to popular", axis=alt.Axis(labelAngle=0)),
        y=alt.Y("value:Q", title=kind.capitalize(), axis=alt.Axis(tickCount=6)),
        color=alt.Color(
            "measure:N",
            title=None,
            scale=alt.Scale(domain=list(names), range=[FIRST, SECOND, THIRD][: len(names)]),
        ),
    )
    chart = base.mark_line(strokeWidth=2) + base.mark_point(filled=True, size=30, opacity=1)
    own = [row["value"] for row in rows if row["measure"] == names[0]]
    first, last = (own[0], own[-1]) if own else (None, None)
    return draw(
        chart.properties(width=WIDTH, height=200),
        f"{kind.capitalize()} correlation by popularity: {names[0]} goes from {signed(first)} on the rarest "
        f"tenth of the pairs to {signed(last)} on the most popular.",
    )


def ablation_drops(ablation: Sequence[Ablation], kind: Kind = "pearson") -> str | None:
    """What the model loses without each feature, the most first."""
    found: list[tuple[str, float]] = [
        (one.feature, float(value))
        for one in ablation
        if one.drop is not None and (value := getattr(one.drop, kind)) is not None
    ]
    if not found:
        return None
    known = sorted(found, key=lambda one: -one[1])
    rows = [
        {"place": place, "drop": drop, "shown": signed(drop, 4)}
        for place, (_, drop) in enumerate(known, start=1)
    ]
    base = alt.Chart(alt.InlineData(rows)).encode(y=named_rows([name for name, _ in known]))
    bars = base.mark_bar(height=11, cornerRadiusEnd=2, opacity=0.75).encode(
        x=alt.X("drop:Q", title=f"{kind.capitalize()} lost without it", axis=alt.Axis(tickCount=4)),
        color=alt.condition("datum.drop >= 0", alt.value(FIRST), alt.value(SECOND)),
    )
    values = base.mark_text(align="right", color=INK).encode(x=alt.value(WIDTH + 4), text="shown:N")
    return draw(
        (bars + values).properties(width=WIDTH - 50, height=_ROW * len(rows)),
        f"{kind.capitalize()} that the model loses without a feature: most without {known[0][0]}, "
        f"{signed(known[0][1], 4)}.",
    )


def _ends(figure: Figure) -> dict[str, float]:
    """The interval of a figure that is defined; the figure itself where the interval is not."""
    value = figure.value or 0.0
    return {
        "low": value if figure.low is None else figure.low,
        "high": value if figure.high is None else figure.high,
    }
