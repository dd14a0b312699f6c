"""A server that requires a key: who is answered, who is not, and what the registry has to do with it."""

from __future__ import annotations

import base64
import datetime
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
import structlog
from sqlalchemy import Engine

from app.serving.keyring import Keyring
from app.settings import Settings
from models.registry.errors import RegistryError
from models.registry.registry import Registry
from tests.support.databases import (  # noqa: F401
    database_fixture,
    postgres_database_fixture,
    postgres_fixture,
    sqlite_fixture,
)
from tests.support.patience import PATIENCE, until
from tests.support.served import serving, toy_app

PAIRS = {"pairs": [{"left": "Cat", "right": "Dog"}]}
OPEN = ("/health", "/ready", "/metrics", "/v1/health", "/v1/ready", "/v1/metrics", "/docs", "/openapi.json")


class Kept:
    """A registry with two keys."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.registry = Registry.open(url)
        self.score = self.registry.keys.create(name="page", scopes=["score"], who="a test")[1]
        self.admin = self.registry.keys.create(name="ops", scopes=["admin"], who="a test")[1]


@pytest.fixture(scope="module", name="kept")
def kept_fixture(tmp_path_factory: pytest.TempPathFactory) -> Kept:
    return Kept(f"sqlite:///{tmp_path_factory.mktemp('kept') / 'wort.sqlite'}")


@pytest.fixture(scope="module", name="address")
def address_fixture(kept: Kept, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    app = toy_app(
        tmp_path_factory.mktemp("toy"),
        database=kept.url,
        require_key=True,
        admin_key="the admin's",
        follow_seconds=0.05,
    )
    with serving(app) as address:
        yield address


def ask(address: str, **headers: str) -> httpx.Response:
    return httpx.post(f"{address}/relatedness", json=PAIRS, headers=headers, timeout=PATIENCE)


def basic(password: str) -> str:
    return "Basic " + base64.b64encode(f"anybody:{password}".encode()).decode()


def test_a_key_is_sent_in_four_ways(kept: Kept, address: str) -> None:
    for key in (kept.score, kept.admin, "the admin's"):
        for headers in (
            {"Authorization": f"Bearer {key}"},
            {"Authorization": f"bearer  {key}"},
            {"X-API-Key": key},
            {"apikey": key},
            {"Authorization": basic(key)},
        ):
            assert ask(address, **headers).status_code == 200, headers


def test_nobody_else_is_answered(kept: Kept, address: str) -> None:
    flipped = kept.score[:-1] + ("0" if kept.score[-1] != "0" else "1")
    other = kept.score.replace("wort_1_", "wort_2_")
    for key in (flipped, other, kept.score + "0", kept.score[:-1], kept.score.upper(), "wort_1_", "é"):
        for headers in (
            {"Authorization": f"Bearer {key}"},
            {"X-API-Key": key},
            {"Authorization": basic(key)},
        ):
            sent = [(name.encode(), value.encode()) for name, value in headers.items()]
            answer = httpx.post(f"{address}/relatedness", json=PAIRS, headers=sent, timeout=PATIENCE)
            assert answer.status_code == 401, key
            assert answer.json()["type"] == "urn:wort:problem:unauthorized"
            assert answer.headers["WWW-Authenticate"] == 'Bearer, Basic realm="wort", charset="UTF-8"'
    for odd in (basic("x"), "Basic", "Basic ???", "Basic /w==", "Digest x", "Bearer"):
        assert ask(address, Authorization=odd).status_code == 401
    assert ask(address).status_code == 401


def test_every_route_but_the_open_ones_takes_a_key(kept: Kept, address: str) -> None:
    with httpx.Client(base_url=address, timeout=PATIENCE) as http:
        document = http.get("/openapi.json").json()
        for path, methods in document["paths"].items():
            for method, operation in methods.items():
                status = http.request(method, path.replace("{", "").replace("}", "")).status_code
                assert (status == 401) == (path not in OPEN), path
                assert bool(operation["security"]) == (path not in OPEN), path
        for path in OPEN:
            assert http.get(path).status_code == 200, path
        assert http.get("/static/nothing.css").status_code == 404
        for path in ("/", "/models", "/v1/models", "/nothing", "/health/", "/static", "//health", "/docs/x"):
            assert http.get(path).status_code == 401, path
        assert http.options("/relatedness").status_code == 401
    schemes = document["components"]["securitySchemes"]
    assert {scheme["type"] for scheme in schemes.values()} == {"http", "apiKey"}


def test_a_browser_asks_a_person_for_the_key(kept: Kept, address: str) -> None:
    asked = httpx.get(address, headers={"Accept": "text/html,*/*"})
    assert (asked.status_code, asked.headers["WWW-Authenticate"]) == (
        401,
        'Basic realm="wort", charset="UTF-8"',
    )
    assert httpx.get(address, auth=("", kept.score)).status_code == 200


def test_only_admins_retrain(kept: Kept, address: str) -> None:
    def status(key: str) -> int:
        return httpx.get(f"{address}/retrainings", headers={"X-API-Key": key}).status_code

    assert (status(kept.admin), status("the admin's"), status(kept.score), status("x")) == (
        200,
        200,
        403,
        401,
    )
    refused = httpx.get(f"{address}/retrainings", headers={"X-API-Key": kept.score}).json()
    assert refused["type"] == "urn:wort:problem:forbidden"


def test_keys_come_and_go_while_a_server_runs(kept: Kept, address: str) -> None:
    _, key = kept.registry.keys.create(name="guest", scopes=["score"], who="a test")
    with httpx.Client(base_url=address, headers={"X-API-Key": key}) as http:
        until(lambda: http.get("/models").status_code == 200)
        kept.registry.keys.revoke("guest")
        until(lambda: http.get("/models").status_code == 401)
        assert http.get("/models", headers={"X-API-Key": kept.score}).status_code == 200


def test_requests_never_ask_the_registry(kept: Kept, address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    connecting: set[str] = set()
    connect = Engine.connect

    def seen(engine: Engine) -> Any:
        connecting.add(threading.current_thread().name)
        return connect(engine)

    monkeypatch.setattr(Engine, "connect", seen)
    for _ in range(5):
        assert ask(address, **{"X-API-Key": kept.score}).status_code == 200
        assert ask(address, **{"X-API-Key": "another"}).status_code == 401
    until(lambda: bool(connecting))
    # Names of concepts are read on the threads that score.
    assert all(name == "keys" or "worker" in name for name in connecting), connecting


def test_keys_stay_while_the_registry_is_away(sqlite: str) -> None:
    kept = Kept(sqlite)
    keyring = Keyring(Settings(database=sqlite, require_key=True))
    path = Path(sqlite.removeprefix("sqlite:///"))
    path.rename(path.with_suffix(".away"))
    with structlog.testing.capture_logs() as logged:
        keyring.look()
        keyring.look()
        caller = keyring.find(kept.score)
        assert caller is not None
        assert (caller.name, caller.admin) == ("1", False)
        path.with_suffix(".away").rename(path)
        kept.registry.keys.revoke("page")
        keyring.look()
    assert keyring.find(kept.score) is None
    assert [entry["event"] for entry in logged] == ["keys cannot be read", "keys are read again"]
    keyring.stop()


def test_an_expired_key_ends_by_itself(database: str) -> None:
    soon = datetime.datetime.now(datetime.UTC) + datetime.timedelta(seconds=PATIENCE)
    with Registry.open(database) as registry:
        _, key = registry.keys.create(name="page", scopes=["score"], who="a test", expires=soon)
    now = [soon.timestamp() - 1]
    keyring = Keyring(Settings(database=database, require_key=True), clock=lambda: now[0])
    assert keyring.find(key) is not None
    now[0] += 2
    assert keyring.find(key) is None
    keyring.stop()


def test_a_registry_that_comes_later_is_found(sqlite: str) -> None:
    with structlog.testing.capture_logs() as logged:
        keyring = Keyring(Settings(database=sqlite, require_key=True))
    assert "wort keys create" in logged[0]["event"]
    kept = Kept(sqlite)
    assert keyring.find(kept.score) is None
    keyring.look()
    assert keyring.find(kept.score) is not None
    keyring.stop()


def test_a_registry_that_cannot_be_asked_keeps_the_server_from_starting(tmp_path: Path) -> None:
    (tmp_path / "wort.sqlite").write_bytes(b"no database" * 1000)
    url = f"sqlite:///{tmp_path / 'wort.sqlite'}"
    with pytest.raises(RegistryError):
        Keyring(Settings(database=url, require_key=True))
    Keyring(Settings(database=url))
    command = [
        sys.executable,
        "-m",
        "app.cli",
        "serve",
        "--port",
        "0",
        "--model",
        "models/shipped/starter.json",
    ]
    done = subprocess.run(
        command,
        env={"WORT_DATABASE": url, "WORT_REQUIRE_KEY": "true", "WORT_LOG_FORMAT": "json"},
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert done.returncode == 3
    assert "cannot be read as a database" in done.stderr
    assert "Traceback" not in done.stderr


def test_who_needs_no_key_may_send_one(tmp_path: Path) -> None:
    with serving(toy_app(tmp_path)) as address:
        for key in ("x", "wort_1_" + "0" * 64):
            assert ask(address, **{"X-API-Key": key}).status_code == 200
        document = httpx.get(f"{address}/openapi.json").json()
    assert document["paths"]["/v1/relatedness"]["post"]["security"] == []
    assert document["paths"]["/v1/retrainings"]["get"]["security"]
