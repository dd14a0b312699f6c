"""Pairs of concepts, scored."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request, Response

from app.serving.serving import Serving
from app.settings import Settings
from app.web.body import decode, read_json, references
from app.web.openapi import answers, asks
from app.web.problems import (
    BUSY,
    MALFORMED,
    TOO_LARGE,
    TOO_MANY,
    TOO_SLOW,
    WRONG_SHAPE,
    WRONG_TYPE,
)
from app.web.respond import respond
from app.wire.relatedness import RelatednessRequest, RelatednessResponse

EXAMPLES: dict[str, Any] = {
    "one": {"summary": "One pair", "value": {"pairs": [{"left": "Atheism", "right": "Religion"}]}},
    "explained": {
        "summary": "One pair, explained",
        "value": {"pairs": [{"left": "Atheism", "right": "Religion"}], "explain": True},
    },
    "many": {
        "summary": "Several pairs, named in every way there is",
        "value": {
            "pairs": [
                {"left": "Atheism", "right": {"title": "Religion"}},
                {"left": "https://en.wikipedia.org/wiki/Atheism", "right": "Philosophy"},
                {"left": {"id": 25414}, "right": 26700},
                {"left": "Atheism", "right": "No such concept"},
            ]
        },
    },
}
"""Requests that run as they stand; a test sends each of them."""


def router(settings: Settings) -> APIRouter:
    """The routes, their documentation stating the limits of ``settings``."""
    routes = APIRouter()

    @routes.post(
        "/relatedness",
        summary="Score pairs of concepts",
        description="How related two concepts are, for one pair or many, with the evidence where asked for. "
        "A pair that cannot be resolved gets `score: null`, a status and suggestions; it never fails the "
        f"others. A request may hold {settings.max_pairs:,} pairs and {settings.max_body:,} bytes.",
        openapi_extra=asks(RelatednessRequest, max_items={"pairs": settings.max_pairs}, examples=EXAMPLES),
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
