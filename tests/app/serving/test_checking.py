"""That a snapshot's files are checked once, whichever worker is the first to ask."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from app.errors import BrokenRelease
from app.serving import checking
from app.serving.checking import Checks
from snapshots.snapshot import Snapshot, verify
from tests.support.served import served_snapshot


@pytest.fixture
def snapshot(tmp_path: Path) -> Snapshot:
    return Snapshot.open(served_snapshot(tmp_path / "snapshot"))


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """The snapshots whose files were read."""
    read: list[Path] = []

    def verified(folder: Path) -> list[str]:
        read.append(folder)
        return verify(folder)

    monkeypatch.setattr(checking, "verify", verified)
    return read


@pytest.fixture
def shared(tmp_path: Path) -> Path:
    folder = tmp_path / "shared"
    folder.mkdir()
    return folder


def test_each_of_several_workers_asks_and_one_reads(
    snapshot: Snapshot, shared: Path, read: list[Path]
) -> None:
    begun, workers = threading.Barrier(4), [Checks(shared) for _ in range(4)]

    def check(worker: Checks) -> None:
        begun.wait()
        worker.check(snapshot)

    with ThreadPoolExecutor(len(workers)) as threads:
        list(threads.map(check, workers))
    assert read == [snapshot.folder]
    Checks(shared).check(snapshot)  # one that was started later
    assert read == [snapshot.folder]


def test_without_others_it_reads_by_itself_and_once(snapshot: Snapshot, read: list[Path]) -> None:
    for checks in (Checks(), Checks()):
        checks.check(snapshot)
        checks.check(snapshot)
    assert read == [snapshot.folder] * 2


def test_what_was_altered_is_found_by_each_and_what_was_put_back_is_read_again(
    snapshot: Snapshot, shared: Path, read: list[Path]
) -> None:
    file = snapshot.folder / "esa.values.npy"
    content = file.read_bytes()
    file.write_bytes(content[:-1] + bytes([content[-1] ^ 1]))
    for _ in range(2):
        with pytest.raises(BrokenRelease, match=r"esa\.values\.npy was altered"):
            Checks(shared).check(Snapshot.open(snapshot.folder))
    file.write_bytes(content)
    Checks(shared).check(Snapshot.open(snapshot.folder))
    assert read == [snapshot.folder] * 3
