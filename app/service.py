"""The HTTP service: what a server is made of, put together."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from http import HTTPStatus
from importlib.metadata import version
from pathlib import Path

import structlog
from fastapi import APIRouter, Depends, FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.middleware.cors import CORSMiddleware
from starlette.routing import Match
from starlette.staticfiles import StaticFiles

from app.api import concepts, debater, files, matrix, operation, relatedness, retrainings, terms, texts
from app.pages import compare, docs, explore, models
from app.pages import files as scored_files
from app.pages.rendering import trouble, wants_page
from app.scoring.concepts import Scorer
from app.serving.keyring import Keyring
from app.serving.serving import Serving, TermSettings
from app.serving.source import Source
from app.settings import Settings, listed
from app.web.held import Readers, Room
from app.web.middleware.admission import Crowd
from app.web.middleware.authority import Authority, Identification
from app.web.middleware.compression import Compression
from app.web.middleware.head import HeadAsGet
from app.web.middleware.headers import ALLOWED_HEADERS, EXPOSED_HEADERS, SecurityHeaders
from app.web.middleware.heads import PlainHeads
from app.web.middleware.metrics import Counting, Metrics
from app.web.middleware.rates import Rates
from app.web.middleware.request_log import RequestLog
from app.web.middleware.unsent import Unsent
from app.web.openapi.document import DESCRIPTION, install
from app.web.problems import NOT_FOUND, WRONG_METHOD, WRONG_SHAPE, Kind, ProblemError
from app.web.request_notes import note_problem
from app.web.requests.query import check_query
from app.web.responses.workers import Workers
from snapshots.errors import TableError

VERSION = "v1"
"""The version of the interface that programs call. What may change within one is in docs/api.md."""

STATIC = Path(__file__).parent / "pages" / "static"


def create_app(settings: Settings, served: Scorer | Source) -> FastAPI:
    """The service over a scorer, or over what a source has at the time, within the limits of ``settings``."""
    if isinstance(served, Scorer):
        served = Source(Serving(served, TermSettings.of(settings)))
    serves: Source = served
    keyring = Keyring(settings)

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        warming = asyncio.create_task(_warm(app, serves.current.scorer))
        serves.start()
        keyring.start()
        yield
        await warming
        await asyncio.to_thread(serves.stop)
        await asyncio.to_thread(keyring.stop)

    app = FastAPI(
        title="wort",
        version=version("wort-server"),
        description=DESCRIPTION,
        docs_url=None,
        redoc_url=None,
        # It would send a client to whatever host its request names, and forget that a proxy does TLS.
        redirect_slashes=False,
        lifespan=lifespan,
    )
    app.state.settings = settings
    app.state.source = serves
    app.state.keyring = keyring
    metrics = app.state.metrics = Metrics(serves)
    app.state.workers = _workers("concepts", settings.concurrency, settings.queue, metrics)
    # Of their own, so that long terms keep no pair of concepts waiting.
    app.state.term_workers = _workers(
        "terms", max(1, settings.concurrency // 2), settings.queue // 2, metrics
    )
    # A stream lasts as long as its reader takes: no other request waits for the place or the thread of one.
    app.state.stream_workers = _workers(
        "streams", max(1, settings.concurrency // 2), settings.queue // 2, metrics
    )
    _share_memory(app, settings, metrics)
    app.state.ready = False
    app.add_middleware(PlainHeads)
    app.add_middleware(Unsent, room=app.state.answers, readers=app.state.readers)
    app.add_middleware(HeadAsGet)
    app.add_middleware(Compression)
    _guard(app, settings, keyring, metrics)
    app.exception_handler(ProblemError)(_problem)
    app.exception_handler(HTTPException)(_http_problem)
    app.exception_handler(RequestValidationError)(_invalid)
    routes = APIRouter()
    for group in (relatedness, matrix, terms, concepts, texts, files, operation):
        routes.include_router(group.router(settings), dependencies=[Depends(check_query)])
    # These look at the key first, and at the query after it.
    routes.include_router(retrainings.router(settings))
    # The paths without a version lead to the newest one; the document lists them under its name alone.
    app.include_router(routes, prefix=f"/{VERSION}")
    app.include_router(routes, include_in_schema=False)
    # Where its client looks for it, whatever our version.
    app.include_router(debater.router(settings))
    for page in (compare, explore, scored_files, models, docs):
        app.include_router(page.router)
    app.mount("/static", StaticFiles(directory=STATIC), name="static")
    install(app)
    return app


def _workers(pool: str, concurrency: int, queue: int, metrics: Metrics) -> Workers:
    return Workers(concurrency, queue, lambda present: metrics.places(pool, present, concurrency))


def _share_memory(app: FastAPI, settings: Settings, metrics: Metrics) -> None:
    """Say how much of bodies and answers may be held at a time."""
    state = app.state
    state.readers = Readers(settings.send_seconds)
    state.answers = Room(settings.answer_memory, metrics.memory("answers"))
    state.bodies = Room(max(settings.body_memory, settings.max_body), metrics.memory("bodies"))
    # Of their own: a stream may keep its body as long as its reader takes.
    most = max(settings.body_memory // 2, settings.max_body)
    state.streamed_bodies = Room(most, metrics.memory("streamed-bodies"))
    # On the disk: as many as there are places for.
    state.files = Room(state.stream_workers.most * settings.max_file)


def _guard(app: FastAPI, settings: Settings, keyring: Keyring, metrics: Metrics) -> None:
    """Put around ``app`` what every request passes before its route, the innermost first."""
    app.add_middleware(Authority, required=settings.require_key)
    # Before the refusal of who has no key: that is counted too, by address.
    if settings.rate_limit is not None:
        app.add_middleware(Rates, limits=settings.rate_limit)
    app.add_middleware(Identification, keyring=keyring)
    app.add_middleware(Crowd, most=settings.connections)
    if settings.cors_origins is not None:
        # A browser asks beforehand without a key, and may read refusals too.
        app.add_middleware(
            CORSMiddleware,
            allow_origins=listed(settings.cors_origins),
            allow_methods=["GET", "POST"],
            allow_headers=ALLOWED_HEADERS,
            expose_headers=EXPOSED_HEADERS,
        )
    app.add_middleware(RequestLog)
    app.add_middleware(SecurityHeaders)
    app.add_middleware(Counting, metrics=metrics)


async def _warm(app: FastAPI, scorer: Scorer) -> None:
    try:
        await asyncio.to_thread(scorer.warm)
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
    headers = dict(error.headers or {})
    if error.status_code == NOT_FOUND.status:
        problem = ProblemError(NOT_FOUND, "Nothing of this service has that address. /docs lists its routes.")
        if wants_page(request):
            return trouble(request, problem)
    elif error.status_code == WRONG_METHOD.status:
        # The header names the methods of one route alone; the address may have several.
        # The files of the pages have no routes, and are read.
        allowed = headers["Allow"] = ", ".join(_methods(request) or ["GET", "HEAD"])
        problem = ProblemError(WRONG_METHOD, f"{request.method} is not answered here, only {allowed}.")
    else:
        phrase = HTTPStatus(error.status_code).phrase
        problem = ProblemError(Kind("", error.status_code, phrase, ""), str(error.detail))
    problem.headers = headers
    return await _problem(request, problem)


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
    faults = [f"{'.'.join(map(str, fault['loc']))}: {fault['msg']}" for fault in error.errors()]
    return await _problem(request, ProblemError(WRONG_SHAPE, f"{'; '.join(faults)}."))
