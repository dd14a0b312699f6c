"""How long a server stands still while it is attacked, held against how quick the machine is at the time."""

from __future__ import annotations

import http.client
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from urllib.parse import urlsplit

from tests.attacks.worst import Attack

SECONDS = 120
"""How long an answer may take before a test gives up; it says nothing of how long one should take."""

_LAP = """
import time
while True:
    begun = time.monotonic()
    total = 0
    for number in range(4_500_000):
        total += number
    print(begun, time.monotonic(), flush=True)
"""
"""Work of a quarter of a second on the machine that the limit was set on, done over and over."""


class Pacemaker:
    """A process that does the same work again and again: it takes longer where the machine is busy."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process
        self._laps: list[tuple[float, float]] = []

    def slowest_lap(self, begun: float, ended: float) -> float:
        """How long the slowest lap took that ran between two times: seconds."""
        assert self._process.stdout is not None
        while not self._laps or self._laps[-1][1] < ended:
            start, end = map(float, self._process.stdout.readline().split())
            self._laps.append((start, end))
        return max(end - start for start, end in self._laps if end > begun)


@contextmanager
def pacemaker() -> Iterator[Pacemaker]:
    """One that runs until the block ends."""
    with subprocess.Popen([sys.executable, "-c", _LAP], stdout=subprocess.PIPE, text=True) as process:
        try:
            yield Pacemaker(process)
        finally:
            process.kill()


class Watch:
    """Asks a server how it is, all the time, on a thread of its own."""

    def __init__(self, target: str) -> None:
        self._target = target
        self._answers: list[tuple[float, float]] = []
        self._stopped = threading.Event()
        self._failed: Exception | None = None
        self._thread = threading.Thread(target=self._ask)

    def __enter__(self) -> Watch:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stopped.set()
        self._thread.join()

    def slowest(self, begun: float, ended: float) -> float:
        """The longest that an answer took which was waited for between two times: seconds."""
        while self._thread.is_alive() and not (self._answers and self._answers[-1][0] >= ended):
            time.sleep(0.005)
        if self._failed is not None:
            raise self._failed
        waited = (end - start for start, end in self._answers if end > begun and start < ended)
        return max(waited, default=0.0)

    def _ask(self) -> None:
        connection = connected(self._target)
        try:
            while not self._stopped.is_set():
                begun = time.monotonic()
                connection.request("GET", "/health")
                answer = connection.getresponse()
                answer.read()
                assert answer.status == 200
                self._answers.append((begun, time.monotonic()))
                time.sleep(0.002)
        except Exception as error:
            self._failed = error
        finally:
            connection.close()


def connected(target: str) -> http.client.HTTPConnection:
    """A connection to the server at an address."""
    parts = urlsplit(target)
    kind = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
    return kind(parts.netloc, timeout=SECONDS)


def send(target: str, attack: Attack) -> tuple[int, bytes]:
    """The status and the body of the answer to a request."""
    connection = connected(target)
    try:
        # It may be refused before all of it is sent.
        with suppress(BrokenPipeError, ConnectionResetError):
            connection.request(attack.method, attack.target, attack.body or None, dict(attack.headers))
        answer = connection.getresponse()
        return answer.status, answer.read()
    finally:
        connection.close()
