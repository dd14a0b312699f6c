"""Every concept of a request with every other, scored."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from math import isqrt
from typing import Any

import msgspec
from fastapi import APIRouter, Request, Response
from msgspec import UNSET

from app.scoring.concepts import Scorer
from app.scoring.matrix import Matrix, choices, concepts_of, lookups, matrix_response, resolved
from app.scoring.naming.references import Reference, named
from app.scoring.naming.together import Together
from app.serving.serving import Serving
from app.settings import Settings
from app.web.openapi.document import answers, asks
from app.web.problems import TOO_MANY, UNKNOWN_MODEL, ProblemError
from app.web.request_notes import note_pairs
from app.web.requests.body import parsed
from app.web.responses.answering import OF_JSON, answer_to_json, respond, scorer_by
from app.web.responses.turns import Turns
from snapshots.naming.resolution import Resolution
from wort.schemas.matrix import MatrixRequest, MatrixResponse

EXAMPLES: dict[str, Any] = {
    "square": {
        "summary": "Some concepts with one another",
        "value": {"concepts": ["Atheism", "Religion", "Philosophy", "Science"]},
    },
    "rectangle": {
        "summary": "Some concepts with some others, named in any way",
        "value": {
            "rows": ["Atheism", {"id": 25414}],
            "columns": ["https://en.wikipedia.org/wiki/Philosophy", "Science", "No such concept"],
        },
    },
}
"""Requests that run as they stand; a test sends each of them."""

_DECODER = msgspec.json.Decoder(MatrixRequest)


def router(settings: Settings) -> APIRouter:
    """The routes, their documentation stating the limits of ``settings``."""
    routes = APIRouter()
    # The largest n with n (n − 1) / 2 pairs.
    most = (1 + isqrt(1 + 8 * settings.max_pairs)) // 2

    @routes.post(
        "/relatedness/matrix",
        operation_id="score_matrix",
        summary="Score concepts with one another",
        description="How related each of some concepts is to each other one, or each of some `rows` to each "
        "of some `columns`; the scores are those of the pairs. A concept that cannot be resolved has `null` "
        f"with every other. A request may ask for {settings.max_pairs:,} pairs, which are those of {most:,} "
        f"concepts with one another, and have {settings.max_body:,} bytes.",
        openapi_extra=asks(
            MatrixRequest,
            max_items={"concepts": most, "rows": settings.max_pairs, "columns": settings.max_pairs},
            examples=EXAMPLES,
        ),
        responses=answers(MatrixResponse, *OF_JSON, TOO_MANY, UNKNOWN_MODEL),
        tags=["relatedness"],
    )
    async def matrix(request: Request) -> Response:
        size = request.app.state.batch_sizes.matrix
        return await answer_to_json(request, partial(answer, max_pairs=settings.max_pairs, size=size))

    return routes


def matrix_request(body: bytes, max_pairs: int) -> MatrixRequest:
    """The request that ``body`` holds.

    Raises:
        ProblemError: it is not such a request, or asks for more than ``max_pairs`` pairs.
    """
    request = parsed(body, _DECODER)
    rows, columns = len(request.concepts or request.rows or ()), len(request.columns or ())
    # Concepts that are compared with nothing are looked up all the same.
    pairs = max(1, rows) * max(1, columns) if request.concepts is UNSET else rows * (rows - 1) // 2
    if pairs > max_pairs:
        raise ProblemError(
            TOO_MANY,
            f"The matrix has {pairs:,} pairs and may have {max_pairs:,}. Ask for parts of it, by `rows` "
            "and `columns`.",
            limit=max_pairs,
        )
    return request


async def answer(serving: Serving, body: bytes, turns: Turns, max_pairs: int, size: int) -> Response:
    """The answer to the request that ``body`` holds; ``size``: what is looked up or scored in one go.

    Raises:
        ProblemError: as ``matrix_request``.
    """

    def read() -> tuple[MatrixRequest, Scorer, list[Reference], list[Sequence[Reference]]]:
        request = matrix_request(body, max_pairs)
        concepts = (*(request.concepts or request.rows or ()), *(request.columns or ()))
        references = [named(concept) for concept in concepts]
        scorer = scorer_by(serving, request.model)
        return request, scorer, references, list(lookups(references, size))

    request, scorer, references, to_look_up = await turns.take(read)
    understood: list[Resolution] = []
    for some in to_look_up:
        understood += await turns.take(partial(resolved, scorer, some, request.ambiguous, understood))
    choosing = partial(Together, scorer.pairs, references, understood, request.ambiguous)
    together = await turns.take(choosing)
    for some in choices(together.open, size):
        await turns.take(partial(together.choose, some))
    understood = together.resolved()
    number = len(request.concepts or request.rows or ())
    rows, columns = understood[:number], understood[number:] if request.concepts is UNSET else None
    of_rows, of_columns = concepts_of(rows), None if columns is None else concepts_of(columns)
    matrix = await turns.take(partial(Matrix, scorer, of_rows, of_columns))
    for batch in matrix.batches(size):
        await turns.take(partial(matrix.fill, batch))
    note_pairs(number * (number - 1) // 2 if columns is None else number * len(columns))
    sides = list(map(scorer.pairs.side, references, understood))
    rows_of = None if columns is None else number
    return await turns.take(lambda: respond(matrix_response(matrix, scorer, sides, rows_of)))
