"""Clients that read or send slowly: what they hold is bounded, counted, and free in the end."""

from __future__ import annotations

import json
import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from fastapi import FastAPI

from app.web.requests.body import Pace
from app.web.resources import SMALL, RequestResources
from tests.app.api.test_api_problems import problem
from tests.support.patience import BRIEF, until
from tests.support.served import serving, toy_app
from tests.wikis.toy import TITLES

pytestmark = pytest.mark.slow

PAIRS = [{"left": left, "right": right} for left in TITLES for right in TITLES] * 6
LARGE: dict[str, Any] = {"pairs": PAIRS, "explain": True}
"""What is asked for an answer of more than a megabyte."""
SHORT: dict[str, Any] = {"pairs": PAIRS[:1]}


def sent(address: str, asked: dict[str, Any], head: bytes = b"") -> socket.socket:
    """A connection whose client has asked, takes little at a time, and has read nothing yet."""
    host, port = address.removeprefix("http://").split(":")
    body = json.dumps(asked).encode()
    connection = socket.socket()
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    connection.settimeout(60)
    connection.connect((host, int(port)))
    connection.sendall(
        b"POST /v1/relatedness HTTP/1.1\r\nHost: test\r\nContent-Type: application/json\r\n"
        b"%sContent-Length: %d\r\n\r\n%s" % (head, len(body), body)
    )
    return connection


@contextmanager
def stalled(address: str, number: int) -> Iterator[list[socket.socket]]:
    """So many who have asked for a large answer and read nothing of it."""
    with ExitStack() as stack:
        yield [stack.enter_context(sent(address, LARGE)) for _ in range(number)]


def status(connection: socket.socket) -> int:
    """That of the answer that comes."""
    return int(connection.recv(12)[9:])


def rest(connection: socket.socket) -> int:
    """The bytes that come until the end, or until the connection is cut off."""
    size = 0
    try:
        while piece := connection.recv(65536):
            size += len(piece)
    except ConnectionError:
        pass
    return size


def length(address: str) -> int:
    """The bytes of the large answer."""
    return len(httpx.post(f"{address}/v1/relatedness", json=LARGE, timeout=60).content)


def holding(app: FastAPI) -> tuple[int, int]:
    """The places that are taken, and the bytes that wait to be sent."""
    return app.state.workers.present, app.state.answers.taken


def test_a_reader_who_takes_nothing_holds_a_place_and_is_cut_off(tmp_path: Path) -> None:
    app = toy_app(tmp_path, concurrency=2, queue=2, send_seconds=1.5)
    with serving(app) as address:
        size = length(address)
        assert size > 1 << 20
        with stalled(address, 3) as readers:
            until(lambda: holding(app)[1] > 0 and app.state.workers.present == 3)
            assert httpx.post(f"{address}/v1/relatedness", json=SHORT, timeout=60).status_code == 200
            until(lambda: holding(app) == (0, 0))
            for reader in readers:
                assert 0 < rest(reader) < size / 2


def test_a_reader_who_reads_gets_all_of_it(tmp_path: Path) -> None:
    app = toy_app(tmp_path, send_seconds=60)
    with serving(app) as address:
        size = length(address)
        for head in (b"", b"Connection: close\r\n"):
            with sent(address, LARGE, head) as slow:
                time.sleep(0.2)
                read = b""
                while len(read.partition(b"\r\n\r\n")[2]) < size:
                    read += slow.recv(65536)
                assert len(json.loads(read.partition(b"\r\n\r\n")[2])["results"]) == len(PAIRS)
        until(lambda: holding(app) == (0, 0))


@pytest.mark.parametrize("path", ["/openapi.json", "/static/files.css", "/health"])
def test_whoever_asks_again_and_again_and_reads_nothing_is_cut_off(tmp_path: Path, path: str) -> None:
    app = toy_app(tmp_path, send_seconds=0.5)
    with serving(app) as address:
        host, port = address.removeprefix("http://").split(":")
        with socket.socket() as greedy:
            greedy.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            greedy.settimeout(60)
            greedy.connect((host, int(port)))
            with pytest.raises(ConnectionError):
                while True:
                    greedy.sendall(b"GET %s HTTP/1.1\r\nHost: test\r\n\r\n" % path.encode() * 100)


def test_what_waits_for_readers_has_so_much_memory_and_no_more(tmp_path: Path) -> None:
    with serving(toy_app(tmp_path / "whole")) as address:
        size = length(address)
    app = toy_app(tmp_path / "bounded", answer_memory=2 * size + size // 2, concurrency=2, send_seconds=60)
    with serving(app) as address:
        with stalled(address, 2) as readers:
            until(lambda: app.state.answers.taken == 2 * size)
            busy = httpx.post(f"{address}/v1/relatedness", json=LARGE, timeout=60)
            problem(busy, "busy")
            assert int(busy.headers["retry-after"]) > 0
            assert app.state.workers.present == 2
            # What is small needs no room.
            assert httpx.post(f"{address}/v1/relatedness", json=SHORT, timeout=60).status_code == 200
            metrics = httpx.get(f"{address}/metrics").text
            (shown,) = (line for line in metrics.splitlines() if 'held_bytes{of="answers"}' in line)
            assert float(shown.split()[-1]) == 2 * size
            readers.pop().close()
            until(lambda: app.state.answers.taken == size)
            assert httpx.post(f"{address}/v1/relatedness", json=LARGE, timeout=60).status_code == 200
        until(lambda: holding(app) == (0, 0))


def test_an_answer_larger_than_all_room_goes_alone(tmp_path: Path) -> None:
    with serving(toy_app(tmp_path, answer_memory=0)) as address:
        assert length(address) > 1 << 20


@pytest.mark.parametrize("scarce", [{"concurrency": 1, "queue": 0}, {"answer_memory": 2 << 20}])
def test_a_slow_reader_gives_way_to_who_needs_its_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, scarce: dict[str, int]
) -> None:
    app = toy_app(tmp_path, send_seconds=60, **scarce)
    with serving(app) as address:
        with stalled(address, 1) as (slow,):
            until(lambda: holding(app)[1] > 0)
            problem(httpx.post(f"{address}/v1/relatedness", json=LARGE, timeout=60), "busy")
            # As if it took a little all the time, and so were never cut off for its own sake.
            monkeypatch.setattr(RequestResources, "waited", property(lambda _: 60.0))
            assert httpx.post(f"{address}/v1/relatedness", json=LARGE, timeout=60).status_code == 200
            assert rest(slow) < 1 << 20
        until(lambda: holding(app) == (0, 0))


def partly(address: str, length: int, body: bytes) -> socket.socket:
    """A connection on which a part of a body has come."""
    host, port = address.removeprefix("http://").split(":")
    connection = socket.create_connection((host, int(port)), timeout=60)
    connection.sendall(
        b"POST /v1/relatedness HTTP/1.1\r\nHost: test\r\nContent-Type: application/json\r\n"
        b"Content-Length: %d\r\n\r\n%s" % (length, body)
    )
    return connection


def test_a_body_has_a_least_rate(tmp_path: Path) -> None:
    app = toy_app(tmp_path)
    app.state.pace = Pace(seconds=30, rate=1000, stretch=0.5)
    body = json.dumps(SHORT).encode()
    with serving(app) as address:
        with partly(address, 100_000, b"{") as slow:
            answer = b""
            slow.settimeout(BRIEF)
            sent_after = 0
            # A byte now and then keeps it open as long as nothing, whatever its length.
            while b"\r\n\r\n" not in answer:
                try:
                    answer += slow.recv(65536)
                except TimeoutError:
                    slow.sendall(b" ")
                    sent_after += 1
                assert sent_after < 1000
            assert answer.startswith(b"HTTP/1.1 408")
            assert b"connection: close" in answer.lower()
        # One that is fast enough may take longer than that.
        with partly(address, 3001 + len(body), b" ") as steady:
            for _ in range(3):
                steady.sendall(b" " * 1000)
                time.sleep(0.2)
            steady.sendall(body)
            assert status(steady) == 200


def test_bodies_have_so_much_memory_and_no_more(tmp_path: Path) -> None:
    app = toy_app(tmp_path, max_body=1 << 20, body_memory=3 << 20)
    filler = b" " * (SMALL + (900 << 10))
    with serving(app) as address, ExitStack() as stack:
        held = [stack.enter_context(partly(address, len(filler) + 10, filler)) for _ in range(3)]
        until(lambda: app.state.bodies.taken == 3 * (900 << 10))
        with partly(address, len(filler) + 10, filler) as more:
            answer = more.recv(65536)
            assert answer.startswith(b"HTTP/1.1 503")
            assert b"retry-after: 1" in answer.lower()
        # The first bytes of each are not counted: what is small is always taken.
        assert httpx.post(f"{address}/v1/relatedness", json=SHORT, timeout=60).status_code == 200
        for connection in held:
            connection.close()
        until(lambda: app.state.bodies.taken == 0)
        padded = json.dumps(SHORT).encode().ljust(1 << 20)
        headers = {"Content-Type": "application/json"}
        for accepted in ({}, {"Accept": "application/x-ndjson"}):
            whole = httpx.post(f"{address}/v1/relatedness", content=padded, headers=headers | accepted)
            assert whole.status_code == 200
        until(lambda: app.state.bodies.taken == app.state.streamed_bodies.taken == 0)


def test_files_have_so_much_room_on_the_disk_and_no_more(tmp_path: Path) -> None:
    app = toy_app(tmp_path, concurrency=1, queue=0, max_file=1 << 20)
    with serving(app) as address:
        host, port = address.removeprefix("http://").split(":")
        head = b"POST /v1/relatedness/files HTTP/1.1\r\nHost: test\r\nContent-Type: text/csv\r\n"
        body = b"left,right\nCat,Dog\n".ljust(1 << 20, b"\n")
        with socket.create_connection((host, int(port)), timeout=60) as slow:
            slow.sendall(head + b"Content-Length: %d\r\n\r\n" % len(body) + body[:-1])
            until(lambda: app.state.files.taken > (900 << 10))
            busy = httpx.post(
                f"{address}/v1/relatedness/files", content=body, headers={"Content-Type": "text/csv"}
            )
            problem(busy, "busy")
            slow.sendall(body[-1:])
            assert status(slow) == 200
        until(lambda: app.state.files.taken == 0)
