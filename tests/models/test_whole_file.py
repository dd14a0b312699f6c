"""Files that are written whole: two writers do not meet, and an error leaves nothing."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from models.whole_file import whole_file


def test_two_writers_of_one_file_do_not_meet(tmp_path: Path) -> None:
    target = tmp_path / "file"
    with whole_file(target) as first:
        first.write(b"first " * 10)
        with whole_file(target) as second:
            second.write(b"second")
        assert target.read_bytes() == b"second"
        first.write(b"ends")
    assert target.read_bytes() == b"first " * 10 + b"ends"
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_an_error_leaves_what_was_there_and_nothing_beside_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = tmp_path / "file"
    target.write_bytes(b"before")
    with pytest.raises(KeyboardInterrupt), whole_file(target) as file:
        file.write(b"half")
        raise KeyboardInterrupt

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space"), whole_file(target) as file:
        file.write(b"all")
    assert target.read_bytes() == b"before"
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_the_bytes_are_on_the_disk_before_the_name_and_the_name_at_the_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target, told = tmp_path / "file", []

    def fsync(opened: int) -> None:
        state = os.fstat(opened)
        told.append((stat.S_ISDIR(state.st_mode), state.st_size, target.exists()))

    monkeypatch.setattr(os, "fsync", fsync)
    with whole_file(target) as file:
        file.write(b"12345")
    assert [(folder, there) for folder, _, there in told] == [(False, False), (True, True)]
    assert told[0][1] == 5
    umask = os.umask(0)
    os.umask(umask)
    assert target.stat().st_mode & 0o777 == 0o666 & ~umask
