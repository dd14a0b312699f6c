"""Concepts by themselves: found, described, and with the concepts related to them."""

from __future__ import annotations

from functools import partial
from typing import Annotated, Any

from fastapi import APIRouter, Path, Query, Request, Response

from app.api.examples import STARTER
from app.scoring.concepts import Scorer
from app.scoring.details import details
from app.scoring.in_words import not_in_excerpt
from app.scoring.related import MOST, NoSuchCategory, category_id, related
from app.scoring.search import search
from app.serving.serving import Serving
from app.settings import Settings
from app.web.openapi.document import answers
from app.web.openapi.shared_responses import UNCHANGED
from app.web.problems import AMBIGUOUS, NOT_FOUND, TOO_LONG, UNKNOWN_MODEL, WRONG_SHAPE, ProblemError
from app.web.responses.answering import answer, respond, scorer_by
from app.web.responses.caching import tagged, unchanged
from wort.schemas.concepts import ConceptDetails, RelatedConcepts, SearchResponse

PageId = Annotated[
    int,
    Path(
        alias="id",
        description="The page id of the concept's article.",
        # What the page of the interface fills in: it does not look at `examples`.
        json_schema_extra={"example": 25414},
    ),
]

Title = Annotated[
    str,
    Query(
        max_length=1000,
        description="The article's title, or its address on Wikipedia. Redirects are followed.",
        examples=["Religion"],
        # Said in the document alone: ``concept_of`` tells of a blank title by what to give.
        json_schema_extra={"pattern": r"\S"},
    ),
]
Most = Annotated[int, Query(ge=1, le=MOST, description="The most concepts to return.")]
ByModel = Annotated[
    str | None,
    Query(
        alias="model", max_length=200, description="The name of the model to score with, if not the usual."
    ),
]
Least = Annotated[float, Query(ge=0, le=1, description="The least score.")]
OfCategory = Annotated[
    str | None,
    Query(max_length=255, description="The title of a category: its members alone are returned."),
]

RELATED: dict[str, Any] = {
    "religion": {
        "summary": "Of Religion (25414), with k=2, by what the package carries",
        "value": {
            "concept": {"title": "Religion", "page_id": 25414},
            "related": [
                {
                    "title": "History of religions",
                    "page_id": 13929,
                    "score": 0.9420463461601096,
                    "percentiles": {"random": 100.0, "linked": 99.83},
                    "interval": {"low": 0.676735077967094, "high": 1.0, "level": 0.9},
                },
                {
                    "title": "List of religions and spiritual traditions",
                    "page_id": 39066,
                    "score": 0.9419429943291789,
                    "percentiles": {"random": 100.0, "linked": 99.8},
                    "interval": {"low": 0.6766317261361633, "high": 1.0, "level": 0.9},
                },
            ],
            "candidates": 761,
            **STARTER,
        },
    },
}
"""What ``GET /v1/concepts/{id}/related`` answers; a test compares."""


def router(_: Settings) -> APIRouter:
    """The routes."""
    routes = APIRouter(tags=["concepts"], responses=UNCHANGED)

    @routes.get(
        "/concepts/search",
        operation_id="search_concepts",
        summary="Find concepts by what was typed of their names",
        description="Concepts that are called so, or of which a title or a redirect begins with `q`, "
        "whatever its case and accents, the most linked first. After them, up to `limit`, those of which a "
        "title has the words of `q`, in any order, and those of which one nearly begins so: but for one "
        "letter missing, too many, wrong, or exchanged with the next; or for two, where `q` has six letters "
        "and no title begins with it.",
        responses=answers(SearchResponse, TOO_LONG),
    )
    async def search_concepts(
        request: Request,
        q: Annotated[
            str,
            Query(max_length=255, description="A name, or words of it.", examples=["Athe"]),
        ],
        limit: Annotated[int, Query(ge=1, le=50, description="The most concepts to return.")] = 10,
    ) -> Response:
        def found(serving: Serving) -> Response:
            return unchanged(request, serving) or tagged(respond(search(serving.scorer, q, limit)), serving)

        return await answer(request, found)

    @routes.get(
        "/concepts",
        operation_id="get_concept_by_title",
        summary="What is known of the concept of a title?",
        description="As `GET /v1/concepts/{id}`, of a concept that is named by its title, as one without a "
        "page id has to be.",
        responses=answers(ConceptDetails, NOT_FOUND, TOO_LONG),
    )
    async def titled(request: Request, title: Title) -> Response:
        return await answer(request, partial(details_answer, request, title))

    @routes.get(
        "/concepts/related",
        operation_id="related_concepts_by_title",
        summary="Which concepts are most related to the one of a title?",
        description="As `GET /v1/concepts/{id}/related`, of a concept that is named by its title.",
        responses=answers(RelatedConcepts, NOT_FOUND, UNKNOWN_MODEL, TOO_LONG),
    )
    async def most_related_to_titled(
        request: Request,
        title: Title,
        k: Most = 20,
        min_score: Least = 0.0,
        category: OfCategory = None,
        by_model: ByModel = None,
    ) -> Response:
        asked = partial(related_answer, request, title, k, min_score, category, by_model)
        return await answer(request, asked)

    @routes.get(
        "/concepts/{id}",
        operation_id="get_concept",
        summary="What is known of a concept?",
        description="Its title and redirects, categories, how many concepts it is linked with, and for which "
        "features the snapshot has evidence about it.",
        responses=answers(ConceptDetails, NOT_FOUND, TOO_LONG),
    )
    async def one(request: Request, page_id: PageId) -> Response:
        return await answer(request, partial(details_answer, request, page_id))

    @routes.get(
        "/concepts/{id}/related",
        operation_id="related_concepts",
        summary="Which concepts are most related to this one?",
        description="The `k` most related concepts, by score as it is before it is cut to 0.99. Every score "
        "is that of `POST /v1/relatedness`. In a large wiki the candidates are those that the concept is "
        "mentioned with and those of similar text, some hundreds; all of them are scored by the full model.",
        responses=answers(RelatedConcepts, NOT_FOUND, UNKNOWN_MODEL, TOO_LONG, examples=RELATED),
    )
    async def most_related(
        request: Request,
        page_id: PageId,
        k: Most = 20,
        min_score: Least = 0.0,
        category: OfCategory = None,
        by_model: ByModel = None,
    ) -> Response:
        asked = partial(related_answer, request, page_id, k, min_score, category, by_model)
        return await answer(request, asked)

    return routes


def details_answer(request: Request, named: int | str, serving: Serving) -> Response:
    """What is known of the concept ``named``.

    Raises:
        ProblemError: there is none.
    """
    concept = concept_of(serving.scorer, named)
    return unchanged(request, serving) or tagged(respond(details(serving.scorer, concept)), serving)


def related_answer(
    request: Request,
    named: int | str,
    k: int,
    min_score: float,
    category: str | None,
    model: str | None,
    serving: Serving,
) -> Response:
    """The concepts that are most related to the one ``named``.

    Raises:
        ProblemError: there is none, no such category, or no such model.
    """
    scorer = scorer_by(serving, model)
    concept = concept_of(scorer, named)
    try:
        if category is not None:
            category_id(scorer, category)
    except NoSuchCategory as error:
        listed = "`GET /v1/concepts/{id}` lists those of a concept."
        raise ProblemError(NOT_FOUND, f"{error} {listed}") from None
    response = unchanged(request, serving)
    return response or tagged(respond(related(scorer, concept, k, min_score, category)), serving)


def concept_of(scorer: Scorer, named: int | str) -> int:
    """The concept of a page id (int), or of a title or an address (str).

    Raises:
        ProblemError: there is none, or the title is empty; or it may mean several, which the problem has as
            its candidates.
    """
    if isinstance(named, str) and not named.strip():
        raise ProblemError(WRONG_SHAPE, "The title is empty. Name a concept, as in `title=Religion`.")
    resolution = scorer.pairs.one(named)
    if resolution.concept >= 0:
        return resolution.concept
    kind, instead = NOT_FOUND, "`GET /v1/concepts/search` finds concepts by their titles."
    if resolution.status == "ambiguous":
        kind, senses = AMBIGUOUS, "; ".join(resolution.candidates) or "none of them is here"
        detail = f"{named!r} may mean several concepts: {senses}."
        if len(resolution.candidates) == 1:
            detail = f"There is no concept called just {named!r}. There is {senses}."
            instead = "Ask for that."
        elif resolution.candidates:
            instead = "Ask again with one of these titles."
    elif isinstance(named, int):
        detail = f"No concept of {scorer.snapshot.id} has the page id {named}."
    else:
        detail = f"No concept of {scorer.snapshot.id} has the title {named!r}."
        if excerpt := not_in_excerpt(scorer.snapshot_info):
            detail = f"{detail} {excerpt}"
    raise ProblemError(
        kind,
        f"{detail} {instead}",
        candidates=resolution.candidates,
        suggestions=resolution.suggestions,
    )
