"""Who may ask: the keys that requests carry, and what is open without one."""

from __future__ import annotations

import base64
import binascii
from typing import Any

from fastapi import Request
from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from app.serving.keyring import Keyring
from app.web.problems import FORBIDDEN, NO_KEY, NOT_ENABLED, ProblemError
from app.web.refusing import refuse
from app.web.request_notes import notes_of

PROBES = frozenset(f"{version}/{name}" for version in ("", "/v1") for name in ("health", "ready", "metrics"))
"""What watches a server asks for: open to everybody, and never kept waiting."""

_OPEN = PROBES | {"/docs", "/openapi.json"}
_BEARER = "Bearer"
_BASIC = 'Basic realm="wort", charset="UTF-8"'

SCHEMES: dict[str, dict[str, str]] = {
    "bearer": {"type": "http", "scheme": "bearer", "description": "`Authorization: Bearer KEY`."},
    "header": {"type": "apiKey", "in": "header", "name": "X-API-Key", "description": "`X-API-Key: KEY`."},
    "apikey": {
        "type": "apiKey",
        "in": "header",
        "name": "apikey",
        "description": "`apikey: KEY`, as IBM's client of its Term Relater sends it.",
    },
    "basic": {
        "type": "http",
        "scheme": "basic",
        "description": "The key as the password, with any name: what a browser asks a person for.",
    },
}
"""The ways in which a request may carry its key, as OpenAPI declares them."""


def is_open(path: str) -> bool:
    """Whether ``path`` is answered without a key, whatever the server requires."""
    # Who annotates, or owns a project, has a link instead of a key.
    return path in _OPEN or is_static(path) or path.startswith("/annotation/")


def is_static(path: str) -> bool:
    """Whether a file of the pages is asked for."""
    return path.startswith("/static/")


class Identification:
    """Notes of each request whose key it carries."""

    def __init__(self, app: ASGIApp, keyring: Keyring) -> None:
        self.app = app
        self.keyring = keyring

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request."""
        if scope["type"] == "http":
            key = key_of(Headers(scope=scope))
            notes_of(scope).caller = None if key is None else self.keyring.find(key)
        await self.app(scope, receive, send)


class Authority:
    """Refuses who has no key. ``Identification`` stands before it."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request."""
        if scope["type"] == "http" and notes_of(scope).caller is None and not is_open(scope["path"]):
            headers = Headers(scope=scope)
            await refuse(no_key(headers), scope, receive, send)
            return
        await self.app(scope, receive, send)


def key_of(headers: Headers) -> str | None:
    """The key that a request carries, in whichever way; None where it carries none.

    ``Authorization`` goes before ``X-API-Key``, and that before ``apikey``.
    """
    scheme, _, credentials = headers.get("authorization", "").partition(" ")
    if scheme.lower() == "basic":
        return _password(credentials)
    key = credentials.strip() if scheme.lower() == "bearer" else None
    sent = key or headers.get("x-api-key") or headers.get("apikey")
    # A header is read as Latin-1, and what people type is sent as UTF-8.
    return None if sent is None else sent.encode("latin-1").decode(errors="replace")


def no_key(headers: Headers) -> ProblemError:
    """The refusal of a request without a key that is in force; one that a browser asks a person by."""
    page = "text/html" in headers.get("accept", "")
    return ProblemError(
        NO_KEY,
        "Send a key of this server: `Authorization: Bearer KEY` or `X-API-Key: KEY`; a browser asks for it "
        "as a password.",
        headers={"WWW-Authenticate": _BASIC if page else f"{_BEARER}, {_BASIC}"},
    )


def admit_admin(request: Request) -> None:
    """Let nobody pass but who has a key with the scope admin.

    Raises:
        ProblemError: the server has no such key, or the request has none, or another.
    """
    admit(request, "takes no retrainings")


def admit(request: Request, otherwise: str) -> None:
    """As ``admit_admin``. ``otherwise``: what a server without keys does not do."""
    keyring: Keyring = request.app.state.keyring
    if not keyring.has_keys:
        raise ProblemError(NOT_ENABLED, f"This server {otherwise}. Set WORT_ADMIN_KEY and start it again.")
    caller = notes_of(request.scope).caller
    if caller is None:
        raise no_key(request.headers)
    if not caller.admin:
        raise ProblemError(
            FORBIDDEN, "This key has the scope score, and the route needs admin. Send another key."
        )


def declare_keys(document: dict[str, Any], required: bool) -> None:
    """Say in an OpenAPI document how keys are sent, and which operations need one."""
    document.setdefault("components", {})["securitySchemes"] = SCHEMES
    any_way: list[dict[str, list[str]]] = [{name: []} for name in SCHEMES]
    for path, operations in document["paths"].items():
        for operation in operations.values():
            keyed = (required and not is_open(path)) or "retraining" in operation.get("tags", ())
            operation["security"] = any_way if keyed else []


def _password(credentials: str) -> str | None:
    """The password of HTTP Basic credentials (RFC 7617)."""
    try:
        decoded = base64.b64decode(credentials.strip(), validate=True).decode()
    except (binascii.Error, ValueError):
        return None
    return decoded.partition(":")[2]
