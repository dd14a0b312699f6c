"""Queries of addresses: what they may hold."""

from __future__ import annotations

from collections.abc import Collection

from starlette.requests import Request

from app.web.problems import WRONG_SHAPE, ProblemError


async def check_query(request: Request) -> None:
    """Refuse a parameter that there is not: one that is spelt wrong would be left unheeded.

    A coroutine, though it waits for nothing: else each request would take a thread for it.

    Raises:
        ProblemError: the query has such a parameter.
    """
    if request.scope["query_string"]:
        check_names(request, {parameter.alias for parameter in request.scope["route"].dependant.query_params})


def check_names(request: Request, known: Collection[str]) -> None:
    """Refuse a parameter that is none of those ``known``.

    Raises:
        ProblemError: the query has such a parameter.
    """
    if unknown := sorted(set(request.query_params) - set(known)):
        there = f"only {', '.join(sorted(known))}" if known else "and none is taken here"
        raise ProblemError(WRONG_SHAPE, f"There is no parameter {', '.join(unknown)}, {there}.")
