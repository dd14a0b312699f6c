"""What the OpenAPI document says of every operation alike: declared here, so that no route repeats it."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, MutableMapping
from typing import Any, TypeVar

from app.web.middleware.authority import is_open
from app.web.problems import (
    BUSY,
    DAMAGED,
    FORBIDDEN,
    MEDIA_TYPE,
    NO_KEY,
    TOO_LARGE,
    TOO_OFTEN,
    TOO_SLOW,
    WRONG_SHAPE,
    WRONG_TYPE,
    ProblemKind,
)

Status = TypeVar("Status", str, int, int | str)

TAGS = {
    "relatedness": "How related are two concepts, two terms, many pairs, or a file of them?",
    "concepts": "Find concepts, see what is known of one, and which others are most related to it.",
    "texts": "The concepts of a text, and how related two texts are through theirs.",
    "operation": "What is served, and is it well?",
    "retraining": "Learn from new judgements. Takes a key with the scope admin.",
    "IBM's Term Relater": "The interface of a service that is no more, for its own client.",
}
"""The groups of operations, and what each is about."""

OF_BODIES = (DAMAGED, TOO_SLOW, TOO_LARGE, WRONG_TYPE)
OF_KEYS = (NO_KEY, FORBIDDEN, TOO_OFTEN)

HEADERS: dict[str, Any] = {
    "X-Request-ID": {
        "description": "What the server's log calls the request: the client's `X-Request-ID`, or a new one.",
        "schema": {"type": "string"},
    }
}
RETRY: dict[str, Any] = {
    "Retry-After": {
        "description": "After how many seconds to try again, where that may help.",
        "schema": {"type": "integer", "minimum": 0},
    }
}

UNCHANGED: dict[int | str, dict[str, Any]] = {
    304: {
        "description": "`If-None-Match` names the answer that would be sent: keep it. See `ETag`.",
        "headers": {
            "ETag": {
                "description": "Names the model, the snapshot and the version that the answer rests on.",
                "schema": {"type": "string"},
            }
        },
    }
}
"""What a route answers besides whose answers are tagged (``app.web.responses.caching``)."""


def declare_problems(document: dict[str, Any], problem: dict[str, Any]) -> None:
    """Add to each operation the problems that it shares with others; ``problem`` is the schema of all."""
    for path, operations in document["paths"].items():
        for operation in operations.values():
            responses = operation["responses"]
            # What FastAPI says of 422 is not so here: a problem document answers.
            if "HTTPValidationError" in str(responses.get("422")):
                del responses["422"]
            for kind in _shared(path, operation):
                add_problem(responses, str(kind.status), kind, problem)
            for status, response in responses.items():
                retry = RETRY if status in ("429", "503") else {}
                response["headers"] = {**HEADERS, **retry, **response.get("headers", {})}
            operation["responses"] = dict(sorted(responses.items()))


def share_repeated(document: dict[str, Any]) -> None:
    """Have responses with problems that several operations have alike stand in the document once."""
    places: dict[str, list[tuple[dict[str, Any], str]]] = {}
    for operations in document["paths"].values():
        for operation in operations.values():
            for status, response in operation["responses"].items():
                if MEDIA_TYPE in response.get("content", {}):
                    alike = f"{status} {json.dumps(response, sort_keys=True)}"
                    places.setdefault(alike, []).append((operation["responses"], status))
    shared: dict[str, Any] = document["components"].setdefault("responses", {})
    letters: Counter[str] = Counter()
    for uses in places.values():
        if len(uses) == 1:
            continue
        _, status = uses[0]
        name = f"Problem{status}{chr(ord('A') + letters[status])}"
        letters[status] += 1
        shared[name] = uses[0][0][status]
        for responses, _ in uses:
            responses[status] = {"$ref": f"#/components/responses/{name}"}


def add_problem(
    responses: MutableMapping[Status, dict[str, Any]],
    status: Status,
    kind: ProblemKind,
    problem: dict[str, Any],
) -> None:
    """Add to ``responses`` that a problem of ``kind`` is answered, beside what else is with its status."""
    response = responses.setdefault(status, {"description": "", "content": {}})
    sentence = f"{kind.title}: {kind.occurs}."
    if sentence not in response["description"]:
        response["description"] = f"{response['description']} {sentence}".lstrip()
    response["content"].setdefault(MEDIA_TYPE, {"schema": problem})


def _shared(path: str, operation: dict[str, Any]) -> Iterator[ProblemKind]:
    if "requestBody" in operation:
        yield from OF_BODIES
    if operation.get("parameters"):
        yield WRONG_SHAPE
    if not is_open(path):
        yield from OF_KEYS
        yield BUSY
