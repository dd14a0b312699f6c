"""The engine of one machine: maps in a process pool, SQL on DuckDB, which spills to disk."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from glob import escape
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa

from building.engines.runner import (
    WORKER_BYTES,
    BatchMap,
    Jobs,
    Pieces,
    Progress,
    Runner,
    Task,
    processes_within,
    run_task,
)
from building.engines.worker import begin_worker
from building.memory import keep_little_memory

LEAST_MEMORY = 500_000_000
"""The least memory that a build takes."""

_MAIN_BYTES = 250_000_000
"""What the main process holds at most beside what a query does, its libraries included, and ..."""

_IDLE_BYTES = 300_000_000
"""... what a worker process holds while a query runs; both as measured on the English dump."""

_SPARE_SHARE = 0.1
"""How much of the memory is left to what nobody counts: queries beyond their limit, the system's own."""


class LocalRunner(Runner):
    """The engine of one machine: processes and DuckDB, together within ``memory`` bytes.

    It runs ``workers`` threads, and as many processes as long as they need no more than half the memory;
    one process is always run. Where half the memory does not hold that one, it ends with each map, and a
    query or a training has what it held.
    """

    def __init__(self, workers: int, memory: int, scratch: Path) -> None:
        super().__init__(workers)
        self.processes = processes_within(memory, workers)
        self.memory = memory
        self.scratch = scratch
        self._ends_with_map = memory // 2 < WORKER_BYTES
        self._pool: ProcessPoolExecutor | None = None
        self._open.callback(self._end_workers)

    @contextmanager
    def _jobs(self, function: BatchMap, output: Path, schema: pa.Schema) -> Iterator[Jobs]:
        def run(tasks: Iterator[Task], pieces: Pieces) -> None:
            for task in tasks:
                pieces.add(self._workers().submit(run_task, function, task, output, schema), task.size)
                pieces.settle(2 * self.processes)

        try:
            yield run
        finally:
            if self._ends_with_map:
                self._end_workers()

    def _select(self, query: str, inputs: Mapping[str, Path], output: Path, progress: Progress) -> None:
        output.mkdir(parents=True)
        self.scratch.mkdir(parents=True, exist_ok=True)
        with duckdb.connect() as connection:
            held = _MAIN_BYTES + (0 if self._ends_with_map else self.processes * _IDLE_BYTES)
            limit = max(int((1 - _SPARE_SHARE) * self.memory) - held, self.memory // 4)
            connection.execute(f"SET memory_limit = '{limit // 1_000_000}MB'")
            connection.execute(f"SET threads = {self.workers}")
            connection.execute(f"SET temp_directory = {_quoted(self.scratch)}")
            # How far a query is shall be told, and not be printed.
            connection.execute("SET enable_progress_bar = true")
            connection.execute("SET enable_progress_bar_print = false")
            for name, dataset in inputs.items():
                files = _quoted(Path(escape(str(dataset))) / "*.parquet")
                connection.execute(f"CREATE VIEW {name} AS SELECT * FROM read_parquet({files})")  # noqa: S608 names and paths of ours
            with _watched(connection, progress):
                part = _quoted(output / "part-0.parquet")
                connection.execute(f"COPY ({query}) TO {part} (FORMAT parquet, COMPRESSION zstd)")

    def _workers(self) -> ProcessPoolExecutor:
        if self._pool is None:
            # Spawned, not forked: DuckDB and Arrow have threads, which do not survive a fork.
            spawn = get_context("spawn")
            keep_little_memory()
            self._pool = ProcessPoolExecutor(self.processes, spawn, initializer=begin_worker)
        return self._pool

    def _end_workers(self) -> None:
        if self._pool is not None:
            self._pool.shutdown(wait=True, cancel_futures=True)
            self._pool = None


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
