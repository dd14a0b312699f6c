"""Where scoring runs: a few threads, and a queue that ends."""

from __future__ import annotations

import math
import resource
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import TypeVar

from anyio import CapacityLimiter, to_thread
from starlette.requests import ClientDisconnect

from app.web.held import Held, Readers
from app.web.problems import BUSY, ProblemError

T = TypeVar("T")

SHORT_SECONDS = 0.005
"""Processor time that short work takes at the most: as long as Python has one thread wait for another."""

CALM = 100
"""How often in a row short work has to be quick before the next is done without a thread."""


class Workers:
    """Runs work on at most ``concurrency`` threads while at most ``queue`` further requests wait.

    Short work is done on the event loop itself, while a thread would be free for it: to change threads takes
    longer than a plain pair. Everybody waits meanwhile, so nothing may wait for the disk there. Work that
    read from the disk, or took longer than ``SHORT_SECONDS``, has what follows done on threads until ``CALM``
    were quick in a row: of a snapshot that is not in memory, one in ``CALM`` keeps others waiting at most,
    and none at first.
    """

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
        self._quick = 0

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
        self._change(1)
        try:
            yield
        finally:
            self._change(-1)

    async def take_place(self, request: Held, readers: Readers) -> None:
        """A place for one request until its answer is taken; a slow one of ``readers`` gives way to it.

        To be asked for once the body is there: who sends slowly keeps nobody else out.

        Raises:
            ProblemError: too many requests are here already.
        """
        await self.expect_place(readers)
        self._change(1)
        request.callback(self._change, -1)
        request.pool = self

    async def run(self, work: Callable[[], T], left: Callable[[], Awaitable[bool]], short: bool = False) -> T:
        """What ``work`` returns; to be called from a request that has its place.

        ``left``: whether the client has; it is asked when a thread is free, and then nothing is begun.
        ``short``: the work takes less than a millisecond, but where the disk is waited for.

        Raises:
            ClientDisconnect: the client has left.
        """
        if short:
            work = partial(self._timed, work)
            if self._quick >= CALM and self._threads.available_tokens > 0:
                return work()
        async with self._threads:
            if await left():
                raise ClientDisconnect
            return await to_thread.run_sync(work, limiter=self._running)

    def _timed(self, work: Callable[[], T]) -> T:
        """Do short work, and note whether it was quick."""
        read, seconds = _used()
        try:
            return work()
        finally:
            read_since, seconds_since = _used()
            was_quick = read_since == read and seconds_since - seconds < SHORT_SECONDS
            self._quick = self._quick + 1 if was_quick else 0

    def _change(self, more: int) -> None:
        self.present += more
        self._changed(self.present)

    def _check(self) -> None:
        if self.present >= self.most:
            raise ProblemError(
                BUSY,
                f"{self.present} requests are here already. Try again.",
                headers={"Retry-After": "1"},
            )


def _used() -> tuple[int, float]:
    """How often this thread has waited for the disk, and its processor time; of all threads where unknown."""
    usage = resource.getrusage(getattr(resource, "RUSAGE_THREAD", resource.RUSAGE_SELF))
    return usage.ru_majflt + usage.ru_inblock, usage.ru_utime + usage.ru_stime
