"""Refusals that come before the routes: a problem document, noted."""

from __future__ import annotations

from starlette.types import Receive, Scope, Send

from app.web.problems import ProblemError
from app.web.request_notes import note_problem


async def refuse(problem: ProblemError, scope: Scope, receive: Receive, send: Send) -> None:
    """Answer a request with ``problem`` and nothing else."""
    note_problem(scope, problem.kind)
    await problem.response()(scope, receive, send)
