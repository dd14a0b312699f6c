"""A server compiles once, before its workers start, and says so exactly then."""

from __future__ import annotations

import os
from pathlib import Path

import httpx
import pytest

from jit.cache import CodeCache
from jit.compiled import before_compiling, code_folder, compiled
from tests.support.processes import wort_serve

NOTICE = "compiling for this processor"

COUNTING = """
import os, sys

class Told:
    # Imported by every process at its start: numba is to be told of when it is there.
    def find_spec(self, name, path=None, target=None):
        if name == "numba.core.caching":
            sys.meta_path.remove(self)
            from numba.core.event import Listener, register

            class Counting(Listener):
                def on_start(self, event):
                    with open(os.environ["COMPILED"], "a") as file:
                        file.write(f"{os.getpid()}\\n")

                def on_end(self, event):
                    pass

            register("numba:compile", Counting())
        return None

sys.meta_path.insert(0, Told())
"""


@pytest.fixture
def counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file that gains a line with the process id whenever numba compiles something; nothing is kept yet."""
    (tmp_path / "counting").mkdir()
    (tmp_path / "counting" / "sitecustomize.py").write_text(COUNTING)
    before = os.environ.get("PYTHONPATH")
    paths = [str(tmp_path / "counting"), *([] if before is None else [before])]
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(paths))
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("NUMBA_OPT", "3")  # with settings of its own, code that ships is not used
    monkeypatch.setenv("COMPILED", str(tmp_path / "compiled"))
    (tmp_path / "compiled").touch()
    return tmp_path / "compiled"


def _ask(address: str, route: str, pair: dict[str, str]) -> None:
    """Ask often enough that every worker is asked: whichever is free takes a connection."""
    for _ in range(8):
        answer = httpx.post(f"{address}/v1/{route}", json={"pairs": [pair]}, timeout=300)
        assert answer.status_code == 200


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_one_process_compiles_for_all_workers(tmp_path: Path, counted: Path) -> None:
    for start in ("cold", "warm"):
        (tmp_path / start).mkdir()
        before = len(counted.read_text())
        with wort_serve(tmp_path / start, workers=2) as served:
            _ask(served.address, "relatedness", {"left": "Cat", "right": "Dog"})
            since = counted.read_text()[before:]
            _ask(served.address, "terms/relatedness", {"left": "cat", "right": "dog"})
            later = set(counted.read_text()[before + len(since) :].split())
            said, workers = served.log.read_text(), {str(worker) for worker in served.workers()}
        if start == "cold":
            # The one that tries the snapshot, and the one that starts the workers, before there are any.
            assert 1 <= len(set(since.split())) <= 2
            assert not workers & set(since.split())
            assert said.count(NOTICE) == 1
        else:
            assert not since
            assert NOTICE not in said
        assert not later  # what texts need is compiled before anybody asks, too


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_one_server_says_that_it_compiles_only_when_it_does(tmp_path: Path, counted: Path) -> None:
    code_folder().mkdir(parents=True)  # a folder that is there says nothing
    for start, notices in (("cold", 1), ("warm", 0)):
        (tmp_path / start).mkdir()
        with wort_serve(tmp_path / start) as served:
            pass
        assert served.log.read_text().count(NOTICE) == notices
    assert len(set(counted.read_text().split())) == 2  # the one that tries the snapshot, and the server


def test_who_waits_for_compiling_is_told_once(tmp_path: Path) -> None:
    cache = CodeCache(tmp_path)
    told: list[str] = []
    before_compiling(lambda: told.append("told"))
    kept = compiled(_treble, cache)
    assert not told
    assert kept(2) == 6
    assert kept(2.0) == 6
    assert told == ["told"]
    before_compiling(lambda: told.append("told again"))
    assert compiled(_treble, cache)(3) == 9
    assert told == ["told"]


def test_a_function_that_cannot_be_compiled_holds_nobody_up(tmp_path: Path) -> None:
    with pytest.raises(Exception, match="nopython"):
        compiled(_impossible, CodeCache(tmp_path))(1)
    other = CodeCache(tmp_path, longest_wait=0.0)
    assert other.lock()
    other.unlock()


def _treble(x: float) -> float:
    return 3 * x


def _impossible(x: int) -> object:
    return Path(str(x))
