"""``wort serve`` as processes of their own, for benchmarks that ask it over HTTP."""

from __future__ import annotations

import http.client
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

PATIENCE = 300.0
"""Seconds in which a server must be ready, and an answer be there."""


class Running(NamedTuple):
    """A server: where it answers, and its processes.

    ``start_seconds``: from the command until ``GET /ready`` was answered 200, by each worker.
    """

    host: str
    port: int
    process: int
    workers: tuple[int, ...]
    start_seconds: float

    @property
    def url(self) -> str:
        """The address without a path."""
        return f"http://{self.host}:{self.port}"


@contextmanager
def running(
    snapshot: Path | None = None, model: Path | None = None, workers: int = 1, **settings: str
) -> Iterator[Running]:
    """``wort serve`` on a free port of 127.0.0.1, ready; it is stopped when the block ends.

    What is None is the starter's. ``settings``: others, by their variables' names without ``WORT_``.

    Raises:
        RuntimeError: it ended before it was ready, or is not ready after ``PATIENCE``; with what it logged.
    """
    with tempfile.TemporaryDirectory() as folder:
        given = {
            "database": f"sqlite:///{folder}/none.sqlite",
            "host": "127.0.0.1",
            "port": "0",
            "log_format": "json",
            "workers": str(workers),
            "snapshot": str(snapshot or ""),
            "model": str(model or ""),
            **settings,
        }
        environment = os.environ | {f"WORT_{name.upper()}": value for name, value in given.items()}
        # A start that does not count leaves behind what it compiled, as a user's does.
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
        log = Path(folder, "log")
        begun = time.perf_counter()
        with (
            log.open("wb") as written,
            subprocess.Popen(
                [sys.executable, "-m", "app.cli", "serve"],
                stdout=subprocess.PIPE,
                stderr=written,
                text=True,
                env=environment,
            ) as process,
        ):
            try:
                yield _ready(process, workers, begun, log)
            finally:
                process.terminate()
                try:
                    process.wait(timeout=60)
                except subprocess.TimeoutExpired:
                    process.kill()


@contextmanager
def asking(server: Running) -> Iterator[Callable[[bytes], bytes]]:
    """A connection, which is one worker's: a call sends a body to ``/v1/relatedness``; the answer's body.

    Raises:
        RuntimeError: it was answered anything but 200.
    """
    connection = http.client.HTTPConnection(server.host, server.port, timeout=PATIENCE)

    def ask(body: bytes) -> bytes:
        connection.request("POST", "/v1/relatedness", body, {"Content-Type": "application/json"})
        answer = connection.getresponse()
        content = answer.read()
        if answer.status != 200:
            raise RuntimeError(f"the server answered {answer.status}: {content[:500]!r}")
        return content

    try:
        yield ask
    finally:
        connection.close()


def processor_seconds(process: int) -> float:
    """The processor time that a process has taken so far, its own and the system's for it."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _ready(process: subprocess.Popen[str], workers: int, begun: float, log: Path) -> Running:
    """The server, once each of its workers is ready."""
    assert process.stdout is not None
    # The first line says where it answers; there is none where it ended.
    address = process.stdout.readline().split()[-1:]
    host, _, port = "".join(address).removeprefix("http://").rpartition(":")
    ready: set[int] = set()
    while len(ready) < workers:
        if not address or process.poll() is not None or time.perf_counter() > begun + PATIENCE:
            raise RuntimeError(f"the server is not ready: {log.read_text()[-2000:]}")
        worker = _ready_worker(host, int(port))
        if worker is None:
            time.sleep(0.005)
        else:
            ready.add(worker)
    return Running(host, int(port), process.pid, tuple(sorted(ready)), time.perf_counter() - begun)


def _ready_worker(host: str, port: int) -> int | None:
    """The process id of the worker that takes the next connection; None where it is not ready."""
    connection = http.client.HTTPConnection(host, port, timeout=PATIENCE)
    try:
        # One connection is one worker's.
        connection.request("GET", "/ready")
        answer = connection.getresponse()
        answer.read()
        if answer.status != 200:
            return None
        connection.request("GET", "/models")
        return int(json.loads(connection.getresponse().read())["worker"])
    except (OSError, http.client.HTTPException):
        return None
    finally:
        connection.close()
