"""Compiled code that is kept: what is damaged or not ours is neither run nor loaded, and made anew."""

from __future__ import annotations

import gc
import logging
import os
import pickle
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from jit.cache import CodeCache

PROGRAM = """
import numpy as np
from features.kernels import overlaps
row, columns, first = np.array([0, 4]), np.arange(4), np.array([0])
value = overlaps(row, columns, None, row, columns, None, first, first)[0]
print(value, sum(overlaps.stats.cache_misses.values()))
"""
LIMITED = "import resource\nresource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))\n" + PROGRAM


def _run(cache: Path, program: str = PROGRAM) -> tuple[list[str], str]:
    """What a process prints that needs a kernel, its result and how often it compiled; and its complaints."""
    done = subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, "NUMBA_CACHE_DIR": str(cache)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.split(), done.stderr


class Rogue:
    """What a stranger would have unpickled."""

    def __init__(self, mark: Path) -> None:
        self.mark = mark

    def __reduce__(self) -> tuple[Callable[[Path], None], tuple[Path]]:
        return Path.touch, (self.mark,)


def _halve(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def _garble(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content)


def _open_to_all(path: Path) -> None:
    path.chmod(0o666)


def _become_a_pipe(path: Path) -> None:
    path.unlink()
    os.mkfifo(path, 0o600)


def _become_a_link(path: Path) -> None:
    path.rename(path.with_name("elsewhere"))
    path.symlink_to("elsewhere")


def _grow(path: Path) -> None:
    os.truncate(path, 1 << 40)


def _empty(path: Path) -> None:
    path.write_bytes(b"")


DAMAGE = (_empty, _halve, _garble, _open_to_all, _become_a_pipe, _become_a_link, _grow)


@pytest.mark.parametrize("damage", DAMAGE)
def test_what_is_damaged_is_not_taken_and_is_removed(
    tmp_path: Path, damage: Callable[[Path], None], caplog: pytest.LogCaptureFixture
) -> None:
    kept = CodeCache(tmp_path / "code")
    kept.keep("one", b"some code")
    kept.keep("two", b"other code")
    assert kept.take("one") == b"some code"
    damage(kept.folder / "one")
    with caplog.at_level(logging.WARNING):
        assert kept.take("one") is None
    assert str(kept.folder) in caplog.text
    assert not os.path.lexists(kept.folder / "one")
    kept.keep("one", b"new code")
    assert (kept.take("one"), kept.take("two")) == (b"new code", b"other code")


def test_what_cannot_be_removed_is_passed_over(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    kept = CodeCache(tmp_path / "code")
    (kept.folder / "one").mkdir(parents=True)
    gc.collect()  # so that what earlier tests left open is not closed in between
    before = len(list(Path("/proc/self/fd").iterdir()))
    with caplog.at_level(logging.WARNING):
        assert kept.take("one") is None
        kept.keep("one", b"some code")
        assert kept.take("one") is None
    assert [record.message.count(str(kept.folder)) for record in caplog.records] == [1, 1]
    assert len(list(Path("/proc/self/fd").iterdir())) <= before


def test_what_was_kept_for_one_function_is_none_for_another(tmp_path: Path) -> None:
    kept = CodeCache(tmp_path / "code")
    kept.keep("one", b"some code")
    (kept.folder / "one").rename(kept.folder / "two")
    assert kept.take("two") is None


def test_the_folder_is_of_the_user_alone(tmp_path: Path) -> None:
    kept = CodeCache(tmp_path / "deep" / "code")
    assert kept.take("one") is None
    assert not kept.folder.exists()
    kept.keep("one", b"some code")
    assert kept.folder.stat().st_mode & 0o777 == 0o700
    kept.folder.chmod(0o777)
    assert kept.take("one") == b"some code"
    assert kept.folder.stat().st_mode & 0o777 == 0o700


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a folder away")
def test_a_folder_of_another_user_is_not_believed(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    kept = CodeCache(tmp_path / "code")
    kept.keep("one", b"some code")
    os.chown(kept.folder / "one", 12345, -1)
    assert kept.take("one") is None
    kept.keep("one", b"some code")
    os.chown(kept.folder, 12345, -1)
    assert kept.take("one") is None
    with caplog.at_level(logging.WARNING):
        kept.keep("two", b"other code")
    assert not (kept.folder / "two").exists()
    assert f"{kept.folder} (another user" in caplog.text


def test_where_nothing_can_be_kept_it_is_said_once_with_the_path(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "file").touch()
    kept = CodeCache(tmp_path / "file" / "code")
    with caplog.at_level(logging.WARNING):
        assert not kept.lock()
        kept.keep("one", b"some code")
        kept.keep("two", b"other code")
        assert not kept.is_usable()
    assert [record.message.count(str(kept.folder)) for record in caplog.records] == [1]


def test_a_process_waits_for_another_that_compiles(tmp_path: Path) -> None:
    first, second = CodeCache(tmp_path), CodeCache(tmp_path, longest_wait=0.0)
    assert first.lock()
    assert not first.lock()
    assert not second.lock()
    first.unlock()
    assert second.lock()
    second.unlock()


@pytest.mark.slow
def test_kernels_are_compiled_anew_where_their_code_is_damaged(tmp_path: Path) -> None:
    """An empty file had the process wait for ever, and a damaged one end: LLVM does not survive it."""
    assert _run(tmp_path)[0] == ["4.0", "1"]
    kept = sorted(tmp_path.rglob("*.code"))
    assert len(kept) > 1
    for number, path in enumerate(kept):
        DAMAGE[number % len(DAMAGE)](path)
    again, said = _run(tmp_path)
    assert again == ["4.0", "1"]
    assert str(tmp_path) in said
    assert _run(tmp_path) == (["4.0", "0"], "")


@pytest.mark.parametrize(
    "content",
    [b"\x80\x04", *(pytest.param(other, marks=pytest.mark.slow) for other in (b"", b"garbage" * 100))],
)
def test_a_process_goes_on_whatever_stands_in_the_folder(tmp_path: Path, content: bytes) -> None:
    _run(tmp_path)
    for path in tmp_path.rglob("*"):
        if path.is_file():
            path.write_bytes(content)
    assert _run(tmp_path)[0] == ["4.0", "1"]
    assert _run(tmp_path)[0] == ["4.0", "0"]


@pytest.mark.slow
def test_nothing_is_unpickled_that_another_could_have_written(tmp_path: Path) -> None:
    mark = tmp_path / "mark"
    cache = tmp_path / "cache"
    _run(cache)
    (folder,) = cache.iterdir()
    forged = CodeCache(folder)
    for path in folder.glob("*.code"):
        forged.keep(path.name, pickle.dumps(Rogue(mark)))  # with a checksum that holds
        path.chmod(0o660)
    assert _run(cache)[0] == ["4.0", "1"]
    for path in folder.glob("*.code"):
        path.write_bytes(pickle.dumps(Rogue(mark)))  # without
    assert _run(cache)[0] == ["4.0", "1"]
    assert not mark.exists()


@pytest.mark.slow
def test_a_disk_without_room_is_said_and_does_no_harm(tmp_path: Path) -> None:
    result, said = _run(tmp_path, LIMITED)
    assert result == ["4.0", "1"]
    assert said.count(str(tmp_path)) == 1
    assert len(said.splitlines()) == 1
    assert not list(tmp_path.rglob("*.code"))
    assert _run(tmp_path) == (["4.0", "1"], "")


def test_a_folder_that_cannot_be_made_is_said_and_does_no_harm(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    result, said = _run(tmp_path / "file")
    assert result == ["4.0", "1"]
    assert said.count(str(tmp_path)) == 1
