"""Data sets as any process may read them: a folder of Parquet files, in the order of their names."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq


def rows(dataset: Path) -> Iterator[dict[str, Any]]:
    """The rows of a data set, read a few thousand at a time."""
    for path in sorted(dataset.glob("*.parquet")):
        with pq.ParquetFile(path) as file:
            for batch in file.iter_batches(10_000):
                yield from batch.to_pylist()


def row_count(dataset: Path) -> int:
    """How many rows a data set has."""
    return sum(pq.read_metadata(path).num_rows for path in dataset.glob("*.parquet"))
