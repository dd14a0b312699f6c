"""What the client does when a server is busy, broken, of another version, or no wort server at all."""

from __future__ import annotations

import email.utils
import gzip
import logging
import socket
import threading
import time
from collections.abc import Callable

import msgspec
import pytest

import wort
from app.web.problems import BUSY, KINDS, NO_TERM_MODEL, TOO_LARGE, TOO_MANY, TOO_OFTEN, ProblemKind
from tests.support.patience import BRIEF
from tests.support.scripted_server import Answer, Asked, scripted
from wort import Client
from wort.schemas.operation import Problem

SNAPSHOT = Answer(
    body=b'{"id":"s","wiki":"w","language":"en","dump_date":"","concepts":1,"licence":"l","attribution":"a"}'
)
SECRET = "correct horse battery"


def problem(kind: ProblemKind, limit: int | None = None, **headers: str) -> Answer:
    body = msgspec.json.encode(Problem(kind.type, kind.title, kind.status, "Do that.", limit, "r1"))
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Answer(kind.status, body, {"Content-Type": "application/problem+json", **named})


def waits(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The seconds that the client waits, which it then does not wait."""
    waited: list[float] = []
    monkeypatch.setattr("tenacity.nap.time.sleep", waited.append)
    return waited


@pytest.mark.parametrize(
    ("first", "least", "most"),
    [
        (problem(BUSY, Retry_After="3"), 3, 4),
        (problem(TOO_OFTEN, Retry_After="2"), 2, 3),
        (Answer(503, b"<html>upstream", {"Retry-After": "soon"}), 0, 1),
        (Answer(503, b"<html>upstream", {"Retry-After": "Mon, 99 Foo 2026 99:00:00 GMT"}), 0, 1),
        (Answer(None), 0, 1),
    ],
    ids=["busy", "often", "proxy", "no date", "broken"],
)
def test_what_passes_is_tried_again(
    first: Answer, least: float, most: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    waited = waits(monkeypatch)
    with scripted([first, SNAPSHOT]) as (url, asked), Client(url) as client:
        assert client.snapshot().id == "s"
    assert len(asked) == 2
    assert asked[0].path == asked[1].path == "/v1/snapshot"
    (wait,) = waited
    assert least <= wait <= most


def test_a_server_may_name_a_date(monkeypatch: pytest.MonkeyPatch) -> None:
    waited = waits(monkeypatch)
    date = email.utils.formatdate(time.time() + 20, usegmt=True)
    with scripted([problem(TOO_OFTEN, Retry_After=date), SNAPSHOT]) as (url, _), Client(url) as client:
        client.snapshot()
    assert 0 <= waited[0] < 21


def test_a_wait_really_is_one() -> None:
    with scripted([problem(BUSY, Retry_After="1"), SNAPSHOT]) as (url, _), Client(url) as client:
        begun = time.monotonic()
        client.snapshot()
        assert time.monotonic() - begun >= 1


def test_the_same_body_is_sent_again(monkeypatch: pytest.MonkeyPatch) -> None:
    waits(monkeypatch)
    answers = [problem(BUSY, Retry_After="0"), Answer(None), Answer(200, b'{"annotations":[],"snapshot":{}}')]
    text = "Cats chase mice. " * 1000
    with scripted(answers) as (url, asked), Client(url) as client, pytest.raises(wort.BrokenAnswer):
        client.annotate(text)
    assert len({of.body for of in asked}) == 1
    assert {of.headers["content-encoding"] for of in asked} == {"gzip"}
    assert len(asked[0].body) < 2000
    assert msgspec.json.decode(gzip.decompress(asked[0].body))["text"] == text
    assert "gzip" in asked[0].headers["accept-encoding"]


def test_what_goes_on_is_raised_in_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    waited = waits(monkeypatch)
    with (
        scripted([problem(BUSY, Retry_After="0")] * 4) as (url, asked),
        Client(url, retries=3) as client,
        pytest.raises(wort.Unavailable) as raised,
    ):
        client.snapshot()
    assert len(asked) == 4
    assert len(waited) == 3
    assert raised.value.kind == "busy"
    assert raised.value.detail == "Do that."
    assert raised.value.request_id == "r1"


@pytest.mark.parametrize(
    "answer",
    [problem(NO_TERM_MODEL), problem(BUSY, Retry_After="31"), problem(TOO_LARGE, 7), Answer(500, b"oh")],
    ids=["lasting", "too long", "wrong", "no problem"],
)
def test_what_lasts_is_raised_at_once(answer: Answer, monkeypatch: pytest.MonkeyPatch) -> None:
    waited = waits(monkeypatch)
    with scripted([answer]) as (url, asked), Client(url) as client, pytest.raises(wort.WortError):
        client.snapshot()
    assert len(asked) == 1
    assert waited == []


def test_waits_grow_where_nobody_names_them(monkeypatch: pytest.MonkeyPatch) -> None:
    waited = waits(monkeypatch)
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    with (
        Client(f"http://127.0.0.1:{port}", retries=9, longest_wait=5) as client,
        pytest.raises(wort.NotReached, match="does not answer"),
    ):
        client.snapshot()
    assert len(waited) == 9
    assert all(0.05 * 2**turn <= wait <= 0.1 * 2**turn for turn, wait in enumerate(waited[:6]))
    assert max(waited) == 5


def test_a_slow_answer_is_given_up_and_not_asked_for_twice() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        came: list[socket.socket] = []
        accepting = threading.Thread(target=lambda: came.append(server.accept()[0]))
        accepting.start()
        url = f"http://127.0.0.1:{server.getsockname()[1]}"
        with Client(url, timeout=BRIEF) as client, pytest.raises(wort.NotReached, match="imed out"):
            client.snapshot()
        accepting.join()
        came[0].close()
        server.settimeout(BRIEF)
        with pytest.raises(TimeoutError):
            server.accept()


def test_every_kind_of_problem_has_an_error() -> None:
    expected: dict[int, type[wort.Refused]] = {
        401: wort.NotAuthorised,
        403: wort.NotAuthorised,
        404: wort.NotFound,
        413: wort.TooLarge,
        429: wort.TooOften,
    }
    for kind in KINDS:
        with (
            scripted([problem(kind, 7)]) as (url, _),
            Client(url, retries=0) as client,
            pytest.raises(wort.Refused) as raised,
        ):
            client.snapshot()
        error = raised.value
        assert (error.status, error.kind, error.limit) == (kind.status, kind.name, 7)
        unavailable = kind.status >= 500 or kind.status == 408
        default = wort.Unavailable if unavailable else wort.InvalidRequest
        assert type(error) is expected.get(kind.status, default)


@pytest.mark.parametrize("body", [b"<html>", b"", b"[]", b'{"id": 3}', b"\xff"])
def test_another_server_is_told_from_wort(body: bytes) -> None:
    with (
        scripted([Answer(200, body)]) as (url, _),
        Client(url) as client,
        pytest.raises(wort.BrokenAnswer, match="version"),
    ):
        client.snapshot()


def test_an_answer_that_breaks_off_is_no_answer() -> None:
    cut = Answer(200, SNAPSHOT.body[:40], length=len(SNAPSHOT.body))
    with (
        scripted([cut]) as (url, _),
        Client(url) as client,
        pytest.raises(wort.NotReached, match="broke off"),
    ):
        client.snapshot()


def test_a_newer_server_may_say_more() -> None:
    newer = Answer(200, SNAPSHOT.body.replace(b"{", b'{"articles":[1,{"x":null}],', 1))
    with scripted([newer]) as (url, _), Client(url) as client:
        assert client.snapshot().id == "s"


def test_a_smaller_limit_of_the_server_is_learnt() -> None:
    one = (
        b'{"score":null,"status":"unknown","resolved":{"left":{"asked":"a","status":"unknown","title":null,'
        b'"page_id":null,"matched":null},"right":{"asked":"b","status":"unknown","title":null,"page_id":null,'
        b'"matched":null}}}'
    )
    rest = b'"model":{"name":"m","trained_on":"s"},"snapshot":' + SNAPSHOT.body

    def of(count: int) -> Answer:
        return Answer(200, b'{"results":[' + b",".join([one] * count) + b"]," + rest + b"}")

    answers = [problem(TOO_MANY, 3), of(3), of(3), of(1), problem(TOO_LARGE, 5), of(1), of(1)]
    with scripted(answers) as (url, asked), Client(url) as client:
        assert len(list(client.score([("a", "b")] * 7))) == 7
        sizes = [len(msgspec.json.decode(body_of(entry))["pairs"]) for entry in asked]
        assert sizes == [7, 3, 3, 1]
        assert len(list(client.score(iter([("a", "b")] * 2)))) == 2
        sizes = [len(msgspec.json.decode(body_of(entry))["pairs"]) for entry in asked]
        assert sizes[4:] == [2, 1, 1]


def body_of(asked: Asked) -> bytes:
    compressed = asked.headers.get("content-encoding") == "gzip"
    return gzip.decompress(asked.body) if compressed else asked.body


def test_a_pair_that_is_too_large_by_itself_is_refused() -> None:
    with scripted([problem(TOO_LARGE, 5)]) as (url, _), Client(url) as client, pytest.raises(wort.TooLarge):
        client.relatedness("a", "b")


@pytest.mark.parametrize("make", [lambda url: url, lambda url: url.replace("//", f"//ann:{SECRET[:7]}@")])
def test_no_key_is_shown(make: Callable[[str], str], caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    key = SECRET.replace(" ", "-")
    with scripted([problem(TOO_LARGE), SNAPSHOT]) as (url, asked), Client(make(url), key) as client:
        with pytest.raises(wort.TooLarge) as raised:
            client.snapshot()
        client.snapshot()
        shown = f"{client!r} {raised.value!r} {raised.value} {caplog.text}"
    assert asked[0].headers["authorization"] == f"Bearer {key}"
    assert SECRET[:7] not in shown


def test_a_password_in_the_address_is_sent_and_not_shown(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    with scripted([SNAPSHOT]) as (url, asked), Client(url.replace("//", "//ann:hunter2@")) as client:
        client.snapshot()
        assert asked[0].headers["authorization"].startswith("Basic ")
        assert "hunter2" not in f"{client!r} {caplog.text}"


@pytest.mark.parametrize("url", ["", "127.0.0.1:8000", "ftp://x", "http://"])
def test_what_is_no_address_is_refused(url: str) -> None:
    with pytest.raises(ValueError, match="address"):
        Client(url)


@pytest.mark.parametrize("key", ["", " ", "a\nb", "clé"])
def test_what_is_no_key_is_refused_and_not_shown(key: str) -> None:
    with pytest.raises(ValueError, match="key") as raised:
        Client(key=key)
    assert not key.strip() or key not in str(raised.value)
