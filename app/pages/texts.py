"""Two texts: how related they are through their concepts, and which of these carry it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fastapi import APIRouter, Request, Response

from app.api.texts import annotated, annotator_of
from app.pages.compare import address_as_terms
from app.pages.forms import (
    check_complete,
    form_of,
    link,
    moved,
    noted_status,
    of_model,
    too_long,
)
from app.pages.programs import programs, said_by
from app.pages.rendering import PageRoute, page, wants_json
from app.pages.unsure import unsure_in
from app.scoring.concepts import Scorer
from app.scoring.documents import HEAVIEST, ConceptBag, as_terms, document_relatedness
from app.scoring.in_words import OF_TEXTS, in_words_of_texts
from app.serving.serving import Serving
from app.web.problems import ProblemError
from app.web.responses.answering import respond, scorer_by, sound, turns_of

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
    left, right, model = form.one("left"), form.one("right"), form.one("model")
    named = of_model(model)
    to = link("texts", ("left", left), ("right", right), *named)
    redirect = moved(request, form, to)
    if redirect is not None:
        return redirect
    serving, state = sound(request), request.app.state
    turns = await turns_of(request, state.workers)
    scorer = await turns.take(lambda: scorer_by(serving, model or None))
    most = state.settings.max_text
    wrong = {"left": too_long(left, most), "right": too_long(right, most)}
    if any(wrong.values()) or not (left and right):
        check_complete(request, "Send two texts to compare, as left and right.", wrong.values())
        return await turns.take(lambda: _page(request, serving, scorer, left, right, model, wrong))

    annotator = await turns.take(lambda: annotator_of(serving))
    sides = [await annotated(turns, annotator, text) for text in (left, right)]

    unsure = [
        None if found or wants_json(request) else await unsure_in(turns, scorer, annotator, text)
        for text, found in zip((left, right), sides, strict=True)
    ]

    def answered() -> Response:
        first, second = (ConceptBag.of(scorer.snapshot, annotations) for annotations in sides)
        result = document_relatedness(scorer, first, second, True, as_terms(left, right))
        if wants_json(request):
            return respond(result)
        return _page(
            request,
            serving,
            scorer,
            left,
            right,
            model,
            result=result,
            unsure=unsure,
            instead=address_as_terms(serving, left, right, model) if result.score is None else None,
            in_words=None if result.status != "ok" else in_words_of_texts(result.score or 0.0),
            to=to,
            called=programs(
                request,
                "v1/documents/relatedness",
                {"left": left, "right": right, "explain": True} | dict(named),
                f"client.documents({left!r}, {right!r}, explain=True{said_by(model)})",
                "texts/score_documents",
            ),
        )

    return await turns.take(answered)


def _page(
    request: Request,
    serving: Serving,
    scorer: Scorer,
    left: str,
    right: str,
    model: str,
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
        in_force=link("texts", ("left", left), ("right", right)),
        model=scorer.model_info,
        by_model=model,
        heaviest=HEAVIEST,
        of_texts=OF_TEXTS,
        **fields,
    )
