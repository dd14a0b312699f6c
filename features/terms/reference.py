"""The reference of the features of terms, in Markdown, from their catalogue.

``python -m features.terms.reference docs/terms.md`` writes it into the page, between two marks.
"""

from __future__ import annotations

import sys
from pathlib import Path

from features.feature import AnyFeature
from features.reference import span, written_into
from features.terms.catalogue import EVERY_TERM_FEATURE


def reference() -> str:
    """All features of terms, a row each."""
    lines = ["| feature | group | formula | asks | reads | range | source |", "|---|---|---|---|---|---|---|"]
    lines += [_row(feature) for feature in EVERY_TERM_FEATURE]
    return "\n".join(lines) + "\n"


def _row(feature: AnyFeature) -> str:
    tables = ", ".join(f"`{table}`" for table in feature.tables) or "the terms alone"
    name = feature.name.replace("_", r"\_")
    cells = (
        name,
        feature.group,
        f"`{feature.formula}`",
        feature.description,
        tables,
        span(feature),
        feature.source,
    )
    return f"| {' | '.join(cells)} |"


if __name__ == "__main__":
    target = Path(sys.argv[1])
    target.write_text(written_into(target.read_text(encoding="utf-8"), reference()), encoding="utf-8")
