"""What every answer tells a browser to leave alone."""

from __future__ import annotations

from starlette.types import ASGIApp, Message, Receive, Scope, Send

POLICY = "default-src 'none'; frame-ancestors 'none'"
"""What an answer that is no page may load, should a browser show it: nothing. Pages state their own."""

ALWAYS = {
    "X-Content-Type-Options": "nosniff",
    # An address may hold what people ask about.
    "Referrer-Policy": "no-referrer",
    # Scripts of other origins are for CORS to decide; this keeps answers out of their images and scripts.
    "Cross-Origin-Resource-Policy": "same-origin",
}

_ALWAYS = [(name.lower().encode(), value.encode()) for name, value in ALWAYS.items()]
_POLICY = (b"content-security-policy", POLICY.encode())
_FRAMES = (b"x-frame-options", b"DENY")

ALLOWED_HEADERS = (
    "Authorization",
    "X-API-Key",
    "apikey",
    "Accept",
    "Content-Type",
    "Content-Encoding",
    "If-None-Match",
    "X-Request-ID",
)
"""What scripts of other origins may send, where the settings name such origins."""

EXPOSED_HEADERS = ("ETag", "Location", "Retry-After", "Wort-Rows", "X-Request-ID")
"""What they may read."""


class SecurityHeaders:
    """Adds to every answer the headers that it does not have itself."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        async def answer(message: Message) -> None:
            if message["type"] == "http.response.start":
                own = dict(message["headers"])
                headers = [header for header in _ALWAYS if header[0] not in own]
                policy = own.get(_POLICY[0], b"")
                if not policy:
                    headers.append(_POLICY)
                # For browsers that do not know ``frame-ancestors``; a page that states its own decides.
                if b"frame-ancestors" not in policy and _FRAMES[0] not in own:
                    headers.append(_FRAMES)
                message["headers"] = [*message["headers"], *headers]
            await send(message)

        await self.app(scope, receive, answer)
