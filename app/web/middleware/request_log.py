"""What happens around every request: it gets an id, is logged, and its failures become problem documents."""

from __future__ import annotations

import logging
import re
import time
import traceback
import uuid
from typing import Any

import structlog
from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.web.problems import FAILED, ProblemError
from app.web.request_notes import note_problem

REQUEST_ID = "X-Request-ID"
_ACCEPTED = re.compile(r"[A-Za-z0-9._-]{1,64}")

log: Any = structlog.get_logger("wort")


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


def _log_failure(error: Exception) -> None:
    """Log a fault: at the level debug with what the error says, else without."""
    if logging.getLogger().isEnabledFor(logging.DEBUG):
        log.exception("request failed")
    else:
        log.error("request failed", exception=where(error))


class RequestLog:
    """Names each request, logs its route, status and duration, and answers 500 where the rest fails.

    The id is the client's own ``X-Request-ID`` where it is plain, else a new one; the answer carries it.
    Neither query nor body is logged: they hold what people ask about.
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        asked = Headers(scope=scope).get(REQUEST_ID, "")
        request_id = asked if _ACCEPTED.fullmatch(asked) else uuid.uuid4().hex
        structlog.contextvars.clear_contextvars()
        structlog.contextvars.bind_contextvars(request_id=request_id)
        begun = time.perf_counter()
        status = 0

        async def answer(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                MutableHeaders(scope=message)[REQUEST_ID] = request_id
            await send(message)

        try:
            await self.app(scope, receive, answer)
        except ClientDisconnect:
            log.info("client left")
        except Exception as error:
            _log_failure(error)
            if status:
                # The answer has begun, and is cut off by the end of the connection. An error that went on
                # from here would be logged by the server, with what it quotes.
                return
            note_problem(scope, FAILED)
            problem = ProblemError(
                FAILED, "The fault is the server's. Its log has more under this request's id."
            )
            await problem.response(request_id)(scope, receive, answer)
        finally:
            log.info(
                "request",
                method=scope["method"],
                route=getattr(scope.get("route"), "path", None),
                status=status,
                milliseconds=round((time.perf_counter() - begun) * 1000, 2),
            )
