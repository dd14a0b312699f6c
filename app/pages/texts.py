"""Two texts: how related they are through their concepts, and which of these carry it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fastapi import APIRouter, Request, Response

from app.api.texts import annotated, annotator_of
from app.pages.compare import address_as_terms
from app.pages.forms import (
    NO_CHOICE,
    check_complete,
    form_of,
    link,
    moved,
    noted_status,
    too_long,
    unasked_model,
)
from app.pages.programs import programs
from app.pages.rendering import PageRoute, page, wants_json
from app.scoring.documents import HEAVIEST, ConceptBag, as_terms, document_relatedness
from app.scoring.in_words import OF_TEXTS, in_words_of_texts
from app.scoring.unsure import unsure_of
from app.serving.serving import Serving
from app.web.problems import ProblemError
from app.web.responses.answering import respond, sound, turns_of

EXAMPLES = (
    "Charles Darwin explained evolution by natural selection.",
    "Genetics is the study of genes and of heredity in organisms.",
)
"""Two texts to begin with."""

NOTHING_WRONG: Mapping[str, ProblemError | None] = {"left": None, "right": None}

router = APIRouter(include_in_schema=False, route_class=PageRoute)


@router.api_route("/texts", methods=["GET", "POST"])
async def texts(request: Request) -> Response:
    """The form and, where there are two texts, how related they are."""
    form = await form_of(request)
    left, right, unasked = form.one("left"), form.one("right"), unasked_model(request, form)
    to = link("texts", ("left", left), ("right", right))
    redirect = moved(request, form, to)
    if redirect is not None:
        return redirect
    serving, state = sound(request), request.app.state
    turns = await turns_of(request, state.workers)
    most = state.settings.max_text
    wrong = {"left": too_long(left, most), "right": too_long(right, most)}
    if any(wrong.values()) or not (left and right):
        check_complete(request, "Send two texts to compare, as left and right.", wrong.values())
        return await turns.take(lambda: _page(request, serving, left, right, unasked, wrong))

    annotator = await turns.take(lambda: annotator_of(serving))
    sides = [await annotated(turns, annotator, text) for text in (left, right)]

    below = [
        [] if found or wants_json(request) else await annotated(turns, annotator, text, (), 0.0)
        for text, found in zip((left, right), sides, strict=True)
    ]

    def answered() -> Response:
        scorer = serving.scorer
        first, second = (ConceptBag.of(scorer.snapshot, annotations) for annotations in sides)
        result = document_relatedness(scorer, first, second, True, as_terms(left, right))
        if wants_json(request):
            return respond(result)
        return _page(
            request,
            serving,
            left,
            right,
            unasked,
            result=result,
            unsure=[unsure_of(scorer.snapshot.concept_titles, found) for found in below],
            instead=address_as_terms(serving, left, right) if result.score is None else None,
            in_words=None if result.status != "ok" else in_words_of_texts(result.score or 0.0),
            to=to,
            called=programs(
                request,
                "v1/documents/relatedness",
                {"left": left, "right": right, "explain": True},
                f"client.documents({left!r}, {right!r}, explain=True)",
                "texts/score_documents",
            ),
        )

    return await turns.take(answered)


def _page(
    request: Request,
    serving: Serving,
    left: str,
    right: str,
    unasked: str,
    wrong: Mapping[str, ProblemError | None] = NOTHING_WRONG,
    **shown: object,
) -> Response:
    empty = dict.fromkeys(("result", "instead", "in_words", "to", "called"))
    fields: dict[str, Any] = {"unsure": [None, None], **empty, **shown}
    return page(
        request,
        serving,
        "texts.html",
        status=noted_status(request, wrong.values()),
        left=left,
        right=right,
        wrong={name: error and error.detail for name, error in wrong.items()},
        examples=EXAMPLES,
        unasked=unasked,
        no_choice=NO_CHOICE,
        heaviest=HEAVIEST,
        of_texts=OF_TEXTS,
        **fields,
    )
