"""Queries of addresses: what they may hold."""

from __future__ import annotations

from starlette.requests import Request

from app.web.problems import WRONG_SHAPE, ProblemError


def check_query(request: Request) -> None:
    """Refuse a parameter that there is not: one that is spelt wrong would be left unheeded.

    Raises:
        ProblemError: the query has such a parameter.
    """
    known = {parameter.alias for parameter in request.scope["route"].dependant.query_params}
    if unknown := sorted(set(request.query_params) - known):
        there = f"only {', '.join(sorted(known))}" if known else "and none is taken here"
        raise ProblemError(WRONG_SHAPE, f"There is no parameter {', '.join(unknown)}, {there}.")
