"""The local engine's own: its processes, its memory, and what its failures say."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import marisa_trie
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import sqlalchemy

from building.arrays import save_array
from building.engines.failures import explained_failures
from building.engines.local import LocalRunner
from building.engines.runner import Task
from snapshots.errors import DiskFull, OutOfMemory
from tests.conftest import ROOT
from tests.support.maps import NUMBERS, dies, numbers, read, squares
from tests.support.patience import PATIENCE


@pytest.fixture
def runner(tmp_path: Path) -> Iterator[LocalRunner]:
    with LocalRunner(2, 1_000_000_000, tmp_path / "scratch") as runner:
        yield runner


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
from building.engines.local import LocalRunner
from building.engines.runner import Task
from tests.support.maps import NUMBERS, numbers
from tests.building.test_runner import names_itself_and_waits
if __name__ == "__main__":
    folder = Path({str(tmp_path)!r})
    tasks = [Task(str(n), 1, numbers(n)) for n in range(2)]
    function = partial(names_itself_and_waits, folder=folder / "workers")
    LocalRunner(2, 2_000_000_000, folder / "s").map(function, tasks, folder / "out", NUMBERS)
"""
    (tmp_path / "script.py").write_text(script)
    workers = tmp_path / "workers"
    workers.mkdir()
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    main = subprocess.Popen([sys.executable, tmp_path / "script.py"], env=environment)
    while len(list(workers.iterdir())) < 2:
        assert main.poll() is None
        time.sleep(0.05)
    main.kill()
    main.wait()
    patience = time.monotonic() + PATIENCE
    while any(Path(f"/proc/{worker.name}").exists() for worker in workers.iterdir()):
        assert time.monotonic() < patience, "a worker outlives the process that started it"
        time.sleep(0.1)


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


def own_process(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    for _ in batches:
        yield numbers(os.getpid())


@pytest.mark.parametrize(("memory", "processes"), [(999_999_999, 2), (1_000_000_000, 1)])
def test_a_worker_ends_with_its_map_where_memory_is_short(
    tmp_path: Path, memory: int, processes: int
) -> None:
    with LocalRunner(1, memory, tmp_path / "scratch") as runner:
        for name in ("a", "b"):
            runner.map(own_process, [Task("0", 1, numbers(1))], tmp_path / name, NUMBERS)
    assert len({*read(tmp_path / "a"), *read(tmp_path / "b")}) == processes


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
