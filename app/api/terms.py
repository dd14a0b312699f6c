"""Pairs of free terms, scored."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

import msgspec
import structlog
from fastapi import APIRouter, Request, Response

from app.errors import AppError, UnknownModelName
from app.scoring.batches import DEFAULT_SIZES, BatchSizes, batches
from app.scoring.terms import LONGEST_TERM, TermScorer
from app.serving.serving import Serving
from app.settings import Settings
from app.web.openapi.document import answers, asks
from app.web.problems import NO_TERM_MODEL, TOO_MANY, UNKNOWN_MODEL, ProblemError
from app.web.request_notes import note_pairs
from app.web.requests.body import check_number, parsed
from app.web.responses.answering import OF_JSON, answer_to_json, respond
from app.web.responses.turns import Turns
from features.senses.candidates import LONGEST_CONTEXT
from features.terms.extract import TermPair
from models.errors import ModelError
from wort.schemas.terms import AskedTerms, TermResult, TermsRequest, TermsResponse

_DECODER = msgspec.json.Decoder(TermsRequest)

log: Any = structlog.get_logger("wort")

EXAMPLES: dict[str, Any] = {
    "one": {
        "summary": "One pair",
        "value": {"pairs": [{"left": "violent video games", "right": "human aggression"}]},
    },
    "explained": {
        "summary": "One pair, explained",
        "value": {"pairs": [{"left": "school uniforms", "right": "education"}], "explain": True},
    },
    "context": {
        "summary": "A term that may mean several things, within a context",
        "value": {
            "pairs": [
                {"left": "Mercury", "right": "temperature", "context": "the planets and the sun"},
                {"left": "Mercury", "right": "temperature", "context": "chemical elements"},
            ]
        },
    },
}
"""Requests that run as they stand; a test sends each of them."""


def router(settings: Settings) -> APIRouter:
    """The routes, their documentation stating the limits of ``settings``."""
    routes = APIRouter()

    @routes.post(
        "/terms/relatedness",
        operation_id="score_terms",
        summary="Score pairs of free terms",
        description="How related two terms are, of one word or several, whether or not they name concepts. "
        "Where both do, whatever they are compared with, the score is that of the two concepts. "
        "A context says what the two are about. A pair with a term of which nothing is known gets "
        "`score: null` and a status; it never fails the others. A request may hold "
        f"{settings.max_term_pairs:,} pairs and {settings.max_body:,} bytes, a term {LONGEST_TERM} "
        f"characters; {LONGEST_CONTEXT} of a context are read.",
        openapi_extra=asks(TermsRequest, max_items={"pairs": settings.max_term_pairs}, examples=EXAMPLES),
        responses=answers(TermsResponse, *OF_JSON, TOO_MANY, UNKNOWN_MODEL, NO_TERM_MODEL),
        tags=["relatedness"],
    )
    async def terms(request: Request) -> Response:
        state = request.app.state
        made = partial(answer, max_pairs=settings.max_term_pairs, sizes=state.batch_sizes)
        return await answer_to_json(request, made, state.term_workers)

    return routes


async def answer(serving: Serving, body: bytes, turns: Turns, max_pairs: int, sizes: BatchSizes) -> Response:
    """The answer to the request that ``body`` holds.

    Raises:
        ProblemError: the body is not such a request, or holds more than ``max_pairs`` pairs; or terms cannot
            be scored here.
    """

    def opened() -> tuple[TermsRequest, TermScorer]:
        asked = parsed(body, _DECODER)
        check_number(len(asked.pairs), max_pairs, "pairs")
        return asked, term_scorer(serving, asked.model)

    asked, scorer = await turns.take(opened)
    all_pairs = list(term_batches(asked.pairs, sizes))
    results: list[TermResult] = []

    def score(pairs: list[TermPair]) -> None:
        results.extend(scorer.score(pairs, asked.explain, asked.features))
        note_pairs(len(pairs), "terms")

    for pairs in all_pairs[:-1]:
        await turns.take(partial(score, pairs))

    def answered() -> Response:
        for pairs in all_pairs[-1:]:
            score(pairs)
        concepts = scorer.concepts.model_info
        return respond(TermsResponse(results, scorer.model_info, scorer.snapshot_info, concepts))

    return await turns.take(answered)


def term_scorer(serving: Serving, name: str | None = None) -> TermScorer:
    """What scores terms where ``serving`` answers, by the model of this name; None for that in force.

    Raises:
        ProblemError: terms cannot be scored there, or there is no such model.
    """
    try:
        return serving.terms(name)
    except UnknownModelName as error:
        raise ProblemError(UNKNOWN_MODEL, f"model: {error}") from None
    except (AppError, ModelError) as error:
        raise ProblemError(NO_TERM_MODEL, str(error)) from error
    except Exception as error:
        # A table is gone or damaged, or the machine lacks something: concepts are scored all the same.
        log.exception("terms unavailable", snapshot=serving.scorer.snapshot.id)
        raise ProblemError(
            NO_TERM_MODEL, "What terms need cannot be opened now. The server's log says why."
        ) from error


def term_batches(asked: Sequence[AskedTerms], sizes: BatchSizes = DEFAULT_SIZES) -> Iterator[list[TermPair]]:
    """The pairs of a request, in order, as many together as are scored in one go."""
    for some in batches(asked, sizes.terms, characters, sizes.term_characters):
        yield [TermPair(pair.left, pair.right, pair.context) for pair in some]


def characters(pair: AskedTerms | TermPair) -> int:
    """How many characters of a pair and its context are read."""
    terms = sum(min(len(term), LONGEST_TERM) for term in (pair.left, pair.right))
    return terms + min(len(pair.context or ""), LONGEST_CONTEXT)
