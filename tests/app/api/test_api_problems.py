"""What the service answers to requests it cannot serve: a problem document, whatever was sent."""

from __future__ import annotations

import json
import logging
import socket
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal

import httpx
import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.logs import configure
from app.web.problems import KINDS, ProblemError
from app.web.requests.body import parsed
from tests.support.patience import PATIENCE, until
from tests.support.served import serving, toy_app

JSON = {"Content-Type": "application/json"}


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    app = toy_app(tmp_path_factory.mktemp("api"), max_pairs=20, max_body=4096)
    with serving(app) as address:
        yield address


@pytest.fixture(scope="module")
def http(address: str) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=address, timeout=PATIENCE) as client:
        yield client


def problem(response: httpx.Response, name: str) -> dict[str, Any]:
    """The problem document that ``response`` is, which must be of the kind ``name``."""
    (kind,) = (kind for kind in KINDS if kind.name == name)
    assert response.status_code == kind.status, response.text
    assert response.headers["content-type"] == "application/problem+json"
    document: dict[str, Any] = response.json()
    assert document["type"] == f"urn:wort:problem:{name}"
    assert document["status"] == kind.status
    assert document["title"] == kind.title
    assert document["detail"].endswith(".")
    return document


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b" ",
        b"{",
        b'{"pairs": [}',
        b'{"pairs": NaN}',
        b'{"pairs": [{"left": Infinity, "right": 1}]}',
        b'{"pairs": [] } trailing',
        b"\xff\xfe{}",
        b"\xef\xbb\xbf\xef\xbb\xbf{}",
        b'{"pairs": [{"left": "\xff", "right": 1}]}',
        b'{"pairs": [{"left": "\\ud800", "right": 1}]}',
        b"'pairs'",
        b'"pairs',
    ],
)
def test_malformed_json(http: httpx.Client, body: bytes) -> None:
    problem(http.post("/relatedness", content=body, headers=JSON), "malformed-json")


def test_a_byte_order_mark_is_passed_over(http: httpx.Client) -> None:
    body = b'\xef\xbb\xbf{"pairs": [{"left": "Cat", "right": "Dog"}]}'
    assert http.post("/relatedness", content=body, headers=JSON).json()["results"][0]["status"] == "ok"


@pytest.mark.parametrize(
    ("body", "place"),
    [
        ({}, "pairs"),
        ([], "array"),
        ("pairs", "str"),
        (None, "null"),
        ({"pairs": {}}, "$.pairs"),
        ({"pairs": [[]]}, "$.pairs[0]"),
        ({"pairs": [{"left": "Cat"}]}, "right"),
        ({"pairs": [{"left": "Cat", "right": None}]}, "$.pairs[0].right"),
        ({"pairs": [{"left": "Cat", "right": True}]}, "$.pairs[0].right"),
        ({"pairs": [{"left": "Cat", "right": 1.5}]}, "$.pairs[0].right"),
        ({"pairs": [{"left": "Cat", "right": []}]}, "$.pairs[0].right"),
        ({"pairs": [{"left": "Cat", "right": {}}]}, "$.pairs[0].right"),
        ({"pairs": [{"left": "Cat", "right": {"id": 1, "title": "Cat"}}]}, "$.pairs[0].right"),
        ({"pairs": [{"left": "Cat", "right": {"id": "1"}}]}, "$.pairs[0].right.id"),
        ({"pairs": [{"left": "Cat", "right": "Dog", "weight": 1}]}, "weight"),
        ({"pairs": [], "explain": "yes"}, "$.explain"),
        ({"pairs": [], "explian": True}, "explian"),
    ],
)
def test_a_wrong_shape_is_said_with_its_place(http: httpx.Client, body: Any, place: str) -> None:
    response = http.post("/relatedness", content=json.dumps(body), headers=JSON)
    assert place in problem(response, "invalid-request")["detail"]


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/relatedness", {"pairs": [], "ambiguous": "maybe"}),
        ("/relatedness/matrix", {"concepts": [], "ambiguous": "maybe"}),
    ],
)
def test_a_wrong_word_is_answered_with_those_allowed(http: httpx.Client, path: str, body: Any) -> None:
    detail = problem(http.post(path, json=body), "invalid-request")["detail"]
    assert detail == "Invalid enum value 'maybe' - at `$.ambiguous`: it may be 'report' or 'resolve'."


class Item(msgspec.Struct):
    way: Literal["up", "down"] = "up"
    kind: Literal["a", "b", "c"] = msgspec.field(name="type", default="a")


class Tray(msgspec.Struct):
    items: list[list[Item]]


def test_a_wrong_word_is_found_in_its_place() -> None:
    with pytest.raises(ProblemError, match=r"\[1\]\.type`: it may be 'a' or 'b' or 'c'\.$"):
        parsed(b'{"items": [[], [{}, {"type": "x"}]]}', msgspec.json.Decoder(Tray))


def test_a_body_in_another_encoding_is_said_to_be(http: httpx.Client) -> None:
    body = '{"pairs": [{"left": "Café", "right": "Cat"}]}'
    response = http.post("/relatedness", content=body.encode("latin-1"), headers=JSON)
    assert problem(response, "malformed-json")["detail"] == (
        "The body is not UTF-8: byte 0xe9 at 25. Save or send it as UTF-8."
    )


def test_deep_nesting(http: httpx.Client) -> None:
    for body in ("[" * 4000, '{"pairs":' * 400, '{"pairs":' + "[" * 3000):
        response = http.post("/relatedness", content=body, headers=JSON)
        assert response.status_code in (400, 422)
        assert response.headers["content-type"] == "application/problem+json"


def test_too_many_pairs(http: httpx.Client) -> None:
    pair = {"left": "Cat", "right": "Dog"}
    assert len(http.post("/relatedness", json={"pairs": [pair] * 20}).json()["results"]) == 20
    document = problem(http.post("/relatedness", json={"pairs": [pair] * 21}), "too-many-pairs")
    assert document["limit"] == 20


def test_too_large_a_body_is_refused_by_its_declared_length(http: httpx.Client) -> None:
    document = problem(http.post("/relatedness", content=b" " * 4097, headers=JSON), "body-too-large")
    assert document["limit"] == 4096
    padded = json.dumps({"pairs": []}).ljust(4096)
    assert http.post("/relatedness", content=padded, headers=JSON).status_code == 200


def test_too_large_a_body_is_refused_while_it_arrives(address: str) -> None:
    """A body without a declared length is not read to its end: the answer comes while it is being sent."""
    host, port = address.removeprefix("http://").split(":")
    with socket.create_connection((host, int(port)), timeout=PATIENCE) as connection:
        connection.sendall(
            b"POST /relatedness HTTP/1.1\r\nHost: test\r\nContent-Type: application/json\r\n"
            b"Transfer-Encoding: chunked\r\n\r\n"
        )
        for _ in range(5):
            connection.sendall(b"400\r\n" + b" " * 1024 + b"\r\n")
        assert connection.recv(65536).startswith(b"HTTP/1.1 413")


@pytest.mark.parametrize(
    ("headers", "name"),
    [
        ({}, "unsupported-media-type"),
        ({"Content-Type": "text/csv"}, "unsupported-media-type"),
        ({"Content-Type": "application/x-www-form-urlencoded"}, "unsupported-media-type"),
        ({**JSON, "Content-Encoding": "br"}, "unsupported-media-type"),
    ],
)
def test_other_media_types(http: httpx.Client, headers: dict[str, str], name: str) -> None:
    assert "JSON" in problem(http.post("/relatedness", content=b"{}", headers=headers), name)["detail"]


def test_a_media_type_may_have_parameters(http: httpx.Client) -> None:
    headers = {"Content-Type": "Application/JSON; charset=utf-8"}
    assert http.post("/relatedness", content=b'{"pairs": []}', headers=headers).status_code == 200


def test_other_addresses_and_methods(http: httpx.Client) -> None:
    problem(http.get("/nothing"), "not-found")
    problem(http.get("/static/nothing.css"), "not-found")
    problem(http.get("/static/../service.py"), "not-found")
    refused = http.get("/relatedness")
    assert "POST" in problem(refused, "method-not-allowed")["detail"]
    assert refused.headers["allow"] == "POST"
    problem(http.delete("/health"), "method-not-allowed")


@pytest.mark.parametrize("query", ["", "?q=a&limit=0", "?q=a&limit=many", f"?q={'a' * 256}", "?limit=1"])
def test_search_that_cannot_be(http: httpx.Client, query: str) -> None:
    told = problem(http.get(f"/concepts/search{query}"), "invalid-request")
    assert told["detail"].startswith("In the address, “")
    # The title stands for numbers that are out of range as for fields that are missing.
    assert told["title"] == "The request cannot be answered as it is"


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["left", "right", "id"]), inner)
    ),
    max_leaves=6,
)


@settings(max_examples=200)
@given(
    st.dictionaries(st.sampled_from(["pairs", "explain", "features"]), json_values)
    | st.fixed_dictionaries(
        {"pairs": st.lists(st.fixed_dictionaries({"left": json_values, "right": json_values}))}
    )
)
def test_no_json_breaks_it(http: httpx.Client, body: Any) -> None:
    response = http.post("/relatedness", content=json.dumps(body), headers=JSON)
    assert response.status_code in (200, 400, 413, 422)
    assert response.json()


@settings(max_examples=200)
@given(st.binary(max_size=60))
def test_no_bytes_break_it(http: httpx.Client, body: bytes) -> None:
    response = http.post("/relatedness", content=body, headers=JSON)
    assert response.status_code in (400, 422)
    assert response.headers["content-type"] == "application/problem+json"


def test_a_fault_of_the_server_is_a_problem_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    app = toy_app(tmp_path)
    with serving(app) as address:

        def fail(*_: object, **__: object) -> None:
            raise RuntimeError("secret")

        monkeypatch.setattr(app.state.source.current.scorer, "score", fail)
        body = {"pairs": [{"left": "Cat", "right": "Dog"}]}
        response = httpx.post(
            f"{address}/relatedness", json=body, headers={"X-Request-ID": "mine-1"}, timeout=PATIENCE
        )
        assert problem(response, "internal-error")["request_id"] == "mine-1"
        assert response.headers["x-request-id"] == "mine-1"
        assert "secret" not in response.text
        assert httpx.get(f"{address}/health").status_code == 200


def test_a_full_queue_is_answered_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    app = toy_app(tmp_path, concurrency=1, queue=1)
    with serving(app) as address:
        go_on, inside = threading.Event(), threading.Semaphore(0)
        score = app.state.source.current.scorer.score

        def wait(*arguments: Any, **options: Any) -> Any:
            inside.release()
            assert go_on.wait(PATIENCE)
            return score(*arguments, **options)

        monkeypatch.setattr(app.state.source.current.scorer, "score", wait)
        body = {"pairs": [{"left": "Cat", "right": "Dog"}]}
        answers: list[int] = []
        threads = [
            threading.Thread(
                target=lambda: answers.append(
                    httpx.post(f"{address}/relatedness", json=body, timeout=PATIENCE).status_code
                )
            )
            for _ in range(2)
        ]
        for thread in threads:
            thread.start()
        assert inside.acquire(timeout=PATIENCE)
        until(lambda: app.state.workers.present == 2)
        busy = httpx.post(f"{address}/relatedness", json=body, timeout=PATIENCE)
        problem(busy, "busy")
        assert int(busy.headers["retry-after"]) > 0
        assert httpx.get(f"{address}/health").status_code == 200
        go_on.set()
        for thread in threads:
            thread.join()
        assert answers == [200, 200]
        assert httpx.post(f"{address}/relatedness", json=body).status_code == 200


def slow_sender(address: str) -> socket.socket:
    """A connection on which a body has begun and does not go on."""
    host, port = address.removeprefix("http://").split(":")
    connection = socket.create_connection((host, int(port)), timeout=PATIENCE)
    connection.sendall(
        b"POST /relatedness HTTP/1.1\r\nHost: test\r\nContent-Type: application/json\r\n"
        b'Content-Length: 100\r\n\r\n{"pairs"'
    )
    return connection


def test_slow_senders_take_no_place(tmp_path: Path) -> None:
    app = toy_app(tmp_path, concurrency=1, queue=0)
    with serving(app) as address:
        slow = [slow_sender(address) for _ in range(8)]
        body = {"pairs": [{"left": "Cat", "right": "Dog"}]}
        assert httpx.post(f"{address}/relatedness", json=body, timeout=PATIENCE).status_code == 200
        assert app.state.workers.present == 0
        # What has come of their bodies is answered as ever when the rest is there.
        slow[0].sendall(b": []}".ljust(92))
        assert slow[0].recv(65536).startswith(b"HTTP/1.1 200")
        for connection in slow:
            connection.close()


def test_a_full_queue_is_answered_before_a_body_is_read(tmp_path: Path) -> None:
    app = toy_app(tmp_path, concurrency=1, queue=0)
    with serving(app) as address, app.state.workers.place(), slow_sender(address) as slow:
        answer = slow.recv(65536)
    assert answer.startswith(b"HTTP/1.1 503")
    assert b"retry-after: 1" in answer.lower()


def test_a_body_that_stalls_is_ended(tmp_path: Path) -> None:
    app = toy_app(tmp_path, body_seconds=0.2)
    with serving(app) as address, slow_sender(address) as slow:
        answer = b"".join(iter(lambda: slow.recv(65536), b""))
    assert answer.startswith(b"HTTP/1.1 408")
    assert b"urn:wort:problem:body-too-slow" in answer
    assert app.state.workers.present == 0


def test_logs_name_the_request_and_not_what_was_asked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    handlers, level = logging.getLogger().handlers[:], logging.getLogger().level
    configure("info", "json")
    try:
        with serving(toy_app(tmp_path)) as address:
            httpx.post(f"{address}/relatedness", json={"pairs": [{"left": "Zyzzyva", "right": "Cat"}]})
            httpx.get(f"{address}/v1/concepts/search", params={"q": "Zyzzyva"})
            httpx.get(f"{address}/", params={"left": "Zyzzyva", "right": "Piano"})
            httpx.get(
                f"{address}/Zyzzyva",
                headers={"X-Request-ID": "not an id"},
            )
    finally:
        logging.getLogger().handlers[:] = handlers
        logging.getLogger().setLevel(level)
    lines = [json.loads(line) for line in capsys.readouterr().err.splitlines() if "HTTP Request:" not in line]
    requests = [line for line in lines if line["event"] == "request"]
    assert [(line["method"], line["route"], line["status"]) for line in requests] == [
        ("POST", "/relatedness", 200),
        ("GET", "/v1/concepts/search", 200),
        ("GET", "/", 200),
        ("GET", "none", 404),
    ]
    assert len({line["request_id"] for line in requests}) == 4
    assert all(line["milliseconds"] > 0 for line in requests)
    assert "Zyzzyva" not in json.dumps(lines)


def test_a_stopping_server_ends_what_it_began(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    app = toy_app(tmp_path)
    inside, go_on, answers = threading.Event(), threading.Event(), []
    score = app.state.source.current.scorer.score

    def wait(*arguments: Any, **options: Any) -> Any:
        inside.set()
        assert go_on.wait(PATIENCE)
        return score(*arguments, **options)

    def ask() -> None:
        body = {"pairs": [{"left": "Cat", "right": "Dog"}]}
        answers.append(httpx.post(f"{address}/relatedness", json=body, timeout=PATIENCE).status_code)

    with serving(app) as address:
        monkeypatch.setattr(app.state.source.current.scorer, "score", wait)
        thread = threading.Thread(target=ask)
        thread.start()
        assert inside.wait(PATIENCE)
        threading.Timer(0.3, go_on.set).start()
    # The block has asked the server to stop, and has waited for it.
    thread.join()
    assert answers == [200]
