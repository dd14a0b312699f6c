"""The reference of the features, in Markdown, from the catalogue.

``python -m features.reference docs/features.md`` writes it into the page, where it stands between two marks.
"""

from __future__ import annotations

import sys
from math import isinf
from pathlib import Path

from features.catalogue import FEATURES
from features.feature import AnyFeature

START, END = "<!-- reference: start -->", "<!-- reference: end -->"
"""What the reference stands between in the page."""


def reference() -> str:
    """All features: an overview, and a section for each."""
    overview = [
        "| | feature | relies on | asks |",
        "|---|---|---|---|",
        *(
            f"| {place} | {feature.name} | {feature.group} | {feature.description} |"
            for place, feature in enumerate(FEATURES, 1)
        ),
    ]
    return "\n".join(overview) + "\n\n" + "\n".join(_section(feature) for feature in FEATURES)


def written_into(page: str, written: str) -> str:
    """The page with a reference, as ``written``, between its marks.

    Raises:
        ValueError: the page lacks a mark.
    """
    before, start, rest = page.partition(START)
    _, end, after = rest.partition(END)
    if not start or not end:
        raise ValueError(f"the page has no {START} with an {END} after it")
    return f"{before}{START}\n\n{written}\n{END}{after}"


def _section(feature: AnyFeature) -> str:
    lines = [
        f"### {feature.name}",
        "",
        f"- formula: `{feature.formula}`",
        f"- evidence: {', '.join(f'`{table}`' for table in feature.tables)}",
        f"- range: {span(feature)}; definition {feature.version}",
        f"- source: {feature.source}",
    ]
    return "\n".join(lines) + "\n"


def span(feature: AnyFeature) -> str:
    """The range of a feature, in words."""
    low, high = feature.range
    return f"{low:g} and above" if isinf(high) else f"{low:g} to {high:g}".replace("-", "−")


if __name__ == "__main__":
    target = Path(sys.argv[1])
    target.write_text(written_into(target.read_text(encoding="utf-8"), reference()), encoding="utf-8")
