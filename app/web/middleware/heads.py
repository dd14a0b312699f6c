"""The heads of requests, as the routes and the framework see them."""

from __future__ import annotations

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.web.problems import WRONG_SHAPE, ProblemError
from app.web.refusing import refuse

PARAMETERS = 1_000
"""Parameters that a query may have: no route has twenty, and one of them may come several times."""


class PlainHeads:
    """Refuses queries of tens of thousands of parameters, takes cookies out of requests, and answers HEAD.

    The framework reads both for every route, on the event loop. Nothing here sets or asks for a cookie, and
    Python's reader takes seconds for one of 60 kB that is full of backslashes (CVE-2024-7592). HEAD is GET
    without its body (RFC 9110, section 9.3.2), so that no route need declare it.
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        if scope["query_string"].count(b"&") >= PARAMETERS:
            problem = ProblemError(WRONG_SHAPE, f"The query has more than {PARAMETERS:,} parameters.")
            await refuse(problem, scope, receive, send)
            return
        scope["headers"] = [header for header in scope["headers"] if header[0] != b"cookie"]
        if scope["method"] != "HEAD":
            await self.app(scope, receive, send)
            return

        async def without_body(message: Message) -> None:
            if message["type"] == "http.response.body":
                message = {**message, "body": b""}
            await send(message)

        inner = {**scope, "method": "GET"}
        try:
            await self.app(inner, receive, without_body)
        finally:
            # What stands around this reads the route from the scope, and goes by its method.
            scope.update({**inner, "method": "HEAD"})
