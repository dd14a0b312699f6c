"""Answers that wait for their readers: what their requests hold meanwhile, and how much memory they have."""

from __future__ import annotations

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.web.problems import BUSY, ProblemError
from app.web.refusing import refuse
from app.web.resources import SMALL, MemoryBudget, Readers, RequestResources, resources_of


class Backpressure:
    """Has a request hold its place and its memory until its answer is taken, and bounds the answers' memory.

    A large answer that there is no room for is dropped, and the request refused. A stream is not: what it
    holds at a time is a piece, and there are no more of them than there are places for streams. It stands
    within what compresses: an answer is in memory as it was made until the last of it is taken.
    """

    def __init__(self, app: ASGIApp, budget: MemoryBudget, readers: Readers) -> None:
        self.app = app
        self.budget = budget
        self.readers = readers

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        with resources_of(scope) as answer, self.readers.taking(answer):
            sending = _Sending(self, answer, send)
            await self.app(scope, receive, sending.send)
            if sending.dropped:
                busy = ProblemError(
                    BUSY,
                    "Answers that wait for their readers take all the room that there is for them. Try "
                    "again, or ask for less in one request.",
                    headers={"Retry-After": "1"},
                )
                await refuse(busy, scope, receive, send)

    async def make_room(self, size: int) -> bool:
        """Whether there is room for an answer of ``size`` bytes; slow readers give way to it.

        One that is larger than all of the room goes where there is no other.
        """
        while self.budget.taken and not self.budget.has(size):
            if not await self.readers.give_way(lambda other: other.unsent > 0):
                return False
        return True


class _Sending:
    """The answer to one request, on its way."""

    def __init__(self, middleware: Backpressure, answer: RequestResources, send: Send) -> None:
        self.dropped = False
        self._middleware = middleware
        self._answer = answer
        self._send = send
        # Kept until something follows: there may be no room for that.
        self._start: Message | None = None

    async def send(self, message: Message) -> None:
        """Send a message, or drop it where there is no room for what it holds."""
        if message["type"] == "http.response.start":
            self._start = message
            return
        size = len(message.get("body", b""))
        counted = size if size > SMALL else 0
        whole = self._start is not None and not message.get("more_body", False)
        if self.dropped or (counted and whole and not await self._middleware.make_room(size)):
            self.dropped = True
            return
        if counted:
            self._count(counted)
        try:
            with self._answer.waiting():
                if self._start is not None:
                    start, self._start = self._start, None
                    await self._send(start)
                await self._send(message)
        finally:
            if counted:
                self._count(-counted)

    def _count(self, size: int) -> None:
        self._middleware.budget.take(size)
        self._answer.unsent += size
