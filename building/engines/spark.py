"""The engine of a cluster: maps through ``mapInArrow``, SQL through Spark SQL, on PySpark.

The work folder is on a file system that every node and this process mount under the same path. A map's
pieces are written by the workers themselves, each whole or not at all, into a folder of this run; this
process moves them to their place. So whatever becomes of a task, tried again or twice at a time, on a node
that was given up and lives on, a piece is there once, and a later run finds it.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any
from uuid import uuid4

import pyarrow as pa

from building.engines.runner import BatchMap, Done, Jobs, Pieces, Progress, Runner, Task, run_task
from building.engines.spark_rows import TASKS, Failure, task_of, task_row
from building.engines.spark_session import LOCAL, spark_session
from snapshots.errors import BuildError

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

WAVES = 2
"""How many jobs of a map run at a time: the next one's tasks fill the places that one's last tasks leave."""

WAVE_BYTES = 32_000_000
"""The most that the tasks of one job hold, if not said otherwise."""

_LEAST_TASKS = 8

_OUTCOMES = "key string, peak long, failure string"
_OUTCOME = pa.schema([("key", pa.string()), ("peak", pa.int64()), ("failure", pa.string())])


class SparkRunner(Runner):
    """The engine of the cluster ``master``, or of this machine where that is ``local[…]``.

    ``workers``, ``memory`` (bytes) and ``scratch`` are this machine's; the cluster has settings of its own,
    which ``conf`` gives. Paths are absolute, and the same on every node. ``wave_bytes``: what the tasks of
    one job hold at most, if it is more than one task: they pass through this process.

    Raises:
        EngineUnavailable: PySpark, Java or the master is not there.
    """

    def __init__(
        self,
        workers: int,
        memory: int,
        scratch: Path,
        master: str = LOCAL,
        conf: Mapping[str, str] | None = None,
        wave_bytes: int = WAVE_BYTES,
    ) -> None:
        super().__init__(workers)
        self.wave_bytes = wave_bytes
        session = spark_session(master, workers, memory, scratch.absolute(), conf or {})
        self._spark = self._open.enter_context(session)
        self._tasks = _one_row_a_partition(self._spark)

    def _named(self, output: Path) -> Path:
        return output.absolute()

    @contextmanager
    def _jobs(self, function: BatchMap, output: Path, schema: pa.Schema) -> Iterator[Jobs]:
        with _unfinished(output) as unfinished, ThreadPoolExecutor(WAVES) as jobs:

            def run(tasks: Iterator[Task], pieces: Pieces) -> None:
                for wave, size in self._waves(tasks):
                    pieces.settle(WAVES - 1)
                    if pieces.failures:
                        break
                    pieces.add(jobs.submit(self._run, function, wave, unfinished, output, schema), size)

            yield run

    def _select(self, query: str, inputs: Mapping[str, Path], output: Path, progress: Progress) -> None:
        session = self._spark.newSession()
        for name, dataset in inputs.items():
            files = session.read.option("pathGlobFilter", "*.parquet").parquet(_pattern(dataset))
            files.createOrReplaceTempView(name)
        session.sql(query).write.parquet(_address(output))
        # The names of Spark's files sort as their rows do; beside them are checksums that nobody else reads.
        for number, path in enumerate(sorted(output.glob("part-*.parquet"))):
            path.rename(output / f"part-{number:05d}.parquet")
        for path in output.glob(".*"):
            path.unlink()

    def _waves(self, tasks: Iterable[Task]) -> Iterator[tuple[list[dict[str, Any]], int]]:
        """The tasks as rows, some at a time, with their sizes together; also those before they break off."""
        wave: list[dict[str, Any]] = []
        size = held = 0
        try:
            for task in tasks:
                row = task_row(task)
                data = len(row["batch"] or b"")
                most = max(_LEAST_TASKS, 2 * self._spark.sparkContext.defaultParallelism)
                if wave and (len(wave) >= most or held + data > self.wave_bytes):
                    yield wave, size
                    wave, size, held = [], 0, 0
                wave.append(row)
                size += task.size
                held += data
        except Exception:
            if wave:
                yield wave, size
            raise
        if wave:
            yield wave, size

    def _run(
        self, function: BatchMap, wave: list[dict[str, Any]], pieces: Path, output: Path, schema: pa.Schema
    ) -> Done:
        """Run some tasks as a job, and put their pieces in their place."""

        def attempt(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
            return outcomes(batches, function, pieces, schema)

        frame = self._tasks.createDataFrame(pa.Table.from_pylist(wave, TASKS))
        most, failures = 0, list[BaseException]()
        for key, peak, failure in frame.mapInArrow(attempt, _OUTCOMES).collect():
            if failure is not None:
                failures.append(Failure.error(failure))
                continue
            try:
                (pieces / f"{key}.parquet").rename(output / f"{key}.parquet")
            except FileNotFoundError:
                raise BuildError(
                    f"A worker wrote a piece of {output} that is not here. The folder of a build must be "
                    "on a file system that all nodes of the cluster and this machine share."
                ) from None
            most = max(most, peak)
        return Done(most, failures)


def outcomes(
    batches: Iterator[pa.RecordBatch], function: BatchMap, pieces: Path, schema: pa.Schema
) -> Iterator[pa.RecordBatch]:
    """Run tasks on a worker: each task's key and the peak memory in bytes, or what it raised."""
    for batch in batches:
        for row in batch.to_pylist():
            task = task_of(row)
            peak, failure = 0, None
            try:
                peak = run_task(function, task, pieces, schema).peak
            except Exception as error:
                failure = Failure.of(error)
            yield pa.RecordBatch.from_pylist(
                [{"key": task.key, "peak": peak, "failure": failure}], schema=_OUTCOME
            )


def _one_row_a_partition(spark: SparkSession) -> SparkSession:
    """A session in which every row of a table that is made here is a task."""
    session = spark.newSession()
    session.conf.set("spark.sql.leafNodeDefaultParallelism", str(1 << 30))
    session.conf.set("spark.sql.execution.arrow.maxRecordsPerBatch", "1")
    return session


@contextmanager
def _unfinished(output: Path) -> Iterator[Path]:
    """A folder beside ``output`` for this run's pieces; what an earlier run left in its own is taken over.

    It is removed in the end, so that a worker that nobody waits for any more has nowhere to write to.
    """
    for left in output.parent.glob(f"{output.name}.*.pieces"):
        _take_over(left, output)
    pieces = output.with_name(f"{output.name}.{uuid4().hex}.pieces")
    pieces.mkdir()
    try:
        yield pieces
    finally:
        _take_over(pieces, output)


def _take_over(pieces: Path, output: Path) -> None:
    for piece in pieces.glob("*.parquet"):
        piece.rename(output / piece.name)
    shutil.rmtree(pieces, ignore_errors=True)


def _address(path: Path) -> str:
    return f"file://{path}"


def _pattern(dataset: Path) -> str:
    """The address of a data set to read, where Spark would take some characters for a pattern's."""
    return re.sub(r"[{}\[\]*?\\]", r"\\\g<0>", _address(dataset.absolute()))
