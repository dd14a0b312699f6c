"""What whoever runs a server asks: what is served, and is it well?"""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request, Response

from app.settings import Settings
from app.web.openapi import answers
from app.web.respond import respond
from app.wire.operation import Health
from app.wire.releases import ModelsResponse


def router(_: Settings) -> APIRouter:
    """The routes."""
    routes = APIRouter()

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


def _starting() -> dict[str, Any]:
    return {**answers(Health)[200], "description": "Not yet."}
