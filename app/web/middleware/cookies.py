"""Cookies: nothing here sets one, and nothing reads what is sent as one."""

from __future__ import annotations

from starlette.types import ASGIApp, Receive, Scope, Send


class NoCookies:
    """Takes the cookies out of a request.

    The framework reads them for every route, whether or not one asks for any, on the event loop; and Python's
    reader takes seconds for a cookie of 60 kB that is full of backslashes (CVE-2024-7592).
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request."""
        if scope["type"] == "http":
            scope["headers"] = [header for header in scope["headers"] if header[0] != b"cookie"]
        await self.app(scope, receive, send)
