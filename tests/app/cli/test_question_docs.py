"""docs/command-line.md shows what the commands really answer, and every option that they have."""

from __future__ import annotations

import inspect
import json
import re
import subprocess
import sys
from collections.abc import Callable
from importlib import import_module

import pytest

from tests.conftest import ROOT

PAGE = (ROOT / "docs" / "command-line.md").read_text()
SHOWN = re.findall(r"```\n\$ ([^\n]*)\n\n(.*?)\n```", PAGE, re.DOTALL)
PIPES = [line for block in re.findall(r"```sh\n(.*?)\n```", PAGE, re.DOTALL) for line in block.splitlines()]
ASKING = ("compare", "related", "search", "annotate", "matrix")
NUMBER = re.compile(r"\d+(?:\.\d+)?")


def answered(command: str) -> tuple[int, str, str]:
    """The exit code of a line for the shell, and what it says on both outputs."""
    script = f'wort() {{ "{sys.executable}" -m app.cli "$@"; }}\n{command}'
    done = subprocess.run(["/bin/sh", "-c", script], capture_output=True, text=True, cwd=ROOT, check=False)
    return done.returncode, done.stdout, done.stderr


def numbers(text: str) -> list[float]:
    return [float(number) for number in NUMBER.findall(text)]


@pytest.mark.parametrize(("command", "expected"), SHOWN)
def test_what_is_shown_is_answered(command: str, expected: str) -> None:
    code, said, trouble = answered(f"{command} --text")
    assert code == (3 if trouble else 0)
    text = (said + trouble).removesuffix("\n")
    assert NUMBER.sub("#", text) == NUMBER.sub("#", expected)
    assert numbers(text) == pytest.approx(numbers(expected), abs=0.02)


def test_every_command_is_shown() -> None:
    shown = {name for command, _ in SHOWN for name in re.findall(r"wort (\w+)", command)}
    assert shown == set(ASKING)


@pytest.mark.parametrize("command", PIPES)
def test_what_is_piped_is_json(command: str) -> None:
    asked, *_ = command.split(" | ")
    code, said, trouble = answered(asked)
    assert (code, trouble) == (0, "")
    answer = json.loads(said)
    for key in re.findall(r"\.(results|related)\b", command):
        assert answer[key]


def test_every_option_is_there() -> None:
    rows = dict(re.findall(r"^\| (`--[^|]*) \| ([^|]*) \|", PAGE.split("\n## Options\n")[1], re.MULTILINE))
    documented = {
        option: "" if "all" in of else of
        for row, of in rows.items()
        for option in re.findall(r"--([a-z-]+)", row)
    }
    arguments = {"left", "right", "concept", "text", "file", "titles"}
    options: dict[str, set[str]] = {}
    for name in ASKING:
        function: Callable[..., None] = getattr(import_module(f"app.cli.{name}"), name)
        for option in set(inspect.signature(function).parameters) - arguments:
            options.setdefault(option.replace("_", "-"), set()).add(name)
    assert set(documented) == {*options, "text"}
    for option, of in documented.items():
        if of:
            assert set(re.findall(r"`(\w+)`", of)) == options[option], option
