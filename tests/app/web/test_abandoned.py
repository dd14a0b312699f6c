"""Requests whose clients have left: nothing more is done for them, and nothing is wrong."""

from __future__ import annotations

import contextlib
import json
import logging
import socket
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from fastapi import FastAPI

from app.logs import configure
from app.scoring.batches import BatchSizes
from tests.support.patience import until
from tests.support.served import serving, toy_app

ABANDONED = 60


def request(path: str, pairs: int, left: str = "Cat", accept: str = "*/*") -> bytes:
    """A request, as it goes over the wire."""
    body = json.dumps({"pairs": [{"left": left, "right": "Dog"}] * pairs}).encode()
    return (
        b"POST %s HTTP/1.1\r\nHost: test\r\nContent-Type: application/json\r\nAccept: %s\r\n"
        b"Content-Length: %d\r\n\r\n%s" % (path.encode(), accept.encode(), len(body), body)
    )


class Watched:
    """A service that tells of what it scores, and waits until it may go on."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch, **settings: Any) -> None:
        self.app: FastAPI = toy_app(folder, concurrency=1, **settings)
        self.scored: list[str] = []
        self.go_on = threading.Event()
        self.go_on.set()  # until it is warm
        scorer = self.app.state.source.current.scorer
        score = scorer.score

        def watched(pairs: Any, *arguments: Any, **options: Any) -> Any:
            self.scored += [str(left) for left, _ in pairs]
            assert self.go_on.wait(60)
            return score(pairs, *arguments, **options)

        monkeypatch.setattr(scorer, "score", watched)
        self.app.state.batch_sizes = BatchSizes(pairs=1)

    def hold(self) -> None:
        """From now on, tell of what is scored and wait."""
        self.scored.clear()
        self.go_on.clear()


@pytest.fixture
def watched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Watched:
    return Watched(tmp_path, monkeypatch)


def connected(address: str) -> socket.socket:
    host, port = address.removeprefix("http://").split(":")
    return socket.create_connection((host, int(port)), timeout=60)


def test_what_waits_for_a_thread_is_not_begun_when_its_client_has_left(watched: Watched) -> None:
    with serving(watched.app) as address, connected(address) as first:
        watched.hold()
        first.sendall(request("/v1/relatedness", 1, "Computer"))
        until(lambda: watched.scored == ["Computer"])
        leaving = [connected(address) for _ in range(ABANDONED)]
        for connection in leaving:
            connection.sendall(request("/v1/relatedness", 5))
        until(lambda: watched.app.state.workers.present == 1 + ABANDONED)
        for connection in leaving:
            connection.close()
        last = connected(address)
        last.sendall(request("/v1/relatedness", 1, "Piano"))
        until(lambda: watched.app.state.workers.present == 2 + ABANDONED)
        watched.go_on.set()
        for staying in (first, last):
            assert staying.recv(65536).startswith(b"HTTP/1.1 200")
        last.close()
        assert watched.scored == ["Computer", "Piano"]
        until(lambda: watched.app.state.workers.present == 0)


@pytest.mark.parametrize("behind", [b"", b"GET /health HTTP/1.1\r\nHost: test\r\n\r\n"])
def test_what_runs_ends_with_its_turn(watched: Watched, behind: bytes) -> None:
    """Whatever else has come on the same connection."""
    with serving(watched.app) as address:
        watched.hold()
        with connected(address) as leaving:
            leaving.sendall(request("/v1/relatedness", 1000) + behind)
            until(lambda: len(watched.scored) == 1)
        # The server hears of it before it answers somebody else.
        assert httpx.get(f"{address}/health").status_code == 200
        watched.go_on.set()
        until(lambda: watched.app.state.workers.present == 0)
        assert len(watched.scored) <= 2


@contextlib.contextmanager
def logged(capsys: pytest.CaptureFixture[str]) -> Iterator[list[dict[str, Any]]]:
    """What the block logs, as the log of a server has it; to be looked at after it."""
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    events: list[dict[str, Any]] = []
    configure("info", "json")
    try:
        yield events
    finally:
        root.handlers[:] = handlers
        root.setLevel(level)
        lines = capsys.readouterr().err.splitlines()
        events += [json.loads(line) for line in lines if "HTTP Request:" not in line]


def test_clients_that_leave_are_no_errors_in_the_log(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    whole, large = request("/v1/relatedness", 1), request("/v1/relatedness", 3000)
    stream = request("/v1/relatedness", 3000, accept="application/x-ndjson")
    with logged(capsys) as events:
        app = toy_app(tmp_path, send_seconds=0.5)
        with serving(app) as address:
            for sent, reads in (
                (b"", 0),
                (b"GET /", 0),
                (whole[:-5], 0),
                (whole, 0),
                (large[:-5], 0),
                (large, 0),
                (large, 100),
                (stream[:-5], 0),
                (stream, 0),
                (stream, 100),
                (large + whole + large[:50], 0),
                (b"GET /openapi.json HTTP/1.1\r\nHost: test\r\n\r\n" * 20, 100),
                (b"GET /explore?concept=Cat HTTP/1.1\r\nHost: test\r\n\r\n", 0),
            ):
                for abruptly in (False, True):
                    with connected(address) as leaving:
                        leaving.sendall(sent)
                        if reads:
                            leaving.recv(reads)
                        if abruptly:
                            linger = b"\x01\0\0\0\0\0\0\0"
                            leaving.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
            # One who stays and reads nothing is made to leave.
            for asked in (large, stream):
                with connected(address) as slow:
                    slow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
                    slow.sendall(asked)
                    until(lambda: app.state.workers.present + app.state.stream_workers.present > 0)
                    until(lambda: app.state.workers.present + app.state.stream_workers.present == 0)
            until(lambda: app.state.workers.present == app.state.stream_workers.present == 0)
            assert httpx.get(f"{address}/health").status_code == 200
    assert any(event["event"] == "client left" for event in events)
    wrong = [event for event in events if event["level"] not in ("info", "debug") or "exception" in event]
    assert not wrong, wrong
