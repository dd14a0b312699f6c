"""The commands that answer one question, on a terminal: what it shows, and what never reaches it."""

from __future__ import annotations

import io
import json
import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

from tests.app.cli.conftest import Ask, toy

ESCAPE, CSI = "\x1b[31m", "\x9b2J"
"""What turns text red, and what clears a terminal, as hostile titles would."""


def test_nothing_hostile_steers_the_terminal(ask: Ask, folder: Path, tmp_path: Path) -> None:
    hostile = f"{ESCAPE}Cat{CSI}\u202e"
    here = toy(folder)
    asked = [
        ("compare", hostile, "Dog", *here, "--text"),
        ("compare", hostile, "Dog", *here, "--json"),
        ("compare", hostile, "Dog", "--terms", *toy(folder, "terms.json"), "--json"),
        ("related", hostile, *here, "--text"),
        ("search", hostile, *here[:2], "--text"),
        ("matrix", hostile, "Cat", "Dog", *here, "--text"),
        ("matrix", hostile, "Cat", *here, "--json"),
        ("compare", "Cat", "Dog", "--snapshot", hostile),
    ]
    for arguments in asked:
        _, said, trouble = ask(*arguments)
        assert not set(said + trouble) & {"\x1b", "\x9b", "\u202e"}, arguments
    # What JSON says is what was asked, written otherwise.
    (result,) = json.loads(ask(*asked[1])[1])["results"]
    assert result["resolved"]["left"]["asked"] == hostile
    terms = ("compare", "--terms", f"atheists {hostile}", "religions", "--text")
    assert "\\x1b" in ask(*terms)[1]
    file = tmp_path / "text.txt"
    file.write_text(f"{ESCAPE} Natural\nselection {CSI} is the cause of evolution.")
    for form in ("--text", "--json"):
        _, said, _ = ask("annotate", str(file), form)
        assert "Natural selection" in said
        assert not set(said) & {"\x1b", "\x9b"}


@pytest.mark.parametrize(
    ("form", "begins"), [([], "Cat – Dog: 0.91 of 1, "), (["--json"], '{\n  "results": [')]
)
def test_a_terminal_gets_what_people_read(folder: Path, form: list[str], begins: str) -> None:
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "app.cli", "compare", "Cat", "Dog", *toy(folder), *form]
    subprocess.run(command, stdout=theirs, check=True)
    os.close(theirs)
    shown = b""
    with io.FileIO(ours) as terminal:
        try:
            while piece := terminal.read(1 << 16):
                shown += piece
        except OSError:
            pass  # so ends a terminal whose other end is closed
    assert shown.decode().replace("\r\n", "\n").startswith(begins)


def test_what_cannot_be_written_on_a_terminal_is_shown_otherwise(folder: Path) -> None:
    command = [sys.executable, "-m", "app.cli", "compare", "Cat", "Dog", *toy(folder), "--text"]
    environment = {**os.environ, "PYTHONIOENCODING": "ascii"}
    done = subprocess.run(command, env=environment, capture_output=True, check=True)
    assert done.stdout.startswith(rb"Cat \u2013 Dog: 0.91")
