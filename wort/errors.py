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

from wort.schemas.naming import not_a_title, not_known, which_of_several
from wort.schemas.operation import Problem
from wort.schemas.sides import Side

_SEARCH = "search()"
"""What finds titles, of a client."""

_NAMED = 3
"""Candidates that an error names; ``Unresolved.side`` has them all."""


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
    """What to ask instead of what names no concept, or several, as ``wort.open()`` says it."""
    if side.status == "invalid":
        return f"{not_a_title(side.asked)} Ask again with a title; `{_SEARCH}` finds titles."
    if side.status == "ambiguous":
        return which_of_several(side.asked, side.candidates, side.suggestions, _SEARCH, _NAMED)
    return not_known(side.asked, side.title, side.suggestions, "the server's snapshot", _SEARCH)


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
