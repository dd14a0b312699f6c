"""Charts as SVG: specifications of Vega-Lite, drawn without a browser, legible on light and on dark.

A chart names its colours by role, as CSS variables, which the page (or, for a chart in a file of its own, a
style sheet inside it) sets for light, dark and paper. The background is transparent.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import Any

import altair as alt

_ROLES = {
    "ink": ("#23272b", "#e6e4df"),
    "faint": ("#5f666d", "#a2a9af"),
    "grid": ("#dfdcd4", "#343a3e"),
    "first": ("#2f6f73", "#6fb9b6"),
    "second": ("#a8561f", "#dd9a63"),
    "third": ("#5a4fa2", "#aca3ea"),
    "fourth": ("#a03366", "#e592b6"),
    "fifth": ("#55701a", "#a9c56a"),
}
"""Text, secondary text, lines of the grid, and five series: on light, on dark. Each but the grid is read."""

LIGHT = {f"--{role}": light for role, (light, _) in _ROLES.items()}
DARK = {f"--{role}": dark for role, (_, dark) in _ROLES.items()}

INK, FAINT, GRID, *SERIES = (f"var({name})" for name in LIGHT)
FIRST, SECOND, THIRD, *_ = SERIES

WIDTH = 280
"""The inner width of a chart, in pixels: with its axes it fits a telephone without being made smaller."""

_FONT = "Arial, Helvetica, 'Liberation Sans', 'Noto Sans', sans-serif"
"""Whose letters are as wide as the layout takes them to be."""
_PLAIN = {"titleFontWeight": "normal", "labelColor": FAINT, "titleColor": INK}
_CONFIG: dict[str, Any] = {
    "font": "sans-serif",
    "background": None,
    "padding": {"left": 8, "right": 4, "top": 4, "bottom": 2},
    "view": {"stroke": None},
    "axis": _PLAIN
    | {"gridColor": GRID, "domainColor": GRID, "tickColor": GRID, "labelFontSize": 12, "titleFontSize": 12}
    | {"titlePadding": 8, "labelLimit": 160, "labelFlush": False},
    "legend": _PLAIN
    | {"labelColor": INK, "titleColor": FAINT, "labelFontSize": 11, "titleFontSize": 11}
    | {"orient": "top", "labelLimit": 180, "columnPadding": 20},
    "text": {"color": INK, "fontSize": 12},
}


def draw(chart: Any, message: str) -> str:  # noqa: ANN401 - any of altair's chart types
    """The SVG of an altair chart, to stand in a page; ``message`` tells what it shows without seeing it.

    The page sets the colours, see ``palette``.
    """
    import vl_convert  # noqa: PLC0415 - starts a JavaScript engine: only who draws waits for it

    svg: str = vl_convert.vegalite_to_svg(chart.to_dict() | {"config": _CONFIG}, allowed_base_urls=[])
    # What Vega says of single marks is read out mark by mark; the message says it once.
    svg = re.sub(r' (?:aria-[a-z]+|role)="[^"]*"', "", svg)
    svg = svg.replace('font-family="sans-serif"', f'font-family="{_FONT}"')
    return re.sub(
        r"<svg [^>]*?width=\"([\d.]+)\" height=\"([\d.]+)\"[^>]*>",
        lambda match: (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {match[1]} {match[2]}" '
            f'width="{match[1]}" role="img" aria-label="{escape(message, quote=True)}">'
        ),
        svg,
        count=1,
    )


def standalone(svg: str) -> str:
    """A drawn chart as a file of its own: with its colours in it, for light and for dark."""
    dark = f"@media (prefers-color-scheme: dark) {{svg {{{palette(DARK)}}}}}"
    return svg.replace(">", f"><style>svg {{{palette(LIGHT)}}} {dark}</style>", 1) + "\n"


def palette(colours: dict[str, str]) -> str:
    """The colours as declarations of CSS variables."""
    return "".join(f"{name}:{value};" for name, value in colours.items())


# What charts are put together from


def rows_of(rows: Iterable[Mapping[str, Any]]) -> alt.Chart:
    """A chart of rows of data, which stand in its specification."""
    return alt.Chart(alt.InlineData([dict(row) for row in rows]))


def in_places(rows: Iterable[Mapping[str, Any]]) -> alt.Chart:
    """A chart of rows of data, each with its ``place`` from 1."""
    return rows_of(rows).transform_window(place="row_number()")


def scaled(
    channel: type[alt.X] | type[alt.Y],
    field: str,
    title: str,
    domain: Sequence[float] | None = None,
    **axis: Any,  # noqa: ANN401 - of altair
) -> Any:  # noqa: ANN401 - of altair
    """A number along an axis: from end to end of the ``domain``, or of the numbers there are."""
    scale = alt.Undefined if domain is None else alt.Scale(domain=list(domain), nice=False)
    return channel(f"{field}:Q", title=title, scale=scale, axis=alt.Axis(**axis))


def series(field: str, names: Sequence[str]) -> alt.Color:
    """Series, as many as there are colours in ``SERIES`` at the most, told apart by these."""
    scale = alt.Scale(domain=list(names), range=SERIES[: len(names)])
    return alt.Color(f"{field}:N", title=None, scale=scale)


def named_rows(names: Sequence[str]) -> alt.Y:
    """The rows of a chart by their place from 1; what they are called is only shown, and may repeat."""
    expression = f"({json.dumps([None, *names])})[datum.value]"
    axis = alt.Axis(
        domain=False, ticks=False, grid=False, labelColor=INK, labelLimit=120, labelExpr=expression
    )
    return alt.Y("place:O", title=None, axis=axis)


def legend_of_pairs(most: int) -> alt.Legend:
    """The legend of dots or cells that stand for pairs: a few round counts, ``most`` at most."""
    digits = 10 ** (len(str(most)) - 1)
    values = sorted({max(1, digits // 100), max(1, digits // 10), digits, most // digits * digits})
    return alt.Legend(title="pairs", symbolFillColor=FIRST, symbolStrokeWidth=0, format=",d", values=values)


def dashed(**at: float) -> Any:  # noqa: ANN401 - of altair
    """A line across the chart at one x or one y, or from (x, y) to (x2, y2)."""
    line = rows_of([at]).mark_rule(color=FAINT, strokeDash=[4, 3])
    return line.encode(**{channel: f"{channel}:Q" for channel in at})


def ranked_bars(rows: Sequence[Mapping[str, Any]], x: alt.X, digits: int = 3) -> Any:  # noqa: ANN401
    """A named bar a row for its ``value``, coloured by its ``group``, with the number at the right."""
    base = in_places(rows).encode(y=named_rows([row["name"] for row in rows]))
    domain = ["model", "worse", "measure", "rejected"]
    colours = alt.Scale(domain=domain, range=[FIRST, SECOND, FAINT, THIRD])
    opacities = alt.Scale(domain=domain, range=[0.9, 0.75, 0.45, 0.45])
    bars = base.mark_bar(height=11, cornerRadiusEnd=2).encode(
        x=x,
        color=alt.Color("group:N", legend=None, scale=colours),
        opacity=alt.Opacity("group:N", legend=None, scale=opacities),
    )
    number = alt.Text("value:Q", format=f".{digits}f")
    numbers = base.mark_text(align="right", color=INK).encode(x=alt.value(WIDTH + 4), text=number)
    intervals = base.mark_rule(color=INK, strokeWidth=1.2).encode(x="low:Q", x2="high:Q")
    layers = bars + intervals + numbers if "low" in rows[0] else bars + numbers
    return layers.properties(height=18 * len(rows))
