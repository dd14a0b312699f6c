"""Two free terms: their score, what they were taken for, what it adds up from, and the evidence."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request, Response

from app.api.terms import term_scorer
from app.pages.compare import rows_by_group
from app.pages.forms import check_complete, form_of, link, of_model
from app.pages.programs import programs, said_by
from app.pages.rendering import PageRoute, page, wants_json
from app.scoring.doubts import doubts_of_terms
from app.scoring.in_words import IDLE_CONTEXT, in_words, resting_on
from app.scoring.panels import panel_says
from app.scoring.terms import LONGEST_TERM, TermScorer
from app.serving.serving import Serving
from app.web.request_notes import note_pairs
from app.web.responses.answering import respond, sound, turns_of
from features.terms.extract import TermPair
from wort.schemas.relatedness import PairResult
from wort.schemas.terms import TermResult, TermsResponse

EXAMPLES = (
    ("violent video games", "human aggression", ""),
    ("school uniforms", "education", ""),
    ("free speech", "censorship", ""),
)
"""Terms to begin with, and a context where there is one."""

router = APIRouter(include_in_schema=False, route_class=PageRoute)


@router.get("/terms")
async def terms(request: Request) -> Response:
    """The form and, where two terms are named, what is known of them."""
    form = await form_of(request)
    left, right, context, model = (form.one(name) for name in ("left", "right", "context", "model"))
    serving = sound(request)
    turns = await turns_of(request, request.app.state.term_workers)
    if not (left and right):
        check_complete(request, "Name two terms to compare, as left and right.")
        return await turns.take(lambda: _page(request, serving, left, right, context, model))

    def answered() -> Response:
        scorer = term_scorer(serving, model or None)
        pair = TermPair(left, right, context or None)
        (result,) = scorer.score([pair], explain=True)
        note_pairs(1, "terms")
        if wants_json(request):
            concepts = scorer.concepts.model_info
            return respond(TermsResponse([result], scorer.model_info, scorer.snapshot_info, concepts))
        named = of_model(model)
        sent = {"left": left, "right": right} | ({"context": context} if context else {})
        within = f", context={context!r}" if context else ""
        return _page(
            request,
            serving,
            left,
            right,
            context,
            model,
            result=result,
            abbreviated=scorer.abbreviated,
            misspelt=scorer.misspelt,
            senses=pair_of_senses(scorer, result),
            rests_on=resting_on(result.used or ()) if result.used or result.status == "ok" else None,
            unused=None if "concepts" in (result.used or ()) else titles_of(result),
            doubts=doubts_of_terms(scorer, result, "“{}”".format),
            idle_context=IDLE_CONTEXT if scorer.is_idle(pair, result) else None,
            in_words=None if result.score is None else in_words(result.score, result.interval),
            panel=panel_says(result.score or 0.0, result.interval) if result.interval else None,
            groups=rows_by_group(result.explanation) if result.explanation else None,
            to=link("terms", ("left", left), ("right", right), ("context", context), *named),
            called=programs(
                request,
                "v1/terms/relatedness",
                {"pairs": [sent], "explain": True} | dict(named),
                f"client.terms({left!r}, {right!r}{within}, explain=True{said_by(model)})",
                "relatedness/score_terms",
            ),
        )

    return await turns.take(answered)


def pair_of_senses(scorer: TermScorer, result: TermResult) -> PairResult | None:
    """The concepts that the score of two terms rests on, as a pair; None where it does not, or they are one.

    What concepts share that add nothing to the score would be taken for what it comes from.
    """
    titles = titles_of(result)
    if titles is None or "concepts" not in (result.used or ()):
        return None
    (pair,) = scorer.concepts.score([titles], explain=True)
    return pair if pair.status == "ok" else None


def titles_of(result: TermResult) -> tuple[str, str] | None:
    """The titles of the concepts that two terms were taken for; None where they were not, or are one."""
    left, right = result.resolved.left.sense, result.resolved.right.sense
    return None if left is None or right is None or left.title == right.title else (left.title, right.title)


def _page(
    request: Request, serving: Serving, left: str, right: str, context: str, model: str, **shown: object
) -> Response:
    scorer = term_scorer(serving, model) if model else None
    names = "result abbreviated misspelt senses rests_on unused doubts idle_context in_words panel groups"
    empty = dict.fromkeys((*names.split(), "to", "called"))
    fields: dict[str, Any] = {**empty, **shown}
    return page(
        request,
        serving,
        "terms.html",
        left=left,
        right=right,
        context=context,
        longest=LONGEST_TERM,
        examples=EXAMPLES,
        model=scorer.concepts.model_info if scorer else None,
        by_model=model,
        model_of_terms=scorer.model_info if scorer else serving.models.terms_info(),
        **fields,
    )
