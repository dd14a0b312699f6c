"""The work of a request, a turn at a time, on a few threads, with a queue that ends.

A route awaits each: ``await turns.take(work)``. This is the one place where others have theirs in between;
what has no reader any more ends.
"""

from __future__ import annotations

import math
import resource
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any, TypeVar, cast

import structlog
from anyio import CapacityLimiter, to_thread
from starlette.requests import ClientDisconnect, Request

from app.web.problems import BUSY, DAMAGED_SNAPSHOT, TOO_LONG, ProblemError
from app.web.resources import Readers, RequestResources
from snapshots.errors import TableError

T = TypeVar("T")

log: Any = structlog.get_logger("wort")

SHORT_SECONDS = 0.005
"""Processor time that short work takes at the most: as long as Python has one thread wait for another."""

CALM = 100
"""How often in a row short work has to be quick before the next is done without a thread."""

RETRY_AFTER = "10"
"""Seconds after which a request that took too long may be tried again: other long ones have ended by then."""

_END = object()


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
        if self.present >= self.most:
            raise self._busy()

    @contextmanager
    def place(self) -> Iterator[None]:
        """A place within the block.

        Raises:
            ProblemError: too many requests are here already.
        """
        if self.present >= self.most:
            raise self._busy()
        self._change(1)
        try:
            yield
        finally:
            self._change(-1)

    async def take_place(self, request: RequestResources, readers: Readers) -> None:
        """A place for one request until its answer is taken; a slow one of ``readers`` gives way to it.

        To be asked for once the body is there: who sends slowly keeps nobody else out.

        Raises:
            ProblemError: too many requests are here already.
        """
        await self.expect_place(readers)
        self._change(1)
        request.callback(self._change, -1)
        request.pool = self

    async def run(
        self, work: Callable[[], T], check: Callable[[], Awaitable[None]], short: bool = False
    ) -> T:
        """What ``work`` returns; to be called from a request that has its place.

        ``check``: awaited once a thread was waited for; what it raises keeps the work from being begun.
        ``short``: the work takes less than a millisecond, but where the disk is waited for.
        """
        if short:
            work = partial(self._timed, work)
            if self._quick >= CALM and self._threads.available_tokens > 0:
                return work()
        async with self._threads:
            await check()
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

    def _busy(self) -> ProblemError:
        return ProblemError(
            BUSY, f"{self.present} requests are here already. Try again.", headers={"Retry-After": "1"}
        )


class Turns:
    """Runs the work of ``request`` on the threads of ``workers``, until ``seconds`` from now.

    Waiting for a thread counts. A turn that has begun is not broken off, so it should take half a second at
    most. None is no limit: for work of which the client sees every part as it is done.
    """

    def __init__(self, request: Request, workers: Workers, seconds: float | None) -> None:
        self._request = request
        self._workers = workers
        self._seconds = seconds
        self._due = None if seconds is None else time.monotonic() + seconds

    async def take(self, work: Callable[[], T], short: bool = False) -> T:
        """What ``work`` returns; to be called from a request that has its place.

        ``short``: it takes less than a millisecond, but where the disk is waited for (``Workers.run``).

        Raises:
            ProblemError: the time is over, or a table that is read is damaged.
            ClientDisconnect: the client has left, perhaps while the request waited for a thread.
        """
        try:
            return await self._workers.run(work, self._check, short)
        except TableError as error:
            raise _problem_of(error) from error

    async def each(self, work: Iterator[T]) -> AsyncIterator[T]:
        """What ``work`` gives, a turn each.

        Raises: as ``take``.
        """
        while (given := await self.take(lambda: next(work, _END))) is not _END:
            yield cast(T, given)

    async def _check(self) -> None:
        """Do nothing while there is time left, and somebody waits for what is done."""
        if await self._request.is_disconnected():
            raise ClientDisconnect
        if self._due is not None and time.monotonic() > self._due:
            raise ProblemError(
                TOO_LONG,
                f"The request was not answered within {self._seconds:g} seconds. "
                "Ask for less in one request, or try again when there is less to do.",
                headers={"Retry-After": RETRY_AFTER},
            )


def _problem_of(error: TableError) -> ProblemError:
    """The problem that a table which cannot be read is, once whoever runs the server was told of it, too."""
    log.error("snapshot cannot be read", reason=str(error))
    return ProblemError(DAMAGED_SNAPSHOT, str(error))


def _used() -> tuple[int, float]:
    """How often this thread has waited for the disk, and its processor time; of all threads where unknown."""
    usage = resource.getrusage(getattr(resource, "RUSAGE_THREAD", resource.RUSAGE_SELF))
    return usage.ru_majflt + usage.ru_inblock, usage.ru_utime + usage.ru_stime
