"""``wort serve`` as a process of its own, for tests of what a signal does to it."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import httpx

from tests.support.patience import PATIENCE, until
from tests.support.served import toy_files


class Served(NamedTuple):
    """A server: where it answers, its first process, and what it has logged."""

    address: str
    process: subprocess.Popen[str]
    log: Path

    @property
    def place(self) -> tuple[str, int]:
        """The host and port."""
        host, port = self.address.removeprefix("http://").split(":")
        return host, int(port)

    def connect(self) -> socket.socket:
        """A connection to it."""
        return socket.create_connection(self.place, timeout=PATIENCE)

    def workers(self) -> list[int]:
        """The process ids of its workers, as the kernel knows them."""
        pid = self.process.pid
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
        return [int(child) for child in children if b"resource_tracker" not in _command(int(child))]

    def await_ready(self) -> None:
        """Wait until a worker answers and is warm, which on a busy machine takes minutes: it may compile."""
        until(lambda: answers(f"{self.address}/ready"), seconds=240)


@contextmanager
def wort_serve(folder: Path, **settings: object) -> Iterator[Served]:
    """``wort serve`` over the toy wiki, with some ``settings``, once it answers; killed in the end."""
    snapshot, model = toy_files(folder)
    given = {"snapshot": snapshot, "model": model, "port": 0, "log_format": "json", **settings}
    environment = {**os.environ, **{f"WORT_{name.upper()}": str(value) for name, value in given.items()}}
    log = folder / "log.jsonl"
    with (
        log.open("w") as written,
        subprocess.Popen(
            [sys.executable, "-m", "app.cli", "serve"],
            env=environment,
            stdout=subprocess.PIPE,
            stderr=written,
            text=True,
        ) as process,
    ):
        assert process.stdout is not None
        served = Served(process.stdout.readline().split()[-1], process, log)
        try:
            served.await_ready()
            yield served
        finally:
            process.terminate()
            try:
                process.wait(timeout=PATIENCE)
            except subprocess.TimeoutExpired:
                process.kill()
                raise


def answers(address: str) -> bool:
    """Whether there is a good answer at an address."""
    try:
        return httpx.get(address, timeout=PATIENCE).status_code == 200
    except httpx.TransportError:
        return False


def _command(process: int) -> bytes:
    try:
        return Path(f"/proc/{process}/cmdline").read_bytes()
    except OSError:
        return b""
