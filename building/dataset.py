"""Data sets as any process may read them: a folder of Parquet files, in the order of their names."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

# Neither pyarrow.dataset nor pyarrow.parquet.read_table, which loads it: it takes 50 MB of each process.


def read_batches(
    dataset: Path, columns: Sequence[str] | None = None, rows: int = 10_000
) -> Iterator[pa.RecordBatch]:
    """The rows of a data set, ``rows`` at a time; ``columns`` of them, all by default."""
    for path in sorted(dataset.glob("*.parquet")):
        with pq.ParquetFile(path) as file:
            yield from file.iter_batches(rows, columns=columns)


def rows(dataset: Path) -> Iterator[dict[str, Any]]:
    """The rows of a data set, read a few thousand at a time."""
    for batch in read_batches(dataset):
        yield from batch.to_pylist()


def column(dataset: Path, name: str) -> NDArray[Any]:
    """A column of numbers, whole."""
    files = map(pq.ParquetFile, sorted(dataset.glob("*.parquet")))
    return np.concatenate([file.read([name]).column(0).to_numpy() for file in files])


def strings(dataset: Path, name: str) -> Iterator[str]:
    """A column of strings, read a few thousand at a time."""
    for batch in read_batches(dataset, [name]):
        yield from batch.column(0).to_pylist()


def row_count(dataset: Path) -> int:
    """How many rows a data set has."""
    return sum(pq.read_metadata(path).num_rows for path in dataset.glob("*.parquet"))
