"""The interface for programs, to read and to try."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response

from app.pages.rendering import PageRoute, page

_POLICY = "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; frame-ancestors 'none'"
"""Swagger UI sets styles from its script and draws with data: images."""

router = APIRouter(include_in_schema=False, route_class=PageRoute)


@router.get("/docs")
async def docs(request: Request) -> Response:
    """The OpenAPI document, drawn by Swagger UI."""
    return page(request, request.app.state.source.current, "docs.html", policy=_POLICY)
