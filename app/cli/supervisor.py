"""Several worker processes on one socket, and what they count together."""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import structlog
from uvicorn import Config
from uvicorn.supervisors.multiprocess import Multiprocess, Process

from app.web.middleware.worker_slots import FOLDER

SILENT_SECONDS = 30.0
"""How long a worker may take to show that it lives; one that is just being started takes seconds."""

log: Any = structlog.get_logger("wort")


class Supervisor(Multiprocess):
    """Starts the workers, replaces each that dies or hangs, and ends them.

    As uvicorn's, but for three things. Its own waits for the answer of one worker after the other; one that
    is killed while it is waited for is missed for five seconds, one that takes as long to start is killed.
    It keeps the socket open to its end: the kernel would go on to take connections that nobody answers. And
    it ends where one worker cannot start, though others answer and what is wrong may pass. Nothing of this is
    documented for use by others: pyproject.toml bounds uvicorn's version, and a test holds what is used.
    """

    def __init__(self, config: Config, sockets: list[Any]) -> None:
        super().__init__(config, sockets)
        # When each worker was asked, by its process id, that has not answered yet.
        self._asked: dict[int | None, float] = {}

    def keep_subprocess_alive(self) -> None:
        """Replace what does not live; called twice a second."""
        if self.should_exit.is_set():
            return  # whoever ends this process may have ended the workers with it
        for index, process in enumerate(self.processes):
            if self._lives(process):
                continue
            process.kill()
            process.join()
            log.error("worker lost", worker=process.pid, exit_code=process.exitcode)
            self._asked.pop(process.pid, None)
            self.processes[index] = Process(self.config, self.sockets)
            self.processes[index].start()

    def terminate_all(self) -> None:
        """Have every worker finish what it has begun."""
        for listening in self.sockets:
            listening.close()
        super().terminate_all()

    def _lives(self, process: Process) -> bool:
        """Whether a worker is there and has answered not too long ago. Nothing is waited for."""
        if not process.process.is_alive():
            return False
        while process.parent_conn.poll():
            process.parent_conn.recv()
            self._asked.pop(process.pid, None)
        if process.pid not in self._asked:
            process.parent_conn.send(b"ping")
            self._asked[process.pid] = time.monotonic()
        return time.monotonic() - self._asked[process.pid] < SILENT_SECONDS


@contextmanager
def counted_together() -> Iterator[None]:
    """A folder that the workers which are started meanwhile share, and count in; it is removed at the end."""
    with tempfile.TemporaryDirectory(prefix="wort-workers-") as folder:
        os.environ[FOLDER] = folder
        try:
            yield
        finally:
            del os.environ[FOLDER]
