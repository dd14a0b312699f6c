"""The local engine: results, resuming, and what its failures say."""

from __future__ import annotations

import errno
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import marisa_trie
import numpy as np
import pyarrow as pa
import pyarrow.dataset as ds
import pyarrow.parquet as pq
import pytest
import sqlalchemy

from tables.arrays import save_array
from tables.errors import DiskFull, OutOfMemory
from tables.failures import explained_failures
from tables.runner import LocalRunner, Task, tasks_over

NUMBERS = pa.schema([("n", pa.int64())])


def numbers(*values: int) -> pa.RecordBatch:
    return pa.record_batch([pa.array(values, pa.int64())], schema=NUMBERS)


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


def dies(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    os.kill(os.getpid(), signal.SIGKILL)
    yield from batches


def read(dataset: Path) -> list[int]:
    return sorted(ds.dataset(dataset).to_table().column("n").to_pylist())


@pytest.fixture
def runner(tmp_path: Path) -> Iterator[LocalRunner]:
    with LocalRunner(2, 1_000_000_000, tmp_path / "scratch") as runner:
        yield runner


def test_map_applies_to_every_task(runner: LocalRunner, tmp_path: Path) -> None:
    seen: list[tuple[int, int | None]] = []
    tasks = [Task(str(n), 10, numbers(n, n + 100)) for n in range(7)]
    runner.map(squares, tasks, tmp_path / "out", NUMBERS, lambda *done: seen.append(done), 70)
    assert read(tmp_path / "out") == sorted(n**2 for k in range(7) for n in (k, k + 100))
    assert seen[-1] == (70, 70)
    assert [done for done, _ in seen] == sorted(done for done, _ in seen)


def test_map_does_not_repeat_finished_tasks(runner: LocalRunner, tmp_path: Path) -> None:
    log = tmp_path / "log"
    tasks = [Task(str(n), 1, numbers(n)) for n in range(4)]
    runner.map(squares, tasks[:2], tmp_path / "out", NUMBERS)
    runner.map(partial(squares, log=log), tasks, tmp_path / "out", NUMBERS)
    assert sorted(log.read_text().split()) == ["[2]", "[3]"]
    assert read(tmp_path / "out") == [0, 1, 4, 9]


def test_a_task_that_fails_keeps_the_others(runner: LocalRunner, tmp_path: Path) -> None:
    tasks = [Task(str(n), 1, numbers(n)) for n in range(6)]
    with pytest.raises(ValueError, match="three"):
        runner.map(fails_on_three, tasks, tmp_path / "out", NUMBERS)
    assert not (tmp_path / "out" / "3.parquet").exists()
    assert {path.stem for path in (tmp_path / "out").glob("*")} <= {"0", "1", "2", "4", "5"}
    assert {0, 1, 2} <= set(read(tmp_path / "out"))


def test_tasks_that_break_off_are_finished_as_far_as_they_came(runner: LocalRunner, tmp_path: Path) -> None:
    def broken() -> Iterator[Task]:
        for n in range(3):
            yield Task(str(n), 1, numbers(n))
        raise ValueError("the dump ends here")

    with pytest.raises(ValueError, match="ends here"):
        runner.map(squares, broken(), tmp_path / "out", NUMBERS)
    assert read(tmp_path / "out") == [0, 1, 4]


def test_a_killed_worker_is_explained(tmp_path: Path) -> None:
    with LocalRunner(1, 1_000_000_000, tmp_path) as runner, pytest.raises(OutOfMemory, match="resumes"):
        runner.map(dies, [Task("0", 1, numbers(1))], tmp_path / "out", NUMBERS)
    assert not (tmp_path / "out" / "0.parquet").exists()


def names_itself_and_waits(batches: Iterator[pa.RecordBatch], folder: Path) -> Iterator[pa.RecordBatch]:
    (folder / str(os.getpid())).touch()
    time.sleep(60)
    yield from batches


def test_workers_end_with_the_process_that_started_them(tmp_path: Path) -> None:
    script = f"""
from functools import partial
from pathlib import Path
from tables.runner import LocalRunner, Task
from tests.test_runner import NUMBERS, names_itself_and_waits, numbers
if __name__ == "__main__":
    folder = Path({str(tmp_path)!r})
    tasks = [Task(str(n), 1, numbers(n)) for n in range(2)]
    function = partial(names_itself_and_waits, folder=folder / "workers")
    LocalRunner(2, 2_000_000_000, folder / "s").map(function, tasks, folder / "out", NUMBERS)
"""
    (tmp_path / "script.py").write_text(script)
    workers = tmp_path / "workers"
    workers.mkdir()
    environment = os.environ | {"PYTHONPATH": str(Path(__file__).parent.parent)}
    main = subprocess.Popen([sys.executable, tmp_path / "script.py"], env=environment)
    while len(list(workers.iterdir())) < 2:
        assert main.poll() is None
        time.sleep(0.05)
    main.kill()
    main.wait()
    patience = time.monotonic() + 20
    while any(Path(f"/proc/{worker.name}").exists() for worker in workers.iterdir()):
        assert time.monotonic() < patience, "a worker outlives the process that started it"
        time.sleep(0.1)


def test_tasks_cover_a_data_set_once(runner: LocalRunner, tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    for part in range(3):
        table = pa.table({"n": range(part * 100, part * 100 + 100)}, schema=NUMBERS)
        pq.write_table(table, tmp_path / "in" / f"{part}.parquet", row_group_size=30)
    tasks = tasks_over(tmp_path / "in", rows=50)
    assert len({task.key for task in tasks}) == len(tasks) == 6
    runner.map(squares, tasks, tmp_path / "out", NUMBERS)
    assert read(tmp_path / "out") == [n**2 for n in range(300)]


def test_a_data_set_without_rows_is_one_all_the_same(runner: LocalRunner, tmp_path: Path) -> None:
    runner.map(squares, [], tmp_path / "none", NUMBERS)
    runner.sql("SELECT n FROM it", {"it": tmp_path / "none"}, tmp_path / "out")
    assert read(tmp_path / "out") == []


def test_sql_reads_and_writes_data_sets(runner: LocalRunner, tmp_path: Path) -> None:
    runner.map(squares, [Task(str(n), 1, numbers(n)) for n in range(5)], tmp_path / "it's here", NUMBERS)
    runner.sql("SELECT n FROM it WHERE n > 1", {"it": tmp_path / "it's here"}, tmp_path / "out")
    assert read(tmp_path / "out") == [4, 9, 16]
    runner.sql("SELECT n + 1 AS n FROM it", {"it": tmp_path / "out"}, tmp_path / "out2")
    assert read(tmp_path / "out2") == [5, 10, 17]


def test_a_query_that_fails_leaves_nothing(runner: LocalRunner, tmp_path: Path) -> None:
    runner.map(squares, [Task("0", 1, numbers(1))], tmp_path / "in", NUMBERS)
    with pytest.raises(Exception, match="nowhere"):
        runner.sql("SELECT nowhere FROM it", {"it": tmp_path / "in"}, tmp_path / "out")
    assert not (tmp_path / "out").exists()


@pytest.fixture
def full_disk(tmp_path: Path) -> Iterator[Path]:
    """A folder on a disk with no room left."""
    disk = tmp_path / "disk"
    disk.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", str(disk)]
    if subprocess.run(mount, check=False, capture_output=True).returncode:
        pytest.skip("mounting a small disk takes rights that this user has not")
    try:
        yield disk
    finally:
        subprocess.run(["umount", disk], check=True)


def write_array(disk: Path) -> None:
    save_array(disk / "a.npy", np.zeros(100_000))


def write_look_up(disk: Path) -> None:
    marisa_trie.RecordTrie("<I", ((f"{n:x}", (n,)) for n in range(100_000))).save(str(disk / "a.marisa"))


def write_database(disk: Path) -> None:
    engine = sqlalchemy.create_engine(f"sqlite:///{disk / 'a.sqlite'}")
    try:
        with engine.begin() as connection:
            connection.execute(sqlalchemy.text("CREATE TABLE t (x)"))
            connection.execute(sqlalchemy.text("INSERT INTO t VALUES (zeroblob(200000))"))
    finally:
        engine.dispose()


def write_parquet(disk: Path) -> None:
    pq.write_table(pa.table({"n": np.random.default_rng(1).random(100_000)}), disk / "a.parquet")


def write_by_query(disk: Path) -> None:
    with LocalRunner(1, 500_000_000, disk / "scratch") as runner:
        pq.write_table(pa.table({"n": [1]}), disk / "0.parquet")
        runner.sql("SELECT random() FROM it, range(100000)", {"it": disk}, disk / "out")


@pytest.mark.parametrize("write", [write_array, write_look_up, write_database, write_parquet, write_by_query])
def test_a_full_disk_is_explained(full_disk: Path, write: Callable[[Path], None]) -> None:
    with pytest.raises(DiskFull, match="Make room"), explained_failures(full_disk / "out"):
        write(full_disk)


def test_other_failures_are_left_as_they_are(tmp_path: Path) -> None:
    with pytest.raises(RuntimeError, match="a fault"), explained_failures(tmp_path / "out"):
        raise RuntimeError("a fault of ours")


@pytest.mark.parametrize(
    ("workers", "memory", "processes"),
    [(8, 4_000_000_000, 4), (2, 4_000_000_000, 2), (8, 1_999_999_999, 1), (3, 10_000_000, 1)],
)
def test_no_more_processes_than_half_the_memory_holds(
    tmp_path: Path, workers: int, memory: int, processes: int
) -> None:
    with LocalRunner(workers, memory, tmp_path) as runner:
        assert runner.processes == processes


def takes_memory(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    for batch in batches:
        held = np.ones(batch.column(0)[0].as_py(), np.uint8)
        yield numbers(len(held))


def test_the_peak_of_a_worker_is_known(runner: LocalRunner, tmp_path: Path) -> None:
    runner.map(takes_memory, [Task("0", 1, numbers(1)), Task("1", 1, numbers(2))], tmp_path / "a", NUMBERS)
    usual = runner.peak_since_asked()
    assert 0 < usual < 500_000_000
    runner.map(takes_memory, [Task("0", 1, numbers(400_000_000))], tmp_path / "b", NUMBERS)
    assert runner.peak_since_asked() > usual + 300_000_000
    assert runner.peak_since_asked() == 0


def test_an_empty_data_set_is_written_whole_or_not(
    runner: LocalRunner, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def breaks_off(table: pa.Table, path: Path) -> None:
        path.write_bytes(b"PAR1")
        raise OSError(errno.EIO, "broken")

    monkeypatch.setattr(pq, "write_table", breaks_off)
    with pytest.raises(OSError, match="broken"):
        runner.map(squares, [], tmp_path / "none", NUMBERS)
    assert not list((tmp_path / "none").glob("*.parquet"))
    monkeypatch.undo()
    runner.map(squares, [], tmp_path / "none", NUMBERS)
    assert read(tmp_path / "none") == []


def test_too_little_memory_is_explained(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    pq.write_table(pa.table({"n": range(2_000_000)}), tmp_path / "in" / "0.parquet")
    with (
        LocalRunner(1, 2_000_000, tmp_path / "s") as runner,
        pytest.raises(OutOfMemory, match="larger --memory"),
    ):
        runner.sql("SELECT n, list(n) FROM it GROUP BY n", {"it": tmp_path / "in"}, tmp_path / "out")
