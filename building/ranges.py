"""Tasks that are ranges of rows: for maps over tables that every worker has mapped already."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import pyarrow as pa

from building.engines.runner import Task

_RANGE = pa.schema([("start", pa.int64()), ("end", pa.int64())])


def range_task(start: int, end: int, size: int) -> Task:
    """The rows ``start`` … ``end`` − 1 as a task. Names sort as starts do, so the output is in order."""
    batch = pa.record_batch([[start], [end]], _RANGE)
    return Task(f"{start:012d}", size, batch)


def ranges(batches: Iterable[pa.RecordBatch]) -> Iterator[tuple[int, int]]:
    """The (start, end) of the range tasks in a map's input."""
    for batch in batches:
        yield from zip(batch.column("start").to_pylist(), batch.column("end").to_pylist(), strict=True)
