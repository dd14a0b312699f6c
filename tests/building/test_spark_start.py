"""What is said where Spark cannot start, and how the command line asks for it."""

from __future__ import annotations

import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from app.cli import command_line
from building.engines.spark import SparkRunner
from building.engines.spark_session import worker_path
from snapshots.errors import EngineUnavailable
from tests.building.test_build import small_wiki
from tests.support.dumps import write_dump
from tests.support.spark import MEMORY, needs_spark


@pytest.fixture
def dump(tmp_path: Path) -> Path:
    return write_dump(tmp_path / "toywiki-20200203-pages-articles.xml", small_wiki(9))


def asked(dump: Path, *options: str) -> Result:
    command = ["build", str(dump), "-o", str(dump.parent / "toy"), *options]
    return CliRunner().invoke(command_line(["build"]), command)


def said(result: Result) -> str:
    return " ".join(result.stderr.replace("│", "").split())


def test_spark_that_is_not_installed(dump: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyspark", None)
    with pytest.raises(EngineUnavailable, match=r"pip install 'wort-server\[spark\]'"):
        SparkRunner(1, MEMORY, dump.parent / "scratch")
    refused = asked(dump, "--engine", "spark")
    assert isinstance(refused.exception, EngineUnavailable)
    assert not (dump.parent / "toy").exists()


def test_java_that_is_not_installed(dump: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("pyspark")
    monkeypatch.delenv("JAVA_HOME", raising=False)
    monkeypatch.setenv("PATH", "")
    with pytest.raises(EngineUnavailable, match=r"Java 17.*openjdk-17-jre-headless.*JAVA_HOME"):
        SparkRunner(1, MEMORY, dump.parent / "scratch")


def test_java_that_does_not_do(dump: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("pyspark")
    java = dump.parent / "bin" / "java"
    java.parent.mkdir()
    java.write_text("#!/bin/sh\necho 'openjdk version \"1.8.0_292\"' >&2\n")
    java.chmod(0o755)
    monkeypatch.setenv("JAVA_HOME", str(dump.parent))
    with pytest.raises(EngineUnavailable, match=r"Java 17 or newer, and .* is 8"):
        SparkRunner(1, MEMORY, dump.parent / "scratch")


@pytest.mark.slow
def test_a_master_that_is_none(dump: Path) -> None:
    needs_spark()
    with pytest.raises(EngineUnavailable, match=r"could not start on the master local.*parse"):
        SparkRunner(1, MEMORY, dump.parent / "scratch", "local[nonsense]")
    command = [
        "build",
        str(dump),
        "-o",
        str(dump.parent / "toy"),
        "--engine",
        "spark",
        "--master",
        "nonsense",
    ]
    refused = subprocess.run(
        [sys.executable, "-m", "app.cli", *command, "-q"], check=False, capture_output=True, text=True
    )
    assert refused.returncode == 4
    assert "could not start on the master nonsense: " in " ".join(refused.stderr.split())
    assert "Traceback" not in refused.stderr


@pytest.mark.parametrize("options", [["--master", "local[2]"], ["--spark-conf", "a.b=c"]])
def test_what_only_spark_understands_is_refused_without_it(dump: Path, options: list[str]) -> None:
    refused = asked(dump, *options)
    assert refused.exit_code == 2
    assert "--engine spark" in said(refused)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--spark-conf", "spark.executor.memory"], "KEY=VALUE"),
        (["--memory", "1GB"], "1500MB or more"),
        (["--engine", "flink"], "flink"),
    ],
)
def test_options_that_make_no_sense_are_refused(dump: Path, options: list[str], words: str) -> None:
    refused = asked(dump, "--engine", "spark", *options)
    assert refused.exit_code == 2
    assert words in said(refused)
    assert not (dump.parent / "toy.build").exists()


def test_workers_look_for_packages_where_the_environment_was_sent(tmp_path: Path) -> None:
    within = tmp_path / "lib" / "wort_server" / "own-packages"
    # Of the same environment; of one that stands elsewhere on the nodes, and with what the user names.
    path = partial(worker_path, here=within, environment=tmp_path)
    sent = "environment/lib/wort_server/own-packages"
    assert path(f"{tmp_path}/bin/python") == str(within)
    assert path("./environment/bin/python", "/shared") == f"{within}:{sent}:/shared"
    # Of none that has a place: a command, or packages that lie outside it, as those of a checkout do.
    assert path("python3") == str(within)
    assert path("./environment/bin/python", environment=tmp_path / "other") == str(within)
