"""The compiled code that comes with wort: it is there, it is that of the sources, and it changes nothing."""

from __future__ import annotations

import inspect
import os
import subprocess
import sys
import tomllib
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FunctionType
from typing import Any

import llvmlite.binding
import msgspec
import numba
import pytest
from typer.testing import CliRunner

import jit.formulas  # registers what kernels call
from app.cli import command_line
from benchmarks.synthetic.dump import write_dump
from benchmarks.synthetic.pages import SyntheticWiki
from features import filling, kernels
from features.terms import kernels as term_kernels
from jit import shipped
from jit.shipped import MANIFEST, archives, shipped_code, source_files, sources_digest, this_machines
from snapshots.annotator import kernels as annotator_kernels

ROOT = shipped.FOLDER.parent.parent

FIRST_ANSWERS = """
import sys
from pathlib import Path
import numpy as np
from app.serving.models import TermSettings
from app.serving.serving import Serving
from app.serving.starter import open_scorer
from features.extract import extract
serving = Serving(open_scorer(Path(sys.argv[1]), None), TermSettings())
serving.warm()
concepts = np.arange(min(400, serving.scorer.snapshot.concepts))
print(extract(serving.scorer.snapshot, concepts, (concepts * 7 + 3) % len(concepts)).tobytes().hex())
"""


@pytest.fixture(autouse=True)
def _numba_as_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("CPU_NAME", "CPU_FEATURES"):
        monkeypatch.setattr(numba.config, name, getattr(numba.config, name))
    for name in [name for name in os.environ if name.startswith("NUMBA_")]:
        monkeypatch.delenv(name)


@pytest.fixture
def made() -> shipped.Archive:
    """The archive for this process."""
    wanted = this_machines()
    found = next((archive for archive in archives() if wanted and archive.suits(wanted)), None)
    if found is None:
        pytest.skip("wort comes without compiled code for this Python on this machine")
    return found


@pytest.fixture
def copied(made: shipped.Archive, tmp_path: Path) -> Path:
    """A folder with the archive for this process, to be altered."""
    (tmp_path / made.file).write_bytes((shipped.FOLDER / made.file).read_bytes())
    (tmp_path / MANIFEST).write_bytes((shipped.FOLDER / MANIFEST).read_bytes())
    return tmp_path


def test_the_code_is_that_of_the_sources() -> None:
    stale = [archive.file for archive in archives() if archive.sources != sources_digest()]
    assert not stale, f"sources changed: `make kernels` makes {stale} anew"


def test_there_is_code_for_every_python_that_is_supported() -> None:
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["classifiers"]
    supported = {each.rpartition(" ")[2] for each in declared if "Python :: 3." in each}
    assert {archive.python for archive in archives() if archive.machine == "x86_64"} == supported


def test_there_is_code_for_every_processor_that_is_a_target() -> None:
    assert {archive.machine for archive in archives()} == set(shipped.TARGETS)


def _answers(snapshot: Path, code: Path, **settings: str) -> str:
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(code), **settings}
    command = [sys.executable, "-c", FIRST_ANSWERS, str(snapshot)]
    return subprocess.run(command, env=environment, check=True, capture_output=True, text=True).stdout


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A snapshot from which nothing was cut."""
    folder = tmp_path_factory.mktemp("whole")
    dump = write_dump(SyntheticWiki(300), folder, "invented")
    built = ["build", str(dump), "--output", str(folder / "snapshot"), "--quiet"]
    assert CliRunner().invoke(command_line(["build"]), built).exit_code == 0
    return folder / "snapshot"


@pytest.mark.slow
@pytest.mark.timeout(900)
@pytest.mark.parametrize("kind", ["cut", "whole"])
def test_nothing_is_compiled_where_it_came_so_and_features_are_the_same_to_the_bit(
    made: shipped.Archive, tmp_path: Path, kind: str, request: pytest.FixtureRequest
) -> None:
    if shipped_code() is None:
        pytest.skip(f"this processor is not {made.target}")
    snapshot = request.getfixturevalue("whole") if kind == "whole" else ROOT / "snapshots" / "starter"
    (tmp_path / "shipped").mkdir()
    answers = _answers(snapshot, tmp_path / "shipped")
    assert not list(tmp_path.rglob("*.code"))
    assert _answers(snapshot, tmp_path / "native", NUMBA_OPT="3") == answers
    assert list(tmp_path.rglob("*.code"))


def test_it_is_used_as_it_is(copied: Path) -> None:
    code = shipped_code(copied)
    if code is None:
        pytest.skip("this processor is another")
    with zipfile.ZipFile(next(copied.glob("*.zip"))) as archive:
        names = archive.namelist()
    assert names
    assert all(code.take(name) for name in names)
    assert code.take("features.kernels.overlaps-0.code") is None


def _altered(folder: Path, **changes: str) -> None:
    changed = [msgspec.structs.replace(archive, **changes) for archive in archives(folder)]
    (folder / MANIFEST).write_bytes(msgspec.json.encode(changed))


def _flip_a_byte(folder: Path) -> None:
    path = next(folder.glob("*.zip"))
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content)


DISTRUSTED: dict[str, Callable[[Path], object]] = {
    "damaged": _flip_a_byte,
    "truncated": lambda folder: os.truncate(next(folder.glob("*.zip")), 1000),
    "gone": lambda folder: next(folder.glob("*.zip")).unlink(),
    "no manifest": lambda folder: (folder / MANIFEST).unlink(),
    "a manifest of garbage": lambda folder: (folder / MANIFEST).write_bytes(b"[{}]"),
    "of other sources": lambda folder: _altered(folder, sources="0"),
    "for another Python": lambda folder: _altered(folder, python="3.99"),
    "by another numba": lambda folder: _altered(folder, numba="0.1"),
    "by another llvmlite": lambda folder: _altered(folder, llvmlite="0.1"),
    "for another machine": lambda folder: _altered(folder, machine="riscv64"),
}


@pytest.mark.parametrize("how", DISTRUSTED)
def test_what_is_not_this_processs_own_is_compiled(copied: Path, how: str) -> None:
    DISTRUSTED[how](copied)
    assert shipped_code(copied) is None
    assert vars(numba.config)["CPU_NAME"] is None or shipped_code() is not None


def test_who_sets_numba_compiles(copied: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NUMBA_CACHE_DIR", "/nowhere")
    allowed = shipped_code(copied)
    monkeypatch.setenv("NUMBA_OPT", "3")
    assert shipped_code(copied) is None
    monkeypatch.delenv("NUMBA_OPT")
    assert (shipped_code(copied) is None) == (allowed is None)


def test_a_processor_that_lacks_something_compiles(copied: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(llvmlite.binding, "get_host_cpu_features", lambda: {"sse2": True})
    assert shipped_code(copied) is None


def test_no_code_names_a_folder_of_the_machine_that_made_it(made: shipped.Archive) -> None:
    with zipfile.ZipFile(shipped.FOLDER / made.file) as archive:
        for name in archive.namelist():
            content = archive.read(name)
            assert b"site-packages" not in content, name
            assert b"/home/" not in content, name


def _reached(function: Any, seen: set[Any]) -> Iterator[FunctionType]:  # numba's own
    """A function of this project, and those that it calls by the names of its module."""
    plain = getattr(function, "py_func", None) or getattr(function, "_defn", None) or function
    if not isinstance(plain, FunctionType) or plain in seen:
        return
    seen.add(plain)
    path = Path(inspect.getfile(plain))
    if not path.is_relative_to(ROOT) or ".venv" in path.parts:
        return
    yield plain
    called = [plain.__globals__.get(name) for name in plain.__code__.co_names]
    closed = [cell.cell_contents for cell in plain.__closure__ or ()]
    for each in [*called, *closed]:
        members = vars(each).values() if inspect.ismodule(each) else [each]
        for member in members:
            yield from _reached(member, seen)


def test_all_that_compiled_functions_call_counts_as_their_source() -> None:
    counted, seen = set(source_files(ROOT)), set[Any]()
    for module in (kernels, filling, term_kernels, annotator_kernels, jit.formulas):
        for compiled in vars(module).values():
            if hasattr(compiled, "py_func"):
                for function in _reached(compiled, seen):
                    assert Path(inspect.getfile(function)) in counted, function
    assert len(seen) > 30
