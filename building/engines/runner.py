"""The engine that builds tables: Arrow maps and SQL, and nothing else.

Builders are written on the two operations of ``Runner``. ``building.engines.local`` runs them on one
machine, ``building.engines.spark`` on a cluster. A data set is a folder of Parquet files; a
finished file or folder has its name, an unfinished one never does.
"""

from __future__ import annotations

import os
import shutil
import socket
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple, Self
from uuid import uuid4

import pyarrow as pa
import pyarrow.parquet as pq

from building.memory import peak_bytes, release_memory, reset_peak

BatchMap = Callable[[Iterator[pa.RecordBatch]], Iterator[pa.RecordBatch]]
"""A pure, picklable function from record batches to record batches: Spark's ``mapInArrow``."""

Progress = Callable[[int, int | None], None]
"""Called with the work done so far and the whole of it, or None where that is not known."""

EMPTY = "empty"
"""The name of the one file of a data set without rows."""

ROWS_IN_A_BATCH = 4_096
"""The most rows that are read at a time."""

ROWS_IN_A_GROUP = 122_880
"""The rows of a row group that a query writes, at most: DuckDB's number. Tasks are whole row groups."""

BATCH_BYTES = 4 << 20
"""About how many bytes of rows are read at a time, where ``ROWS_IN_A_BATCH`` of them hold more."""

WORKER_BYTES = 500_000_000
"""What a worker process holds at most, its libraries included, as measured on the English dump."""


def processes_within(memory: int, workers: int) -> int:
    """How many processes ``workers`` are within ``memory`` bytes: half of it is theirs, one is always run."""
    return max(1, min(workers, memory // 2 // WORKER_BYTES))


def no_progress(done: int, total: int | None) -> None:
    """Report to nobody."""


@dataclass(frozen=True, slots=True)
class Task:
    """A piece of a map's input: one record batch, or some row groups of a Parquet file.

    ``key`` names the piece's content: a finished piece is found again under it. ``size`` measures its
    share of the work, in any unit.
    """

    key: str
    size: int
    content: pa.RecordBatch | Path
    row_groups: tuple[int, ...] = ()
    columns: tuple[str, ...] | None = None

    def batches(self) -> Iterator[pa.RecordBatch]:
        """The rows of the piece, some megabytes at a time, and a few thousand at the most."""
        if isinstance(self.content, pa.RecordBatch):
            yield self.content
            return
        with pq.ParquetFile(self.content) as file:
            groups = [file.metadata.row_group(group) for group in self.row_groups]
            held = sum(group.total_byte_size for group in groups)
            rows = BATCH_BYTES * sum(group.num_rows for group in groups) // max(held, 1)
            yield from file.iter_batches(
                max(1, min(rows, ROWS_IN_A_BATCH)), list(self.row_groups), self.columns
            )


def tasks_over(dataset: Path, rows: int = 50_000, columns: tuple[str, ...] | None = None) -> list[Task]:
    """Tasks that cover a data set, each of whole row groups with about ``rows`` rows together.

    ``columns`` are the ones to read, all by default.
    """
    tasks: list[Task] = []
    for path in sorted(dataset.glob("*.parquet")):
        metadata = pq.read_metadata(path)
        chosen: list[int] = []
        size = 0
        for group in range(metadata.num_row_groups):
            chosen.append(group)
            size += metadata.row_group(group).num_rows
            if size >= rows or group == metadata.num_row_groups - 1:
                tasks.append(Task(f"{path.stem}.{chosen[0]}", size, path, tuple(chosen), columns))
                chosen, size = [], 0
    return tasks


class Done(NamedTuple):
    """What has become of some tasks: the most bytes that a process held meanwhile, and what they raised."""

    peak: int
    failures: Sequence[BaseException] = ()


class Pieces:
    """The pieces of a map's output while its tasks run: which are there, how many are, what failed."""

    def __init__(self, output: Path, progress: Progress, total: int | None) -> None:
        self.peak = 0
        self.failures: list[BaseException] = []
        self._output, self._progress, self._total, self._done = output, progress, total, 0
        self._running: dict[Future[Done], int] = {}

    def missing(self, tasks: Iterable[Task]) -> Iterator[Task]:
        """Those of ``tasks`` whose file is not there yet; no more once one has failed."""
        for task in tasks:
            if self.failures:
                return
            if (self._output / f"{task.key}.parquet").exists():
                self._advance(task.size)
            else:
                yield task

    def add(self, future: Future[Done], size: int) -> None:
        """Take note of tasks that run now, of ``size`` together."""
        self._running[future] = size

    def settle(self, most: int) -> None:
        """Wait until no more than ``most`` futures run."""
        while len(self._running) > most:
            for future in wait(self._running, return_when=FIRST_COMPLETED).done:
                size = self._running.pop(future)
                failure = future.exception()
                done = future.result() if failure is None else Done(0, [failure])
                self.peak = max(self.peak, done.peak)
                self.failures += done.failures
                self._advance(size)

    @contextmanager
    def finished(self) -> Iterator[None]:
        """Have the tasks that run within the block finished at its end, and kept whatever went wrong.

        Then the first failure is raised.
        """
        try:
            yield
        finally:
            self.settle(0)
        if self.failures:
            raise self.failures[0]

    def _advance(self, size: int) -> None:
        self._done += size
        self._progress(self._done, self._total)


def _explained_failures(output: Path) -> AbstractContextManager[None]:
    from building.engines.failures import explained_failures  # noqa: PLC0415 loads DuckDB, which workers spare

    return explained_failures(output)


Jobs = Callable[[Iterator[Task], Pieces], None]
"""Runs some tasks, and adds what runs to the pieces."""


class Runner(ABC):
    """What a builder may ask of an engine. ``workers``: how many threads a step may run on a machine.

    What an engine holds in ``_open`` ends with it.
    """

    def __init__(self, workers: int) -> None:
        self.workers = workers
        self._peak = 0
        self._open = ExitStack()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self._open.close()

    def peak_since_asked(self) -> int:
        """The largest resident size, in bytes, of a process while it ran a map's task, since the last call.

        It is 0 where there was no task.
        """
        peak, self._peak = self._peak, 0
        return peak

    def map(
        self,
        function: BatchMap,
        tasks: Iterable[Task],
        output: Path,
        schema: pa.Schema,
        progress: Progress = no_progress,
        total: int | None = None,
    ) -> None:
        """Apply ``function`` to every task and write the data set ``output``, one file a task.

        Tasks whose file is there already are not run again. When the tasks cannot be listed to their end
        (a dump that breaks off), those that were listed are finished before the error is raised.
        """
        output = self._named(output)
        pieces = Pieces(output, progress, total)
        with _explained_failures(output):
            output.mkdir(parents=True, exist_ok=True)
            try:
                with self._jobs(function, output, schema) as run, pieces.finished():
                    run(pieces.missing(tasks), pieces)
            finally:
                self._peak = max(self._peak, pieces.peak)
            if not any(output.glob("*.parquet")):
                with _finished(output / f"{EMPTY}.parquet") as unfinished:
                    pq.write_table(schema.empty_table(), unfinished)

    def sql(
        self, query: str, inputs: Mapping[str, Path], output: Path, progress: Progress = no_progress
    ) -> None:
        """Run a SELECT over data sets, by the names given to them, and write the data set ``output``.

        The query keeps to the ANSI subset that DuckDB and Spark share.
        """
        output = self._named(output)
        unfinished = output.with_name(output.name + ".partial")
        shutil.rmtree(unfinished, ignore_errors=True)
        with _explained_failures(output):
            self._select(query, inputs, unfinished, progress)
        shutil.rmtree(output, ignore_errors=True)
        unfinished.rename(output)
        progress(100, 100)

    def _named(self, output: Path) -> Path:
        """What the engine knows a data set by that it writes."""
        return output

    @abstractmethod
    def _jobs(self, function: BatchMap, output: Path, schema: pa.Schema) -> AbstractContextManager[Jobs]:
        """What begins the tasks of a map, and may wait for some before it begins others."""

    @abstractmethod
    def _select(self, query: str, inputs: Mapping[str, Path], output: Path, progress: Progress) -> None:
        """Write what a query selects into the folder ``output``, which is not there yet."""


def run_task(function: BatchMap, task: Task, output: Path, schema: pa.Schema) -> Done:
    """Write what ``function`` makes of ``task`` under its key.

    The same task may run twice at a time, on two machines: the last one to finish replaces the same rows.
    """
    reset_peak()
    path = output / f"{task.key}.parquet"
    with _finished(path) as unfinished, pq.ParquetWriter(unfinished, schema, compression="zstd") as writer:
        for batch in function(task.batches()):
            writer.write_batch(batch)
    done = Done(peak_bytes())
    release_memory()
    return done


@contextmanager
def _finished(path: Path) -> Iterator[Path]:
    """A name to write to, of nobody else on any machine; what was written there gets the name ``path``."""
    unfinished = path.with_name(f"{path.name}.{socket.gethostname()}.{os.getpid()}.{uuid4().hex[:8]}.partial")
    try:
        yield unfinished
        unfinished.rename(path)
    finally:
        unfinished.unlink(missing_ok=True)
