"""The answer to a request: made a turn at a time, once the request has its place.

It keeps the place until its answer is taken.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import msgspec
from fastapi import Request, Response

from app.errors import UnknownModelName, UnusableModel
from app.scoring.concepts import Scorer
from app.serving.serving import Serving
from app.web.problems import DAMAGED_SNAPSHOT, MALFORMED, TOO_LONG, UNKNOWN_MODEL, WRONG_SHAPE, ProblemError
from app.web.requests.body import read_body
from app.web.resources import resources_of
from app.web.responses.turns import Turns, Workers

OF_JSON = (MALFORMED, WRONG_SHAPE, TOO_LONG, DAMAGED_SNAPSHOT)
"""The problems of every route that answers by ``answer_to_json``, besides those of all that take a body."""


def respond(answer: msgspec.Struct, status: int = 200) -> Response:
    """``answer`` as JSON."""
    return Response(msgspec.json.encode(answer), status, media_type="application/json")


def sound(request: Request) -> Serving:
    """What a question is answered from now.

    Raises:
        ProblemError: it is damaged, and there is nothing else.
    """
    serving: Serving = request.app.state.source.current
    if serving.damage is not None:
        raise ProblemError(DAMAGED_SNAPSHOT, serving.damage)
    return serving


def scorer_by(serving: Serving, name: str | None) -> Scorer:
    """What scores concepts by the model of this name; None for the one in force.

    Raises:
        ProblemError: there is no such model, or it cannot be used here.
    """
    if name is None:
        return serving.scorer
    try:
        return serving.scorer_by(name)
    except UnknownModelName as error:
        raise ProblemError(UNKNOWN_MODEL, f"model: {error}") from None
    except UnusableModel as error:
        raise ProblemError(WRONG_SHAPE, f"model: {error}") from None


async def answer(
    request: Request, work: Callable[[Serving], Response], even_damaged: bool = False
) -> Response:
    """What ``work`` answers by what is served, in one turn.

    ``even_damaged``: for what is not computed from its tables.

    Raises:
        ProblemError: there is no place, or no time, what is served is damaged; or as ``work``.
    """
    state = request.app.state
    serving: Serving = state.source.current if even_damaged else sound(request)
    turns = await turns_of(request, state.workers)
    return await turns.take(lambda: work(serving))


async def answer_to_json(
    request: Request,
    work: Callable[[Serving, bytes, Turns], Awaitable[Response]],
    workers: Workers | None = None,
) -> Response:
    """What ``work`` answers by what is served to the body of a JSON request.

    It awaits its turns: between two, others have theirs. ``workers``: None for those that score concepts.

    Raises:
        ProblemError: there is no place, or no time, what is served is damaged; as ``read_body``, or as
            ``work``.
    """
    state = request.app.state
    pool: Workers = workers or state.workers
    await pool.expect_place(state.readers)
    body = await read_body(request)
    turns = await turns_of(request, pool)
    # What is served once the body is there.
    return await work(sound(request), body, turns)


async def turns_of(request: Request, workers: Workers) -> Turns:
    """A place for ``request``, and its turns from now on.

    Raises:
        ProblemError: there is no place.
    """
    state = request.app.state
    await workers.take_place(resources_of(request.scope), state.readers)
    return Turns(request, workers, state.settings.request_seconds)
