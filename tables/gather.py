"""Gathering: what the stages left, put into a snapshot."""

from __future__ import annotations

from functools import partial

import msgspec

from tables.arrays import map_array
from tables.dataset import row_count, rows
from tables.layout import TABLES
from tables.names_writer import write_names
from tables.snapshot import SnapshotWriter
from tables.stage import Build

NEEDED = ("concepts", "links", "categories", "words", "names")
"""The stages without which there is no snapshot."""


def gather(build: Build, writer: SnapshotWriter) -> dict[str, int]:
    """Put every table of the stages that this build has into the snapshot; return its counts."""
    for table in TABLES:
        for stage in build.entries:
            if any(build.folder(stage.name).glob(f"{table.name}.*npy")):
                writer.adopt(build.folder(stage.name), table.name)
    finished = {entry.name for entry in build.entries}
    for name, prefix in (("words", "words."), ("anchors", "mentions.")):
        if name in finished:  # what an earlier build left does not belong to this one
            writer.adopt_files(build.folder(name), prefix)
    folder = build.folder("names")
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


def _counts(build: Build) -> dict[str, int]:
    concepts = len(map_array(build.folder("concepts") / "page_ids.npy"))
    counts = {
        "concepts": concepts,
        "universe": concepts,
        "names": row_count(build.folder("names") / "names"),
        "categories": row_count(build.folder("categories") / "titles"),
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


_FOR_ANALYSTS = {
    "concepts": "concepts/articles",
    "redirects": "concepts/redirects",
    "links": "links/out_links",
    "categories": "categories/titles",
    "concept_categories": "categories/members",
    "problems": "concepts/problems",
}
