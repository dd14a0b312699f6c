"""The OpenAPI document: derived from the declared schema and the kinds of problems, with running examples."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi

from app.web.problems import MEDIA_TYPE, Kind
from app.wire.concepts import SearchResponse
from app.wire.operation import Health, Problem
from app.wire.relatedness import RelatednessRequest, RelatednessResponse
from app.wire.releases import ModelsResponse
from app.wire.retrainings import RetrainingInfo, RetrainingsResponse
from app.wire.terms import TermsRequest, TermsResponse

DESCRIPTION = """How related are two Wikipedia concepts? A number from 0 to 1 that means *the share of
people who would call them related*, with its evidence."""

_TEMPLATE = "#/components/schemas/{name}"
_WIRE = (
    RelatednessRequest,
    RelatednessResponse,
    TermsRequest,
    TermsResponse,
    SearchResponse,
    ModelsResponse,
    RetrainingInfo,
    RetrainingsResponse,
    Health,
    Problem,
)


def asks(
    body: type[msgspec.Struct], max_items: Mapping[str, int], examples: Mapping[str, Any]
) -> dict[str, Any]:
    """The ``openapi_extra`` of a route that takes ``body``.

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


def answers(body: type[msgspec.Struct], *kinds: Kind) -> dict[int | str, dict[str, Any]]:
    """The ``responses`` of a route that answers ``body``, or a problem of one of ``kinds``."""
    responses: dict[int | str, dict[str, Any]] = {
        200: {"description": "The answer.", "content": {"application/json": {"schema": _ref(body)}}}
    }
    for kind in kinds:
        others = responses.get(kind.status, {}).get("description", "")
        responses[kind.status] = {
            "description": f"{others} {kind.title}: {kind.occurs}.".lstrip(),
            "content": {MEDIA_TYPE: {"schema": _ref(Problem)}},
        }
    return responses


def install(app: FastAPI) -> None:
    """Have ``app`` serve the document with the declared schema in it."""

    def document() -> dict[str, Any]:
        if app.openapi_schema is None:
            made = get_openapi(
                title=app.title, version=app.version, description=app.description, routes=app.routes
            )
            _, components = msgspec.json.schema_components(_WIRE, ref_template=_TEMPLATE)
            made.setdefault("components", {})["schemas"] = components
            for path in made["paths"].values():
                for operation in path.values():
                    operation["responses"] = {
                        status: response
                        for status, response in operation["responses"].items()
                        # FastAPI's own description of 422, which this service answers as a problem.
                        if "HTTPValidationError" not in str(response)
                    }
            app.openapi_schema = made
        return app.openapi_schema

    app.openapi = document  # type: ignore[method-assign]  # the documented way to extend it


def _ref(body: type[msgspec.Struct]) -> dict[str, str]:
    return {"$ref": _TEMPLATE.format(name=body.__name__)}
