"""Answers that are sent while they are made: nothing ahead of a slow reader, or for one that has left."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing

from starlette.datastructures import MutableHeaders
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from app.web.problems import ProblemError
from app.web.refusing import refuse

LINES = "application/x-ndjson"
"""The media type of JSON Lines."""

Chunks = AsyncGenerator[bytes, None]


class Streamed(Response):
    """Sends each piece as soon as it is made, and asks for the next once it is on its way.

    The server's buffer towards the client is the only one: where it is full, nothing more is made, and who
    takes nothing of it loses the connection. What fails before the first piece is answered as a problem,
    since nothing has been sent by then; what fails later ends the answer without its end, which every
    client of HTTP sees. However it ends, what makes the pieces is closed, and what it holds is free.

    ``make`` gives the pieces; it may set headers until it gives the first.
    """

    def __init__(self, make: Callable[[MutableHeaders], Chunks], media_type: str) -> None:
        self.status_code = 200
        self.media_type = media_type
        self.background = None
        self.init_headers()
        self._make = make

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        async with aclosing(self._make(self.headers)) as pieces:
            try:
                first = await anext(pieces, b"")
            except ProblemError as problem:
                await refuse(problem, scope, receive, send)
                return
            await send(
                {"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers}
            )
            await send({"type": "http.response.body", "body": first, "more_body": True})
            async for piece in pieces:
                await send({"type": "http.response.body", "body": piece, "more_body": True})
            await send({"type": "http.response.body", "body": b"", "more_body": False})
