"""The HTTP service: what a server is made of, put together."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from http import HTTPStatus
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING

import structlog
from anyio import to_thread
from fastapi import APIRouter, Depends, FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.routing import APIRoute
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.cors import CORSMiddleware
from starlette.routing import Match
from starlette.staticfiles import StaticFiles

from app.api import concepts, debater, files, matrix, operation, relatedness, retrainings, terms, texts
from app.pages import compare, docs, explore, models, text, thresholds
from app.pages import files as scored_files
from app.pages import matrix as heat_map
from app.pages import terms as free_terms
from app.pages import texts as two_texts
from app.pages.rendering import load_templates, served_below, trouble
from app.scoring.batches import DEFAULT_SIZES, BatchSizes
from app.scoring.concepts import Scorer
from app.serving.keyring import Keyring
from app.serving.models import TermSettings
from app.serving.serving import Serving
from app.serving.source import Source
from app.settings import Settings, listed
from app.web.middleware.authority import Authority, Identification
from app.web.middleware.backpressure import Backpressure
from app.web.middleware.compression import Compression
from app.web.middleware.concurrency_limit import ConcurrencyLimit
from app.web.middleware.direct import Direct, direct_routes
from app.web.middleware.envelope import REQUEST_ID, Envelope
from app.web.middleware.heads import PlainHeads
from app.web.middleware.metrics import Metrics
from app.web.middleware.rates import Rates
from app.web.openapi.document import DESCRIPTION, install
from app.web.problems import NOT_FOUND, WRONG_METHOD, WRONG_SHAPE, ProblemError, ProblemKind
from app.web.request_notes import note_problem
from app.web.requests.body import Pace
from app.web.requests.preferences import wants_page
from app.web.requests.query import check_query
from app.web.resources import MemoryBudget, Readers
from app.web.responses.turns import Workers
from app.web.version import VERSION
from app.wording import of_fields
from snapshots.errors import TableError

if TYPE_CHECKING:
    from app.annotation.installed import AnnotationService

SENT_BY_SCRIPTS = (
    "Authorization",
    "X-API-Key",
    "apikey",
    "Accept",
    "Content-Type",
    "Content-Encoding",
    "If-None-Match",
    REQUEST_ID,
)
"""What scripts of other origins may send, where the settings name such origins."""

READ_BY_SCRIPTS = ("ETag", "Location", "Retry-After", "Wort-Rows", "Wort-Model", "Wort-Snapshot", REQUEST_ID)
"""What they may read."""

STATIC = Path(__file__).parent / "pages" / "static"

PAGES = (
    compare,
    explore,
    text,
    two_texts,
    free_terms,
    heat_map,
    scored_files,
    models,
    thresholds,
    docs,
)
"""The modules whose routers answer with pages."""

NOWHERE = "Nothing of this service has that address."


def create_app(settings: Settings, served: Scorer | Source, sizes: BatchSizes = DEFAULT_SIZES) -> FastAPI:
    """The service over a scorer, or over what a source has at the time, within the limits of ``settings``.

    ``sizes``: how much of a request is done in one go.
    """
    if isinstance(served, Scorer):
        served = Source(Serving(served, TermSettings.of(settings)))
    serves: Source = served
    keyring = Keyring(settings)
    metrics = Metrics(serves)
    annotation = _annotation(settings, metrics)

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        warming = asyncio.create_task(_warm(app, serves.current))
        serves.start()
        keyring.start()
        opening = asyncio.create_task(asyncio.to_thread(annotation.start)) if annotation else None
        yield
        await warming
        if annotation and opening:
            await opening
            await asyncio.to_thread(annotation.stop)
        await asyncio.to_thread(serves.stop)
        await asyncio.to_thread(keyring.stop)

    half = max(1, settings.concurrency // 2)
    places = {
        "workers": _workers("concepts", settings.concurrency, settings.queue, metrics),
        # Of their own, so that long terms keep no pair of concepts waiting.
        "term_workers": _workers("terms", half, settings.queue // 2, metrics),
        # A stream lasts as long as its reader takes: no other request waits for its place or its thread.
        "stream_workers": _workers("streams", half, settings.queue // 2, metrics),
    }
    readers = Readers(settings.send_seconds)
    responses = MemoryBudget(settings.answer_memory, metrics.memory("answers"))
    modules = (relatedness, matrix, terms, concepts, texts, files, operation)
    groups = [module.router(settings) for module in modules]
    direct = direct_routes((route for group in groups for route in group.routes), (f"/{VERSION}", ""))
    app = FastAPI(
        title="wort",
        version=version("wort-server"),
        description=DESCRIPTION,
        docs_url=None,
        redoc_url=None,
        # It would send a client to whatever host its request names, and forget that a proxy does TLS.
        redirect_slashes=False,
        # It would send addresses, which hold what people ask about, and looks for where to at each request.
        telemetry={"tracing": False, "metrics": False, "logs": False},
        lifespan=lifespan,
        middleware=_middleware(settings, keyring, metrics, readers, responses, direct),
    )
    for name, state in {
        **places,
        "settings": settings,
        "source": serves,
        "keyring": keyring,
        "metrics": metrics,
        "batch_sizes": sizes,
        "pace": Pace(settings.body_seconds, settings.body_rate),
        "readers": readers,
        "answers": responses,
        "bodies": MemoryBudget(max(settings.body_memory, settings.max_body), metrics.memory("bodies")),
        # Of their own: a stream may keep its body as long as its reader takes.
        "streamed_bodies": MemoryBudget(
            max(settings.body_memory // 2, settings.max_body), metrics.memory("streamed-bodies")
        ),
        # On the disk: as many as there are places for.
        "files": MemoryBudget(places["stream_workers"].most * settings.max_file),
        "ready": False,
    }.items():
        setattr(app.state, name, state)
    app.exception_handler(ProblemError)(_problem)
    app.exception_handler(HTTPException)(_http_problem)
    app.exception_handler(RequestValidationError)(_invalid)
    routes = APIRouter()
    for group in groups:
        routes.include_router(group, dependencies=[Depends(check_query)])
    # These look at the key first, and at the query after it.
    routes.include_router(retrainings.router(settings))
    # The paths without a version lead to the newest one; the document lists them under its name alone.
    app.include_router(routes, prefix=f"/{VERSION}")
    app.include_router(routes, include_in_schema=False)
    # Where its client looks for it, whatever our version.
    app.include_router(debater.router(settings))
    for page in PAGES:
        app.include_router(page.router)
    if annotation:
        annotation.install(app)
    app.mount("/static", StaticFiles(directory=STATIC), name="static")
    install(app)
    return app


def _workers(pool: str, concurrency: int, queue: int, metrics: Metrics) -> Workers:
    return Workers(concurrency, queue, metrics.places(pool, concurrency))


def _annotation(settings: Settings, metrics: Metrics) -> AnnotationService | None:
    if settings.annotation is None:
        return None
    # Imported here: a server without annotation projects loads nothing of them.
    from app.annotation.installed import AnnotationService  # noqa: PLC0415

    return AnnotationService(settings.annotation, settings, metrics)


def _middleware(
    settings: Settings,
    keyring: Keyring,
    metrics: Metrics,
    readers: Readers,
    responses: MemoryBudget,
    direct: Mapping[str, APIRoute],
) -> list[Middleware]:
    """What every request passes before its route, in the order in which it meets them."""
    rates, origins = settings.rate_limit, settings.cors_origins
    passed = [
        # Around all others: whoever answers, the request is counted and logged with the time that it took in
        # all, and refusals have the headers of every answer, too.
        Middleware(Envelope, metrics=metrics),
        # A browser asks beforehand without a key, and may read refusals too.
        None
        if origins is None
        else Middleware(
            CORSMiddleware,
            allow_origins=listed(origins),
            allow_methods=["GET", "POST"],
            allow_headers=SENT_BY_SCRIPTS,
            expose_headers=READ_BY_SCRIPTS,
        ),
        # Before anything that takes time or memory.
        Middleware(ConcurrencyLimit, most=settings.connections),
        # The next two ask whose key it is, where there are keys.
        Middleware(Identification, keyring=keyring) if keyring.has_keys else None,
        # Before the refusal of who has no key: that is counted too, by address.
        None if rates is None else Middleware(Rates, limits=rates),
        Middleware(Authority) if settings.require_key else None,
        # What is within sees plain bodies; what is around it, what is sent.
        Middleware(Compression),
        # Within what compresses: an answer is in memory as it was made until the last of it is taken.
        Middleware(Backpressure, budget=responses, readers=readers),
        # In place of the framework, where it has nothing to read.
        Middleware(Direct, routes=direct),
        # Within what compresses: the length of an answer without its body is that of the whole one. The
        # framework behind it reads queries and cookies for every route.
        Middleware(PlainHeads),
    ]
    return [each for each in passed if each is not None]


async def _warm(app: FastAPI, serving: Serving) -> None:
    try:
        # By what requests are scored by, too, which loads its other half when it is first asked.
        await to_thread.run_sync(serving.warm)
        await to_thread.run_sync(load_templates)
        await to_thread.run_sync(app.openapi)  # kept from then on
    except TableError as error:
        structlog.get_logger("wort").error("the snapshot cannot be scored", reason=str(error))
        return
    except Exception:
        structlog.get_logger("wort").exception("the snapshot cannot be scored")
        return
    app.state.ready = True


# None of these waits for anything. Were they no coroutines, each refusal would take a thread, and its turn
# with those that score: under too much load, refusals must be quick.
async def _problem(request: Request, error: ProblemError) -> Response:
    note_problem(request.scope, error.kind)
    return error.response()


async def _http_problem(request: Request, error: HTTPException) -> Response:
    headers, nowhere = dict(error.headers or {}), None
    if error.status_code == NOT_FOUND.status and (to := _without_slash(request)) is not None:
        return Response(status_code=HTTPStatus.PERMANENT_REDIRECT, headers={"Location": to})
    if error.status_code == NOT_FOUND.status:
        routes = f"{served_below(request)}/docs lists its routes."
        problem, nowhere = ProblemError(NOT_FOUND, f"{NOWHERE} {routes}"), NOWHERE
    elif error.status_code == WRONG_METHOD.status:
        # The header names the methods of one route alone; the address may have several.
        # The files of the pages have no routes, and are read.
        allowed = headers["Allow"] = ", ".join(_methods(request) or ["GET", "HEAD"])
        problem = ProblemError(WRONG_METHOD, f"{request.method} is not answered here, only {allowed}.")
    else:
        phrase = HTTPStatus(error.status_code).phrase
        problem = ProblemError(ProblemKind("", error.status_code, phrase, ""), str(error.detail))
    problem.headers = headers
    if problem.kind in (NOT_FOUND, WRONG_METHOD) and wants_page(request):
        return trouble(request, problem, nowhere=nowhere)
    return await _problem(request, problem)


def _without_slash(request: Request) -> str | None:
    """Where the page stands whose address was asked for with a slash behind it; None where there is no such.

    It is relative: a request may name any host, and a proxy may have taken away what the address begins with.
    """
    path: str = request.scope["path"]
    scope = {**request.scope, "path": path.removesuffix("/")}
    routes = (route for page in PAGES for route in page.router.routes)
    if not path.endswith("/") or not any(route.matches(scope)[0] is Match.FULL for route in routes):
        return None
    query = request.url.query
    return f"../{scope['path'].rpartition('/')[2]}{query and f'?{query}'}"


def _methods(request: Request) -> list[str]:
    """The methods for which the address of a request is answered."""

    def answered(method: str) -> bool:
        scope = {**request.scope, "method": method}
        return any(route.matches(scope)[0] is Match.FULL for route in request.app.routes)

    return [
        named
        for method, names in (("GET", ("GET", "HEAD")), ("POST", ("POST",)))
        if answered(method)
        for named in names
    ]


async def _invalid(request: Request, error: RequestValidationError) -> Response:
    return await _problem(request, ProblemError(WRONG_SHAPE, of_fields(error.errors())))
