"""The reference of the features of terms, in Markdown, from their catalogue.

``python -m features.terms.reference docs/terms.md`` writes it into the page, between two marks.
"""

from __future__ import annotations

import sys
from math import isinf
from pathlib import Path

from features.reference import END, START
from features.terms.catalogue import TERM_FEATURES, TermFeature


def reference() -> str:
    """All features of terms, a row each."""
    lines = ["| feature | group | formula | asks | reads | range | source |", "|---|---|---|---|---|---|---|"]
    lines += [_row(feature) for feature in TERM_FEATURES]
    return "\n".join(lines) + "\n"


def written_into(page: str) -> str:
    """The page with the reference between its marks.

    Raises:
        ValueError: the page lacks a mark.
    """
    before, start, rest = page.partition(START)
    _, end, after = rest.partition(END)
    if not start or not end:
        raise ValueError(f"the page has no {START} with an {END} after it")
    return f"{before}{START}\n\n{reference()}\n{END}{after}"


def _row(feature: TermFeature) -> str:
    low, high = feature.range
    span = f"{low:g} and above" if isinf(high) else f"{low:g} to {high:g}".replace("-", "−")
    tables = ", ".join(f"`{table}`" for table in feature.tables) or "the terms alone"
    name = feature.name.replace("_", r"\_")
    cells = (
        name,
        feature.group,
        f"`{feature.formula}`",
        feature.description,
        tables,
        span,
        feature.source,
    )
    return f"| {' | '.join(cells)} |"


if __name__ == "__main__":
    target = Path(sys.argv[1])
    target.write_text(written_into(target.read_text(encoding="utf-8")), encoding="utf-8")
