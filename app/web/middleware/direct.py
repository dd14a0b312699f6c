"""Requests whose address alone says which route answers them, sent to it without a look at the others."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping

from fastapi.routing import APIRoute
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute
from starlette.types import ASGIApp, Receive, Scope, Send

from app.web.problems import ProblemError
from app.web.refusing import refuse

Endpoint = Callable[[Request], Awaitable[Response]]


def direct_routes(routes: Iterable[BaseRoute], prefixes: Iterable[str]) -> dict[str, APIRoute]:
    """Those of ``routes`` that take a POST and nothing of the address, by their paths after each prefix."""
    return {
        prefix + route.path: route
        for prefix in prefixes
        for route in routes
        if isinstance(route, APIRoute)
        and route.methods == {"POST"}
        and not (route.dependant.path_params or route.dependant.query_params)
    }


class Direct:
    """Calls the endpoint of a route directly, where the path of a request is the route's and it has no query.

    FastAPI tries its routes one after another, and finds out for each request what the route depends on:
    together a third of what a request of one pair took. Whatever else is asked goes on to it, and in the
    document the routes stand as they are declared.
    """

    def __init__(self, app: ASGIApp, routes: Mapping[str, APIRoute]) -> None:
        self.app = app
        self.routes = routes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request."""
        route = None
        if scope["type"] == "http" and scope["method"] == "POST" and not scope["query_string"]:
            route = self.routes.get(scope["path"])
        if route is None:
            await self.app(scope, receive, send)
            return
        scope["route"] = route
        endpoint: Endpoint = route.endpoint
        try:
            response = await endpoint(Request(scope, receive, send))
        except ProblemError as problem:
            await refuse(problem, scope, receive, send)
        else:
            await response(scope, receive, send)
