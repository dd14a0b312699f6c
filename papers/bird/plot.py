"""BiRD's Figure 2, drawn: weighted addition, from the head alone to the modifier alone."""

from __future__ import annotations

import altair as alt

from papers.bird.experiment import CompositionResults
from training.reports.drawing import draw, rows_of, series, standalone

_WIDTH = 440


def alpha_sweep(results: CompositionResults) -> str:
    """Pearson's r by the modifier's weight α, a line for each kind of vectors: the SVG of a file."""
    rows = [
        {"vectors": sweep.vectors, "alpha": alpha, "r": r}
        for sweep in results.sweeps
        for alpha, r in zip(sweep.alphas, sweep.pearson, strict=True)
        if r is not None
    ]
    base = rows_of(rows).encode(
        x=alt.X("alpha:Q", title="α, the weight of the modifier (0: head only, 1: modifier only)"),
        y=alt.Y("r:Q", title="Pearson correlation", scale=alt.Scale(zero=False, nice=True)),
        color=series("vectors", [sweep.vectors for sweep in results.sweeps]),
    )
    marks = base.mark_line(strokeWidth=2) + base.mark_point(filled=True, size=36, opacity=1)
    return standalone(draw(marks.properties(width=_WIDTH, height=220), _message(results)))


def _message(results: CompositionResults) -> str:
    best = []
    for sweep in results.sweeps:
        defined = [(r, alpha) for alpha, r in zip(sweep.alphas, sweep.pearson, strict=True) if r is not None]
        if defined:
            r, alpha = max(defined)
            best.append(f"{sweep.vectors} is highest at α = {alpha:.1f} with {r:.3f}")
    return f"Pearson correlation of weighted addition with people's scores: {'; '.join(best)}."
