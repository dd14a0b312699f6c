"""Pages data sets for tests of the stages, written row by row."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from building.articles import PAGES
from building.repeats import REPEATS


def page(page_id: int, title: str, *links: str, **fields: Any) -> dict[str, Any]:
    """A row of the pages data set.

    A link is written as its target, or as target|anchor; the links stand in one paragraph, which is their
    anchors with spaces between, unless ``paragraphs`` says otherwise: then they stand in none.
    """
    namespaces = {"Template": 10, "Category": 14, "File": 6}
    pairs = [(target, anchor or target) for target, _, anchor in (link.partition("|") for link in links)]
    row: dict[str, Any] = {
        "page_id": page_id,
        "namespace": namespaces.get(title.partition(":")[0], 0) if ":" in title else 0,
        "title": title,
        "redirect": None,
        "disambiguation": False,
        "hidden_category": False,
        "paragraphs": [" ".join(anchor for _, anchor in pairs)] if pairs else [],
        "links": [],
        "categories": [],
        "templates": [],
        "problem": None,
    }
    placed = "paragraphs" not in fields
    start = 0
    for target, anchor in pairs:
        place = {"paragraph": 0, "start": start} if placed else {"paragraph": -1, "start": -1}
        row["links"].append({"target": target, "anchor": anchor, **place})
        start += len(anchor) + 1
    return row | fields


def write_pages(work: Path, rows: list[dict[str, Any]], parts: int = 2) -> None:
    """Write ``rows`` as what the pages stage leaves in ``work``, in some files."""
    folder = work / "pages" / "pages"
    folder.mkdir(parents=True)
    for part in range(parts):
        pq.write_table(pa.Table.from_pylist(rows[part::parts], PAGES), folder / f"{part}.parquet")
    repeats = work / "pages" / "repeats"
    repeats.mkdir()
    pq.write_table(REPEATS.empty_table(), repeats / "part-0.parquet")
