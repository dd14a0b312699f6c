"""Serving and scoring do without what builds and trains; who builds or trains is told what to install."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from app.cli.exit_codes import ENVIRONMENT
from app.cli.extras import EXTRAS
from deploy.serving_requirements import serving
from tests.conftest import ROOT

pytestmark = pytest.mark.slow

# As Python documents it: who imports what is None here is told that it is not there.
WITHOUT = f"""
import sys
sys.modules.update(dict.fromkeys({[*EXTRAS, "onnxruntime"]}))
from app.cli import main
main()
"""


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    """The command, in a process that has no extra."""
    command = [sys.executable, "-c", WITHOUT, *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)


@pytest.fixture
def pairs(tmp_path: Path) -> Path:
    """A file with a judged pair."""
    path = tmp_path / "pairs.csv"
    path.write_text("left,right,score,topic\nEvolution,Religion,0.5,a\nAtheism,Religion,0.9,b\n")
    return path


@pytest.mark.parametrize(
    "command",
    [
        ("compare", "Evolution", "Religion"),
        ("related", "Evolution"),
        ("search", "evol"),
        ("matrix", "Evolution", "Religion"),
        ("annotate", "README.md"),
        ("verify", "snapshots/starter"),
        ("benchmarks", "list"),
        ("--help",),
    ],
)
def test_questions_need_no_extra(command: tuple[str, ...]) -> None:
    done = run(*command)
    assert done.returncode == 0, done.stderr
    assert done.stdout


def test_scoring_a_file_needs_no_extra(pairs: Path, tmp_path: Path) -> None:
    done = run("score", str(pairs), "-o", str(tmp_path / "scored.csv"), "--prefix", "wort_")
    assert done.returncode == 0, done.stderr
    assert len((tmp_path / "scored.csv").read_text().splitlines()) == 3


@pytest.mark.parametrize(
    ("extra", "command"),
    [
        ("build", ("build", "PAIRS", "-o", "OUT")),
        ("train", ("train", "--snapshot", "snapshots/starter", "--pairs", "PAIRS", "-o", "OUT")),
        ("train", ("evaluate", "--snapshot", "snapshots/starter", "--pairs", "PAIRS")),
        ("parquet", ("score", "PARQUET", "-o", "OUT")),
        ("datasets", ("dataset", "select", "word", "--texts", "docs", "-o", "OUT")),
    ],
)
def test_who_builds_or_trains_is_told_what_to_install(
    extra: str, command: tuple[str, ...], pairs: Path, tmp_path: Path
) -> None:
    (tmp_path / "pairs.parquet").write_bytes(b"PAR1")
    given = {"PAIRS": str(pairs), "OUT": str(tmp_path / "out"), "PARQUET": str(tmp_path / "pairs.parquet")}
    done = run(*(given.get(argument, argument) for argument in command))
    assert done.returncode == ENVIRONMENT
    assert f"pip install 'wort-server[{extra}]'" in done.stderr
    assert "Traceback" not in done.stderr


def test_every_extra_that_is_named_is_declared() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert {*EXTRAS.values(), "parquet"} <= set(project["optional-dependencies"])


def test_what_serves_is_pinned_as_what_builds_is() -> None:
    pinned = (ROOT / "requirements-serve.txt").read_text()
    assert pinned == serving(), (
        "write it anew: python deploy/serving_requirements.py > requirements-serve.txt"
    )
