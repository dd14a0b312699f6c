"""Readers that do not read: what they make a server hold is bounded, counted, and free in the end."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import httpx
import pytest

from benchmarks.overload import memory_of
from tests.attacks.clients import connected, ended, gauge, pairs, request, until
from tests.attacks.target import target  # noqa: F401
from tests.support.processes import Served, wort_serve

READERS = 40
PLAIN = {"pairs": pairs(1000), "explain": True}
STREAM = {"pairs": pairs(20_000), "explain": True}
SMALL = {"pairs": pairs(5)}
LINES = "application/x-ndjson"
ROOM = 8 << 20
"""Bytes of answers that wait for their readers."""


@pytest.fixture(name="server")
def server_fixture(tmp_path: Path) -> Iterator[Served]:
    """One whose memory can be looked at, with room for few answers of a megabyte and more."""
    room = {"answer_memory": ROOM, "send_seconds": 600, "queue": 200, "max_explained_pairs": 5000}
    with wort_serve(tmp_path, **room) as served:
        yield served


def stalled(
    stack: ExitStack, url: str, asked: dict[str, Any], accept: str = "application/json"
) -> list[socket.socket]:
    """So many connections whose clients have asked for much, have seen that it comes, and read nothing."""
    readers = []
    for _ in range(READERS):
        reader = stack.enter_context(connected(url, takes=4096))
        reader.sendall(b"".join(request("/v1/relatedness", asked, accept)))
        reader.recv(1, socket.MSG_PEEK)
        readers.append(reader)
    return readers


@pytest.mark.slow
def test_memory_for_readers_has_an_end(server: Served) -> None:
    asked = {"pairs": pairs(2500), "explain": True}
    size = len(httpx.post(f"{server.address}/v1/relatedness", json=asked, timeout=120).content)
    assert READERS * size > 5 * ROOM
    before = memory_of(server.process.pid).own
    with ExitStack() as stack:
        stalled(stack, server.address, asked)
        metrics = httpx.get(f"{server.address}/metrics", timeout=120).text.splitlines()
        (held,) = (line for line in metrics if 'wort_held_bytes{of="answers"}' in line)
        assert size <= float(held.split()[-1]) <= ROOM
        # In MiB: what is held besides is a connection's share, and what scoring leaves behind.
        grown = memory_of(server.process.pid).own - before
        assert grown < READERS * size / 2 / (1 << 20)
        few = httpx.post(f"{server.address}/v1/relatedness", json=SMALL, timeout=120)
        assert few.status_code == 200


@pytest.mark.slow
@pytest.mark.parametrize(("asked", "accept"), [(PLAIN, "application/json"), (STREAM, LINES)])
def test_who_reads_nothing_keeps_nobody_out_and_is_ended(
    target: str,  # noqa: F811
    asked: dict[str, Any],
    accept: str,
) -> None:
    with ExitStack() as stack:
        readers = stalled(stack, target, asked, accept)
        for _ in range(20):
            answer = httpx.post(f"{target}/v1/relatedness", json=SMALL, timeout=120)
            assert answer.status_code == 200
            assert httpx.get(f"{target}/health", timeout=120).status_code == 200
        until(lambda: all(ended(reader) for reader in readers))
    until(lambda: gauge(target, "wort_places_taken") == 0)


def test_who_asks_on_and_on_and_reads_nothing_is_ended(target: str) -> None:  # noqa: F811
    with connected(target, takes=4096) as greedy, pytest.raises((ConnectionError, TimeoutError)) as raised:
        while True:
            greedy.sendall(b"GET /health HTTP/1.1\r\nHost: attacked\r\n\r\n" * 1000)
    assert not isinstance(raised.value, TimeoutError)
