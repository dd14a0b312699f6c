"""What is around every request and its answer, whoever answers: a name, headers, a count, a line of the log.

What fails within becomes a problem document.
"""

from __future__ import annotations

import logging
import re
import time
import traceback
import uuid
from typing import Any

import structlog
from starlette.datastructures import Headers
from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.web.middleware.metrics import Metrics
from app.web.problems import FAILED, ProblemError
from app.web.request_notes import answering, note_problem

REQUEST_ID = "X-Request-ID"
_REQUEST_ID = REQUEST_ID.lower().encode()
_ACCEPTED = re.compile(r"[A-Za-z0-9._-]{1,64}")

_ALWAYS = (
    (b"x-content-type-options", b"nosniff"),
    # An address may hold what people ask about.
    (b"referrer-policy", b"no-referrer"),
    # Scripts of other origins are for CORS to decide; this keeps answers out of their images and scripts.
    (b"cross-origin-resource-policy", b"same-origin"),
)

_POLICY = (b"content-security-policy", b"default-src 'none'; frame-ancestors 'none'")
"""What an answer that is no page may load, should a browser show it: nothing. Pages state their own."""

_FRAMES = (b"x-frame-options", b"DENY")

THE_SERVERS = "The fault is the server's. Its log has more under this request's id."
"""What is said of a fault, whoever asks."""

log: Any = structlog.get_logger("wort")


class Envelope:
    """Names, counts and logs each request: its route, status and duration. Answers 500 where the rest fails.

    The id is the client's own ``X-Request-ID`` where it is plain, else a new one; the answer carries it, and
    whatever tells a browser what to leave alone. Neither query nor body is logged: they hold what people ask
    about.
    """

    def __init__(self, app: ASGIApp, metrics: Metrics) -> None:
        self.app = app
        self.metrics = metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        begun = time.perf_counter()
        notes = answering(scope)
        asked = Headers(scope=scope).get(REQUEST_ID, "")
        request_id = asked if _ACCEPTED.fullmatch(asked) else uuid.uuid4().hex
        structlog.contextvars.clear_contextvars()
        structlog.contextvars.bind_contextvars(request_id=request_id)
        status = 0

        async def answer(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                message["headers"] = _completed(message["headers"], request_id)
            await send(message)

        try:
            await self.app(scope, receive, answer)
        except ClientDisconnect:
            log.info("client left")
        except Exception as error:
            log_failure(error)
            # Where the answer has begun, it is cut off by the end of the connection. An error that went on
            # from here would be logged by the server, with what it quotes.
            if not status:
                note_problem(scope, FAILED)
                problem = ProblemError(FAILED, THE_SERVERS)
                await problem.response(request_id)(scope, receive, answer)
        finally:
            seconds = time.perf_counter() - begun
            route = self.metrics.count(scope, notes, status, seconds)
            log.info(
                "request",
                method=scope["method"],
                route=route,
                status=status,
                milliseconds=round(seconds * 1000, 2),
            )


def where(error: BaseException) -> str:
    """Where an error was raised, and of what kind it and those behind it are, without what they say.

    What an error says may quote what was asked: a title, a term, a key.
    """
    lines = []
    behind = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    if behind is not None:
        lines.append(where(behind))
    lines += traceback.format_tb(error.__traceback__)
    return "\n".join([*lines, type(error).__qualname__])


def _completed(headers: list[tuple[bytes, bytes]], request_id: str) -> list[tuple[bytes, bytes]]:
    """The headers of an answer, and those that every answer has where it has not its own."""
    own = dict(headers)
    added = [(_REQUEST_ID, request_id.encode()), *_ALWAYS]
    policy = own.get(_POLICY[0], b"")
    if not policy:
        added.append(_POLICY)
    # For browsers that do not know ``frame-ancestors``; a page that states its own decides.
    if b"frame-ancestors" not in policy:
        added.append(_FRAMES)
    return headers + [header for header in added if header[0] not in own]


def log_failure(error: Exception) -> None:
    """Log a fault: at the level debug with what the error says, else without."""
    if logging.getLogger().isEnabledFor(logging.DEBUG):
        log.exception("request failed")
    else:
        log.error("request failed", exception=where(error))
