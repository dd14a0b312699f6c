"""Both engines: the contract of ``Runner``, and the same answers to the SQL that they share."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.dataset as ds
import pyarrow.parquet as pq
import pytest

from building.engines.local import LocalRunner
from building.engines.runner import ROWS_IN_A_GROUP, Runner, Task, tasks_over
from snapshots.errors import OutOfMemory
from tests.support.maps import NUMBERS, dies, fails_on_three, fails_unportably, numbers, read, squares
from tests.support.spark import spark_runner


@pytest.fixture(scope="module")
def spark(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Runner]:
    with spark_runner(tmp_path_factory.mktemp("spark")) as runner:
        yield runner


@pytest.fixture(scope="module")
def duckdb(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Runner]:
    with LocalRunner(2, 1_000_000_000, tmp_path_factory.mktemp("duckdb")) as runner:
        yield runner


@pytest.fixture(params=["duckdb", "spark"])
def runner(request: pytest.FixtureRequest) -> Any:
    return request.getfixturevalue(request.param)


def test_map_applies_to_every_task(runner: Runner, tmp_path: Path) -> None:
    seen: list[tuple[int, int | None]] = []
    tasks = [Task(str(n), 10, numbers(n, n + 100)) for n in range(20)]
    runner.map(squares, tasks, tmp_path / "out", NUMBERS, lambda *done: seen.append(done), 200)
    assert read(tmp_path / "out") == sorted(n**2 for k in range(20) for n in (k, k + 100))
    assert seen[-1] == (200, 200)
    assert len(seen) > 1
    assert [done for done, _ in seen] == sorted(done for done, _ in seen)
    assert {path.name for path in (tmp_path / "out").iterdir()} == {f"{n}.parquet" for n in range(20)}
    assert [path.name for path in tmp_path.iterdir()] == ["out"]
    assert 0 < runner.peak_since_asked() < 1_000_000_000
    assert runner.peak_since_asked() == 0


def test_map_does_not_repeat_finished_tasks(runner: Runner, tmp_path: Path) -> None:
    log = tmp_path / "log"
    tasks = [Task(str(n), 1, numbers(n)) for n in range(4)]
    runner.map(squares, tasks[:2], tmp_path / "out", NUMBERS)
    runner.map(partial(squares, log=log), tasks, tmp_path / "out", NUMBERS)
    assert sorted(log.read_text().split()) == ["[2]", "[3]"]
    assert read(tmp_path / "out") == [0, 1, 4, 9]


def test_a_task_that_fails_keeps_the_others(runner: Runner, tmp_path: Path) -> None:
    tasks = [Task(str(n), 1, numbers(n)) for n in range(6)]
    with pytest.raises(ValueError, match="three") as raised:
        runner.map(fails_on_three, tasks, tmp_path / "out", NUMBERS)
    assert "fails_on_three" in str([raised.value.__cause__, *getattr(raised.value, "__notes__", ())])
    assert not (tmp_path / "out" / "3.parquet").exists()
    assert {path.stem for path in (tmp_path / "out").glob("*")} <= {"0", "1", "2", "4", "5"}
    assert {0, 1, 2} <= set(read(tmp_path / "out"))


def test_a_failure_that_cannot_be_sent_is_told_all_the_same(spark: Runner, tmp_path: Path) -> None:
    with pytest.raises(RuntimeError, match="Unportable: number 1"):
        spark.map(fails_unportably, [Task("0", 1, numbers(5))], tmp_path / "out", NUMBERS)


def test_a_killed_worker_is_explained(spark: Runner, tmp_path: Path) -> None:
    with pytest.raises(OutOfMemory, match=r"exited unexpectedly.*resumes"):
        spark.map(dies, [Task("0", 1, numbers(1))], tmp_path / "out", NUMBERS)
    assert list((tmp_path / "out").iterdir()) == []


def test_tasks_that_break_off_are_finished_as_far_as_they_came(runner: Runner, tmp_path: Path) -> None:
    def broken() -> Iterator[Task]:
        for n in range(3):
            yield Task(str(n), 1, numbers(n))
        raise ValueError("the dump ends here")

    with pytest.raises(ValueError, match="ends here"):
        runner.map(squares, broken(), tmp_path / "out", NUMBERS)
    assert read(tmp_path / "out") == [0, 1, 4]


def test_tasks_are_listed_as_they_are_needed(
    spark: Runner, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A dump of one stream hands its data over in the tasks: all of them together would fill the memory."""
    ahead: list[int] = []

    def large() -> Iterator[Task]:
        for n in range(24):
            ahead.append(n + 1 - len(list(tmp_path.glob("out/*.parquet"))))
            yield Task(f"{n:02d}", 1, numbers(*range(n, n + 1000)))

    monkeypatch.setattr(spark, "wave_bytes", 20_000)  # two tasks, of 8,000 bytes and more each
    spark.map(squares, large(), tmp_path / "out", NUMBERS)
    assert len(read(tmp_path / "out")) == 24_000
    assert max(ahead) <= 7  # two waves at work, one gathered, and the one that did not fit into it


def test_what_a_killed_run_left_is_taken_over(spark: Runner, tmp_path: Path) -> None:
    left = tmp_path / "out.0123.pieces"
    left.mkdir()
    pq.write_table(pa.Table.from_batches([numbers(7)]), left / "1.parquet")
    (left / "2.parquet.node.17.partial").write_bytes(b"PAR1")
    spark.map(squares, [Task(str(n), 1, numbers(n)) for n in range(3)], tmp_path / "out", NUMBERS)
    assert read(tmp_path / "out") == [0, 4, 7]
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


def test_tasks_cover_a_data_set_once(runner: Runner, tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    for part in range(3):
        table = pa.table({"n": range(part * 100, part * 100 + 100)}, schema=NUMBERS)
        pq.write_table(table, tmp_path / "in" / f"{part}.parquet", row_group_size=30)
    tasks = tasks_over(tmp_path / "in", rows=50)
    assert len({task.key for task in tasks}) == len(tasks) == 6
    runner.map(squares, tasks, tmp_path / "out", NUMBERS)
    assert read(tmp_path / "out") == [n**2 for n in range(300)]


def test_a_data_set_without_rows_is_one_all_the_same(runner: Runner, tmp_path: Path) -> None:
    runner.map(squares, [], tmp_path / "none", NUMBERS)
    runner.sql("SELECT n FROM it ORDER BY n", {"it": tmp_path / "none"}, tmp_path / "out")
    assert read(tmp_path / "out") == []


def test_sql_reads_and_writes_data_sets(runner: Runner, tmp_path: Path) -> None:
    folder = tmp_path / "it's [here] {ü}"
    runner.map(squares, [Task(str(n), 1, numbers(n)) for n in range(5)], folder / "in", NUMBERS)
    (folder / "in" / "9.parquet.node.17.partial").write_bytes(b"PAR1")  # of a worker that was killed
    runner.sql("SELECT n FROM it WHERE n > 1", {"it": folder / "in"}, folder / "out")
    assert read(folder / "out") == [4, 9, 16]
    runner.sql("SELECT n + 1 AS n FROM it", {"it": folder / "out"}, folder / "out2")
    assert read(folder / "out2") == [5, 10, 17]
    assert sorted(path.name for path in folder.iterdir()) == ["in", "out", "out2"]
    assert all(path.name.startswith("part-") and path.suffix == ".parquet" for path in folder.glob("out*/*"))


def test_a_query_that_fails_leaves_nothing(
    runner: Runner, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    runner.map(squares, [Task("0", 1, numbers(1))], tmp_path / "in", NUMBERS)
    with pytest.raises(Exception, match="nowhere"):
        runner.sql("SELECT nowhere FROM it", {"it": tmp_path / "in"}, tmp_path / "out")
    assert not (tmp_path / "out").exists()
    assert capfd.readouterr().err == ""


def test_rows_stay_in_order_over_files_and_row_groups(runner: Runner, tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    values = np.random.default_rng(1).permutation(400_000)
    for part, rows in enumerate(np.array_split(values, 3)):
        pq.write_table(pa.table({"n": rows}), tmp_path / "in" / f"{part}.parquet")
    runner.sql("SELECT n FROM it ORDER BY n DESC", {"it": tmp_path / "in"}, tmp_path / "out")
    found = ds.dataset(tmp_path / "out").to_table().column("n").to_numpy()
    assert (found == np.arange(400_000)[::-1]).all()
    groups = [
        file.row_group(group).num_rows
        for file in map(pq.read_metadata, (tmp_path / "out").iterdir())
        for group in range(file.num_row_groups)
    ]
    assert max(groups) <= ROWS_IN_A_GROUP


@pytest.fixture(scope="module")
def things(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Rows with what engines are known to treat in their own ways."""
    folder = tmp_path_factory.mktemp("things")
    words = ["b", "a", "Z", "é", "", "it's", 'a "b"', "\\n", "日本", "\U0001f600", "\uffee", "e\u0301", None]
    table = pa.table(
        {
            "n": pa.array(range(len(words)), pa.int64()),
            "i": pa.array([n % 4 - 1 for n in range(len(words))], pa.int32()),
            "s": pa.array(words, pa.string()),
            "b": pa.array([None if n % 5 == 4 else n % 3 == 0 for n in range(len(words))], pa.bool_()),
            "f": pa.array([1 / (n % 6 + 1) for n in range(len(words))], pa.float32()),
        }
    )
    pq.write_table(table.slice(0, 7), folder / "0.parquet")
    pq.write_table(table.slice(7), folder / "1.parquet")
    return folder


@pytest.mark.parametrize(
    "query",
    [
        "SELECT s, n FROM it WHERE s IS NOT NULL ORDER BY s, n",
        "SELECT s, i FROM it ORDER BY s NULLS LAST, n",
        "SELECT n, cast(i + char_length(s) AS int) AS sum FROM it ORDER BY n",
        "SELECT i, count(*) AS rows, cast(count(*) AS int) AS few FROM it GROUP BY i ORDER BY i",
        "SELECT i, count(s) AS named, count(DISTINCT f) AS kinds FROM it GROUP BY i ORDER BY i",
        "SELECT i, bool_or(b) AS some FROM it GROUP BY i ORDER BY i",
        "SELECT n, NOT b AS other, b OR i > 0 AS either, s IS NULL AS unnamed FROM it ORDER BY n",
        "SELECT n, row_number() OVER (PARTITION BY i ORDER BY f DESC, n) <= 2 AS first FROM it ORDER BY n",
        "SELECT n, cast(row_number() OVER (ORDER BY s, n) - 1 AS int) AS rank FROM it WHERE n < 9 ORDER BY n",
        "SELECT n, cast(cast(n AS double) / cast(i + 4 AS double) AS float) AS share FROM it ORDER BY n",
        "SELECT i, cast(sum(n) AS bigint) AS sum, max(n) AS most FROM it GROUP BY i ORDER BY i",
        "SELECT n, coalesce(s, 'no') AS s, coalesce(i, 0) AS i, cast(NULL AS string) AS z FROM it ORDER BY n",
        "SELECT i, s FROM it WHERE n < 3 UNION SELECT i, s FROM it WHERE n > 1 ORDER BY i, s NULLS FIRST",
        "SELECT a.n, b.n AS other FROM it a LEFT JOIN it b ON b.s = a.s AND b.n <> 2 ORDER BY a.n",
        "SELECT n, CASE WHEN i < 0 THEN 'less' WHEN b THEN 'yes' ELSE 'no' END AS word FROM it ORDER BY n",
    ],
)
def test_engines_agree(duckdb: Runner, spark: Runner, things: Path, tmp_path: Path, query: str) -> None:
    duckdb.sql(query, {"it": things}, tmp_path / "duckdb")
    spark.sql(query, {"it": things}, tmp_path / "spark")
    ours, theirs = (ds.dataset(tmp_path / name).to_table() for name in ("duckdb", "spark"))
    assert [(field.name, field.type) for field in theirs.schema] == [(f.name, f.type) for f in ours.schema]
    assert theirs.to_pylist() == ours.to_pylist()
    assert len(ours)
