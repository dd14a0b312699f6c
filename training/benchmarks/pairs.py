"""Judgements of any other source: a row a pair, as CSV, TSV or JSON lines in UTF-8."""

from __future__ import annotations

import codecs
import math
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from training.benchmarks.declared import Declaration
from training.benchmarks.delimited import text_of
from training.benchmarks.judgements import Split, check_header, mark_of
from training.benchmarks.rows import BenchmarkRow, ReadRows, judged
from training.benchmarks.table import delimiter_of, header_of, json_rows, rows_of
from training.errors import NotABenchmark

DELIMITERS = {".csv": ",;\t", ".tsv": "\t"}
"""What may stand between cells: spreadsheets put semicolons where a comma is the sign of decimals."""

_CALLED = {",": "commas", ";": "semicolons", "\t": "tabs"}
JSON_LINES = frozenset({".jsonl", ".ndjson"})


@dataclass(frozen=True, slots=True)
class JudgementColumns:
    """Which column, or key of JSON, holds what."""

    left: str = "left"
    right: str = "right"
    score: str = "score"
    topic: str = "topic"

    @property
    def required(self) -> set[str]:
        """The columns that a table must have; the topic's only where it was named."""
        return {self.left, self.right, self.score, self.topic} - {"topic"}


WORD_TRAIN = JudgementColumns("concept1", "concept2", "score", "source_article")
"""The columns of WORD's train split where it was repaired to UTF-8."""


def columns_named(
    left: str | None, right: str | None, score: str | None, topic: str | None
) -> JudgementColumns | None:
    """The columns that a person named, the usual names for the rest; None where none was named."""
    named = {"left": left, "right": right, "score": score, "topic": topic}
    given = {role: column for role, column in named.items() if column is not None}
    return JudgementColumns(**given) if given else None


def read_pairs(path: Path, content: bytes, split: Split, columns: JudgementColumns) -> ReadRows:
    """The judgements of ``split`` in a file of pairs, whose ``content`` is given; its suffix says the format.

    A row that is marked as of the other split is counted and left before anything else of it is looked at.

    Raises:
        BenchmarkError: the file or a row of it cannot be read.
    """
    rows = json_rows(content) if path.suffix.lower() in JSON_LINES else _table_rows(path, content, columns)
    left, right, score, topic = columns.left, columns.right, columns.score, columns.topic
    bare = Declaration(name=path.name, files=(path.name,), low=-math.inf, high=math.inf)
    form = msgspec.structs.replace(bare, left=left, right=right, topic=topic)
    read = (
        BenchmarkRow(line, row.get(left), row.get(right), row.get(score), row.get(topic), mark_of(row))
        for line, row in rows
    )
    return judged(read, split, form)


def columns_of(path: Path, content: bytes) -> list[str]:
    """The names of the columns of a table; empty for JSON lines, which have none."""
    if path.suffix.lower() in JSON_LINES:
        return []
    # The header tells the layout, and the layout the encoding, so this reads any.
    text = content.removeprefix(codecs.BOM_UTF8).decode("latin-1")
    return header_of(text, delimiter_of(text, _delimiters(path)))


def _delimiters(path: Path) -> str:
    delimiters = DELIMITERS.get(path.suffix.lower())
    if delimiters is None:
        known = ", ".join([*DELIMITERS, *sorted(JSON_LINES)])
        raise NotABenchmark(f"{path}: the name of a file of pairs ends in one of {known}.")
    return delimiters


def _table_rows(
    path: Path, content: bytes, columns: JudgementColumns
) -> Iterator[tuple[int, dict[str, Any]]]:
    """(line, row) of each row of a table."""
    text = text_of(content, "UTF-8", "Save the file as UTF-8 (spreadsheets call that CSV UTF-8).")
    delimiters = _delimiters(path)
    delimiter = delimiter_of(text, delimiters, columns.required)
    header = header_of(text, delimiter)
    check_header(header)
    missing = columns.required - set(header)
    if missing:
        remedy = "Name those that hold them with --left, --right, --score and --topic."
        if len(header) == 1:
            known = " or ".join(_CALLED[each] for each in delimiters)
            remedy = f"That is one column: {known} have to stand between cells."
        raise NotABenchmark(
            f"{path} has no column {', '.join(sorted(missing))}; its columns are "
            f"{', '.join(header) or 'none'}. {remedy}"
        )
    yield from rows_of(text, delimiter)
