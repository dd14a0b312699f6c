"""Assembling a snapshot of what the stages of a build left."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

import msgspec
import pyarrow as pa
import pyarrow.parquet as pq

from building.dataset import read_batches, row_count, rows
from building.engines.runner import ROWS_IN_A_GROUP
from building.names_writer import write_names
from building.stage import Build
from building.writer import SnapshotWriter
from snapshots.layout import TABLES, Table

NEEDED = ("concepts", "links", "categories", "words", "names")
"""The stages without which there is no snapshot."""


def assemble(build: Build, writer: SnapshotWriter, tables: Sequence[Table] = TABLES) -> dict[str, int]:
    """Put every table of the stages that this build has into the snapshot; return its counts."""
    finished = {entry.name for entry in build.entries}
    for table in tables:
        if table.stage in finished:
            writer.adopt(build.folder(table.stage), table.name)
    for name, prefix in (("words", "words."), ("anchors", "mentions."), ("aliases", "aliases.")):
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
        write_whole(build.work / dataset, writer.file(f"parquet/{name}.parquet"))
    return _counts(build)


def _counts(build: Build) -> dict[str, int]:
    counts = {
        "concepts": build.concepts,
        "universe": build.concepts,
        "names": row_count(build.folder("names") / "names"),
        "categories": row_count(build.folder("categories") / "titles"),
        "words": 0,
        "sentences": 0,
        "mentions": 0,
        "aliases": 0,
        "paragraphs": 0,
    }
    for entry in build.entries:
        path = build.folder(entry.name) / "counts.json"
        if path.exists():
            counts |= msgspec.json.decode(path.read_bytes(), type=dict[str, int])
    return counts


def write_whole(dataset: Path, path: Path) -> None:
    """Write a data set as one Parquet file: the same rows give the same bytes, whatever engine cut them."""
    part = min(dataset.glob("*.parquet"))
    schema = pa.schema([(field.name, field.type) for field in pq.read_schema(part)])
    with pq.ParquetWriter(path, schema, compression="zstd") as writer:
        for group in _row_groups(dataset, schema):
            writer.write_table(group, ROWS_IN_A_GROUP)


def _row_groups(dataset: Path, schema: pa.Schema) -> Iterator[pa.Table]:
    """The rows of a data set, ``ROWS_IN_A_GROUP`` at a time."""
    held: list[pa.RecordBatch] = []
    rows = 0
    for read in read_batches(dataset):
        batch = pa.record_batch(read.columns, schema)
        while rows + len(batch) >= ROWS_IN_A_GROUP:
            first = batch.slice(0, ROWS_IN_A_GROUP - rows)
            yield pa.Table.from_batches([*held, first], schema).combine_chunks()
            batch, held, rows = batch.slice(len(first)), [], 0
        held.append(batch)
        rows += len(batch)
    if rows:
        yield pa.Table.from_batches(held, schema).combine_chunks()


_FOR_ANALYSTS = {
    "concepts": "concepts/articles",
    "redirects": "concepts/redirects",
    "links": "links/out_links",
    "categories": "categories/titles",
    "concept_categories": "categories/members",
    "problems": "concepts/problems",
}
