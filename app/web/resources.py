"""What requests hold until their answers are taken: places, and memory that they share."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager

from starlette.types import Scope

from app.web.problems import BUSY, ProblemError

SMALL = 64 << 10
"""Bytes of a body, and of an answer, that are not counted: a connection alone has as many for the network."""

CUT = "wort cut"
"""Where the state of a request has what cuts its connection off, if the server has said it."""

_RESOURCES = "wort resources"


class RequestResources(ExitStack):
    """What one request holds until its answer is taken or dropped, and how long its reader has let it wait.

    ``pool``: that of its place, if it has one. ``unsent``: the bytes of its answer that are counted.
    """

    def __init__(self, cut: Callable[[], None] | None) -> None:
        super().__init__()
        self._cut = cut
        self.pool: object = None
        self.unsent = 0
        # The bytes of its body that have come.
        self._arrived = 0
        self.ended = asyncio.Event()
        self._waited = 0.0
        self._since: float | None = None

    @property
    def waited(self) -> float:
        """The seconds that it has waited for its reader in all."""
        return self._waited + (0.0 if self._since is None else time.monotonic() - self._since)

    def is_late(self, seconds: float) -> bool:
        """Whether it has waited for so long, and can be cut off."""
        return self._cut is not None and self.waited >= seconds

    def cut_off(self) -> None:
        """End the connection, and with it the request."""
        if self._cut is not None:
            self._cut()

    def take_for_body(self, size: int, budget: MemoryBudget) -> None:
        """Take of ``budget`` for ``size`` more bytes of the body, but for its first ``SMALL``, until the end.

        Raises:
            ProblemError: there is no room for them.
        """
        self._arrived += size
        more = min(size, self._arrived - SMALL)
        if more <= 0:
            return
        if not budget.has(more):
            raise ProblemError(
                BUSY,
                "The bodies of other requests take all the room that there is for them. Try again.",
                # What has not come yet is not waited for.
                headers={"Retry-After": "1", "Connection": "close"},
            )
        budget.take(more)
        self.callback(budget.take, -more)

    @contextmanager
    def waiting(self) -> Iterator[None]:
        """Count the time of the block as waited for the reader."""
        self._since = time.monotonic()
        try:
            yield
        finally:
            self._waited += time.monotonic() - self._since
            self._since = None


def resources_of(scope: Scope) -> RequestResources:
    """What a request holds."""
    state = scope.setdefault("state", {})
    resources: RequestResources | None = state.get(_RESOURCES)
    if resources is None:
        resources = state[_RESOURCES] = RequestResources(state.get(CUT))
    return resources


class Readers:
    """Those to whom answers are sent.

    A reader who has let a request wait for ``seconds`` in all gives way where others need what it holds.
    """

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._sending: set[RequestResources] = set()

    @contextmanager
    def taking(self, answer: RequestResources) -> Iterator[None]:
        """Within the block, what ``answer`` holds waits for its reader."""
        self._sending.add(answer)
        try:
            yield
        finally:
            self._sending.discard(answer)
            answer.ended.set()

    async def give_way(self, holds: Callable[[RequestResources], bool]) -> bool:
        """Cut off the slowest reader, of the requests of which ``holds`` is true; what it held is free then.

        False where none of them is slow.
        """
        late = [each for each in self._sending if each.is_late(self._seconds) and holds(each)]
        if not late:
            return False
        slowest = max(late, key=lambda each: each.waited)
        self._sending.discard(slowest)
        slowest.cut_off()
        await slowest.ended.wait()
        return True


class MemoryBudget:
    """So many bytes, ``most``, that requests may hold together."""

    def __init__(self, most: int, changed: Callable[[int], None] = lambda taken: None) -> None:
        """``changed``: is told how many are taken, whenever that changes."""
        self.most = most
        self.taken = 0
        self._changed = changed

    def has(self, size: int) -> bool:
        """Whether there is room for ``size`` more bytes."""
        return self.taken + size <= self.most

    def take(self, size: int) -> None:
        """Take ``size`` bytes, whether or not there is room for them."""
        if size:
            self.taken += size
            self._changed(self.taken)
