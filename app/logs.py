"""Logs: one event a line, as JSON for machines or in colour for a terminal, never with what was asked."""

from __future__ import annotations

import logging
import sys
from typing import Any

import structlog


def configure(level: str, form: str) -> None:
    """Send the project's events and uvicorn's to standard error, from ``level`` up.

    ``form`` is ``json``, ``console`` or ``auto``: console on a terminal, JSON elsewhere.
    """
    shared: list[Any] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
    ]
    if form == "console" or (form == "auto" and sys.stderr.isatty()):
        # Tracebacks without local variables: those hold what was asked, and keys.
        plain = structlog.dev.plain_traceback
        final: list[Any] = [
            structlog.dev.ConsoleRenderer(colors=sys.stderr.isatty(), exception_formatter=plain)
        ]
    else:
        final = [structlog.processors.format_exc_info, structlog.processors.JSONRenderer(ensure_ascii=False)]
    structlog.configure(
        processors=[*shared, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
    )
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=shared,
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, *final],
        )
    )
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level.upper())
