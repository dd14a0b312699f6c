"""Errors as RFC 9457 problem documents: every kind, declared once."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import msgspec
from starlette.responses import Response

from models.registry.errors import BadEntry, RegistryError
from wort.schemas.operation import Problem

MEDIA_TYPE = "application/problem+json"

LONGEST_DETAIL = 1000
"""Characters that are said of what is wrong: any part of a request may be quoted, which may be megabytes."""


@dataclass(frozen=True, slots=True)
class ProblemKind:
    """A kind of problem: its name in ``type``, its HTTP status, its title, and when it occurs."""

    name: str
    status: int
    title: str
    occurs: str

    @property
    def type(self) -> str:
        """The URI that names the kind in a problem document; a kind without a name is just its status."""
        return f"urn:wort:problem:{self.name}" if self.name else "about:blank"


MALFORMED = ProblemKind("malformed-json", 400, "The body is not JSON", "the body cannot be read as JSON")
DAMAGED = ProblemKind(
    "damaged-body",
    400,
    "The compressed body is damaged",
    "the body is not what its `Content-Encoding` says, or not all of it",
)
NO_KEY = ProblemKind(
    "unauthorized",
    401,
    "The key is missing or wrong",
    "the request needs a key, and has none that is in force",
)
FORBIDDEN = ProblemKind(
    "forbidden", 403, "The key does not allow this", "the key lacks the scope that the route needs"
)
NOT_ENABLED = ProblemKind(
    "not-enabled", 403, "This is not enabled here", "the server has no admin key: see `WORT_ADMIN_KEY`"
)
NOT_FOUND = ProblemKind("not-found", 404, "There is nothing here", "the address names nothing")
AMBIGUOUS = ProblemKind(
    "ambiguous-title",
    404,
    "The title names no concept by itself",
    "a title may mean several concepts; `candidates` are the likeliest",
)
UNKNOWN_MODEL = ProblemKind(
    "unknown-model",
    404,
    "There is no such model here",
    "`model` names none; `detail` lists those that there are",
)
WRONG_METHOD = ProblemKind(
    "method-not-allowed", 405, "The method is not allowed here", "see the `Allow` header"
)
TOO_SLOW = ProblemKind(
    "body-too-slow", 408, "The body took too long", "the body has not arrived when its time is over"
)
RUNNING = ProblemKind(
    "retraining-running",
    409,
    "Another retraining has not ended",
    "one retraining runs at a time; `Location` names it",
)
TOO_LARGE = ProblemKind(
    "body-too-large", 413, "The body is too large", "the body has more bytes than `limit`, or unfolds to more"
)
TOO_MANY = ProblemKind(
    "too-many-pairs", 413, "There are too many pairs", "the request has more pairs than `limit`"
)
TOO_LONG_TEXT = ProblemKind(
    "text-too-long", 413, "The text is too long", "a text of the request has more characters than `limit`"
)
WRONG_TYPE = ProblemKind(
    "unsupported-media-type",
    415,
    "The body has the wrong media type",
    "the body is not of a type that the route takes",
)
WRONG_SHAPE = ProblemKind(
    "invalid-request",
    422,
    "The request cannot be answered as it is",
    "a field is missing, unknown or wrong",
)
WRONG_FILE = ProblemKind(
    "unreadable-file",
    422,
    "The file cannot be read as pairs",
    "the file is empty, misses a column, or is not what its media type says",
)
TOO_OFTEN = ProblemKind(
    "rate-limited",
    429,
    "Too many requests came from here",
    "the key, or else the address, has asked too often; `Retry-After` says when to try again",
)
FAILED = ProblemKind(
    "internal-error", 500, "Something went wrong here", "a fault in the server; its log has more"
)
BUSY = ProblemKind(
    "busy", 503, "The server is busy", "too many requests are here; `Retry-After` says when to try again"
)
TOO_LONG = ProblemKind(
    "took-too-long",
    503,
    "The answer took too long",
    "the request has not been answered when its time is over; `Retry-After` says when to try again",
)
NO_ROOM = ProblemKind(
    "no-room",
    503,
    "There is no room for the file",
    "the server cannot keep the file while it is scored; `Retry-After` says when to try again",
)
NO_REGISTRY = ProblemKind(
    "registry-unavailable", 503, "The registry cannot be used", "its database cannot be read or written now"
)
NO_TERM_MODEL = ProblemKind(
    "no-term-model",
    503,
    "Terms cannot be scored here",
    "there is no model of terms for the snapshot, or what it needs cannot be opened",
)

NO_MENTIONS = ProblemKind(
    "no-mention-dictionary",
    503,
    "Texts cannot be annotated here",
    "the snapshot has no mention dictionary, or what texts need cannot be opened",
)

DAMAGED_SNAPSHOT = ProblemKind(
    "damaged-snapshot",
    503,
    "The snapshot is damaged",
    "a file of the snapshot was altered, or cannot be read now, and the server has no other to answer from",
)

KINDS: tuple[ProblemKind, ...] = tuple(
    value for value in list(globals().values()) if isinstance(value, ProblemKind)
)
"""All of them, in this order."""


class ProblemError(Exception):
    """Raised anywhere below a route; answered as a problem document."""

    def __init__(
        self,
        kind: ProblemKind,
        detail: str,
        limit: int | None = None,
        headers: dict[str, str] | None = None,
        candidates: tuple[str, ...] = (),
        suggestions: tuple[str, ...] = (),
    ) -> None:
        if len(detail) > LONGEST_DETAIL:
            detail = f"{detail[:LONGEST_DETAIL].rstrip('.')}…."
        super().__init__(detail)
        self.kind = kind
        self.detail = detail
        self.limit = limit
        self.headers = headers
        self.candidates = candidates
        self.suggestions = suggestions

    def problem(self, request_id: str | None = None) -> Problem:
        """The problem document."""
        return Problem(
            self.kind.type,
            self.kind.title,
            self.kind.status,
            self.detail,
            self.limit,
            request_id,
            self.candidates,
            self.suggestions,
        )

    def response(self, request_id: str | None = None) -> Response:
        """The problem document, as a response."""
        encoded = msgspec.json.encode(self.problem(request_id))
        return Response(encoded, self.kind.status, headers=self.headers, media_type=MEDIA_TYPE)


@contextmanager
def registry_problems() -> Iterator[None]:
    """Answer what is wrong with the registry as a problem."""
    try:
        yield
    except BadEntry as error:
        raise ProblemError(WRONG_SHAPE, str(error)) from None
    except RegistryError as error:
        raise ProblemError(NO_REGISTRY, str(error), headers={"Retry-After": "10"}) from None
