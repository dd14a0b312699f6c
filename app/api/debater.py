"""The interface of IBM's discontinued Term Relater and of its Term Wikifier, for their own client."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from functools import partial
from typing import Annotated, Any

import msgspec
from fastapi import APIRouter, Request, Response
from msgspec import Meta

from app.api.texts import annotated, annotator_of, check_length
from app.scoring.annotating import BATCH_CHARACTERS, TextAnnotator
from app.scoring.batches import batches
from app.scoring.naming.references import CHARACTERS, characters
from app.scoring.wikifying import Wikifier
from app.serving.serving import Serving
from app.settings import Settings
from app.web.openapi.document import answers, asks
from app.web.problems import NO_MENTIONS, TOO_LONG_TEXT, TOO_MANY
from app.web.request_notes import note_pairs
from app.web.requests.body import check_number, parsed
from app.web.responses.answering import OF_JSON, answer_to_json, respond
from app.web.responses.turns import Turns
from wort.schemas.debater import DebaterPair, TextToAnnotate, WikifiedMention, WikifyRequest, WikifyResponse
from wort.schemas.texts import MOST_CONTEXT

PAIRS_EXAMPLES: dict[str, Any] = {
    "one": {"summary": "One pair", "value": [{"first": "Atheism", "second": "Religion"}]},
    "unresolved": {
        "summary": "A pair whose second title is none",
        "value": [
            {"first": "Atheism", "second": "Religion"},
            {"first": "Atheism", "second": "No such concept"},
        ],
    },
}
"""Requests that run as they stand; a test sends each of them."""

WIKIFY_EXAMPLES: dict[str, Any] = {
    "client": {
        "summary": "As IBM's client asks",
        "value": {
            "textsToAnnotate": [
                {"text": "atheism", "contextTitles": []},
                {"text": "Buddhism is a religion.", "contextTitles": []},
            ],
            "contextTitles": [],
            "contextText": "",
            "config": "",
        },
    },
}
"""Requests that run as they stand; a test sends each of them."""

PAIRS = 2_000
"""Pairs that are scored in one go."""

TEXTS = 50
"""Texts that are wikified in one go, as long as they have ``BATCH_CHARACTERS`` characters together with the
titles around them."""

_PAIRS = msgspec.json.Decoder(list[DebaterPair])
_WIKIFY = msgspec.json.Decoder(WikifyRequest)


def router(settings: Settings) -> APIRouter:
    """The routes, their documentation stating the limits of ``settings``."""
    routes = APIRouter(tags=["IBM's Term Relater"])

    @routes.post(
        "/api/scores/TermRelater/pairs",
        operation_id="term_relater_pairs",
        summary="Score pairs of concepts, for clients of IBM's Term Relater",
        description="The scores of the pairs, in their order, by the model of concepts. A pair of which a "
        "title leads to no concept, or to several, has the score `NaN`: the literal, which JSON does not "
        "have and IBM's client reads. Other clients are better off with `/v1/relatedness`. A request may "
        f"hold {settings.max_pairs:,} pairs and {settings.max_body:,} bytes.",
        openapi_extra=asks(
            Annotated[list[DebaterPair], Meta(max_length=settings.max_pairs)],
            max_items={},
            examples=PAIRS_EXAMPLES,
        ),
        # A reader of JSON takes the literal for null, or fails.
        responses=answers(list[float | None], *OF_JSON, TOO_MANY),
    )
    async def pairs(request: Request) -> Response:
        return await answer_to_json(request, partial(scores, max_pairs=settings.max_pairs))

    @routes.post(
        "/TermWikifier/v2/annotate/",
        operation_id="term_wikifier_annotate",
        summary="Find the concepts of terms and texts, for clients of IBM's Term Wikifier",
        description="The mentions in each of the texts. A text that as a whole is a title, or a text that "
        "links have, is one mention; others are annotated as by `/v1/annotate`. Contexts, of which the first "
        f"{MOST_CONTEXT} concepts count, help to choose among senses; `config` is not read. A request may "
        f"hold {settings.max_pairs:,} texts of {settings.max_text:,} characters, and {settings.max_body:,} "
        "bytes.",
        openapi_extra=asks(
            WikifyRequest, max_items={"textsToAnnotate": settings.max_pairs}, examples=WIKIFY_EXAMPLES
        ),
        responses=answers(WikifyResponse, *OF_JSON, TOO_MANY, TOO_LONG_TEXT, NO_MENTIONS),
    )
    async def wikify(request: Request) -> Response:
        return await answer_to_json(request, partial(wikified, settings=settings))

    return routes


async def scores(serving: Serving, body: bytes, turns: Turns, max_pairs: int) -> Response:
    """The scores of the pairs in ``body``.

    Raises:
        ProblemError: the body is not such a list, or holds more than ``max_pairs``.
    """

    def read() -> list[Sequence[tuple[str, str]]]:
        request = parsed(body, _PAIRS)
        check_number(len(request), max_pairs, "pairs")
        pairs = [(pair.first, pair.second) for pair in request]
        return list(batches(pairs, PAIRS, lambda pair: 1 + characters(pair) // CHARACTERS, PAIRS))

    numbers: list[float] = []

    def score(batch: Sequence[tuple[str, str]]) -> None:
        results = serving.scorer.score(batch, suggest=0, candidates=0, compare=False)
        numbers.extend(math.nan if result.score is None else result.score for result in results)
        note_pairs(len(batch))

    for batch in await turns.take(read):
        await turns.take(partial(score, batch))
    # The standard library writes NaN as IBM's client expects it. Encoders that keep to JSON write null, which
    # that client would hand on as None to people who compute with it.
    return await turns.take(lambda: Response(json.dumps(numbers), media_type="application/json"))


async def wikified(serving: Serving, body: bytes, turns: Turns, settings: Settings) -> Response:
    """The mentions in the texts of ``body``.

    Raises:
        ProblemError: the body is not such a request, goes over a limit of ``settings``, or texts cannot be
            annotated here.
    """

    def read() -> tuple[WikifyRequest, TextAnnotator, list[Sequence[TextToAnnotate]]]:
        request = parsed(body, _WIKIFY)
        texts = request.texts_to_annotate
        check_number(len(texts), settings.max_pairs, "texts")
        for text in (request.context_text, *(each.text for each in texts)):
            check_length(text, settings.max_text)
        return request, annotator_of(serving), list(batches(texts, TEXTS, _length, BATCH_CHARACTERS))

    request, annotator, texts = await turns.take(read)
    wikifier = Wikifier(serving.scorer.snapshot, serving.scorer.resolver, annotator)
    of_context = await annotated(turns, annotator, request.context_text)
    titled = await turns.take(partial(_context, wikifier, request.context_titles))
    around = [*titled, *(each.concept for each in of_context)]
    mentions: list[list[WikifiedMention]] = []
    for batch in texts:
        if len(batch[0].text) > BATCH_CHARACTERS:  # a long text stands alone
            mentions.append(await _of_long(turns, wikifier, annotator, batch[0], around))
        else:
            mentions += await turns.take(partial(_of_short, wikifier, batch, around))
    return await turns.take(lambda: respond(WikifyResponse(mentions)))


def _of_short(
    wikifier: Wikifier, texts: Sequence[TextToAnnotate], around: Sequence[int]
) -> list[list[WikifiedMention]]:
    """The mentions in some texts."""
    return [wikifier.wikified(each.text, _context(wikifier, each.context_titles, around)) for each in texts]


async def _of_long(
    turns: Turns, wikifier: Wikifier, annotator: TextAnnotator, text: TextToAnnotate, around: Sequence[int]
) -> list[WikifiedMention]:
    """The mentions in a long text, a batch of it in a turn."""
    context = await turns.take(partial(_context, wikifier, text.context_titles, around))
    annotations = await annotated(turns, annotator, text.text, context)
    return await turns.take(partial(wikifier.mentions, text.text, annotations))


def _context(wikifier: Wikifier, titles: Sequence[str], around: Sequence[int] = ()) -> list[int]:
    """The first concepts of a context, each once: those of ``titles`` before those ``around``."""
    return list(dict.fromkeys([*wikifier.concepts(titles[:MOST_CONTEXT]), *around]))[:MOST_CONTEXT]


def _length(text: TextToAnnotate) -> int:
    """Characters of a text and of the titles that it is about, as many of them as are looked up."""
    return len(text.text) + sum(map(len, text.context_titles[:MOST_CONTEXT]))
