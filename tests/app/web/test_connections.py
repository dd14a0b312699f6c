"""How many requests are here at a time, and what a connection may do before it has sent one."""

from __future__ import annotations

import asyncio
import re
import socket
import time
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import pytest
from starlette.types import Message, Scope

from app.web.connection import Connection
from app.web.middleware.concurrency_limit import ConcurrencyLimit
from tests.support.patience import PATIENCE
from tests.support.served import serving, toy_app

SCOPE: Scope = {"type": "http", "method": "GET", "path": "/", "headers": []}


async def nothing() -> Any:
    raise AssertionError


def test_who_is_beyond_the_limit_is_told_when_to_try_again() -> None:
    told: list[Message] = []

    async def run() -> None:
        leave = asyncio.Event()

        async def waits(_: Scope, __: Any, ___: Any) -> None:
            await leave.wait()

        async def tell(message: Message) -> None:
            told.append(message)

        limit = ConcurrencyLimit(waits, 2)
        staying = [asyncio.create_task(limit(dict(SCOPE), nothing, tell)) for _ in range(2)]
        await asyncio.sleep(0)
        await limit(dict(SCOPE), nothing, tell)
        leave.set()
        await asyncio.gather(*staying)
        assert limit.present == 0

    asyncio.run(run())
    start, body = told
    assert start["status"] == 503
    assert (b"retry-after", b"1") in start["headers"]
    assert b"urn:wort:problem:busy" in body["body"]


def test_who_waits_for_a_body_counts_and_probes_do_not(tmp_path: Path) -> None:
    with serving(toy_app(tmp_path, connections=1)) as address:
        host, port = address.removeprefix("http://").split(":")
        with socket.create_connection((host, int(port)), timeout=PATIENCE) as slow:
            slow.sendall(
                b"POST /relatedness HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
                b"Content-Length: 13\r\n\r\n"
            )
            until_refused = time.monotonic() + PATIENCE
            while (answer := httpx.get(f"{address}/models")).status_code != 503:
                assert time.monotonic() < until_refused
            assert answer.headers["Retry-After"] == "1"
            assert answer.headers["X-Request-ID"]
            assert httpx.get(f"{address}/health").status_code == 200
            metrics = httpx.get(f"{address}/metrics").text
            assert re.search(r'wort_problems_total\{type="busy"\} \d', metrics)
            slow.sendall(b'{"pairs": []}')
            assert slow.recv(65536).startswith(b"HTTP/1.1 200")
        assert httpx.get(f"{address}/models").status_code == 200


HEAD_SECONDS = 1.5
"""Time for a head, of which a client that is busy elsewhere may lose a third and still be in time."""


def test_a_head_that_does_not_come_ends_its_connection(tmp_path: Path) -> None:
    with serving(toy_app(tmp_path), http=partial(Connection, head_seconds=HEAD_SECONDS)) as address:
        host, port = address.removeprefix("http://").split(":")
        begun = time.monotonic()
        slow = [socket.create_connection((host, int(port)), timeout=PATIENCE) for _ in range(3)]
        slow[1].sendall(b"GET /health HTTP/1.1\r\nHost:")
        request = b"GET /health HTTP/1.1\r\nHost: x\r\n\r\n"
        slow[2].sendall(request)
        assert slow[2].recv(65536).startswith(b"HTTP/1.1 200")
        # A head that comes a byte now and then is none either, on a connection that was good before.
        slow[2].sendall(b"GET ")
        for connection in slow:
            assert connection.recv(1) == b""
            connection.close()
        assert time.monotonic() - begun > 0.8 * HEAD_SECONDS
        with socket.create_connection((host, int(port)), timeout=PATIENCE) as good:
            for _ in range(3):
                good.sendall(request + request)
                read = b""
                while read.count(b'{"status":"ok"}') < 2:
                    read += good.recv(65536)
                time.sleep(0.6 * HEAD_SECONDS)


def test_a_head_that_has_no_end_is_not_kept(tmp_path: Path) -> None:
    with serving(toy_app(tmp_path), http=Connection) as address:
        host, port = address.removeprefix("http://").split(":")
        with socket.create_connection((host, int(port)), timeout=PATIENCE) as endless:
            sent = 0
            with pytest.raises(ConnectionError):
                endless.sendall(b"GET /health HTTP/1.1\r\nX-Long: ")
                while sent < 64 << 20:
                    sent += endless.send(b"x" * 4096)
            assert sent < 8 << 20
        # Bodies are none of its business.
        body = b'{"pairs": []}'.ljust(1 << 20)
        headers = {"Content-Type": "application/json", "X-Long": "x" * 60_000}
        assert httpx.post(f"{address}/relatedness", content=body, headers=headers).status_code == 200
