"""What the pages of annotation have in common: their frame, their headers, and how their errors are told."""

from __future__ import annotations

import re
from collections.abc import Callable, Coroutine
from http import HTTPStatus
from pathlib import Path
from typing import Any
from urllib.parse import quote

from fastapi import Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.routing import APIRoute
from jinja2 import Environment, FileSystemLoader, StrictUndefined

from app.pages.rendering import POLICY, up
from app.web.problems import WRONG_SHAPE, ProblemError
from app.web.request_notes import note_problem
from app.wording import of_fields

STATIC = Path(__file__).parent / "static"

_NEVER_KEPT = {"Cache-Control": "no-store"}
"""A page of a link belongs to who has it, and shows what is so now."""

_TEMPLATES = Environment(
    loader=FileSystemLoader(Path(__file__).parent / "templates"),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)


class AnnotationRoute(APIRoute):
    """A route whose answers no cache keeps, and whose problems are told to programs as documents."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """What answers a request."""
        answer = super().get_route_handler()

        async def answer_for_now(request: Request) -> Response:
            try:
                response = await answer(request)
            except ProblemError as error:
                response = self.told(request, error)
            except RequestValidationError as error:
                response = self.told(request, ProblemError(WRONG_SHAPE, of_fields(error.errors())))
            response.headers.update(_NEVER_KEPT)
            return response

        return answer_for_now

    def told(self, request: Request, error: ProblemError) -> Response:
        """A problem, as this route tells it."""
        note_problem(request.scope, error.kind)
        return error.response()


class AnnotationPageRoute(AnnotationRoute):
    """A route whose problems are told as a page."""

    def told(self, request: Request, error: ProblemError) -> Response:
        """A problem as a page, with its status and its headers."""
        note_problem(request.scope, error.kind)
        return page(
            request,
            "trouble.html",
            status=error.kind.status,
            headers=error.headers,
            kind=error.kind,
            phrase=HTTPStatus(error.kind.status).phrase,
            detail=error.detail,
            retry=error.kind.status == HTTPStatus.SERVICE_UNAVAILABLE,
        )


def page(
    request: Request,
    template: str,
    *,
    status: int = 200,
    headers: dict[str, str] | None = None,
    **context: object,
) -> Response:
    """The page that ``template`` makes of ``context``."""
    content = fragment(template, up=up(request), **context)
    return Response(
        content, status, {"Content-Security-Policy": POLICY, **(headers or {})}, media_type="text/html"
    )


def fragment(template: str, **context: object) -> str:
    """A part of a page."""
    return _TEMPLATES.get_template(template).render(**context)


def moved(request: Request, path: str) -> Response:
    """Have the browser get ``path``, which is relative to where the server begins."""
    return Response(status_code=303, headers={"Location": up(request) + path})


def paragraphs(text: str) -> list[list[str]]:
    r"""The paragraphs of a plain text, each as its lines; a list's lines begin with ``- ``.

    >>> paragraphs("Read this.\n\n- One\n- Two")
    [['Read this.'], ['- One', '- Two']]
    """
    blocks = (block.strip() for block in re.split(r"\n\s*\n", text.replace("\r\n", "\n")))
    return [[line.strip() for line in block.split("\n")] for block in blocks if block]


def search_url(name: str, language: str) -> str | None:
    """Where a Wikipedia looks for ``name``; None where no Wikipedia has such a language.

    >>> search_url("wood fire", "en")
    'https://en.wikipedia.org/w/index.php?search=wood%20fire'
    """
    if not re.fullmatch(r"[a-z]{2,12}(-[a-z]{1,12})*", language):
        return None
    return f"https://{language}.wikipedia.org/w/index.php?search={quote(name, safe='')}"


def load_templates() -> None:
    """Read every template, so that the first page does not wait for it."""
    for name in _TEMPLATES.list_templates():
        _TEMPLATES.get_template(name)


_TEMPLATES.globals["paragraphs"] = paragraphs
_TEMPLATES.globals["search_url"] = search_url
