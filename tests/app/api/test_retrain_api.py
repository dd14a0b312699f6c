"""Retrainings over HTTP: a real server starts them, watches them and serves what they made."""

from __future__ import annotations

import contextlib
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from app.api.retrainings import RetrainingOptions
from app.retraining.process import Retrainings, _sweep, arguments, environment, spool
from app.serving.keyring import Caller
from app.settings import Settings
from models.registry.registry import Registry
from tests.support.databases import postgres_database_fixture, postgres_fixture, sqlite_fixture
from tests.support.judged import judgements, put_in_force, toy_wiki, write
from tests.support.patience import PATIENCE
from tests.support.registered import register
from tests.support.served import serving, toy_app

__all__ = ["postgres_database_fixture", "postgres_fixture", "sqlite_fixture"]

KEY = "a key that nobody guesses"
CSV = {"Content-Type": "text/csv; charset=utf-8"}


@pytest.fixture(scope="module")
def snapshot(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return toy_wiki(tmp_path_factory.mktemp("retrain") / "snapshot")


@pytest.fixture
def body(snapshot: Path, tmp_path: Path) -> bytes:
    return write(tmp_path / "mine.csv", judgements(snapshot)).read_bytes()


@contextmanager
def served(database: str, log: Path, **settings: str) -> Iterator[tuple[str, subprocess.Popen[str]]]:
    """A real server over a registry: its address and its process."""
    given = {"WORT_DATABASE": database, "WORT_ADMIN_KEY": KEY, "WORT_PORT": "0", **settings}
    with (
        log.open("w") as written,
        subprocess.Popen(
            [sys.executable, "-m", "app.cli", "serve"],
            env={**os.environ, **given},
            stdout=subprocess.PIPE,
            stderr=written,
            text=True,
        ) as process,
    ):
        assert process.stdout is not None
        try:
            yield process.stdout.readline().split()[-1], process
        finally:
            process.terminate()


def ended(http: httpx.Client, path: str) -> dict[str, Any]:
    """A retraining once it has ended."""
    end = time.monotonic() + PATIENCE
    while True:
        answer = http.get(path)
        # A writer may hold the registry for the moment: 503 asks to try again.
        assert answer.status_code in {200, 503}, answer.text
        found: dict[str, Any] = answer.json()
        if found.get("state", "running") != "running":
            return found
        assert time.monotonic() < end, found
        time.sleep(0.1)


def keyed(address: str) -> httpx.Client:
    return httpx.Client(base_url=address, timeout=PATIENCE, headers={"Authorization": f"Bearer {KEY}"})


def test_who_asks_is_the_name_of_the_key_unless_it_is_said() -> None:
    caller = Caller("7", admin=True, called="Ann's notebook")
    assert RetrainingOptions().of_command(caller)["who"] == "Ann's notebook"
    assert RetrainingOptions(who="ben").of_command(caller)["who"] == "ben"


@pytest.mark.slow
def test_a_server_retrains_and_then_serves_the_model(
    sqlite: str, snapshot: Path, body: bytes, tmp_path: Path
) -> None:
    log = tmp_path / "log.txt"
    with Registry.open(sqlite) as registry:
        put_in_force(registry, snapshot, tmp_path)
    pair = {"pairs": [{"left": "Cat", "right": "Dog"}]}
    with served(sqlite, log, WORT_FOLLOW_SECONDS="0.2") as (address, _), keyed(address) as http:
        before = http.post("/relatedness", json=pair).json()
        options = {"gate_pairs": "50", "name": "--promote", "note": "by a test", "who": "ann"}
        answer = http.post("/retrainings", params=options, content=body, headers=CSV)
        assert answer.status_code == 202
        assert answer.json()["state"] == "running"
        path = answer.headers["Location"]
        # One at a time; the other is pointed to.
        busy = http.post("/retrainings", content=body, headers=CSV)
        assert (busy.status_code, busy.headers["Location"]) == (409, path)
        assert busy.json()["type"] == "urn:wort:problem:retraining-running"
        # The key is in no list of processes.
        for process in Path("/proc").glob("[0-9]*/cmdline"):
            with contextlib.suppress(FileNotFoundError, ProcessLookupError):
                assert KEY.encode() not in process.read_bytes()
        found = ended(http, path)
        assert (found["state"], found["model"], found["who"]) == ("promoted", "--promote@1", "ann")
        assert found["parameters"]["note"] == "by a test"
        assert found["message"].startswith("--promote is better than toy@1")
        report = http.get(found["report"])
        assert report.headers["Content-Type"] == "application/json"
        assert report.json()["verdict"]["reason"] == found["message"]
        assert report.json()["benchmark"] == "judgements.csv"
        page = http.get(f"{path}/report.html")
        assert page.headers["Content-Type"].startswith("text/html")
        assert page.headers["Content-Security-Policy"].startswith("default-src 'none'")
        assert "is better than toy@1" in page.text
        assert [each["number"] for each in http.get("/retrainings").json()["retrainings"]] == [1]
        # What was promoted is served.
        end = time.monotonic() + PATIENCE
        while http.get("/models").json()["served"].get("release", {}).get("number") != 2:
            assert time.monotonic() < end
            time.sleep(0.1)
        assert http.post("/relatedness", json=pair).json()["results"] != before["results"]
        # Nothing stays of the judgements, and the key is in no log.
        folder = spool(Settings(database=sqlite))
        assert folder.stat().st_mode & 0o077 == 0
        while list(folder.iterdir()):
            assert time.monotonic() < end
            time.sleep(0.1)
    assert KEY not in log.read_text()
    assert "retraining ended" in log.read_text()


@pytest.mark.slow
def test_a_process_that_is_killed_is_a_failed_retraining(
    postgres: str, snapshot: Path, body: bytes, tmp_path: Path
) -> None:
    with Registry.open(postgres) as registry:
        put_in_force(registry, snapshot, tmp_path)
        with (
            served(postgres, tmp_path / "log.txt", XDG_DATA_HOME=str(tmp_path)) as (address, _),
            keyed(address) as http,
        ):
            path = http.post("/retrainings", content=body, headers=CSV).headers["Location"]
            while (pid := registry.run(1).pid) is None:
                time.sleep(0.01)
            os.kill(pid, signal.SIGKILL)
            found = ended(http, path)
            assert found["state"] == "failed"
            assert found["message"].startswith("Its process was killed by signal 9.")
            assert http.get(f"{path}/report").status_code == 404
            assert http.post("/retrainings", content=body, headers=CSV).status_code == 202
            ended(http, "/retrainings/2")


@pytest.mark.slow
def test_a_retraining_outlives_the_server(sqlite: str, snapshot: Path, body: bytes, tmp_path: Path) -> None:
    with Registry.open(sqlite) as registry:
        put_in_force(registry, snapshot, tmp_path)
        with served(sqlite, tmp_path / "log.txt") as (address, _), keyed(address) as http:
            http.post("/retrainings", params={"gate_pairs": 50}, content=body, headers=CSV)
        with served(sqlite, tmp_path / "log2.txt") as (address, _), keyed(address) as http:
            assert ended(http, "/retrainings/1")["state"] == "promoted"
            # Its first server is not there to clear up; of the judgements nothing is left.
            folder = spool(Settings(database=sqlite))
            (left,) = folder.iterdir()
            assert [path.name for path in left.iterdir()] == ["log.txt"]
            # What is left is cleared away by a later one.
            os.utime(left, (0, 0))
            path = http.post("/retrainings", content=body, headers=CSV).headers["Location"]
            assert not left.exists()
            ended(http, path)


@pytest.fixture
def http(sqlite: str, tmp_path: Path) -> Iterator[httpx.Client]:
    """A client with the key, of a server in this process."""
    app = toy_app(tmp_path, database=sqlite, admin_key=KEY, max_body=5000)
    with serving(app) as address, keyed(address) as client:
        yield client


def test_nobody_passes_without_the_key(http: httpx.Client) -> None:
    requests = [("POST", ""), ("GET", ""), ("GET", "/1"), ("GET", "/1/report"), ("GET", "/1/report.html")]
    for given in ("", "Bearer", "Bearer wrong", f"Basic {KEY}", f"Bearer {KEY}x", "Bearer \xe9"):
        for method, path in requests:
            answer = http.request(
                method, f"/retrainings{path}", headers={b"Authorization": given.encode("latin-1")}
            )
            assert answer.status_code == 401, given
            assert answer.headers["WWW-Authenticate"].startswith("Bearer, Basic")
            assert answer.json()["type"] == "urn:wort:problem:unauthorized"
    assert http.get("/retrainings").json() == {"retrainings": []}
    assert http.get("/retrainings/1").status_code == 404


def test_a_server_without_a_key_says_how_to_enable_it(sqlite: str, tmp_path: Path) -> None:
    with serving(toy_app(tmp_path, database=sqlite)) as address, keyed(address) as http:
        for answer in (http.get("/retrainings"), http.post("/retrainings", content=b"x", headers=CSV)):
            assert answer.status_code == 403
            assert "WORT_ADMIN_KEY" in answer.json()["detail"]


def test_what_cannot_be_a_retraining_is_refused_at_once(http: httpx.Client) -> None:
    def status(content: bytes = b"left,right,score\n", kind: str = "text/csv", **options: Any) -> int:
        return http.post(
            "/retrainings", params=options, content=content, headers={"Content-Type": kind}
        ).status_code

    assert status(kind="application/json") == status(kind="") == 415
    assert status(content=b"x" * 5001) == 413
    for name in ("../../etc/passwd", "mine.toml", "/tmp/x.toml", ""):
        assert status(with_benchmark=name) == 422
    assert status(gate_p=2) == status(low="nan") == status(design="wide") == status(left="") == 422
    for option in ("note", "who", "reason", "left", "topic_column", "name"):
        for text in ("a\x00b", "a\x1b[2Jb"):
            wrong: Any = {option: text}
            assert status(**wrong) == 422, option
    assert status(name="a@b") == status(reason=" ") == 422
    assert http.get("/retrainings").json() == {"retrainings": []}


@pytest.mark.parametrize(
    ("wrong", "error"),
    [
        ("subprocess.Popen", ValueError("embedded null byte")),
        ("subprocess.Popen", PermissionError(13, "Permission denied")),
        ("threading.Thread.start", RuntimeError("can't start new thread")),
    ],
)
def test_what_cannot_be_started_has_failed_and_leaves_nothing(
    sqlite: str, monkeypatch: pytest.MonkeyPatch, wrong: str, error: Exception
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise error

    settings = Settings(database=sqlite)
    with monkeypatch.context() as patch:
        patch.setattr(f"app.retraining.process.{wrong}", fail)
        with pytest.raises(type(error)):
            Retrainings(settings).start(b"left,right,score\n", ".csv", {"who": "ann"})
    assert list(spool(settings).iterdir()) == []
    with Registry.open(sqlite) as registry:
        (run,) = registry.runs()
        assert run.outcome == "failed"
        assert run.message == f"It could not be started: {error}. Nothing was registered."


def test_the_end_of_a_process_does_not_undo_what_it_did(sqlite: str, tmp_path: Path) -> None:
    with Registry.open(sqlite) as registry:
        for number in (1, 2):
            registry.begin_run(who="ann", parameters={}, pid=None)
            made = register(registry, run=number)
        registry.promote(made.ref, snapshot_id="s1", location="/s", reason="better", who="ann", run=2)
        for number in (1, 2):
            folder = tmp_path / str(number)
            folder.mkdir()
            (folder / "log.txt").write_text("wort: the registry cannot be used now\n")
            with subprocess.Popen([sys.executable, "-c", "raise SystemExit(4)"]) as process:
                Retrainings(Settings(database=sqlite))._wait(number, process, folder)
            assert not folder.exists()
        one, two = registry.run(1), registry.run(2)
        assert (one.outcome, one.model) == ("failed", "word@1")
        assert one.message == (
            "Its process ended with exit code 4. wort: the registry cannot be used now. "
            "It had registered word@1, and did not put it in force."
        )
        assert (two.outcome, two.model, two.message) == ("promoted", "word@2", "better")


def test_data_that_cannot_be_used_is_told_where_it_is_watched(http: httpx.Client) -> None:
    answer = http.post("/retrainings", content=b"left,right\nCat,Dog\n", headers=CSV)
    assert answer.status_code == 202
    found = ended(http, answer.headers["Location"])
    assert found["state"] == "failed"
    assert re.search(r"^while reading: judgements.csv has no column score", found["message"])
    assert "model" not in found


def test_options_become_arguments_that_cannot_be_taken_for_others() -> None:
    given = arguments(
        {"name": "--promote", "promote": False, "left": None, "low": 0.0, "with-benchmark": ["a", "b"]}
    )
    assert given == ["--name=--promote", "--low=0.0", "--with-benchmark=a", "--with-benchmark=b"]
    assert arguments({"register-only": True}) == ["--register-only"]


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("topic_colunm=topic", "There is no parameter topic_colunm"),
        ("register_onlly=true&name=mine", "There is no parameter register_onlly"),
        ("low=1&high=0", "low: 1 is not below high, 0"),
        ("reason=better&register_only=true", "Send one"),
        ("reason=%20", "say why"),
    ],
)
def test_a_query_that_is_not_meant_so_starts_nothing(http: httpx.Client, query: str, said: str) -> None:
    answer = http.post(f"/retrainings?{query}", content=b"left,right,score\n", headers=CSV)
    assert answer.status_code == 422
    assert said in answer.json()["detail"]
    assert http.get("/retrainings").json()["retrainings"] == []


def test_an_empty_body_starts_nothing(http: httpx.Client) -> None:
    answer = http.post("/retrainings", content=b" \n", headers=CSV)
    assert (answer.status_code, "is empty" in answer.json()["detail"]) == (422, True)


def test_who_has_no_key_is_not_told_what_else_is_wrong(http: httpx.Client) -> None:
    answer = http.post("/retrainings?low=x", content=b"", headers={**CSV, "Authorization": "Bearer no"})
    assert answer.status_code == 401


def test_only_what_retrainings_left_is_swept(sqlite: str) -> None:
    within = spool(Settings(database=sqlite))
    within.mkdir(parents=True, exist_ok=True)
    left, notes = within / "7-0123abcd", within / "my-own-notes"
    for folder in (left, notes):
        folder.mkdir()
        os.utime(folder, (0, 0))
    _sweep(within)
    assert [folder.name for folder in within.iterdir()] == ["my-own-notes"]
    notes.rmdir()


@pytest.mark.parametrize("name", ["WORT_ADMIN_KEY", "wort_admin_key"])
def test_the_process_gets_the_settings_without_the_key(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setenv(name, KEY)
    given = environment(Settings(database="postgresql+psycopg://u:secret@h/d"))
    assert KEY not in given.values()
    assert given["WORT_DATABASE"] == "postgresql+psycopg://u:secret@h/d"
