"""Nothing of what is asked, and no key, is in the log: every route, every place of a request, every form."""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Iterator
from itertools import cycle, product
from pathlib import Path
from typing import Any, NoReturn

import httpx
import pytest

from app.logs import configure
from app.web.middleware.envelope import where
from tests.support.logs import logged_by_the_library
from tests.support.served import serving, toy_app

MARK = "sekret"
"""Every text that is sent holds it."""

ADMIN_KEY = f"{MARK}-admin-key"
HEADERS = {
    "X-Request-ID": f"{MARK} with spaces",
    "User-Agent": f"{MARK}-agent",
    "Referer": f"http://{MARK}.example/{MARK}",
    "Cookie": f"session={MARK}",
    "X-Forwarded-For": f"{MARK}",
    "Accept": f"application/json, text/html;{MARK}=1",
    "If-None-Match": f'"{MARK}"',
}
KEYS = (
    {"Authorization": f"Bearer {ADMIN_KEY}"},
    {"X-API-Key": f"wort_1_{MARK}"},
    {"Authorization": f"Basic {MARK}"},
    {"apikey": MARK},
)
TABLE = f"left,right,score\n{MARK} one,{MARK} two,0.5\nCat,Dog,{MARK}\n"


@pytest.fixture(autouse=True)
def as_before() -> Iterator[None]:
    """The logging of the process is put back."""
    root = logging.getLogger()
    handlers, level = list(root.handlers), root.level
    # The client of these tests, which the server is not, logs what it sends.
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(logging.getLogger("httpx"), "disabled", True)
        yield
    logged_by_the_library()
    root.handlers[:] = handlers
    root.setLevel(level)


def marked(value: Any) -> Any:
    """An example of a body with the mark in every text."""
    if isinstance(value, dict):
        return {name: marked(inner) for name, inner in value.items()}
    if isinstance(value, list):
        return [marked(inner) for inner in value]
    return f"{value} {MARK}" if isinstance(value, str) else value


def bodies(operation: dict[str, Any]) -> Iterator[tuple[str, bytes]]:
    """Bodies of every media type that an operation takes, and some that it does not."""
    yield f"text/{MARK}", MARK.encode()
    for media_type, content in operation.get("requestBody", {}).get("content", {}).items():
        yield media_type, f'{{"{MARK}'.encode()
        yield media_type, TABLE.encode()
        yield media_type, TABLE.encode() * 100
        yield media_type, json.dumps({"left": f"{MARK} one", "right": MARK, MARK: MARK}).encode()
        for example in content.get("examples", {}).values():
            yield media_type, json.dumps(marked(example["value"])).encode()


def requests(document: dict[str, Any]) -> Iterator[httpx.Request]:
    """Requests to every route, with the mark in its path, its parameters, its headers and its body."""
    paths = {**document["paths"], "/": {"get": {}}, "/explore": {"get": {}}, f"/{MARK}": {"get": {}}}
    for path, operations in paths.items():
        for method, operation in operations.items():
            known = [each["name"] for each in operation.get("parameters", ()) if each["in"] == "query"]
            queries: tuple[dict[str, str], ...] = (
                {},
                {name: f"{MARK} {name}" for name in (*known, "left", "right", "q", "concept")},
                {MARK: MARK},
            )
            ways = cycle(product(("1", MARK), queries))
            sent = [*bodies(operation), *[("text/plain", b"")] * 6]
            for (media_type, body), (place, query), key in zip(sent, ways, cycle(KEYS), strict=False):
                yield httpx.Request(
                    method.upper(),
                    "http://server" + re.sub(r"\{[^}]*\}", place, path),
                    params=query,
                    headers={**HEADERS, **key, "Content-Type": media_type},
                    content=None if method == "get" else body,
                )


def logged(
    folder: Path, form: str, capsys: pytest.CaptureFixture[str], broken: bool = False
) -> tuple[str, set[int]]:
    """What every request leaves in the log, and the statuses of the answers."""
    (folder / "no folder").write_text("")
    app = toy_app(
        folder,
        admin_key=ADMIN_KEY,
        database=f"sqlite:///{folder}/no folder/wort.sqlite",
        max_pairs=20,
        max_body=2048,
    )
    document = app.openapi()
    configure("info", form)
    statuses = set()
    with serving(app) as address, httpx.Client(timeout=60) as http:
        if broken:
            app.state.source = Broken()
        for request in requests(document):
            request.url = request.url.copy_with(**_place(address))
            statuses.add(http.send(request).status_code)
    return capsys.readouterr().err, statuses


def _place(address: str) -> dict[str, Any]:
    host, port = address.removeprefix("http://").split(":")
    return {"host": host, "port": int(port)}


class Broken:
    """What is served, but that it fails with an error that quotes what was asked."""

    @property
    def current(self) -> NoReturn:
        try:
            raise KeyError(f"{MARK} title")
        except KeyError as error:
            raise RuntimeError(f"cannot score {MARK}") from error

    def describe(self) -> NoReturn:
        raise ValueError(f"{MARK} pair")

    def start(self) -> None:
        pass

    def stop(self) -> None:
        pass


@pytest.mark.parametrize("form", ["json", pytest.param("console", marks=pytest.mark.slow)])
def test_what_is_asked_is_not_logged(form: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    log, statuses = logged(tmp_path, form, capsys)
    assert log.count("/relatedness") > 10
    assert {200, 401, 404, 413, 415, 422} <= statuses
    assert 500 not in statuses
    assert MARK not in log.lower()


@pytest.mark.parametrize("form", ["console", pytest.param("json", marks=pytest.mark.slow)])
def test_what_fails_does_not_tell_it_either(
    form: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log, statuses = logged(tmp_path, form, capsys, broken=True)
    assert 500 in statuses
    for told in ("test_confidential.py", "KeyError", "RuntimeError"):
        assert told in log
    assert MARK not in log.lower()


def test_where_an_error_was_raised_is_said_without_its_words() -> None:
    with pytest.raises(RuntimeError) as raised:
        _ = Broken().current
    told = where(raised.value)
    assert told.index("KeyError") < told.index("RuntimeError")
    assert "in current" in told
    assert f"cannot score {MARK}" not in told
