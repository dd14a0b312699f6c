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
        held = resources_of(scope)
        # The head is kept until something follows: there may be no room for that.
        head: Message | None = None
        dropped = False

        async def answer(message: Message) -> None:
            """Send a message, or drop it where there is no room for what it holds."""
            nonlocal head, dropped
            if message["type"] == "http.response.start":
                head = message
                return
            size = len(message.get("body", b""))
            counted = size if size > SMALL else 0
            whole = head is not None and not message.get("more_body", False)
            dropped = dropped or bool(counted and whole and not await self.make_room(size))
            if dropped:
                return
            if counted:
                self._count(held, counted)
            try:
                with held.waiting():
                    if head is not None:
                        start, head = head, None
                        await send(start)
                    await send(message)
            finally:
                if counted:
                    self._count(held, -counted)

        with held, self.readers.taking(held):
            await self.app(scope, receive, answer)
            if dropped:
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

    def _count(self, held: RequestResources, size: int) -> None:
        self.budget.take(size)
        held.unsent += size
