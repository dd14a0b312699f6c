"""Texts: the concepts that they mention, and how related two of them are."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Annotated, Any

import msgspec
import structlog
from fastapi import APIRouter, Request, Response
from msgspec import Meta

from app.scoring.annotating import TextAnnotator, passage_batches, resolved_context
from app.scoring.concepts import Scorer
from app.scoring.documents import HEAVIEST, ConceptBag, as_terms, document_relatedness
from app.serving.serving import Serving
from app.settings import Settings
from app.web.openapi.document import answers, asks
from app.web.problems import NO_MENTIONS, TOO_LONG_TEXT, UNKNOWN_MODEL, ProblemError
from app.web.requests.body import parsed
from app.web.responses.answering import OF_JSON, answer_to_json, respond, scorer_by
from app.web.responses.turns import Turns
from snapshots.annotator import Annotation
from snapshots.errors import SnapshotError
from wort.schemas.references import Concept
from wort.schemas.sides import Side
from wort.schemas.texts import (
    MOST_CONTEXT,
    AnnotateRequest,
    AnnotateResponse,
    DocumentsRequest,
    DocumentsResponse,
)

log: Any = structlog.get_logger("wort")

ANNOTATE_EXAMPLES: dict[str, Any] = {
    "one": {
        "summary": "A text",
        "value": {"text": "Atheism is the rejection of belief in God; Buddhism is a religion without one."},
    },
    "context": {
        "summary": "A text whose subject is known, and what is sure alone",
        "value": {
            "text": "The Moon goes round the Earth, and both go round the Sun.",
            "context": ["Planet", "https://en.wikipedia.org/wiki/Solar_System"],
            "min_rho": 0.3,
        },
    },
}
"""Requests that run as they stand; a test sends each of them."""

DOCUMENTS_EXAMPLES: dict[str, Any] = {
    "one": {
        "summary": "Two texts",
        "value": {
            "left": "Darwin explained evolution by natural selection.",
            "right": "Genetics is the study of genes and heredity in organisms.",
        },
    },
    "explained": {
        "summary": "Two texts, explained",
        "value": {
            "left": "Atheism is the rejection of belief in God.",
            "right": "Buddhism and Christianity are religions.",
            "explain": True,
        },
    },
}
"""Requests that run as they stand; a test sends each of them."""


class _Sent(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An ``AnnotateRequest`` whose number has not been read.

    The decoder takes microseconds for a number such as 5e-324, all threads waiting, and a body may name the
    field a million times: so only the last is read.
    """

    text: str
    context: Annotated[list[Concept], Meta(max_length=MOST_CONTEXT)] = []
    min_rho: msgspec.Raw = msgspec.Raw(b"null")  # it never changes


_SENT = msgspec.json.Decoder(_Sent)
_ANNOTATE = msgspec.json.Decoder(AnnotateRequest)
_DOCUMENTS = msgspec.json.Decoder(DocumentsRequest)

_KINDS = (*OF_JSON, TOO_LONG_TEXT, NO_MENTIONS)


def router(settings: Settings) -> APIRouter:
    """The routes, their documentation stating the limits of ``settings``."""
    routes = APIRouter(tags=["texts"])
    limits = f"A text may have {settings.max_text:,} characters, a request {settings.max_body:,} bytes."

    @routes.post(
        "/annotate",
        operation_id="annotate_text",
        summary="Find the concepts that a text mentions",
        description="The mentions in a text, from left to right, without overlaps, each with the concept "
        "that it stands for (TagMe, Ferragina & Scaiella 2010). Places count Unicode code points of the text "
        "as it was sent: an emoji is one, however many bytes or UTF-16 units it takes. "
        f"{limits} A context may have {MOST_CONTEXT} concepts.",
        openapi_extra=asks(AnnotateRequest, max_items={}, examples=ANNOTATE_EXAMPLES),
        responses=answers(AnnotateResponse, *_KINDS),
    )
    async def annotate(request: Request) -> Response:
        return await answer_to_json(request, partial(text_answer, max_text=settings.max_text))

    @routes.post(
        "/documents/relatedness",
        operation_id="score_documents",
        summary="Score two texts through their concepts",
        description="How related two texts are: each concept of the one is matched with the most related one "
        "of the other, by a model of concepts, and the scores are averaged by the weights of the concepts "
        f"in their texts (Mihalcea et al. 2006). The {HEAVIEST} heaviest concepts of a text count. {limits}",
        openapi_extra=asks(DocumentsRequest, max_items={}, examples=DOCUMENTS_EXAMPLES),
        responses=answers(DocumentsResponse, *_KINDS, UNKNOWN_MODEL),
    )
    async def documents(request: Request) -> Response:
        return await answer_to_json(request, partial(documents_answer, max_text=settings.max_text))

    return routes


async def text_answer(serving: Serving, body: bytes, turns: Turns, max_text: int) -> Response:
    """The annotations that ``body`` asks for.

    Raises:
        ProblemError: the body is not such a request, its text is longer than ``max_text``, or texts cannot be
            annotated here.
    """

    def read() -> tuple[AnnotateRequest, TextAnnotator, tuple[Side, ...], list[int]]:
        request = annotate_request(body)
        check_length(request.text, max_text)
        return request, annotator_of(serving), *resolved_context(serving.scorer, request.context)

    request, annotator, sides, context = await turns.take(read)
    annotations = await annotated(turns, annotator, request.text, context, request.min_rho)

    def answered() -> Response:
        described = annotator.described(request.text, annotations)
        return respond(AnnotateResponse(described, serving.scorer.snapshot_info, sides))

    return await turns.take(answered)


def annotate_request(body: bytes) -> AnnotateRequest:
    """The request that ``body`` holds.

    Raises:
        ProblemError: it is not JSON, or has another shape.
    """
    sent = parsed(body, _SENT)
    read = parsed(b'{"text": "", "min_rho": %s}' % bytes(sent.min_rho), _ANNOTATE)
    return AnnotateRequest(sent.text, sent.context, read.min_rho)


async def documents_answer(serving: Serving, body: bytes, turns: Turns, max_text: int) -> Response:
    """How related the texts are that ``body`` holds.

    Raises:
        ProblemError: as ``text_answer``; or there is no such model of concepts, or it cannot be used here.
    """

    def read() -> tuple[DocumentsRequest, Scorer, TextAnnotator]:
        request = parsed(body, _DOCUMENTS)
        for text in (request.left, request.right):
            check_length(text, max_text)
        return request, scorer_by(serving, request.model), annotator_of(serving)

    request, scorer, annotator = await turns.take(read)
    left = await annotated(turns, annotator, request.left)
    right = await annotated(turns, annotator, request.right)

    def answered() -> Response:
        first, second = ConceptBag.of(scorer.snapshot, left), ConceptBag.of(scorer.snapshot, right)
        instead = as_terms(request.left, request.right)
        return respond(document_relatedness(scorer, first, second, request.explain, instead))

    return await turns.take(answered)


def annotator_of(serving: Serving) -> TextAnnotator:
    """The annotator of what is served.

    Raises:
        ProblemError: texts cannot be annotated here.
    """
    try:
        return serving.annotator()
    except SnapshotError as error:
        raise ProblemError(NO_MENTIONS, str(error)) from error
    except Exception as error:
        # A table is damaged, or the machine lacks something: concepts are scored all the same.
        log.exception("texts unavailable", snapshot=serving.scorer.snapshot.id)
        raise ProblemError(
            NO_MENTIONS, "What texts need cannot be opened now. The server's log says why."
        ) from error


async def annotated(
    turns: Turns,
    annotator: TextAnnotator,
    text: str,
    context: Sequence[int] = (),
    minimum_rho: float | None = None,
) -> list[Annotation]:
    """The annotations of ``text``, a batch of it in a turn."""
    annotations: list[Annotation] = []
    for batch in await turns.take(lambda: list(passage_batches(text))):
        annotations += await turns.take(partial(annotator.found, batch, context, minimum_rho))
    return annotations


def check_length(text: str, most: int) -> None:
    """Do nothing where ``text`` has ``most`` characters at most.

    Raises:
        ProblemError: it has more.
    """
    if len(text) > most:
        raise ProblemError(
            TOO_LONG_TEXT,
            f"A text has {len(text):,} characters and may have {most:,}. Send it in several.",
            limit=most,
        )
