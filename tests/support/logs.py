"""Where the events of servers go that run within the tests."""

from __future__ import annotations

import structlog


def logged_by_the_library() -> None:
    """Hand structlog's events to ``logging``, as a server does, and not to ``print``, its default.

    ``print`` of CPython 3.11 holds no reference to the standard output that it writes to
    (https://github.com/python/cpython/issues/130163). While a server's thread prints, pytest puts another
    output in its place, and now and then the interpreter crashed, at once or long after.
    """
    structlog.configure(
        processors=[
            structlog.stdlib.add_log_level,
            structlog.processors.format_exc_info,
            structlog.processors.JSONRenderer(),
        ],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
    )
