"""docs/annotation.md shows what projects really do, every command, every option and every format."""

from __future__ import annotations

import inspect
import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

from app.cli import command_line
from app.cli.dataset.create import create
from app.cli.dataset.project import project
from datasets.annotation.defaults import settings_of
from datasets.annotation.exchange.formats import EXPORTS
from datasets.annotation.item_files import _ALIASES
from datasets.annotation.records import Kind
from tests.conftest import ROOT

PAGE = (ROOT / "docs" / "annotation.md").read_text()


def commands() -> dict[str, list[str]]:
    """Every command of a project with its options."""
    found = {}
    for command in project.registered_commands:
        assert command.callback is not None
        name = command.name or command.callback.__name__.replace("_", "-")
        found[name] = list(inspect.signature(command.callback).parameters)
    return found


def test_every_command_and_option_is_there() -> None:
    table = PAGE.split("## The commands")[1]
    for name, options in commands().items():
        assert f"`{name}" in table, name
        for option in {of.rstrip("_") for of in options} - {"number", "pairs", "file", "link", "annotator"}:
            if option != "judgements":
                assert f"--{option.replace('_', '-')}" in PAGE, f"{name} --{option}"
    for option in inspect.signature(create).parameters:
        if option not in {"pairs", "json", "database", "url"}:
            assert f"`--{option.replace('_', '-')}`" in table, option


def test_every_format_and_column_is_there() -> None:
    for format_ in EXPORTS:
        assert f"\n| `{format_}` |" in PAGE
    for names in _ALIASES.values():
        for name in names:
            assert f"`{name}`" in PAGE or name.startswith("word"), name


@pytest.mark.parametrize("kind", ["binary", "graded", "best-worst"])
def test_defaults_are_those_of_the_code(kind: Kind) -> None:
    settings = settings_of(kind)
    (row,) = re.findall(rf"^\| `{kind}` \|.*$", PAGE, re.MULTILINE)
    assert f"| {settings.wanted}" in row
    assert (settings.session, settings.gold_threshold, settings.gold_minimum) == (50, 0.7, 5)
    assert (settings.repeat_after, settings.hold) == (24 * 3600, 600)
    shares = {"binary": (0, 0, 0), "graded": (0, 1, 0.1), "best-worst": (0.02, 0, 0)}
    assert (settings.gold_share, settings.gold_tolerance, settings.repeat_share) == shares[kind]


def test_the_example(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (lines,) = re.findall(r"^```sh\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    assignment, *shown = lines.splitlines()
    monkeypatch.chdir(tmp_path)
    Path("fruit.csv").write_text("left,right\nApple,Pear\n")
    monkeypatch.setenv(*assignment.removeprefix("export ").split("=", 1))
    for line in shown[:2]:
        _, *arguments = line.replace('"the seminar"', "seminar").split()
        result = CliRunner().invoke(command_line(["dataset"]), arguments)
        assert result.exit_code == 0, result.output
        assert result.stdout.startswith("http://127.0.0.1:8000/annotation/")
    assert shown[2] == "wort serve"


def test_the_example_from_python(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (code,) = re.findall(r"^```python\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    monkeypatch.chdir(tmp_path)
    exec(code, {})
    assert capsys.readouterr().out.strip() == code.rpartition("# ")[2].strip()
