"""Where scoring runs: a few threads, and a queue that ends."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

from anyio import CapacityLimiter, to_thread

from app.web.problems import BUSY, ProblemError

T = TypeVar("T")


class Workers:
    """Runs work on at most ``concurrency`` threads while at most ``queue`` further requests wait."""

    def __init__(
        self, concurrency: int, queue: int, changed: Callable[[int], None] = lambda present: None
    ) -> None:
        """``changed``: is told how many requests are here, whenever that changes."""
        self.most = concurrency + queue
        self.present = 0
        self._changed = changed
        self._threads = CapacityLimiter(concurrency)

    @contextmanager
    def place(self) -> Iterator[None]:
        """Take a place for one request, before anything of it is held in memory.

        Raises:
            ProblemError: too many requests are here already.
        """
        if self.present >= self.most:
            raise ProblemError(
                BUSY,
                f"{self.present} requests are here already. Try again.",
                headers={"Retry-After": "1"},
            )
        self.present += 1
        self._changed(self.present)
        try:
            yield
        finally:
            self.present -= 1
            self._changed(self.present)

    async def run(self, work: Callable[[], T]) -> T:
        """What ``work`` returns; to be called from a request that has its place."""
        return await to_thread.run_sync(work, limiter=self._threads)
