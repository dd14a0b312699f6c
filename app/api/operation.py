"""What whoever runs a server asks: what is served, and is it well?"""

from __future__ import annotations

from http import HTTPStatus
from typing import Any

from anyio import CapacityLimiter, to_thread
from fastapi import APIRouter, Request, Response

from app.settings import Settings
from app.web.middleware.metrics import MEDIA_TYPE as METRICS
from app.web.middleware.metrics import Metrics
from app.web.openapi.document import answers
from app.web.openapi.shared_responses import UNCHANGED
from app.web.requests.preferences import wants_page
from app.web.responses.answering import respond
from app.web.responses.caching import tagged, unchanged
from app.web.version import VERSION
from wort.schemas.described import SnapshotInfo
from wort.schemas.operation import Health
from wort.schemas.releases import ModelsResponse


def router(_: Settings) -> APIRouter:
    """The routes."""
    routes = APIRouter()
    reading = CapacityLimiter(1)

    @routes.get(
        "/models",
        operation_id="get_models",
        summary="Which model and snapshot answer here?",
        description="What this worker process serves, which registry it follows, and the last release that "
        "it refused, with the reason. Of several workers, any one answers.",
        responses=answers(ModelsResponse),
        tags=["operation"],
    )
    async def models(request: Request) -> Response:
        # Whoever types this address means the page, and the interface has its own address for programs.
        if wants_page(request) and not request.url.path.endswith(f"/{VERSION}/models"):
            answer = Response(status_code=HTTPStatus.SEE_OTHER, headers={"Location": "releases"})
        else:
            answer = respond(request.app.state.source.describe())
        answer.headers["Vary"] = "Accept"
        return answer

    @routes.get(
        "/snapshot",
        operation_id="get_snapshot",
        summary="Which Wikipedia do the answers rest on?",
        description="The snapshot that is served: its wiki, the date of its dump, how many concepts it has, "
        "and the licence and the attribution that whoever shows an answer has to show with it.",
        responses={**answers(SnapshotInfo), **UNCHANGED},
        tags=["operation"],
    )
    async def snapshot(request: Request) -> Response:
        serving = request.app.state.source.current
        return unchanged(request, serving) or tagged(respond(serving.scorer.snapshot_info), serving)

    @routes.get(
        "/health",
        operation_id="get_health",
        summary="Is the process alive?",
        responses=answers(Health),
        tags=["operation"],
    )
    async def health() -> Response:
        return respond(Health("ok"))

    @routes.get(
        "/ready",
        operation_id="get_readiness",
        summary="Is the first answer as quick as the next?",
        description="503 while the server warms up. Requests are answered then too, only more slowly. Also "
        "while what it serves is damaged and there is nothing else: then no question is answered.",
        responses={**answers(Health), 503: {**_starting()}},
        tags=["operation"],
    )
    async def ready(request: Request) -> Response:
        if request.app.state.source.current.damage is not None:
            return respond(Health("damaged"), 503)
        return respond(Health("ok")) if request.app.state.ready else respond(Health("starting"), 503)

    @routes.get(
        "/metrics",
        operation_id="get_metrics",
        summary="What Prometheus collects",
        description="Requests by route, method and status, how long they took, pairs scored, places taken "
        "and queued, problems by type, what is served, and memory and processor time of each worker; of all "
        "workers together. Nothing of what was asked is among it.",
        responses=_text_metrics(),
        tags=["operation"],
    )
    async def metrics(request: Request) -> Response:
        counted: Metrics = request.app.state.metrics
        # Files are read for it, of which one reader at a time is enough.
        return Response(await to_thread.run_sync(counted.exposition, limiter=reading), media_type=METRICS)

    return routes


def _text_metrics() -> dict[int | str, dict[str, Any]]:
    content = {METRICS: {"schema": {"type": "string", "description": "The text format of Prometheus."}}}
    return {200: {"description": "The answer.", "content": content}}


def _starting() -> dict[str, Any]:
    return {**answers(Health)[200], "description": "Not yet."}
