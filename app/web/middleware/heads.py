"""The heads of requests: what of them takes longer to be read than its length explains goes no further."""

from __future__ import annotations

from starlette.types import ASGIApp, Receive, Scope, Send

from app.web.middleware.refusing import refuse
from app.web.problems import WRONG_SHAPE, ProblemError

PARAMETERS = 1_000
"""Parameters that a query may have: no route has twenty, and one of them may come several times."""


class PlainHeads:
    """Refuses queries of tens of thousands of parameters, and takes cookies out of requests.

    The framework reads both for every route, on the event loop. Nothing here sets or asks for a cookie, and
    Python's reader takes seconds for one of 60 kB that is full of backslashes (CVE-2024-7592).
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request."""
        if scope["type"] == "http":
            if scope["query_string"].count(b"&") >= PARAMETERS:
                problem = ProblemError(WRONG_SHAPE, f"The query has more than {PARAMETERS:,} parameters.")
                await refuse(problem, scope, receive, send)
                return
            scope["headers"] = [header for header in scope["headers"] if header[0] != b"cookie"]
        await self.app(scope, receive, send)
