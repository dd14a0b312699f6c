"""Pairs of free terms, scored."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

import structlog
from fastapi import APIRouter, Request, Response
from starlette.requests import ClientDisconnect

from app.errors import AppError
from app.scoring.terms import LONGEST_CONTEXT, LONGEST_TERM, TermScorer
from app.serving.serving import Serving
from app.settings import Settings
from app.web.body import decode, read_json
from app.web.openapi import answers, asks
from app.web.problems import (
    BUSY,
    MALFORMED,
    NO_TERM_MODEL,
    TOO_LARGE,
    TOO_MANY,
    TOO_SLOW,
    WRONG_SHAPE,
    WRONG_TYPE,
    ProblemError,
)
from app.web.respond import respond
from app.web.workers import Workers
from app.wire.terms import AskedTerms, TermResult, TermsRequest, TermsResponse
from features.terms.extract import TermPair
from models.errors import ModelError

log: Any = structlog.get_logger("wort")


SLICE = 50
SLICE_CHARACTERS = 10_000
"""Pairs of terms that are scored in one go, and characters of them and their contexts: half a second at most.
Between two, others have their turn, and a request whose client has left, or that a stopping server waits for
no longer, ends."""


EXAMPLES: dict[str, Any] = {
    "one": {
        "summary": "One pair",
        "value": {"pairs": [{"left": "violent video games", "right": "human aggression"}]},
    },
    "explained": {
        "summary": "One pair, explained",
        "value": {"pairs": [{"left": "school uniforms", "right": "education"}], "explain": True},
    },
    "context": {
        "summary": "A term that may mean several things, within a context",
        "value": {
            "pairs": [
                {"left": "Mercury", "right": "temperature", "context": "the planets and the sun"},
                {"left": "Mercury", "right": "temperature", "context": "chemical elements"},
            ]
        },
    },
}
"""Requests that run as they stand; a test sends each of them."""


def router(settings: Settings) -> APIRouter:
    """The routes, their documentation stating the limits of ``settings``."""
    routes = APIRouter()

    @routes.post(
        "/terms/relatedness",
        summary="Score pairs of free terms",
        description="How related two terms are, of one word or several, whether or not they name concepts. "
        "A context says what the two are about. A pair with a term of which nothing is known gets "
        "`score: null` and a status; it never fails the others. A request may hold "
        f"{settings.max_term_pairs:,} pairs and {settings.max_body:,} bytes, a term {LONGEST_TERM} "
        f"characters; {LONGEST_CONTEXT} of a context are read.",
        openapi_extra=asks(TermsRequest, max_items={"pairs": settings.max_term_pairs}, examples=EXAMPLES),
        responses=answers(
            TermsResponse,
            MALFORMED,
            TOO_SLOW,
            TOO_LARGE,
            TOO_MANY,
            WRONG_TYPE,
            WRONG_SHAPE,
            BUSY,
            NO_TERM_MODEL,
        ),
        tags=["relatedness"],
    )
    async def terms(request: Request) -> Response:
        state = request.app.state
        workers: Workers = state.term_workers
        with workers.place():
            body = await read_json(request, settings.max_body, settings.body_seconds)
            serving: Serving = state.source.current
            asked, scorer = await workers.run(lambda: asked_terms(serving, body, settings.max_term_pairs))
            results: list[TermResult] = []
            for pairs in slices(asked.pairs):
                if await request.is_disconnected():
                    raise ClientDisconnect
                results += await workers.run(partial(scorer.score, pairs, asked.explain, asked.features))
            answer = TermsResponse(results, scorer.model_info, scorer.snapshot_info)
            return await workers.run(lambda: respond(answer))

    return routes


def asked_terms(serving: Serving, body: bytes, max_pairs: int) -> tuple[TermsRequest, TermScorer]:
    """The request that ``body`` holds, and what answers it.

    Raises:
        ProblemError: the body is not such a request, or holds more than ``max_pairs`` pairs; or terms cannot
            be scored here.
    """
    asked = decode(body, TermsRequest, max_pairs)
    try:
        return asked, serving.terms()
    except (AppError, ModelError) as error:
        raise ProblemError(NO_TERM_MODEL, str(error)) from error
    except Exception as error:
        # A table is gone or damaged, or the machine lacks something: concepts are scored all the same.
        log.exception("terms unavailable", snapshot=serving.scorer.snapshot.id)
        raise ProblemError(
            NO_TERM_MODEL, "What terms need cannot be opened now. The server's log says why."
        ) from error


def slices(asked: Sequence[AskedTerms]) -> Iterator[list[TermPair]]:
    """The pairs of a request, in order, as many together as are scored in one go."""
    some: list[TermPair] = []
    characters = 0
    for pair in asked:
        size = sum(min(len(term), LONGEST_TERM) for term in (pair.left, pair.right))
        size += min(len(pair.context or ""), LONGEST_CONTEXT)
        if some and (len(some) == SLICE or characters + size > SLICE_CHARACTERS):
            yield some
            some, characters = [], 0
        some.append(TermPair(pair.left, pair.right, pair.context))
        characters += size
    if some:
        yield some
