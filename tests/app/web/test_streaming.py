"""Answers that are sent as they are scored: the same results, at the pace of who reads them."""

from __future__ import annotations

import contextlib
import json
import socket
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from fastapi import FastAPI
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from app.scoring.batches import BatchSizes
from app.scoring.concepts import HELPED
from tests.app.api.test_api_problems import problem
from tests.support.patience import PATIENCE, until
from tests.support.served import serving, toy_app
from tests.wikis.toy import TITLES

Counted = tuple[httpx.Client, FastAPI, list[float]]
LINES = {"Accept": "application/x-ndjson"}
PAIRS = [{"left": left, "right": right} for left in TITLES for right in TITLES]


@pytest.fixture(scope="module")
def toy(tmp_path_factory: pytest.TempPathFactory) -> FastAPI:
    return toy_app(tmp_path_factory.mktemp("streamed"), max_pairs=200, max_stream_pairs=300)


@pytest.fixture(scope="module")
def http(toy: FastAPI) -> Iterator[httpx.Client]:
    with serving(toy) as address, httpx.Client(base_url=address, timeout=60) as client:
        yield client


def lines(answer: httpx.Response) -> list[Any]:
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"] == "application/x-ndjson"
    return [json.loads(line) for line in answer.text.splitlines()]


@pytest.mark.parametrize("size", [1, 7, 143, 144, 1000])
def test_a_stream_has_the_results_of_the_whole_answer(http: httpx.Client, toy: FastAPI, size: int) -> None:
    body = {"pairs": PAIRS, "features": True}
    whole = http.post("/v1/relatedness", json=body).json()
    toy.state.batch_sizes = BatchSizes(pairs=size)
    head, *results, end = lines(http.post("/v1/relatedness", json=body, headers=LINES))
    assert head == {"model": whole["model"], "snapshot": whole["snapshot"]}
    assert results == whole["results"]
    assert end == {"done": len(PAIRS)}
    assert http.post("/v1/relatedness", json=body).json() == whole


def test_no_pairs_are_a_whole_stream_too(http: httpx.Client) -> None:
    head, end = lines(http.post("/v1/relatedness", json={"pairs": []}, headers=LINES))
    assert set(head) == {"model", "snapshot"}
    assert end == {"done": 0}


@pytest.mark.parametrize(
    ("accepted", "streamed"),
    [
        ("application/x-ndjson", True),
        ("application/json;q=0.5, application/x-ndjson", True),
        ("application/x-ndjson, */*", True),
        ("application/json", False),
        ("*/*", False),
        ("application/x-ndjson;q=0, */*", False),
        ("application/x-ndjson;q=0.5, application/json", False),
    ],
)
def test_who_asks_for_lines_gets_them(http: httpx.Client, accepted: str, streamed: bool) -> None:
    answer = http.post("/v1/relatedness", json={"pairs": PAIRS[:1]}, headers={"Accept": accepted})
    assert answer.headers["content-type"] == ("application/x-ndjson" if streamed else "application/json")


def test_a_stream_may_hold_more_pairs_and_not_any_number(http: httpx.Client) -> None:
    body = {"pairs": (PAIRS * 3)[:300]}
    problem(http.post("/v1/relatedness", json=body), "too-many-pairs")
    assert lines(http.post("/v1/relatedness", json=body, headers=LINES))[-1] == {"done": 300}
    body["pairs"].append(PAIRS[0])
    refused = http.post("/v1/relatedness", json=body, headers=LINES)
    assert problem(refused, "too-many-pairs")["limit"] == 300


def test_what_is_wrong_from_the_start_is_a_problem(http: httpx.Client, toy: FastAPI) -> None:
    problem(
        http.post("/v1/relatedness", content=b"{", headers={**LINES, "Content-Type": "application/json"}),
        "malformed-json",
    )
    problem(http.post("/v1/relatedness", json={"pairs": 1}, headers=LINES), "invalid-request")
    problem(http.post("/v1/relatedness", content=b"", headers=LINES), "unsupported-media-type")
    assert toy.state.stream_workers.present == 0


unresolved = st.sampled_from(["Mouse", "Keyboard", "Cat", *(f"Catt{number}" for number in range(HELPED + 5))])


@settings(max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.tuples(unresolved, unresolved), max_size=30), st.integers(1, 31))
def test_batches_change_nothing_not_even_who_gets_help(
    http: httpx.Client,
    toy: FastAPI,
    pairs: list[tuple[str, str]],
    size: int,
) -> None:
    body = {"pairs": [{"left": left, "right": right} for left, right in pairs]}
    toy.state.batch_sizes = BatchSizes()
    whole = http.post("/v1/relatedness", json=body).json()
    toy.state.batch_sizes = BatchSizes(pairs=size)
    assert http.post("/v1/relatedness", json=body).json() == whole
    sides = [side for result in whole["results"] for side in result["resolved"].values()]
    assert len({side["asked"] for side in sides if "suggestions" in side}) <= HELPED


def test_a_stream_is_compressed_for_who_takes_that(http: httpx.Client) -> None:
    headers = {**LINES, "Accept-Encoding": "gzip"}
    answer = http.post("/v1/relatedness", json={"pairs": PAIRS}, headers=headers)
    assert answer.headers["content-encoding"] == "gzip"
    assert lines(answer)[-1] == {"done": len(PAIRS)}


def test_a_failure_in_the_middle_ends_the_stream_without_its_last_line(
    http: httpx.Client, toy: FastAPI, monkeypatch: pytest.MonkeyPatch
) -> None:
    scorer = toy.state.source.current.scorer
    score = scorer.score
    calls: list[int] = []

    def fails_later(*arguments: Any, **options: Any) -> Any:
        calls.append(1)
        if len(calls) > 3:
            raise RuntimeError("secret")
        return score(*arguments, **options)

    toy.state.batch_sizes = BatchSizes(pairs=10)
    monkeypatch.setattr(scorer, "score", fails_later)
    received, plain = b"", {**LINES, "Accept-Encoding": "identity"}
    with (
        pytest.raises(httpx.RemoteProtocolError),
        http.stream("POST", "/v1/relatedness", json={"pairs": PAIRS}, headers=plain) as answer,
    ):
        for piece in answer.iter_raw():
            received += piece
    assert len(received.splitlines()) == 1 + 30
    assert b"done" not in received
    assert b"secret" not in received
    assert toy.state.stream_workers.present == 0
    calls.clear()
    calls.extend([1, 1, 1])
    problem(http.post("/v1/relatedness", json={"pairs": PAIRS}, headers=LINES), "internal-error")


@contextlib.contextmanager
def reading_nothing(http: httpx.Client, pairs: list[Any]) -> Iterator[socket.socket]:
    """A connection whose client has asked for a stream and reads nothing of it."""
    body = json.dumps({"pairs": pairs, "features": True}).encode()
    with socket.socket() as connection:
        # A small window, so that little is under way.
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        connection.connect((http.base_url.host, http.base_url.port))
        connection.sendall(
            b"POST /v1/relatedness HTTP/1.1\r\nHost: test\r\nContent-Type: application/json\r\n"
            b"Accept: application/x-ndjson\r\nContent-Length: %d\r\n\r\n%s" % (len(body), body)
        )
        yield connection


@pytest.fixture
def counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> Iterator[Counted]:
    """A service whose batches are counted; a reader may take nothing for some seconds."""
    seconds = getattr(request, "param", 5.0)
    service = toy_app(tmp_path, max_stream_pairs=100_000, send_seconds=seconds)
    scorer = service.state.source.current.scorer
    score = scorer.score
    scored: list[float] = []

    def counting(*arguments: Any, **options: Any) -> Any:
        scored.append(time.monotonic())
        return score(*arguments, **options)

    monkeypatch.setattr(scorer, "score", counting)
    with serving(service) as address, httpx.Client(base_url=address, timeout=60) as client:
        scored.clear()
        yield client, service, scored


def test_nothing_is_scored_ahead_of_a_reader_and_one_who_reads_nothing_loses_the_place(
    counted: Counted,
) -> None:
    http, service, scored = counted
    many = PAIRS * 500
    with reading_nothing(http, many):
        until(lambda: bool(scored))
        until(lambda: time.monotonic() - scored[-1] > 0.5)
        assert service.state.stream_workers.present == 1
        assert len(scored) < len(many) / BatchSizes().pairs / 2
        stood_at = len(scored)
        until(lambda: service.state.stream_workers.present == 0)
        assert len(scored) == stood_at


@pytest.mark.parametrize("counted", [2 * PATIENCE], indirect=True)
def test_a_client_that_leaves_stops_the_work(counted: Counted) -> None:
    http, service, scored = counted
    with reading_nothing(http, PAIRS * 500):
        until(lambda: bool(scored))
    # Long before it would have to go for reading nothing.
    until(lambda: service.state.stream_workers.present == 0)
    assert len(scored) < 40
    assert http.get("/v1/health").status_code == 200


def test_streams_have_places_of_their_own(tmp_path: Path) -> None:
    service = toy_app(tmp_path, concurrency=1, queue=0)
    with serving(service) as address, httpx.Client(base_url=address, timeout=60) as http:
        with service.state.stream_workers.place():
            busy = http.post("/v1/relatedness", json={"pairs": PAIRS}, headers=LINES)
            assert int(busy.headers["retry-after"]) > 0
            problem(busy, "busy")
            assert http.post("/v1/relatedness", json={"pairs": PAIRS}).status_code == 200
        assert lines(http.post("/v1/relatedness", json={"pairs": PAIRS}, headers=LINES))
