"""The HTTP service: what a server is made of, put together."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from http import HTTPStatus
from importlib.metadata import version
from pathlib import Path

import structlog
from fastapi import APIRouter, FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.staticfiles import StaticFiles

from app.api import concepts, debater, files, operation, relatedness, retrainings, terms, texts
from app.logs import configure
from app.pages import compare, explore, models
from app.pages import files as scored_files
from app.scoring.concepts import Scorer
from app.serving.serving import Serving, TermSettings
from app.serving.source import Source, source
from app.settings import Settings
from app.web.openapi import DESCRIPTION, install
from app.web.problems import NOT_FOUND, WRONG_METHOD, WRONG_SHAPE, Kind, ProblemError
from app.web.request_log import RequestLog
from app.web.workers import Workers

VERSION = "v1"
"""The version of the interface that programs call. What may change within one is in docs/api.md."""

STATIC = Path(__file__).parent / "pages" / "static"


def create_app(settings: Settings, served: Scorer | Source) -> FastAPI:
    """The service over a scorer, or over what a source has at the time, within the limits of ``settings``."""
    if isinstance(served, Scorer):
        served = Source(Serving(served, TermSettings.of(settings)))
    serves: Source = served

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        warming = asyncio.create_task(_warm(app, serves.current.scorer))
        serves.start()
        yield
        await warming
        await asyncio.to_thread(serves.stop)

    app = FastAPI(
        title="wort",
        version=version("wort"),
        description=DESCRIPTION,
        docs_url=None,
        redoc_url=None,
        lifespan=lifespan,
    )
    app.state.settings = settings
    app.state.source = serves
    app.state.workers = Workers(settings.concurrency, settings.queue)
    # Of their own, so that long terms keep no pair of concepts waiting.
    app.state.term_workers = Workers(max(1, settings.concurrency // 2), settings.queue // 2)
    app.state.ready = False
    app.add_middleware(RequestLog)
    app.add_exception_handler(ProblemError, _problem)
    app.add_exception_handler(HTTPException, _http_problem)
    app.add_exception_handler(RequestValidationError, _invalid)
    routes = APIRouter()
    for group in (relatedness, terms, concepts, texts, files, operation, retrainings):
        routes.include_router(group.router(settings))
    # The paths without a version lead to the newest one; the document lists them under its name alone.
    app.include_router(routes, prefix=f"/{VERSION}")
    app.include_router(routes, include_in_schema=False)
    # Where its client looks for it, whatever our version.
    app.include_router(debater.router(settings))
    for page in (compare, explore, scored_files, models):
        app.include_router(page.router)
    app.mount("/static", StaticFiles(directory=STATIC), name="static")
    install(app)
    return app


def from_environment() -> FastAPI:
    """The service as the environment's settings describe it: what each of several workers starts."""
    settings = Settings()
    configure(settings.log_level, settings.log_format)
    return create_app(settings, source(settings))


async def _warm(app: FastAPI, scorer: Scorer) -> None:
    try:
        await asyncio.to_thread(scorer.warm)
    except Exception:
        structlog.get_logger("wort").exception("the snapshot cannot be scored")
        return
    app.state.ready = True


def _problem(_: Request, error: Exception) -> Response:
    assert isinstance(error, ProblemError)  # noqa: S101  # what it is registered for
    return error.response()


def _http_problem(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)  # noqa: S101
    headers = dict(error.headers or {})
    if error.status_code == NOT_FOUND.status:
        problem = ProblemError(NOT_FOUND, "No route of this service has that path. /docs lists them all.")
    elif error.status_code == WRONG_METHOD.status:
        allowed = headers.get("Allow", "")
        problem = ProblemError(WRONG_METHOD, f"{request.method} is not answered here, only {allowed}.")
    else:
        phrase = HTTPStatus(error.status_code).phrase
        problem = ProblemError(Kind("", error.status_code, phrase, ""), str(error.detail))
    problem.headers = headers
    return problem.response()


def _invalid(_: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)  # noqa: S101
    faults = [f"{'.'.join(map(str, fault['loc']))}: {fault['msg']}" for fault in error.errors()]
    return ProblemError(WRONG_SHAPE, f"{'; '.join(faults)}.").response()
