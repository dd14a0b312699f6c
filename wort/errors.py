"""What can go wrong for a client.

WortError
├── NotReached        no server answered: no connection, or it broke or took too long
├── BrokenAnswer      what answered is no wort server, or one that this client does not understand
├── Closed            the client was closed; another one asks on
├── Unresolved        a concept was needed, and what was named is none
└── Refused           the server answered with a problem; ``kind``, ``detail`` and ``limit`` say which
    ├── InvalidRequest  400, 405, 409, 415, 422: the request is wrong
    ├── NotAuthorised   401, 403: a key is missing, wrong, or may not do this
    ├── NotFound        404: there is no such concept, or no such route on this server
    ├── TooLarge        413: more pairs or bytes than ``limit``
    ├── TooOften        429: the rate limit, after all retries
    └── Unavailable     408, 5xx: the server is busy or failed, after all retries

Some are errors of Python's too, those that ``wort.open()`` raises of the same: Unresolved and NotFound are
LookupErrors, Closed and InvalidRequest are ValueErrors.
"""

from __future__ import annotations

from wort.schemas.naming import not_a_title, quoted
from wort.schemas.operation import Problem
from wort.schemas.relatedness import Side


class WortError(Exception):
    """Anything that goes wrong between a client and its server."""


class NotReached(WortError):
    """No server answered, also after retries; or its answer broke off."""


class BrokenAnswer(WortError):
    """The answer is not what a wort server says: another server answers there, or another version."""


class Closed(WortError, ValueError):
    """The client was closed, and asks nothing more."""

    def __init__(self) -> None:
        super().__init__("This client is closed. Make another one, as by wort.Client().")


class Unresolved(WortError, LookupError):
    """A method needed one concept, and what was named is none, or several.

    ``side`` is what the server says of it: the candidates of an ambiguous title, suggestions for an unknown.
    """

    def __init__(self, side: Side) -> None:
        self.side = side
        super().__init__(_unresolved(side))


def _unresolved(side: Side) -> str:
    """What to ask instead of what is no concept: of what can be none at all as ``wort.open()`` says it."""
    if side.status == "invalid":
        return f"{not_a_title(side.asked)} Ask again with a title; search() finds titles."
    if side.status == "unknown" and "://" in str(side.asked) and "://" in (side.title or "://"):
        return (
            f"{quoted(side.asked)} is no address of an article of the server's snapshot. "
            "Ask again with a title."
        )
    message = f"{quoted(side.asked)} is {side.status}"
    if len(side.candidates) == 1:
        message += f". No concept is called just so, but there is {side.candidates[0]}"
    elif side.candidates:
        message += f". It may mean {', '.join(side.candidates)}"
    if side.suggestions:
        message += f". There is {', '.join(side.suggestions)}"
    elif side.status == "unknown":
        message += ": no concept of the server's snapshot is called so. search() finds what is called alike"
    return f"{message}."


class Refused(WortError):
    """The server answered with a problem."""

    def __init__(self, problem: Problem) -> None:
        self.status = problem.status
        """The HTTP status."""
        self.kind = problem.type.removeprefix("urn:wort:problem:")
        """The kind of problem, as docs/api.md lists them; ``about:blank`` where it has none."""
        self.detail = problem.detail
        """What is wrong, and what to do."""
        self.limit = problem.limit
        """The limit that the request went over."""
        self.request_id = problem.request_id
        """What the server's log calls the request."""
        self.candidates = problem.candidates
        """Where a title that was asked for may mean several concepts: their titles, the likeliest first."""
        self.suggestions = problem.suggestions
        """Where a title names no concept, or several: other titles that may be meant."""
        super().__init__(f"{problem.title} ({problem.status}): {problem.detail}")


class InvalidRequest(Refused, ValueError):
    """The request is wrong."""


class NotAuthorised(Refused):
    """A key is missing, wrong, or may not do this."""


class NotFound(Refused, LookupError):
    """There is no such concept or model, or no such route on this server."""


class TooLarge(Refused):
    """The request has more pairs or bytes than ``limit``."""


class TooOften(Refused):
    """The rate limit was met, after all retries."""


class Unavailable(Refused):
    """The server is busy or failed, after all retries."""


_BY_STATUS: dict[int, type[Refused]] = {
    401: NotAuthorised,
    403: NotAuthorised,
    404: NotFound,
    408: Unavailable,
    413: TooLarge,
    429: TooOften,
}


def refusal(problem: Problem) -> Refused:
    """The error that ``problem`` is."""
    default = Unavailable if problem.status >= 500 else InvalidRequest
    return _BY_STATUS.get(problem.status, default)(problem)
