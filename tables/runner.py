"""The engine that builds tables: Arrow maps and SQL, and nothing else.

Builders are written on the two operations of ``Runner``. ``LocalRunner`` runs them on one machine: maps in
a process pool, SQL on DuckDB, which spills to disk beyond its memory. A data set is a folder of Parquet
files; a finished file or folder has its name, an unfinished one never does.
"""

from __future__ import annotations

import os
import shutil
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing import get_context, parent_process
from pathlib import Path
from typing import Any, Protocol, Self

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq

from tables.failures import explained_failures
from tables.memory import peak_bytes

BatchMap = Callable[[Iterator[pa.RecordBatch]], Iterator[pa.RecordBatch]]
"""A pure, picklable function from record batches to record batches: Spark's ``mapInArrow``."""

Progress = Callable[[int, int | None], None]
"""Called with the work done so far and the whole of it, or None where that is not known."""

EMPTY = "empty"
"""The name of the one file of a data set without rows."""

ROWS_IN_A_BATCH = 4_096
WORKER_BYTES = 500_000_000
"""What a worker process holds at most, its libraries included, as measured on the English dump."""

LEAST_MEMORY = WORKER_BYTES
"""The least memory that a build takes: one worker's, of which DuckDB gets half in its turn."""


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
        """The rows of the piece, a few thousand at a time."""
        if isinstance(self.content, pa.RecordBatch):
            yield self.content
            return
        with pq.ParquetFile(self.content) as file:
            yield from file.iter_batches(ROWS_IN_A_BATCH, list(self.row_groups), self.columns)


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


class Runner(Protocol):
    """What a builder may ask of an engine. ``workers``: how many threads a step may run on a machine."""

    workers: int

    def peak_since_asked(self) -> int:
        """The largest resident size, in bytes, of a process that has run a map's task since the last call.

        It is a process's own peak, which never falls while the process lives; 0 where there was no task.
        """

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

    def sql(
        self, query: str, inputs: Mapping[str, Path], output: Path, progress: Progress = no_progress
    ) -> None:
        """Run a SELECT over data sets, by the names given to them, and write the data set ``output``.

        The query keeps to the ANSI subset that DuckDB and Spark share.
        """


class LocalRunner:
    """The engine of one machine: processes and DuckDB, together within ``memory`` bytes.

    It runs ``workers`` threads, and as many processes as long as they need no more than half the memory;
    one process is always run.
    """

    def __init__(self, workers: int, memory: int, scratch: Path) -> None:
        self.workers = workers
        self.processes = max(1, min(workers, memory // 2 // WORKER_BYTES))
        self.memory = memory
        self.scratch = scratch
        self._peak = 0
        self._pool: ProcessPoolExecutor | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        if self._pool is not None:
            self._pool.shutdown(wait=True, cancel_futures=True)
            self._pool = None

    def peak_since_asked(self) -> int:
        """See ``Runner.peak_since_asked``."""
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
        """See ``Runner.map``."""
        output.mkdir(parents=True, exist_ok=True)
        done = 0
        running: dict[Future[int], int] = {}
        failures: list[BaseException] = []

        def settle(limit: int) -> None:
            nonlocal done
            while len(running) > limit:
                for future in wait(running, return_when=FIRST_COMPLETED).done:
                    done += running.pop(future)
                    if (failure := future.exception()) is not None:
                        failures.append(failure)
                    else:
                        self._peak = max(self._peak, future.result())
                progress(done, total)

        with explained_failures(output):
            try:
                for task in tasks:
                    if failures:
                        break
                    path = output / f"{task.key}.parquet"
                    if path.exists():
                        done += task.size
                        progress(done, total)
                        continue
                    running[self._workers().submit(_run_task, function, task, path, schema)] = task.size
                    settle(2 * self.processes)
            finally:
                settle(0)  # what is running is finished and kept, whatever went wrong
            if failures:
                raise failures[0]
            if not any(output.glob("*.parquet")):
                unfinished = output / f"{EMPTY}.parquet.partial"
                pq.write_table(schema.empty_table(), unfinished)
                unfinished.rename(output / f"{EMPTY}.parquet")

    def sql(
        self, query: str, inputs: Mapping[str, Path], output: Path, progress: Progress = no_progress
    ) -> None:
        """See ``Runner.sql``."""
        unfinished = output.with_name(output.name + ".partial")
        shutil.rmtree(unfinished, ignore_errors=True)
        unfinished.mkdir(parents=True)
        self.scratch.mkdir(parents=True, exist_ok=True)
        with explained_failures(output), duckdb.connect() as connection:
            limit = max(self.memory - self.processes * WORKER_BYTES, self.memory // 2)
            connection.execute(f"SET memory_limit = '{limit // 1_000_000}MB'")
            connection.execute(f"SET threads = {self.workers}")
            connection.execute(f"SET temp_directory = {_quoted(self.scratch)}")
            for name, dataset in inputs.items():
                files = _quoted(dataset / "*.parquet")
                connection.execute(f"CREATE VIEW {name} AS SELECT * FROM read_parquet({files})")  # noqa: S608
            with _watched(connection, progress):
                connection.execute(
                    f"COPY ({query}) TO {_quoted(unfinished / 'part-0.parquet')} "
                    "(FORMAT parquet, COMPRESSION zstd)"
                )
        shutil.rmtree(output, ignore_errors=True)
        unfinished.rename(output)

    def _workers(self) -> ProcessPoolExecutor:
        if self._pool is None:
            # Spawned, not forked: DuckDB and Arrow have threads, which do not survive a fork.
            spawn = get_context("spawn")
            self._pool = ProcessPoolExecutor(self.processes, spawn, initializer=_end_with_parent)
        return self._pool


def _end_with_parent() -> None:
    """Let this worker end when the process that started it is killed: it would wait for tasks for ever."""

    def wait_for_parent() -> None:
        parent = parent_process()
        if parent is not None:
            parent.join()
            os._exit(1)

    threading.Thread(target=wait_for_parent, daemon=True).start()


def _run_task(function: BatchMap, task: Task, path: Path, schema: pa.Schema) -> int:
    """Write what ``function`` makes of ``task``; return this process's peak memory in bytes."""
    unfinished = path.with_name(f"{path.name}.{os.getpid()}.partial")
    try:
        with pq.ParquetWriter(unfinished, schema, compression="zstd") as writer:
            for batch in function(task.batches()):
                writer.write_batch(batch)
        unfinished.rename(path)
    finally:
        unfinished.unlink(missing_ok=True)
    return peak_bytes()


def _quoted(path: Path) -> str:
    return "'" + str(path).replace("'", "''") + "'"


@contextmanager
def _watched(connection: Any, progress: Progress) -> Iterator[None]:  # noqa: ANN401 duckdb has no public type
    """Report how far the connection's running query is, in per cent, from a second thread."""
    finished = threading.Event()

    def watch() -> None:
        while not finished.wait(0.5):
            progress(max(0, int(connection.query_progress())), 100)

    watcher = threading.Thread(target=watch, daemon=True)
    watcher.start()
    try:
        yield
    finally:
        finished.set()
        watcher.join()
    progress(100, 100)
