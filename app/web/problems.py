"""Errors as RFC 9457 problem documents: every kind, declared once."""

from __future__ import annotations

from dataclasses import dataclass

import msgspec
from starlette.responses import Response

from app.wire.operation import Problem

MEDIA_TYPE = "application/problem+json"


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of problem: its name in ``type``, its HTTP status, its title, and when it occurs."""

    name: str
    status: int
    title: str
    occurs: str

    @property
    def type(self) -> str:
        """The URI that names the kind in a problem document; a kind without a name is just its status."""
        return f"urn:wort:problem:{self.name}" if self.name else "about:blank"


MALFORMED = Kind("malformed-json", 400, "The body is not JSON", "the body cannot be read as JSON")
NO_KEY = Kind(
    "unauthorized",
    401,
    "The admin key is missing or wrong",
    "the request needs the admin key, as `Authorization: Bearer …`, and has none or another",
)
NOT_ENABLED = Kind(
    "not-enabled", 403, "This is not enabled here", "the server has no admin key: see `WORT_ADMIN_KEY`"
)
NOT_FOUND = Kind("not-found", 404, "There is nothing here", "the address names nothing")
WRONG_METHOD = Kind("method-not-allowed", 405, "The method is not allowed here", "see the `Allow` header")
TOO_SLOW = Kind(
    "body-too-slow", 408, "The body took too long", "the body has not arrived when its time is over"
)
RUNNING = Kind(
    "retraining-running",
    409,
    "Another retraining has not ended",
    "one retraining runs at a time; `Location` names it",
)
TOO_LARGE = Kind("body-too-large", 413, "The body is too large", "the body has more bytes than `limit`")
TOO_MANY = Kind("too-many-pairs", 413, "There are too many pairs", "the request has more pairs than `limit`")
WRONG_TYPE = Kind(
    "unsupported-media-type",
    415,
    "The body has the wrong media type",
    "the body is not of a type that the route takes",
)
WRONG_SHAPE = Kind(
    "invalid-request",
    422,
    "The request has the wrong shape",
    "a field is missing, unknown or wrong",
)
FAILED = Kind("internal-error", 500, "Something went wrong here", "a fault in the server; its log has more")
BUSY = Kind(
    "busy", 503, "The server is busy", "too many requests are here; `Retry-After` says when to try again"
)
NO_REGISTRY = Kind(
    "registry-unavailable", 503, "The registry cannot be used", "its database cannot be read or written now"
)
NO_TERM_MODEL = Kind(
    "no-term-model",
    503,
    "Terms cannot be scored here",
    "there is no model of terms for the snapshot, or what it needs cannot be opened",
)

KINDS: tuple[Kind, ...] = (
    MALFORMED,
    NO_KEY,
    NOT_ENABLED,
    NOT_FOUND,
    WRONG_METHOD,
    TOO_SLOW,
    RUNNING,
    TOO_LARGE,
    TOO_MANY,
    WRONG_TYPE,
    WRONG_SHAPE,
    FAILED,
    BUSY,
    NO_REGISTRY,
    NO_TERM_MODEL,
)


class ProblemError(Exception):
    """Raised anywhere below a route; answered as a problem document."""

    def __init__(
        self, kind: Kind, detail: str, limit: int | None = None, headers: dict[str, str] | None = None
    ) -> None:
        super().__init__(detail)
        self.kind = kind
        self.detail = detail
        self.limit = limit
        self.headers = headers

    def response(self, request_id: str | None = None) -> Response:
        """The problem document, as a response."""
        problem = Problem(
            self.kind.type, self.kind.title, self.kind.status, self.detail, self.limit, request_id
        )
        return Response(
            msgspec.json.encode(problem), self.kind.status, headers=self.headers, media_type=MEDIA_TYPE
        )
