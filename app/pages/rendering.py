"""What every page has in common: its frame, its headers, and how its errors are told."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from functools import partial
from http import HTTPStatus
from pathlib import Path
from typing import Annotated, Any
from urllib.parse import quote, urlencode

import structlog
from fastapi import Query, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.routing import APIRoute
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect

from app.pages.guesses import guess, otherwise_named
from app.pages.project_links import guide, project_links
from app.pages.wikis import wiki_name
from app.scoring.details import article_url
from app.scoring.in_words import cases, excerpt_of, of_order, outdone, percent_below
from app.scoring.panels import ANY, pairs_held
from app.scoring.unknown_terms import joining, lacking, only_joins, only_letters
from app.serving.serving import Serving
from app.web.middleware.envelope import THE_SERVERS, log_failure
from app.web.problems import FAILED, WRONG_SHAPE, ProblemError
from app.web.request_notes import note_problem
from app.wording import of_fields
from models.figures import figure
from wort.schemas.described import ModelInfo
from wort.schemas.naming import not_a_title

QUOTED = 80
"""Characters that are quoted of what somebody wrote."""

LONGEST = 1000
"""Characters that a field for a title takes: any title or address fits."""

FormField = Annotated[str, Query(max_length=LONGEST)]
"""A field of an address that links set, and nobody types."""

TypedField = Annotated[str, Query()]
"""A field that people type: the form stays where it is too long, which the page says."""

Ref = Annotated[str, Query(max_length=200)]
"""What a model is called, in the registry or for requests; empty for the model in force."""

POLICY = "default-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; object-src 'none'"
"""What a page may load and send to: this server. No script or style stands within a page."""

_TEMPLATES = Environment(
    loader=FileSystemLoader(Path(__file__).parent / "templates"),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)


def load_templates() -> None:
    """Read every template, so that the first page does not wait for it."""
    for name in _TEMPLATES.list_templates():
        _TEMPLATES.get_template(name)


class PageRoute(APIRoute):
    """A route whose problems are told as a page, with the status and the headers of the problem."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """What answers a request."""
        answer = super().get_route_handler()

        async def answer_with_page(request: Request) -> Response:
            try:
                return await answer(request)
            except ProblemError as error:
                return trouble(request, error)
            except RequestValidationError as error:
                problem = ProblemError(WRONG_SHAPE, of_fields(error.errors()))
                return trouble(request, problem, "This address cannot be answered")
            except (HTTPException, ClientDisconnect):
                raise
            except Exception as error:
                log_failure(error)
                name = structlog.contextvars.get_contextvars()["request_id"]
                return trouble(request, ProblemError(FAILED, f"{THE_SERVERS} That is {name}."))

        return answer_with_page


def page(
    request: Request,
    serving: Serving,
    template: str,
    *,
    policy: str = POLICY,
    status: int = 200,
    headers: dict[str, str] | None = None,
    model: ModelInfo | None = None,
    by_model: str = "",
    model_of_terms: ModelInfo | None = None,
    **context: object,
) -> Response:
    """The page that ``template`` makes of ``context``, about what ``serving`` serves.

    ``model``: what scores its concepts, where ``by_model``, a name in its address, is not the one in force.
    ``model_of_terms``: what scores the terms of the page, if any does; its foot names it.
    """
    links = project_links(request.app.state.settings.source_url)
    content = _TEMPLATES.get_template(template).render(
        here=_path(request).removeprefix("/"),
        up=up(request),
        snapshot=serving.scorer.snapshot_info,
        model=model or serving.scorer.model_info,
        by_model=by_model,
        model_of_terms=model_of_terms,
        project_links=links,
        guide=partial(guide, links),
        **context,
    )
    return Response(
        content, status, {"Content-Security-Policy": policy, **(headers or {})}, media_type="text/html"
    )


def up(request: Request) -> str:
    """What leads from a page to where the server begins, whatever a proxy puts before that.

    Pages stand there; what is not found may have been looked for anywhere.
    """
    return "../" * (_path(request).count("/") - 1)


def _path(request: Request) -> str:
    """Where a page stands, from where the server begins."""
    path: str = request.scope["path"]
    return path.removeprefix(served_below(request))


def served_below(request: Request) -> str:
    """What the addresses of the server begin with, as far as it is known here: often nothing."""
    # Below a mount, such as that of the static files, the root path is that of the mount.
    below: str = request.scope.get("app_root_path", request.scope.get("root_path", ""))
    return below


def number(value: float, form: str = ".3f") -> str:
    """Three decimals, with a real minus sign, and none before zero."""
    return figure(value, form).replace("-", "−")


def address(page: str, /, *repeated: tuple[str, str], **fields: str) -> str:
    """Where ``page`` stands with its form filled in, relative to any page; empty fields are left out.

    ``repeated``: fields of which there may be several of one name.
    """
    filled = [(name, value) for name, value in (*repeated, *fields.items()) if value]
    query = urlencode(filled, quote_via=quote)
    return f"{page}?{query}" if query else page


def shortened(text: str) -> str:
    """What somebody wrote, to be quoted: what is longer than ``QUOTED`` characters ends in an ellipsis.

    >>> shortened("Cat"), len(shortened("x" * 900)), shortened("x" * 900)[-2:]
    ('Cat', 80, 'x…')
    """
    return text if len(text) <= QUOTED else f"{text[: QUOTED - 1].rstrip()}…"


def wants_json(request: Request) -> bool:
    """Whether an answer is asked for as the interface gives it: ``as=json``, in the address or the form."""
    return request.query_params.get("as") == "json" or getattr(request.state, "as_json", False)


def trouble(
    request: Request, error: ProblemError, heading: str | None = None, nowhere: str | None = None
) -> Response:
    """A problem as a page, with its status and its headers; under the title of its kind, or a ``heading``.

    ``nowhere``: what is said in place of the detail, before a link to the routes. Who asks for JSON gets the
    document that the interface would answer.
    """
    note_problem(request.scope, error.kind)
    if wants_json(request):
        return error.response()
    return page(
        request,
        request.app.state.source.current,
        "trouble.html",
        status=error.kind.status,
        headers=error.headers,
        kind=error.kind,
        heading=heading or error.kind.title,
        phrase=HTTPStatus(error.kind.status).phrase,
        detail=nowhere or error.detail,
        nowhere=nowhere is not None,
    )


_TEMPLATES.tests["otherwise_named"] = otherwise_named
_TEMPLATES.filters["number"] = number
_TEMPLATES.filters["shortened"] = shortened
_TEMPLATES.filters["pairs_held"] = pairs_held
_TEMPLATES.filters["percent_below"] = percent_below
_TEMPLATES.globals["ANY"] = ANY
_TEMPLATES.globals["article_url"] = article_url
_TEMPLATES.globals["address"] = address
_TEMPLATES.globals["wiki_name"] = wiki_name
_TEMPLATES.globals["not_a_title"] = partial(not_a_title, quote=lambda asked: f"“{shortened(str(asked))}”")
_TEMPLATES.globals["excerpt_of"] = excerpt_of
_TEMPLATES.globals["guess"] = guess
_TEMPLATES.globals["cases"] = cases
_TEMPLATES.globals["of_order"] = of_order
_TEMPLATES.globals["only_joins"] = only_joins
_TEMPLATES.globals["only_letters"] = only_letters
_TEMPLATES.globals["joining"] = joining
_TEMPLATES.globals["lacking"] = lacking
_TEMPLATES.globals["outdone"] = outdone
