"""The work of a request, a turn at a time: others have theirs in between, and what has no reader ends.

A route awaits each turn: ``await turns.take(work)``. This is the one place where others have theirs.
"""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Callable, Iterator
from typing import Any, TypeVar, cast

import structlog
from starlette.requests import Request

from app.web.problems import DAMAGED_SNAPSHOT, TOO_LONG, ProblemError
from app.web.responses.workers import Workers
from snapshots.errors import TableError

T = TypeVar("T")

log: Any = structlog.get_logger("wort")

_END = object()

RETRY_AFTER = "10"
"""Seconds after which a request that took too long may be tried again: other long ones have ended by then."""


def _problem_of(error: TableError) -> ProblemError:
    """The problem that a table which cannot be read is, once whoever runs the server was told of it, too."""
    log.error("snapshot cannot be read", reason=str(error))
    return ProblemError(DAMAGED_SNAPSHOT, str(error))


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

        def in_time() -> T:
            if self._due is not None and time.monotonic() > self._due:
                raise ProblemError(
                    TOO_LONG,
                    f"The request was not answered within {self._seconds:g} seconds. "
                    "Ask for less in one request, or try again when there is less to do.",
                    headers={"Retry-After": RETRY_AFTER},
                )
            try:
                return work()
            except TableError as error:
                raise _problem_of(error) from error

        return await self._workers.run(in_time, self._request.is_disconnected, short)

    async def each(self, work: Iterator[T]) -> AsyncIterator[T]:
        """What ``work`` gives, a turn each.

        Raises: as ``take``.
        """
        while (given := await self.take(lambda: next(work, _END))) is not _END:
            yield cast(T, given)
