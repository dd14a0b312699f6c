"""The routes that programs call."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from fastapi import APIRouter, Query, Request, Response

from app.body import decode, read_json, references
from app.openapi import answers, asks
from app.problems import BUSY, MALFORMED, TOO_LARGE, TOO_MANY, TOO_SLOW, WRONG_SHAPE, WRONG_TYPE
from app.schema import (
    FoundConcept,
    Health,
    RelatednessRequest,
    RelatednessResponse,
    SearchResponse,
)
from app.scoring import Scorer
from app.settings import Settings


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
                lambda: respond(score(state.scorer, body, settings.max_pairs))
            )
        return answer

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
            titles = await state.workers.run(lambda: state.scorer.resolver.search(q, limit))
        return respond(SearchResponse([FoundConcept(title) for title in titles]))

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


def score(scorer: Scorer, body: bytes, max_pairs: int) -> RelatednessResponse:
    """The answer to the request that ``body`` holds.

    Raises:
        ProblemError: the body is not such a request, or holds more than ``max_pairs`` pairs.
    """
    asked = decode(body, max_pairs)
    results = scorer.score([references(pair) for pair in asked.pairs], asked.explain, asked.features)
    return RelatednessResponse(results, scorer.model_info, scorer.snapshot_info)


def _starting() -> dict[str, Any]:
    return {**answers(Health)[200], "description": "Not yet."}
