"""Standard output that is closed, full, or read by nobody: a sentence or silence, and never a traceback."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.patience import until
from tests.support.processes import answers
from tests.support.served import toy_files

pytestmark = pytest.mark.slow

INITIALIZE = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2024-11-05",
        "capabilities": {},
        "clientInfo": {"name": "a test", "version": "1"},
    },
}
SAYING = [
    "--version",
    "--help",
    "benchmarks list",
    "benchmarks list --json",
    "score PAIRS -o -",
    "compare Cat Dog",
    "search Ca --text",
    "mcp",
]
"""Commands that write to standard output, in each way there is."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("said")
    toy_files(made)
    (made / "pairs.csv").write_text("left,right\nCat,Dog\n")
    return made


def environment(folder: Path) -> dict[str, str]:
    given = {"WORT_SNAPSHOT": str(folder / "snapshot"), "WORT_MODEL": str(folder / "model.json")}
    return {**os.environ, **given, "WORT_PORT": "0", "WORT_LOG_FORMAT": "json"}


def ended(folder: Path, command: str, redirected: str = "", output: int | None = None) -> tuple[int, str]:
    """The exit code of a command whose standard output a shell has redirected, and what it says of that."""
    arguments = command.replace("PAIRS", str(folder / "pairs.csv"))
    done = subprocess.run(
        ["/bin/sh", "-c", f'exec "$0" -m app.cli {arguments} {redirected}', sys.executable],
        input=json.dumps(INITIALIZE) + "\n",
        env=environment(folder),
        stdout=output,
        stderr=subprocess.PIPE,
        text=True,
        timeout=300,
        check=False,
    )
    return done.returncode, done.stderr


@pytest.mark.parametrize("command", SAYING)
def test_a_closed_one_is_said_to_be(folder: Path, command: str) -> None:
    code, said = ended(folder, command, ">&-")
    assert code == 4
    assert said.splitlines()[-1] == "wort: standard output: Bad file descriptor"
    assert "Traceback" not in said


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no full device")
@pytest.mark.parametrize("command", SAYING)
def test_a_full_one_is_said_to_be(folder: Path, command: str) -> None:
    code, said = ended(folder, command, ">/dev/full")
    assert code == 4
    assert "No space left on device" in said
    assert "Traceback" not in said
    assert "Exception ignored" not in said


@pytest.mark.parametrize("command", SAYING)
def test_one_that_nobody_reads_ends_the_command_as_it_ends_others(folder: Path, command: str) -> None:
    read, write = os.pipe()
    os.close(read)
    try:
        code, said = ended(folder, command, output=write)
    finally:
        os.close(write)
    assert code == -signal.SIGPIPE
    assert "Traceback" not in said
    assert "Exception ignored" not in said


@pytest.mark.parametrize("workers", [1, 2])
def test_a_server_whose_output_is_closed_serves(folder: Path, workers: int) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    arguments = f"serve --port {port} --workers {workers}"
    with subprocess.Popen(
        ["/bin/sh", "-c", f'exec "$0" -m app.cli {arguments} >&-', sys.executable],
        env=environment(folder),
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            until(lambda: answers(f"http://127.0.0.1:{port}/ready"), seconds=120)
        finally:
            process.terminate()
            _, said = process.communicate(timeout=120)
    assert all(json.loads(line)["level"] == "info" for line in said.splitlines()), said
