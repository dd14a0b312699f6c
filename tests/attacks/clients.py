"""Clients that send and read by hand."""

from __future__ import annotations

import json
import socket
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any
from urllib.parse import urlsplit

import httpx

TITLES = ("Cat", "Dog", "House mouse", "Computer mouse", "Piano", "Atheism", "Religion", "Evolution")
"""Titles of the toy wiki, and of the snapshot that comes with wort."""


def pairs(number: int) -> list[dict[str, str]]:
    """So many pairs."""
    every = [{"left": left, "right": right} for left in TITLES for right in TITLES]
    return (every * (number // len(every) + 1))[:number]


def connected(url: str, takes: int | None = None) -> socket.socket:
    """A connection to a server; ``takes``: the bytes of what it is sent that it has room for."""
    address = urlsplit(url)
    connection = socket.socket()
    if takes is not None:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, takes)
    connection.settimeout(120)
    connection.connect((address.hostname, address.port or 80))
    return connection


def request(
    path: str, asked: dict[str, Any], accept: str = "application/json", headers: Sequence[str] = ()
) -> tuple[bytes, bytes]:
    """The head and the body of a request."""
    body = json.dumps(asked).encode()
    lines = [
        f"POST {path} HTTP/1.1",
        "Host: attacked",
        f"Accept: {accept}",
        "Content-Type: application/json",
        f"Content-Length: {len(body)}",
        *headers,
    ]
    return "\r\n".join([*lines, "", ""]).encode(), body


def ended(connection: socket.socket) -> bool:
    """Whether the server has ended a connection of which nothing was read."""
    # What was sent before lies before the end: nobody is told of that but by reading, or writing.
    with suppress(OSError):
        connection.sendall(b" ")
        return False
    return True


def gauge(url: str, name: str, label: str = "") -> float:
    """The sum of a metric over its labels, or over those with ``label``; 0 of what a server does not know."""
    lines = httpx.get(f"{url}/metrics", timeout=60).text.splitlines()
    return sum(float(line.split()[-1]) for line in lines if line.startswith(f"{name}{{") and label in line)


def until(holds: Callable[[], bool], seconds: float = 120) -> None:
    """Wait for what a server does."""
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.1)
