"""Standard streams that are closed, full, or read by nobody: a sentence or silence, never a traceback."""

from __future__ import annotations

import json
import os
import resource
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
    assert said.splitlines()[-1] == "wort: standard output is closed"
    assert "Traceback" not in said


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no full device")
@pytest.mark.parametrize("command", SAYING)
def test_a_full_one_is_said_to_be(folder: Path, command: str) -> None:
    code, said = ended(folder, command, ">/dev/full")
    assert code == 4
    assert said.splitlines()[-1] == "wort: standard output: No space left on device"
    assert "Traceback" not in said
    assert "Exception ignored" not in said


def test_a_file_that_may_not_grow_is_said_to_be_too_large(folder: Path, tmp_path: Path) -> None:
    def grow_no_more() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))

    with (tmp_path / "out").open("w") as output:
        done = subprocess.run(
            [sys.executable, "-m", "app.cli", "benchmarks", "list"],
            env=environment(folder),
            stdout=output,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
            preexec_fn=grow_no_more,
        )
    assert (done.returncode, done.stderr) == (4, "wort: standard output: File too large\n")


READING = ["score -", "annotate -", "mcp", "excerpt SNAPSHOT -o OUTPUT --titles -"]
"""Commands that read standard input."""


@pytest.mark.parametrize("command", READING)
def test_a_closed_input_is_said_to_be(folder: Path, tmp_path: Path, command: str) -> None:
    named = command.replace("SNAPSHOT", str(folder / "snapshot")).replace("OUTPUT", str(tmp_path / "out"))
    code, said = ended(folder, named, "<&-")
    assert code == 4
    assert said.splitlines()[-1] == "wort: standard input is closed"
    assert "Traceback" not in said


@pytest.mark.parametrize("command", ["compare Cat Dog", "score PAIRS -o -"])
def test_commands_that_read_no_input_go_on_where_it_is_closed(folder: Path, command: str) -> None:
    code, said = ended(folder, command, "<&-", subprocess.DEVNULL)
    assert code == 0
    assert "Traceback" not in said


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
