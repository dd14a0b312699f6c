"""Small maps over numbers, for tests of the engines; workers import them from here."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pyarrow.dataset as ds

NUMBERS = pa.schema([("n", pa.int64())])


def numbers(*values: int) -> pa.RecordBatch:
    return pa.record_batch([pa.array(values, pa.int64())], schema=NUMBERS)


def read(dataset: Path) -> list[int]:
    """The numbers of a data set, sorted."""
    return sorted(ds.dataset(dataset).to_table().column("n").to_pylist())


def squares(batches: Iterator[pa.RecordBatch], log: Path | None = None) -> Iterator[pa.RecordBatch]:
    for batch in batches:
        values = batch.column(0).to_pylist()
        if log is not None:
            with log.open("a") as file:
                file.write(f"{values}\n")
        yield numbers(*(value**2 for value in values))


def fails_on_three(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    for batch in batches:
        if 3 in batch.column(0).to_pylist():
            raise ValueError("three")
        yield batch


class Unportable(Exception):
    """Cannot be made again from what it says."""

    def __init__(self, number: int) -> None:
        super().__init__(f"number {number}")


def fails_unportably(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    for batch in batches:
        yield batch
        raise Unportable(batch.num_rows)


def dies(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    os.kill(os.getpid(), signal.SIGKILL)
    yield from batches
