"""Concepts by themselves: found."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Request, Response

from app.settings import Settings
from app.web.openapi import answers
from app.web.problems import (
    BUSY,
    WRONG_SHAPE,
)
from app.web.respond import respond
from app.wire.concepts import FoundConcept, SearchResponse


def router(settings: Settings) -> APIRouter:
    """The routes, their documentation stating the limits of ``settings``."""
    routes = APIRouter()

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

    return routes
