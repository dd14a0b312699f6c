"""Arrays in files: reserved before they are filled, and sparse tables copied from sorted data sets."""

from __future__ import annotations

import errno
import gc
import os
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from building.arrays import create_array, save_array
from building.sparse_files import count_rows, csr_from_dataset, csr_from_union
from snapshots.arrays import map_array, map_csr
from tests.support.csr import csr_of_sets


@pytest.mark.parametrize("shape", [(3,), (2, 5), (0,), (0, 4)])
def test_a_new_array_is_zeros_until_it_is_filled(tmp_path: Path, shape: tuple[int, ...]) -> None:
    path = tmp_path / "a.npy"
    array = create_array(path, np.int32, shape)
    assert array.shape == shape
    assert not array.any()
    array[...] = 7
    assert np.array_equal(map_array(path), np.full(shape, 7, np.int32))


def test_the_blocks_of_a_new_array_are_reserved(tmp_path: Path) -> None:
    create_array(tmp_path / "a.npy", np.int64, (1 << 17,))
    assert (tmp_path / "a.npy").stat().st_blocks * 512 >= 1 << 20


@pytest.mark.parametrize("unsupported", [errno.EOPNOTSUPP, errno.EINVAL])
def test_a_file_system_that_reserves_nothing_is_written_to(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, unsupported: int
) -> None:
    def refuses(descriptor: int, start: int, size: int) -> None:
        raise OSError(unsupported, "cannot")

    monkeypatch.setattr(os, "posix_fallocate", refuses)
    create_array(tmp_path / "a.npy", np.int8, (3_000_001,))[-1] = 5
    assert (tmp_path / "a.npy").stat().st_blocks * 512 >= 3_000_001
    found = map_array(tmp_path / "a.npy")
    assert found[-1] == 5
    assert not found[:-1].any()


def test_a_full_disk_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuses(descriptor: int, start: int, size: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "posix_fallocate", refuses)
    for write in (save_array, lambda path, array: create_array(path, array.dtype, array.shape)):
        with pytest.raises(OSError, match="No space left"):
            write(tmp_path / "a.npy", np.arange(4))


def test_saved_arrays_are_read_back(tmp_path: Path) -> None:
    for array in (np.arange(6.0).reshape(2, 3), np.zeros((0, 2), np.float32), np.arange(6).reshape(2, 3).T):
        save_array(tmp_path / "a.npy", array)
        assert map_array(tmp_path / "a.npy").dtype == array.dtype
        assert np.array_equal(map_array(tmp_path / "a.npy"), array)


@pytest.fixture
def busy_collector() -> Iterator[None]:
    """Garbage is looked for all the time, and each time another thread may run."""

    def yields(phase: str, info: dict[str, int]) -> None:
        for _ in range(20):
            pass

    threshold, interval = gc.get_threshold(), sys.getswitchinterval()
    gc.callbacks.append(yields)
    gc.set_threshold(5)
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(interval)
    gc.set_threshold(*threshold)
    gc.callbacks.remove(yields)


@pytest.mark.usefixtures("busy_collector")
def test_many_threads_map_arrays_at_once(tmp_path: Path) -> None:
    paths = [tmp_path / f"{number}.npy" for number in range(8)]
    for number, path in enumerate(paths):
        save_array(path, np.full(3, number))
    with ThreadPoolExecutor(len(paths)) as threads:
        for found in threads.map(lambda path: [int(map_array(path)[0]) for _ in range(200)], paths):
            assert len(set(found)) == 1


def dataset(folder: Path, *pieces: list[tuple[int, int]]) -> Path:
    folder.mkdir()
    for number, entries in enumerate(pieces):
        row, column = zip(*entries, strict=True) if entries else ((), ())
        table = pa.table({"row": pa.array(row, pa.int32()), "column": pa.array(column, pa.int32())})
        pq.write_table(table, folder / f"{number}.parquet")
    return folder


def test_a_sorted_data_set_becomes_a_table(tmp_path: Path) -> None:
    source = dataset(tmp_path / "in", [(0, 4), (2, 0)], [], [(2, 1), (2, 9), (3, 0)])
    csr_from_dataset(source, tmp_path, "t", (5, 10))
    table = map_csr(tmp_path, "t")
    assert [table.row(row).tolist() for row in range(5)] == [[4], [], [0, 1, 9], [0], []]
    assert table.columns == 10


@pytest.mark.parametrize(
    "pieces",
    [
        [[(1, 2), (1, 2)]],
        [[(1, 2)], [(1, 2)]],
        [[(1, 3), (1, 2)]],
        [[(1, 3)], [(1, 2)]],
        [[(1, 0), (0, 5)]],
        [[(1, 0)], [(0, 5)]],
    ],
)
def test_a_repeat_or_disorder_is_refused(tmp_path: Path, pieces: list[list[tuple[int, int]]]) -> None:
    with pytest.raises(ValueError, match="each pair once"):
        csr_from_dataset(dataset(tmp_path / "in", *pieces), tmp_path, "t", (5, 10))


@given(
    st.lists(st.tuples(*2 * [st.sets(st.integers(0, 6), max_size=5)]), max_size=6),
    st.integers(1, 12),
)
def test_two_tables_are_united_some_rows_at_a_time(
    tmp_path: Path, rows: list[tuple[set[int], set[int]]], entries_at_once: int
) -> None:
    left, right = (csr_of_sets([row[side] for row in rows], 7) for side in (0, 1))
    csr_from_union(left, right, tmp_path, "t", entries_at_once)
    table = map_csr(tmp_path, "t")
    assert [table.row(row).tolist() for row in range(table.rows)] == [sorted(a | b) for a, b in rows]
    assert table.columns == 7


@given(st.lists(st.integers(0, 50), max_size=40), st.integers(1, 8))
def test_rows_are_counted_batch_by_batch(rows: list[int], size: int) -> None:
    ascending = np.sort(np.array(rows, np.int32))
    counts = np.zeros(60, np.int64)
    for start in range(0, len(ascending), size):
        count_rows(counts, ascending[start : start + size])
    count_rows(counts, ascending[:0])
    np.testing.assert_array_equal(counts, np.bincount(ascending, minlength=60))
