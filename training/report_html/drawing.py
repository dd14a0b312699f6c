"""Figures as SVG: specifications of Vega-Lite, drawn without a browser, legible on light and on dark.

A figure names its colours by role. In the drawing each becomes a CSS variable, which the page (or, for a
figure in a file of its own, a style sheet inside it) sets for light, dark and paper. The background is
transparent.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from html import escape
from typing import Any, Literal

import altair as alt

Kind = Literal["pearson", "spearman"]

INK, FAINT, GRID, FIRST, SECOND, THIRD = (
    "#010101",
    "#020202",
    "#030303",
    "#040404",
    "#050505",
    "#060606",
)
"""Placeholders of the roles: text, secondary text, lines of the grid, and three series."""

_VARIABLES = {
    INK: "--ink",
    FAINT: "--faint",
    GRID: "--grid",
    FIRST: "--first",
    SECOND: "--second",
    THIRD: "--third",
}
LIGHT = {
    "--ink": "#23272b",
    "--faint": "#5f666d",
    "--grid": "#dfdcd4",
    "--first": "#2f6f73",
    "--second": "#a8561f",
    "--third": "#5a4fa2",
}
DARK = {
    "--ink": "#e6e4df",
    "--faint": "#a2a9af",
    "--grid": "#343a3e",
    "--first": "#6fb9b6",
    "--second": "#dd9a63",
    "--third": "#aca3ea",
}
"""The colours of the roles, those of the service's page; each but the grid is read on its background."""

WIDTH = 280
"""The inner width of a figure, in pixels: with its axes it fits a telephone without being made smaller."""

_FONT = "Arial, Helvetica, 'Liberation Sans', 'Noto Sans', sans-serif"
"""Whose letters are as wide as the layout takes them to be."""
_CONFIG: dict[str, Any] = {
    "font": "sans-serif",
    "background": None,
    "padding": {"left": 8, "right": 4, "top": 4, "bottom": 2},
    "view": {"stroke": None},
    "axis": {
        "labelColor": FAINT,
        "titleColor": INK,
        "gridColor": GRID,
        "domainColor": GRID,
        "tickColor": GRID,
        "labelFontSize": 12,
        "titleFontSize": 12,
        "titleFontWeight": "normal",
        "titlePadding": 8,
        "labelLimit": 160,
        "labelFlush": False,
    },
    "legend": {
        "labelColor": INK,
        "titleColor": FAINT,
        "labelFontSize": 11,
        "titleFontSize": 11,
        "titleFontWeight": "normal",
        "orient": "top",
        "labelLimit": 180,
        "columnPadding": 20,
    },
    "text": {"color": INK, "fontSize": 12},
    "title": {"color": INK, "fontSize": 12, "anchor": "start", "fontWeight": 600},
}


def draw(chart: Any, message: str) -> str:  # noqa: ANN401 - any of altair's chart types
    """The SVG of an altair chart, to stand in a page; ``message`` tells what it shows without seeing it.

    The page sets the colours, see ``palette``.
    """
    specification = chart.to_dict()
    specification["config"] = _CONFIG
    svg = _svg(specification)
    svg = re.sub("#0[1-6]0[1-6]0[1-6]", lambda found: f"var({_VARIABLES[found[0]]})", svg)
    # What Vega says of single marks is read out mark by mark; the message says it once.
    svg = re.sub(r' (?:aria-[a-z]+|role)="[^"]*"', "", svg)
    svg = svg.replace('font-family="sans-serif"', f'font-family="{_FONT}"')
    label = escape(message, quote=True)
    return re.sub(
        r"<svg [^>]*?width=\"([\d.]+)\" height=\"([\d.]+)\"[^>]*>",
        lambda found: (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {found[1]} {found[2]}" '
            f'width="{found[1]}" role="img" aria-label="{label}">'
        ),
        svg,
        count=1,
    )


def standalone(svg: str) -> str:
    """A drawn figure as a file of its own: with its colours in it, for light and for dark."""
    dark = f"@media (prefers-color-scheme: dark) {{svg {{{palette(DARK)}}}}}"
    style = f"<style>svg {{{palette(LIGHT)}}} {dark}</style>"
    return svg.replace(">", f">{style}", 1) + "\n"


def palette(colours: dict[str, str]) -> str:
    """The colours as declarations of CSS variables."""
    return "".join(f"{name}:{value};" for name, value in colours.items())


def _svg(specification: dict[str, Any]) -> str:
    import vl_convert  # noqa: PLC0415 - starts a JavaScript engine: only who draws waits for it

    drawn: str = vl_convert.vegalite_to_svg(specification, allowed_base_urls=[])
    return drawn


def signed(value: Any, digits: int = 3) -> str:  # noqa: ANN401 - a number or None
    """A figure as people read it, with a real minus sign; a dash where there is none.

    >>> signed(-0.12345), signed(None), signed(-0.0001)
    ('−0.123', '–', '0.000')
    """
    if value is None or value != value:  # noqa: PLR0124 - NaN alone differs from itself
        return "–"
    shown = f"{value:.{digits}f}"
    if float(shown) == 0.0:
        shown = shown.removeprefix("-")
    return shown.replace("-", "−")


def level(axis: Literal["x", "y"], value: float) -> Any:  # noqa: ANN401 - a chart
    """A line across the figure at one value."""
    line = alt.Chart(alt.InlineData([{"at": value}])).mark_rule(color=FAINT, strokeDash=[4, 3])
    return line.encode(x="at:Q") if axis == "x" else line.encode(y="at:Q")


def size_legend(most: int) -> Any:  # noqa: ANN401 - of altair
    """The legend of dots or cells that stand for pairs: a few round counts, ``most`` at most."""
    digits = 10 ** (len(str(most)) - 1)
    values = sorted({max(1, digits // 100), max(1, digits // 10), digits, most // digits * digits})
    return alt.Legend(title="pairs", symbolFillColor=FIRST, symbolStrokeWidth=0, format=",d", values=values)


def named_rows(names: Sequence[str]) -> alt.Y:
    """The rows of a figure by their place from 1; what they are called is only shown, and may repeat."""
    expression = f"({json.dumps([None, *names])})[datum.value]"
    axis = alt.Axis(
        domain=False, ticks=False, grid=False, labelColor=INK, labelLimit=120, labelExpr=expression
    )
    return alt.Y("place:O", title=None, axis=axis)
