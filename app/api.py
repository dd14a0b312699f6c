"""The routes that programs call."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Annotated, Any

import msgspec
import structlog
from fastapi import APIRouter, Query, Request, Response
from starlette.requests import ClientDisconnect

from app.body import decode, read_json, references
from app.errors import AppError
from app.openapi import answers, asks
from app.problems import (
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
from app.release_schema import ModelsResponse
from app.schema import (
    FoundConcept,
    Health,
    RelatednessRequest,
    RelatednessResponse,
    SearchResponse,
)
from app.serving import Serving
from app.settings import Settings
from app.term_schema import AskedTerms, TermResult, TermsRequest, TermsResponse
from app.term_scoring import LONGEST_CONTEXT, LONGEST_TERM, TermScorer
from app.workers import Workers
from features.terms.extract import TermPair
from models.errors import ModelError

log: Any = structlog.get_logger("wort")

SLICE = 50
SLICE_CHARACTERS = 10_000
"""Pairs of terms that are scored in one go, and characters of them and their contexts: half a second at most.
Between two, others have their turn, and a request whose client has left, or that a stopping server waits for
no longer, ends."""


def respond(answer: msgspec.Struct, status: int = 200) -> Response:
    """``answer`` as JSON."""
    return Response(msgspec.json.encode(answer), status, media_type="application/json")


def router(settings: Settings) -> APIRouter:
    """The routes, their documentation stating the limits of ``settings``."""
    routes = APIRouter()

    @routes.post(
        "/relatedness",
        summary="Score pairs of concepts",
        description="How related two concepts are, for one pair or many, with the evidence where asked for. "
        "A pair that cannot be resolved gets `score: null`, a status and suggestions; it never fails the "
        f"others. A request may hold {settings.max_pairs:,} pairs and {settings.max_body:,} bytes.",
        openapi_extra=asks(RelatednessRequest, max_items={"pairs": settings.max_pairs}),
        responses=answers(
            RelatednessResponse, MALFORMED, TOO_SLOW, TOO_LARGE, TOO_MANY, WRONG_TYPE, WRONG_SHAPE, BUSY
        ),
        tags=["relatedness"],
    )
    async def relatedness(request: Request) -> Response:
        state = request.app.state
        with state.workers.place():
            body = await read_json(request, settings.max_body, settings.body_seconds)
            answer: Response = await state.workers.run(
                lambda: respond(score(state.source.current, body, settings.max_pairs))
            )
        return answer

    @routes.post(
        "/terms/relatedness",
        summary="Score pairs of free terms",
        description="How related two terms are, of one word or several, whether or not they name concepts. "
        "A context says what the two are about. A pair with a term of which nothing is known gets "
        "`score: null` and a status; it never fails the others. A request may hold "
        f"{settings.max_term_pairs:,} pairs and {settings.max_body:,} bytes, a term {LONGEST_TERM} "
        f"characters; {LONGEST_CONTEXT} of a context are read.",
        openapi_extra=asks(TermsRequest, max_items={"pairs": settings.max_term_pairs}),
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

    @routes.get(
        "/concepts/search",
        summary="Find concepts by the beginning of their title",
        description="Titles that begin with `q`, whatever its case and accents, the most linked first.",
        responses=answers(SearchResponse, WRONG_SHAPE, BUSY),
        tags=["concepts"],
    )
    async def search(
        request: Request,
        q: Annotated[str, Query(max_length=255, description="How the title begins.", examples=["Athe"])],
        limit: Annotated[int, Query(ge=1, le=50, description="The most titles to return.")] = 10,
    ) -> Response:
        state = request.app.state
        with state.workers.place():
            titles = await state.workers.run(lambda: state.source.current.scorer.resolver.search(q, limit))
        return respond(SearchResponse([FoundConcept(title) for title in titles]))

    @routes.get(
        "/models",
        summary="Which model and snapshot answer here?",
        description="What this worker process serves, which registry it follows, and the last release that "
        "it refused, with the reason. Of several workers, any one answers.",
        responses=answers(ModelsResponse),
        tags=["operation"],
    )
    async def models(request: Request) -> Response:
        return respond(request.app.state.source.describe())

    @routes.get(
        "/health",
        summary="Is the process alive?",
        responses=answers(Health),
        tags=["operation"],
    )
    async def health() -> Response:
        return respond(Health("ok"))

    @routes.get(
        "/ready",
        summary="Is the first answer as quick as the next?",
        description="503 while the server warms up. Requests are answered then too, only more slowly.",
        responses={**answers(Health), 503: {**_starting()}},
        tags=["operation"],
    )
    async def ready(request: Request) -> Response:
        return respond(Health("ok")) if request.app.state.ready else respond(Health("starting"), 503)

    return routes


def score(serving: Serving, body: bytes, max_pairs: int) -> RelatednessResponse:
    """The answer of what is served to the request that ``body`` holds.

    Raises:
        ProblemError: the body is not such a request, or holds more than ``max_pairs`` pairs.
    """
    asked = decode(body, RelatednessRequest, max_pairs)
    scorer = serving.scorer
    results = scorer.score([references(pair) for pair in asked.pairs], asked.explain, asked.features)
    return RelatednessResponse(results, scorer.model_info, scorer.snapshot_info)


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


def _starting() -> dict[str, Any]:
    return {**answers(Health)[200], "description": "Not yet."}
