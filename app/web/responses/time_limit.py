"""The work of a request, a turn at a time: others have theirs in between, and what has no reader ends."""

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


def _told(error: TableError) -> ProblemError:
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

    async def take(self, work: Callable[[], T]) -> T:
        """What ``work`` returns; to be called from a request that has its place.

        Raises:
            ProblemError: the time is over, or a table that is read is damaged.
            ClientDisconnect: the client has left, perhaps while the request waited for a thread.
        """
        return await self._workers.run(lambda: self._in_time(work), self._request.is_disconnected)

    async def last(self, work: Iterator[T | None]) -> T:
        """The first of ``work`` that is not None, which it gives where others shall have their turn.

        Raises: as ``take``.
        """
        while True:
            given = await self.take(lambda: next(work))
            if given is not None:
                return given

    async def each(self, work: Iterator[T]) -> AsyncIterator[T]:
        """What ``work`` gives, a turn each.

        Raises: as ``take``.
        """
        while (given := await self.take(lambda: next(work, _END))) is not _END:
            yield cast(T, given)

    def _in_time(self, work: Callable[[], T]) -> T:
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
            raise _told(error) from error
