"""Work that takes too long, or that nobody waits for, ends at the next batch."""

from __future__ import annotations

import json
import socket
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from fastapi import FastAPI

from app.scoring.batches import BatchSizes
from app.settings import Settings
from app.web.responses.turns import RETRY_AFTER
from tests.app.api.test_api_problems import problem
from tests.support.patience import until
from tests.support.served import serving, toy_app, toy_term_model

SECONDS = 3.0
"""Much longer than a pair takes on a busy machine."""


class Slow:
    """A service whose every batch, of one pair, takes a while."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        settings = Settings(term_model=toy_term_model(folder / "terms.json", "made up"))
        self.service: FastAPI = toy_app(
            folder, request_seconds=SECONDS, concurrency=1, term_model=settings.term_model
        )
        self.begun = 0
        self.takes = 0.0
        serves = self.service.state.source.current
        for scorer in (serves.scorer, serves.terms()):
            monkeypatch.setattr(scorer, "score", self._slowly(scorer.score))
        self.service.state.batch_sizes = BatchSizes(pairs=1, terms=1)

    def _slowly(self, score: Callable[..., Any]) -> Callable[..., Any]:
        def slowly(*arguments: Any, **options: Any) -> Any:
            self.begun += 1
            time.sleep(self.takes)
            return score(*arguments, **options)

        return slowly


@pytest.fixture
def slow(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Slow:
    return Slow(tmp_path, monkeypatch)


@pytest.fixture
def http(slow: Slow) -> Iterator[httpx.Client]:
    with serving(slow.service) as address, httpx.Client(base_url=address, timeout=60) as client:
        slow.begun = 0
        yield client


def body(count: int) -> dict[str, Any]:
    return {"pairs": [{"left": "Cat", "right": "Dog"}] * count}


@pytest.mark.parametrize("path", ["/v1/relatedness", "/v1/terms/relatedness"])
def test_a_request_that_takes_too_long_is_answered(slow: Slow, http: httpx.Client, path: str) -> None:
    slow.takes = SECONDS / 10
    assert len(http.post(path, json=body(1)).json()["results"]) == 1
    slow.begun = 0
    begun = time.monotonic()
    refused = http.post(path, json=body(100))
    assert time.monotonic() - begun > SECONDS
    assert refused.headers["retry-after"] == RETRY_AFTER
    assert f"{SECONDS:g} second" in problem(refused, "took-too-long")["detail"]
    assert slow.begun < 20
    stopped_at = slow.begun
    time.sleep(0.3)
    assert slow.begun == stopped_at
    assert slow.service.state.workers.present == slow.service.state.term_workers.present == 0


def test_waiting_for_a_thread_counts(slow: Slow, http: httpx.Client) -> None:
    slow.takes = 2 * SECONDS
    answers: list[httpx.Response] = []
    ask = threading.Thread(target=lambda: answers.append(http.post("/v1/relatedness", json=body(1))))
    ask.start()
    until(lambda: slow.begun == 1)
    problem(http.post("/v1/relatedness", json=body(1)), "took-too-long")
    ask.join()
    # What has begun in time is not thrown away.
    assert answers[0].status_code == 200
    assert slow.begun == 1


def test_a_stream_may_take_longer(slow: Slow, http: httpx.Client) -> None:
    slow.takes = SECONDS / 10
    streamed = http.post("/v1/relatedness", json=body(15), headers={"Accept": "application/x-ndjson"})
    assert json.loads(streamed.text.splitlines()[-1]) == {"done": 15}


@pytest.mark.parametrize("path", ["/v1/relatedness", "/v1/terms/relatedness"])
def test_a_client_that_leaves_ends_the_work(slow: Slow, http: httpx.Client, path: str) -> None:
    slow.takes = 0.03
    content = json.dumps(body(1000)).encode()
    with socket.create_connection((http.base_url.host, http.base_url.port)) as connection:
        connection.sendall(
            b"POST %s HTTP/1.1\r\nHost: test\r\nContent-Type: application/json\r\n"
            b"Content-Length: %d\r\n\r\n%s" % (path.encode(), len(content), content)
        )
        until(lambda: slow.begun > 1)
    left_at = slow.begun
    state = slow.service.state
    until(lambda: state.workers.present == state.term_workers.present == 0)
    assert slow.begun <= left_at + 3
