"""``python -m benchmarks.first_requests``: is a server that says it is ready ready?

A server is started with an empty folder of compiled code. Once ``/ready`` says 200, each route is asked for
the first time, and then twenty times more; the first answer should take no more than ten times the median of
the later ones. What is printed is in milliseconds, on the wall clock, over one connection on this machine.
"""

from __future__ import annotations

import argparse
import http.client
import json
import os
import statistics
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote

from benchmarks.report import hardware
from benchmarks.server import Running, running

AGAIN = 20

_PAIR = {"left": "Evolution", "right": "Charles Darwin"}
_TEXT = "Charles Darwin described natural selection, the engine of evolution."

ROUTES: tuple[tuple[str, str, object], ...] = (
    ("GET", "/", None),
    ("GET", "/?left=Evolution&right=Charles+Darwin", None),
    ("GET", "/explore?concept=Evolution", None),
    ("GET", "/terms?left=natural+selection&right=finches", None),
    ("GET", f"/text?text={quote(_TEXT)}", None),
    ("GET", f"/texts?left={quote(_TEXT)}&right=Religion+and+science.", None),
    ("GET", "/matrix?concepts=Evolution%0ACharles+Darwin%0AReligion", None),
    ("GET", "/files", None),
    ("GET", "/releases", None),
    ("GET", "/threshold", None),
    ("GET", "/docs", None),
    ("GET", "/openapi.json", None),
    ("POST", "/v1/relatedness", {"pairs": [_PAIR]}),
    ("POST", "/v1/relatedness", {"pairs": [_PAIR], "explain": True}),
    ("POST", "/v1/relatedness/matrix", {"concepts": ["Evolution", "Charles Darwin", "Religion"]}),
    ("POST", "/v1/terms/relatedness", {"pairs": [{"left": "natural selection", "right": "finches"}]}),
    ("POST", "/v1/annotate", {"text": _TEXT}),
    ("POST", "/v1/documents/relatedness", {"left": _TEXT, "right": "Religion and science."}),
    ("GET", "/v1/concepts/search?q=evolut", None),
    ("GET", "/v1/concepts/related?title=Evolution", None),
    ("GET", "/v1/models", None),
    ("GET", "/v1/snapshot", None),
)


class Timed(NamedTuple):
    """A route, its status, and what its first answer took and the median of later ones, in milliseconds."""

    route: str
    status: int
    first: float
    later: float

    @property
    def ratio(self) -> float:
        """How many times as long the first took."""
        return self.first / self.later


def ask(connection: http.client.HTTPConnection, method: str, path: str, body: object) -> tuple[int, float]:
    """The status of an answer, and how many milliseconds it took."""
    content = None if body is None else json.dumps(body)
    headers = {"Content-Type": "application/json"} if content else {"Accept": "text/html, application/json"}
    start = time.perf_counter()
    connection.request(method, path, content, headers)
    response = connection.getresponse()
    response.read()
    return response.status, 1000 * (time.perf_counter() - start)


def measure(server: Running) -> list[Timed]:
    """The first and later answers of every route."""
    connection = http.client.HTTPConnection(server.host, server.port, timeout=60)
    first = [ask(connection, *route) for route in ROUTES]
    later = [statistics.median(ask(connection, *route)[1] for _ in range(AGAIN)) for route in ROUTES]
    connection.close()
    return [
        Timed(f"{method} {path}", status, took, again)
        for (method, path, _), (status, took), again in zip(ROUTES, first, later, strict=True)
    ]


@contextmanager
def nothing_compiled() -> Iterator[None]:
    """An empty folder of compiled code for this process's children."""
    with tempfile.TemporaryDirectory() as folder:
        before = os.environ.get("NUMBA_CACHE_DIR")
        os.environ["NUMBA_CACHE_DIR"] = folder
        try:
            yield
        finally:
            del os.environ["NUMBA_CACHE_DIR"]
            if before is not None:
                os.environ["NUMBA_CACHE_DIR"] = before


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--snapshot", type=Path, help="a snapshot's folder; the starter without")
    parser.add_argument("--workers", type=int, default=1)
    given = parser.parse_args()
    print(hardware())
    with nothing_compiled(), running(given.snapshot, workers=given.workers) as server:
        print(f"ready {server.start_seconds:.2f} s after the command, of {given.workers} worker(s)")
        for timed in measure(server):
            print(
                f"{timed.first:8.1f} {timed.later:8.1f} {timed.ratio:6.1f}  {timed.status} {timed.route[:60]}"
            )


if __name__ == "__main__":
    main()
