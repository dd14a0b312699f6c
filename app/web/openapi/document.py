"""The OpenAPI document: derived from the declared schema and the kinds of problems, with running examples."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

import msgspec
from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi

from app.web.middleware.authority import declare_keys
from app.web.openapi.shared_responses import TAGS, add_problem, declare_problems, share_repeated
from app.web.problems import ProblemKind
from wort.schemas.concepts import ConceptDetails, RelatedConcepts, SearchResponse
from wort.schemas.debater import DebaterPair, WikifyRequest, WikifyResponse
from wort.schemas.matrix import MatrixRequest, MatrixResponse
from wort.schemas.operation import Health, Problem
from wort.schemas.references import Reference, SideReference
from wort.schemas.relatedness import RelatednessRequest, RelatednessResponse
from wort.schemas.releases import ModelsResponse
from wort.schemas.retrainings import RetrainingInfo, RetrainingsResponse
from wort.schemas.streaming import StreamEnd, StreamHead
from wort.schemas.terms import TermsRequest, TermsResponse
from wort.schemas.texts import AnnotateRequest, AnnotateResponse, DocumentsRequest, DocumentsResponse

DESCRIPTION = """How related are two Wikipedia concepts? A number from 0 to 1 that means *the share of
people who would call them related*, with its evidence."""

_NULL = "urn:wort:null"
"""Stands for null in the examples of answers until the document is made: FastAPI leaves every null out."""

_TEMPLATE = "#/components/schemas/{name}"
_WIRE = (
    RelatednessRequest,
    RelatednessResponse,
    MatrixRequest,
    MatrixResponse,
    TermsRequest,
    TermsResponse,
    AnnotateRequest,
    AnnotateResponse,
    DocumentsRequest,
    DocumentsResponse,
    DebaterPair,
    WikifyRequest,
    WikifyResponse,
    SearchResponse,
    ConceptDetails,
    RelatedConcepts,
    ModelsResponse,
    RetrainingInfo,
    RetrainingsResponse,
    StreamHead,
    StreamEnd,
    Health,
    Problem,
)


_VARIANTS: dict[type, tuple[tuple[str, ...], ...]] = {
    Reference: (("id",), ("title",), ("mention", "context")),
    SideReference: (("id",), ("title",), ("mention", "context"), ("text", "description")),
    MatrixRequest: (("concepts", "ambiguous", "model"), ("rows", "columns", "ambiguous", "model")),
}
"""The types of which not all fields may stand together, and which may: the types check it, and schemas made
of them alone would not say it."""


def asks(body: object, max_items: Mapping[str, int], examples: Mapping[str, Any]) -> dict[str, Any]:
    """The ``openapi_extra`` of a route that takes ``body``: a type of ``wort.schemas``, or a list of such.

    ``max_items``: the limits of its arrays. ``examples``: bodies that run as they stand, by name, as OpenAPI
    has them.
    """
    properties = {name: {"maxItems": most} for name, most in max_items.items()}
    return {
        "requestBody": {
            "required": True,
            "content": {
                "application/json": {
                    "schema": {"allOf": [_ref(body), {"properties": properties}]},
                    "examples": dict(examples),
                }
            },
        }
    }


def answers(
    body: object,
    *kinds: ProblemKind,
    also: Mapping[str, Any] | None = None,
    examples: Mapping[str, Any] | None = None,
) -> dict[int | str, dict[str, Any]]:
    """The ``responses`` of a route that answers ``body``, or a problem of one of ``kinds``.

    ``also``: what OpenAPI says of the other media types that it answers in. ``examples``: answers, by name,
    as OpenAPI has them.
    """
    json = {"schema": _ref(body)} | ({"examples": _replaced(examples, None, _NULL)} if examples else {})
    return answers_in({"application/json": json, **(also or {})}, *kinds)


def answers_in(
    content: Mapping[str, Any], *kinds: ProblemKind, headers: Mapping[str, Any] | None = None
) -> dict[int | str, dict[str, Any]]:
    """The ``responses`` of a route that answers in other ways than JSON, or a problem of one of ``kinds``.

    ``content``: what OpenAPI says of each media type. ``headers``: those that the answer has besides.
    """
    answer = {"description": "The answer.", "content": dict(content)}
    responses: dict[int | str, dict[str, Any]] = {200: answer | ({"headers": headers} if headers else {})}
    for kind in kinds:
        add_problem(responses, kind.status, kind, _ref(Problem))
    return responses


def install(app: FastAPI) -> None:
    """Have ``app`` serve the document with the declared schema in it."""

    def document() -> dict[str, Any]:
        if app.openapi_schema is None:
            openapi = get_openapi(
                title=app.title,
                version=app.version,
                description=app.description,
                routes=app.routes,
                tags=[{"name": name, "description": about} for name, about in TAGS.items()],
                servers=[{"url": "./", "description": "Where this document was found."}],
                license_info={"name": "Apache License 2.0", "identifier": "Apache-2.0"},
            )
            openapi = _replaced(openapi, _NULL, None)
            _, components = msgspec.json.schema_components(_WIRE, ref_template=_TEMPLATE)
            openapi.setdefault("components", {})["schemas"] = components
            for body, variants in _VARIANTS.items():
                components[body.__name__] = _one_of(components[body.__name__], variants)
            declare_keys(openapi, app.state.settings.require_key)
            declare_problems(openapi, _ref(Problem))
            share_repeated(openapi)
            app.openapi_schema = openapi
        return app.openapi_schema

    app.openapi = document  # type: ignore[method-assign]  # the documented way to extend it


def _replaced(value: Any, old: object, new: object) -> Any:  # noqa: ANN401 - what JSON may hold
    """``value`` with ``new`` wherever ``old`` stands in it."""
    if isinstance(value, Mapping):
        return {key: _replaced(inner, old, new) for key, inner in value.items()}
    if isinstance(value, list):
        return [_replaced(inner, old, new) for inner in value]
    return new if value == old else value


def _one_of(schema: dict[str, Any], variants: tuple[tuple[str, ...], ...]) -> dict[str, Any]:
    """``schema`` of an object as one of several, each of which has some of its fields and no others.

    A field without a default is required.
    """
    fields = schema["properties"]
    return {
        "title": schema["title"],
        "description": schema["description"],
        "oneOf": [
            {
                "type": "object",
                "properties": {name: fields[name] for name in names},
                "required": [name for name in names if "default" not in fields[name]],
                "additionalProperties": False,
            }
            for names in variants
        ],
    }


@cache  # all that ``body`` holds is looked through, and most routes answer the same problems
def _ref(body: object) -> dict[str, Any]:
    """What refers to the schema of ``body``."""
    (schema,), _ = msgspec.json.schema_components([body], ref_template=_TEMPLATE)
    return schema
