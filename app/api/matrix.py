"""Every concept of a request with every other, scored."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from math import isqrt
from typing import Any, NamedTuple

import msgspec
from fastapi import APIRouter, Request, Response
from msgspec import UNSET

from app.scoring.matrix import Matrix, concepts_of, lookups, resolved
from app.scoring.references import Reference, named
from app.serving.serving import Serving
from app.settings import Settings
from app.web.openapi.document import answers, asks
from app.web.problems import TOO_MANY, ProblemError
from app.web.request_notes import note_pairs
from app.web.requests.body import parsed
from app.web.responses.answering import OF_JSON, answer_to_json
from app.web.responses.respond import respond
from app.web.responses.time_limit import Turns
from snapshots.resolution import Resolution
from wort.schemas.matrix import MatrixRequest, MatrixResponse
from wort.schemas.relatedness import Ambiguous

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
        responses=answers(MatrixResponse, *OF_JSON, TOO_MANY),
        tags=["relatedness"],
    )
    async def matrix(request: Request) -> Response:
        size = request.app.state.batch_sizes.matrix
        return await answer_to_json(request, partial(answer, max_pairs=settings.max_pairs, size=size))

    return routes


class Asked(NamedTuple):
    """What a request asks for: its concepts, the ``rows`` first; all of them for a square."""

    concepts: list[Reference]
    rows: int
    square: bool
    ambiguous: Ambiguous

    @classmethod
    def of(cls, body: bytes, max_pairs: int) -> Asked:
        """What the request asks for that ``body`` holds.

        Raises:
            ProblemError: the body is not such a request, or asks for more than ``max_pairs`` pairs.
        """
        asked = parsed(body, _DECODER)
        square = asked.concepts is not UNSET
        rows, columns = asked.concepts or asked.rows or [], asked.columns or []
        # Concepts that are compared with nothing are looked up all the same.
        pairs = len(rows) * (len(rows) - 1) // 2 if square else max(1, len(rows)) * max(1, len(columns))
        if pairs > max_pairs:
            raise ProblemError(
                TOO_MANY,
                f"The matrix has {pairs:,} pairs and may have {max_pairs:,}. Ask for parts of it, by `rows` "
                "and `columns`.",
                limit=max_pairs,
            )
        return cls([named(concept) for concept in (*rows, *columns)], len(rows), square, asked.ambiguous)


async def answer(serving: Serving, body: bytes, turns: Turns, max_pairs: int, size: int) -> Response:
    """The answer to the request that ``body`` holds; ``size``: what is looked up or scored in one go.

    Raises:
        ProblemError: as ``Asked.of``.
    """
    scorer = serving.scorer

    def read() -> tuple[Asked, list[Sequence[Reference]]]:
        asked = Asked.of(body, max_pairs)
        return asked, list(lookups(asked.concepts, size))

    asked, to_look_up = await turns.take(read)
    understood: list[Resolution] = []
    for some in to_look_up:
        understood += await turns.take(partial(resolved, scorer, some, asked.ambiguous, understood))
    rows = understood[: asked.rows]
    columns = None if asked.square else understood[asked.rows :]
    of_rows, of_columns = concepts_of(rows), None if columns is None else concepts_of(columns)
    matrix = await turns.take(partial(Matrix, scorer, of_rows, of_columns))
    for batch in matrix.batches(size):
        await turns.take(partial(matrix.fill, batch))
    of_square = len(rows) * (len(rows) - 1) // 2
    note_pairs(of_square if columns is None else len(rows) * len(columns))
    sides = list(map(scorer.pairs.side, asked.concepts, understood))
    return await turns.take(
        lambda: respond(
            MatrixResponse(
                concepts=sides if columns is None else None,
                rows=None if columns is None else sides[: asked.rows],
                columns=None if columns is None else sides[asked.rows :],
                scores=matrix.listed(),
                model=scorer.model_info,
                snapshot=scorer.snapshot_info,
            )
        )
    )
