"""The command line: help that is quick, exit codes that scripts can use, pipes, signals."""

from __future__ import annotations

import io
import json
import logging
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from pathlib import Path

import httpx
import pytest

from app import cli
from app.cli.exit_codes import exit_code
from app.errors import AddressUnavailable, ForeignModel, NoRoom, OutputExists, PairsError
from models.errors import WrongFeatures
from snapshots.errors import BuildError, DamagedSnapshot, DiskFull, OutOfMemory
from tests.support.dump_server import Site, serve
from tests.support.patience import PATIENCE
from tests.support.served import toy_files, toy_model
from wiki.errors import NotADump, ServerUnavailable

HEAVY = {
    "numpy",
    "numba",
    "pyarrow",
    "duckdb",
    "lxml",
    "fastapi",
    "uvicorn",
    "sklearn",
    "gensim",
    "sqlalchemy",
}


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    snapshot, model = toy_files(tmp_path_factory.mktemp("cli"))
    return ["--snapshot", str(snapshot), "--model", str(model)]


def wort(monkeypatch: pytest.MonkeyPatch, arguments: Sequence[str]) -> int:
    """The exit code of ``wort`` with some arguments, run in this process."""
    monkeypatch.setattr(sys, "argv", ["wort", *arguments])
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    with pytest.raises(SystemExit) as ended:
        cli.main()
    # A server that does not start has begun to log.
    root.handlers[:] = handlers
    root.setLevel(level)
    code = ended.value.code
    assert code is None or isinstance(code, int)
    return code or 0


@pytest.mark.parametrize("command", cli.COMMANDS)
def test_every_command_says_what_it_does(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], command: str
) -> None:
    assert wort(monkeypatch, [command, "--help"]) == 0
    assert f"Usage: wort {command}" in capsys.readouterr().out


def test_help_lists_every_command(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert wort(monkeypatch, ["--help"]) == 0
    shown = capsys.readouterr().out
    assert all(command in shown for command in cli.COMMANDS)
    assert "Exit codes" in shown
    assert wort(monkeypatch, ["--version"]) == 0
    assert capsys.readouterr().out.startswith("wort ")


@pytest.mark.parametrize("command", cli.COMMANDS)
def test_help_loads_nothing_heavy(command: str) -> None:
    code = (
        f"import sys; sys.argv = ['wort', {command!r}, '--help']\n"
        "from app.cli import main\n"
        "try: main()\n"
        "except SystemExit: print('loaded', *sys.modules)"
    )
    printed = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout
    loaded = {name.split(".")[0] for name in printed.rpartition("loaded")[2].split()}
    assert not loaded & HEAVY


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (OutputExists("x"), 2),
        (PairsError("x"), 3),
        (ForeignModel("x"), 3),
        (AddressUnavailable("x"), 4),
        (NoRoom("x"), 4),
        (NotADump("x"), 3),
        (ServerUnavailable("x"), 4),
        (DamagedSnapshot("x"), 3),
        (BuildError("x"), 3),
        (DiskFull("x"), 4),
        (OutOfMemory("x"), 4),
        (WrongFeatures("x"), 3),
        (FileNotFoundError(2, "No such file"), 3),
        (PermissionError(13, "Permission denied"), 3),
        (OSError(28, "No space left on device"), 4),
        (ValueError("a fault of ours"), None),
    ],
)
def test_what_errors_mean(error: Exception, code: int | None) -> None:
    assert exit_code(error) == code


@pytest.mark.parametrize(
    ("arguments", "code", "says"),
    [
        (["sing"], 2, "There is no command 'sing'"),
        (["score"], 2, "PAIRS is missing"),
        (["score", "pairs.txt"], 3, "does not exist"),
        (["score", "none.csv"], 3, "none.csv"),
        (["score", "pairs.csv", "--snapshot", "none"], 3, "not a snapshot"),
        (["score", "pairs.csv", "--model", "none.json"], 3, "none.json"),
        (["score", "pairs.csv", "--left", "nothing"], 3, "'nothing'"),
        (["score", "pairs.csv", "--left", "a", "--right", "b"], 3, "--no-header"),
        (["score", "pairs.csv", "--format", "jsonl", "--no-header"], 2, "--no-header"),
        (["score", "pairs.csv", "-o", "pairs.csv"], 2, "--force"),
        (["score", "pairs.csv", "-o", "no/folder/out.csv"], 2, "no/folder"),
        (["serve", "--port", "70000"], 2, "65535"),
        (["serve", "--host", "192.0.2.1", "--port", "0"], 4, "--host"),
        (["serve", "--snapshot", "none"], 3, "not a snapshot"),
    ],
)
def test_wrong_use_is_said(
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
    tmp_path: Path,
    files: list[str],
    arguments: list[str],
    code: int,
    says: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("pairs.csv").write_bytes(b"left,right\nCat,Dog\n")
    known = ("score", "serve")
    given = [*arguments[:1], *(files if arguments[0] in known else []), *arguments[1:]]
    assert wort(monkeypatch, given) == code
    shown = capfd.readouterr()
    assert says in shown.err
    assert "Traceback" not in shown.err
    assert [path.name for path in Path().iterdir()] == ["pairs.csv"]


def test_a_setting_that_cannot_be_used(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], files: list[str]
) -> None:
    monkeypatch.setenv("WORT_MAX_PAIRS", "many")
    for arguments in (["serve"], ["score", "-"]):
        assert wort(monkeypatch, [*arguments, *files]) == 2
        assert "WORT_MAX_PAIRS: 'many' is not a whole number." in capsys.readouterr().err


def test_a_taken_port(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], files: list[str]
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert wort(monkeypatch, ["serve", *files, "--port", str(port)]) == 4
    said = capsys.readouterr().err
    assert str(port) in said
    assert "--port" in said


def test_strict_refuses_a_model_of_another_snapshot(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path, files: list[str]
) -> None:
    foreign = toy_model(tmp_path / "model.json", "elsewhere")
    source = tmp_path / "pairs.csv"
    source.write_bytes(b"left,right\nCat,Dog\n")
    arguments = ["score", str(source), *files[:2], "--model", str(foreign)]
    assert wort(monkeypatch, [*arguments, "--strict"]) == 3
    assert "elsewhere" in capsys.readouterr().err
    assert wort(monkeypatch, arguments) == 0
    assert "elsewhere" in capsys.readouterr().err


def test_score_heeds_the_environment(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path, files: list[str]
) -> None:
    source = tmp_path / "pairs.csv"
    source.write_bytes(b"left,right\nCat,Dog\nCatt,Dog\n")
    monkeypatch.setenv("WORT_SNAPSHOT", files[1])
    monkeypatch.setenv("WORT_MODEL", str(toy_model(tmp_path / "model.json", "elsewhere")))
    assert wort(monkeypatch, ["score", str(source)]) == 0
    monkeypatch.setenv("WORT_STRICT", "1")
    assert wort(monkeypatch, ["score", str(source)]) == 3
    assert "elsewhere" in capsys.readouterr().err
    # A row without a score matters to the option alone.
    assert wort(monkeypatch, ["score", str(source), *files]) == 0


def test_rows_without_a_score_matter_only_to_strict(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path, files: list[str]
) -> None:
    source = tmp_path / "pairs.csv"
    source.write_bytes(b"left,right\nCat,Dog\nCat,Cat\nCatt,Dog\nCat\n")
    assert wort(monkeypatch, ["score", str(source), *files]) == 0
    shown = capsys.readouterr()
    assert f"{source}:5: has 1 cell where the header has 2" in shown.err
    assert "4 rows: 1 ok, 1 identical, 1 unknown, 0 ambiguous, 1 invalid" in shown.err
    identity = json.loads((Path(files[1]) / "manifest.json").read_bytes())["id"]
    assert f"wort: scored by toy, on {identity}\n" in shown.err
    assert shown.out.startswith("left,right,score,")
    assert wort(monkeypatch, ["score", str(source), *files, "--strict"]) == 1
    source.write_bytes(b"left,right\nCat,Dog\nCat,Cat\n")
    assert wort(monkeypatch, ["score", str(source), *files, "--strict"]) == 0


def test_a_snapshot_is_verified(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    snapshot, _ = toy_files(tmp_path)
    assert wort(monkeypatch, ["verify", str(snapshot)]) == 0
    assert "all as they were written" in capsys.readouterr().out
    damaged = snapshot / "page_ids.npy"
    damaged.write_bytes(damaged.read_bytes()[:-1] + b"\xff")
    (snapshot / "links.indices.npy").unlink()
    (snapshot / "mine.txt").write_text("not part of it")
    assert wort(monkeypatch, ["verify", str(snapshot), "--quiet"]) == 1
    shown = capsys.readouterr()
    assert shown.out == ""
    assert shown.err.splitlines() == [
        f"{snapshot}: links.indices.npy is missing",
        f"{snapshot}: page_ids.npy was altered: its checksum is not the manifest's",
        f"{snapshot}: mine.txt does not belong to the snapshot",
        "Copy the snapshot again or build it again.",
    ]
    assert wort(monkeypatch, ["verify", str(tmp_path / "none")]) == 3
    assert "not a snapshot" in capsys.readouterr().err


def test_a_dump_is_downloaded(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    dump = b"a dump " * 1000
    with serve(Site()) as site:
        site.publish("toywiki", "20200203", {"pages-articles.xml.bz2": dump}, folder="latest")
        target = tmp_path / "dumps"
        command = ["download", "--wiki", "toywiki", "-o", str(target), "--site", site.url]
        assert wort(monkeypatch, command) == 0
        shown = capsys.readouterr()
        path = target / "toywiki-20200203-pages-articles.xml.bz2"
        assert shown.out.split() == [str(path)]
        assert path.name in shown.err
        assert path.read_bytes() == dump
        # The site by the environment; what is there is not fetched again.
        monkeypatch.setenv("WORT_DUMPS", site.url)
        assert wort(monkeypatch, ["download", "--wiki", "toywiki", "-o", str(target), "--quiet"]) == 0
        assert len(site.asked("pages-articles.xml.bz2")) == 1
        assert capsys.readouterr().out.split() == [str(path)]
        assert wort(monkeypatch, [*command, "--date", "19990101"]) == 4
        assert "19990101" in capsys.readouterr().err


@pytest.mark.slow
def test_a_full_disk_stops_clearly_and_room_resumes(tmp_path: Path, files: list[str]) -> None:
    disk, source = tmp_path / "disk", tmp_path / "pairs.csv"
    disk.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=600k", "tmpfs", str(disk)]
    if subprocess.run(mount, check=False, capture_output=True).returncode:
        pytest.skip("mounting a small disk takes rights that this user has not")
    source.write_bytes(b"left,right\n" + b"Cat,Dog\nCat,Cat\n" * 10_000)
    command = [sys.executable, "-m", "app.cli", "score", str(source), *files, "-o"]
    try:
        for ending in ("csv", "parquet"):
            subprocess.run(["mount", "-o", "remount,size=600k", disk], check=True)
            output, whole = disk / f"out.{ending}", tmp_path / f"whole.{ending}"
            full = subprocess.run([*command, output], check=False, capture_output=True, text=True)
            assert full.returncode == 4, full.stderr
            assert full.stderr.endswith(
                f"wort: there is no room left for {output}. Make room: the same command goes on from here.\n"
            )
            assert not output.exists()
            subprocess.run(["mount", "-o", "remount,size=60m", disk], check=True)
            again = subprocess.run([*command, output], check=True, capture_output=True, text=True)
            assert f"going on at {source}:" in again.stderr
            subprocess.run([*command, whole], check=True, capture_output=True)
            assert output.read_bytes() == whole.read_bytes()
            output.unlink()
    finally:
        subprocess.run(["umount", disk], check=True)


def test_a_pipe_through_the_command(files: list[str]) -> None:
    command = [sys.executable, "-m", "app.cli", "score", "-", "--format", "tsv", "--output-format", "jsonl"]
    done = subprocess.run(
        [*command, *files, "--quiet"], input=b"left\tright\nCat\tDog\n", check=True, capture_output=True
    )
    assert done.stdout.startswith(b'{"left":"Cat","right":"Dog","score":0.')
    assert done.stderr == b""


def test_an_empty_pipe(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], files: list[str]
) -> None:
    class Standard:
        buffer = io.BytesIO()

    monkeypatch.setattr(sys, "stdin", Standard)
    assert wort(monkeypatch, ["score", "-", *files]) == 3
    assert "empty" in capsys.readouterr().err


def _interruptible() -> None:
    # Tests that run in the background were started with the signal ignored, and their children inherit that.
    signal.signal(signal.SIGINT, signal.SIG_DFL)


@pytest.mark.parametrize(("stop", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_an_interrupted_run_can_go_on(
    tmp_path: Path, files: list[str], stop: signal.Signals, code: int
) -> None:
    source, output = tmp_path / "pairs.csv", tmp_path / "out.csv"
    source.write_bytes(b"left,right\n" + b"Cat,Dog\n" * 3_000_000)
    command = [sys.executable, "-m", "app.cli", "score", str(source), *files, "-o", str(output)]
    with subprocess.Popen(
        command,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=_interruptible,  # noqa: PLW1509  # no thread runs here
    ) as process:
        state = tmp_path / "out.csv.partial.state"
        while not state.exists():
            assert process.poll() is None
            time.sleep(0.005)
        process.send_signal(stop)
        _, said = process.communicate(timeout=PATIENCE)
    assert process.returncode == code
    assert "goes on from here" in said
    assert not output.exists()
    assert (tmp_path / "out.csv.partial").exists()


@pytest.mark.parametrize("workers", [1, 2])
def test_a_server_from_start_to_end(tmp_path: Path, files: list[str], workers: int) -> None:
    command = [sys.executable, "-m", "app.cli", "serve", *files, "--port", "0", "--workers", str(workers)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        drained = threading.Thread(target=process.stderr.read)
        drained.start()
        said = process.stdout.readline()
        assert said.startswith("wort serves 12 concepts of smallwiki (2001-01-15) at http://127.0.0.1:")
        address = said.split()[-1]
        body = {"pairs": [{"left": "Cat", "right": "Dog"}]}
        answer = httpx.post(f"{address}/relatedness", json=body, timeout=PATIENCE).json()
        assert answer["results"][0]["status"] == "ok"
        process.send_signal(signal.SIGTERM)
        process.wait(timeout=PATIENCE)
        drained.join()
        assert process.returncode in (0, -signal.SIGTERM)
    with pytest.raises(httpx.ConnectError):
        httpx.get(f"{address}/health")


@pytest.mark.parametrize(
    "arguments",
    [
        ["download", "--wiki", "simplewiki", "--date", "yesterday"],
        ["download", "--wiki", "../x"],
        ["build", "x.xml", "-o", "y", "--memory", "much"],
        ["build", "x.xml", "-o", "y", "--date", "20170901"],
    ],
)
def test_wrong_use_is_told_apart(monkeypatch: pytest.MonkeyPatch, arguments: list[str]) -> None:
    assert wort(monkeypatch, arguments) == 2


@pytest.mark.parametrize("name", ["nothing.csv", "nothing.parquet", "nothing.txt"])
def test_a_missing_file_is_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path, name: str
) -> None:
    assert wort(monkeypatch, ["score", str(tmp_path / name)]) == 3
    assert capsys.readouterr().err == f"wort: {tmp_path / name} does not exist. Name a file of pairs.\n"


def test_the_input_is_never_the_output(
    monkeypatch: pytest.MonkeyPatch, files: list[str], tmp_path: Path
) -> None:
    pairs = tmp_path / "pairs.csv"
    pairs.write_text("left,right\nCat,Dog\n")
    assert wort(monkeypatch, ["score", str(pairs), "-o", str(pairs), "--force", *files]) == 2
    assert pairs.read_text() == "left,right\nCat,Dog\n"
