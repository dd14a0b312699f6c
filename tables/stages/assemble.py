"""Assemble: what the stages left, gathered into a snapshot."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
import pyarrow.parquet as pq

from tables.arrays import map_array
from tables.layout import TABLES
from tables.names_writer import write_names
from tables.snapshot import SnapshotWriter
from tables.stage import Build, Stage


def run(build: Build) -> None:
    """Write the data sets that only the snapshot's look-ups need: ``senses`` and ``names``."""
    folder, concepts, links = build.folder(STAGE.name), build.folder("concepts"), build.folder("links")
    build.sql(_IN_LINKS, folder / "in_links", occurrences=links / "occurrences")
    build.sql(
        _SENSES,
        folder / "senses",
        links=links / "targets",
        pages=concepts / "marked",
        names=concepts / "names",
        in_links=folder / "in_links",
    )
    build.sql(_NAMES, folder / "names", names=concepts / "names", in_links=folder / "in_links")


def gather(build: Build, writer: SnapshotWriter) -> dict[str, int]:
    """Put every table into the snapshot and return its counts."""
    for table in TABLES:
        for stage in build.entries:
            if any(build.folder(stage.name).glob(f"{table.name}.*npy")):
                writer.adopt(build.folder(stage.name), table.name)
    writer.adopt_files(build.folder("words"), "words.")
    writer.adopt_files(build.folder("anchors"), "mentions.")
    folder = build.folder(STAGE.name)
    categories = build.folder("categories") / "titles"
    writer.strings("concept_titles", (row["title"] for row in rows(build.folder("concepts") / "articles")))
    writer.strings("category_titles", (row["title"] for row in rows(categories)))
    write_names(
        writer,
        partial(rows, folder / "names"),
        partial(rows, folder / "senses"),
        lambda: ({**row, "hidden": int(row["hidden"])} for row in rows(categories)),
    )
    for name, dataset in _FOR_ANALYSTS.items():
        writer.adopt_file(build.work / dataset / "part-0.parquet", f"parquet/{name}.parquet")
    return _counts(build)


def rows(dataset: Path) -> Iterator[dict[str, Any]]:
    """The rows of a data set, read a few thousand at a time."""
    for path in sorted(dataset.glob("*.parquet")):
        with pq.ParquetFile(path) as file:
            for batch in file.iter_batches(10_000):
                yield from batch.to_pylist()


def _counts(build: Build) -> dict[str, int]:
    concepts = len(map_array(build.folder("concepts") / "page_ids.npy"))
    counts = {
        "concepts": concepts,
        "universe": concepts,
        "names": _size(build.folder(STAGE.name) / "names"),
        "categories": _size(build.folder("categories") / "titles"),
        "words": 0,
        "sentences": 0,
        "mentions": 0,
        "paragraphs": 0,
    }
    for entry in build.entries:
        path = build.folder(entry.name) / "counts.json"
        if path.exists():
            counts |= msgspec.json.decode(path.read_bytes(), type=dict[str, int])
    return counts


def _size(dataset: Path) -> int:
    return sum(pq.read_metadata(path).num_rows for path in dataset.glob("*.parquet"))


_FOR_ANALYSTS = {
    "concepts": "concepts/articles",
    "redirects": "concepts/redirects",
    "links": "links/out_links",
    "categories": "categories/titles",
    "concept_categories": "categories/members",
    "problems": "concepts/problems",
}

_IN_LINKS = """
    SELECT target AS concept, cast(count(DISTINCT source) AS int) AS in_links FROM occurrences GROUP BY target
"""

_SENSES = """
    SELECT title, concept,
           cast(row_number() OVER (PARTITION BY title ORDER BY in_links DESC, concept) - 1 AS int) AS rank
    FROM (
        SELECT DISTINCT n.title, s.concept, coalesce(i.in_links, 0) AS in_links
        FROM (
            SELECT page_id, target,
                   row_number() OVER (PARTITION BY page_id, paragraph ORDER BY start) AS place
            FROM links WHERE paragraph >= 0
        ) l
        JOIN pages p ON p.page_id = l.page_id AND p.disambiguation
        JOIN names n ON n.target = p.title AND n.concept < 0
        JOIN names s ON s.title = l.target AND s.concept >= 0
        LEFT JOIN in_links i ON i.concept = s.concept
        WHERE l.place = 1
    ) candidates
"""
"""The senses of ambiguous titles: the first link of each line of a disambiguation page."""

_NAMES = """
    SELECT n.title, n.kind, n.concept, coalesce(i.in_links, 0) AS in_links
    FROM names n LEFT JOIN in_links i ON i.concept = n.concept
    ORDER BY n.kind, n.concept, n.title
"""


STAGE = Stage("names", ("pages", "concepts", "links"), run, label="Listing names")
