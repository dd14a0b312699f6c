"""How many requests are dealt with at a time."""

from __future__ import annotations

from starlette.types import ASGIApp, Receive, Scope, Send

from app.web.middleware.authority import PROBES
from app.web.problems import BUSY, ProblemError
from app.web.refusing import refuse


class ConcurrencyLimit:
    """Refuses requests while ``most`` others are here, whatever those wait for: bodies, places, slow clients.

    uvicorn's own limit counts connections, idle ones too, and its refusal is no problem document and does not
    say when to try again.
    """

    def __init__(self, app: ASGIApp, most: int) -> None:
        self.app = app
        self.most = most
        self.present = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request."""
        if scope["type"] != "http" or scope["path"] in PROBES:
            await self.app(scope, receive, send)
            return
        if self.present >= self.most:
            busy = ProblemError(
                BUSY, f"{self.present:,} requests are here already. Try again.", headers={"Retry-After": "1"}
            )
            await refuse(busy, scope, receive, send)
            return
        self.present += 1
        try:
            await self.app(scope, receive, send)
        finally:
            self.present -= 1
