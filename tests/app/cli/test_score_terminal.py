"""`wort score` on a terminal: rows are alone there; beside a file of rows there is a bar."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.served import toy_files


@pytest.fixture(scope="module")
def command(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    folder = tmp_path_factory.mktemp("terminal")
    snapshot, model = toy_files(folder)
    pairs = folder / "pairs.csv"
    pairs.write_text("left,right\nCat,Dog\nCatt,Dog\n")
    asked = ["score", str(pairs), "--snapshot", str(snapshot), "--model", str(model)]
    return [sys.executable, "-m", "app.cli", *asked]


def shown(command: list[str]) -> str:
    """What a terminal shows of a command's rows and messages."""
    leader, follower = pty.openpty()
    running = subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=follower,
        stderr=follower,
        env=os.environ | {"TERM": "xterm"},
    )
    os.close(follower)
    content = b""
    while True:
        try:
            read = os.read(leader, 1 << 16)
        except OSError:  # Linux says so that nobody writes any more
            break
        if not read:
            break
        content += read
    os.close(leader)
    assert running.wait() == 0
    return content.decode()


def test_rows_on_a_terminal_are_alone(command: list[str]) -> None:
    lines = shown(command).replace("\r\n", "\n").splitlines()
    assert lines[0] == "left,right,score,status,left_title,right_title,error"
    assert lines[1].startswith("Cat,Dog,0.")
    assert lines[2].startswith("Catt,Dog,,unknown,")
    assert lines[3] == "wort: 2 rows: 1 ok, 0 identical, 1 unknown, 0 ambiguous, 0 invalid"
    assert lines[4] == "wort: no concept is called 'Catt' (once): perhaps Cat"
    assert not any("scoring" in line or "\x1b" in line for line in lines)


def test_beside_a_file_there_is_a_bar(command: list[str], tmp_path: Path) -> None:
    assert "scoring" in shown([*command, "-o", str(tmp_path / "scored.csv")])
