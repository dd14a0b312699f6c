"""Where scoring runs: a few threads, and a queue that ends."""

from __future__ import annotations

import math
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

from anyio import CapacityLimiter, to_thread
from starlette.requests import ClientDisconnect

from app.web.held import Held, Readers
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
        # Who runs work has one of those already.
        self._running = CapacityLimiter(math.inf)

    async def expect_place(self, readers: Readers) -> None:
        """Do nothing where a place is free, or a slow one of ``readers`` gives way.

        To be asked before a body is read, too, which would be read for nothing.

        Raises:
            ProblemError: too many requests are here already.
        """
        while self.present >= self.most and await readers.give_way(lambda other: other.pool is self):
            pass
        self._check()

    @contextmanager
    def place(self) -> Iterator[None]:
        """A place within the block.

        Raises:
            ProblemError: too many requests are here already.
        """
        self._check()
        self.present += 1
        self._changed(self.present)
        try:
            yield
        finally:
            self.present -= 1
            self._changed(self.present)

    async def take_place(self, request: Held, readers: Readers) -> None:
        """A place for one request until its answer is taken; a slow one of ``readers`` gives way to it.

        To be asked for once the body is there: who sends slowly keeps nobody else out.

        Raises:
            ProblemError: too many requests are here already.
        """
        await self.expect_place(readers)
        request.enter_context(self.place())
        request.pool = self

    async def run(self, work: Callable[[], T], left: Callable[[], Awaitable[bool]]) -> T:
        """What ``work`` returns; to be called from a request that has its place.

        ``left``: whether the client has; it is asked when a thread is free, and then nothing is begun.

        Raises:
            ClientDisconnect: the client has left.
        """
        async with self._threads:
            if await left():
                raise ClientDisconnect
            return await to_thread.run_sync(work, limiter=self._running)

    def _check(self) -> None:
        if self.present >= self.most:
            raise ProblemError(
                BUSY,
                f"{self.present} requests are here already. Try again.",
                headers={"Retry-After": "1"},
            )
