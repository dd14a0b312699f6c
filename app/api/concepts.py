"""Concepts by themselves: found, described, and with the concepts related to them."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Path, Query, Request, Response

from app.api.relatedness import STARTER
from app.scoring.concepts import Scorer
from app.scoring.details import details
from app.scoring.related import MOST, NoSuchCategory, category_id, related
from app.serving.serving import Serving
from app.settings import Settings
from app.web.answers.answering import answer
from app.web.answers.caching import tagged, unchanged
from app.web.answers.respond import respond
from app.web.openapi.document import answers
from app.web.openapi.shared_responses import UNCHANGED
from app.web.problems import NOT_FOUND, TOO_LONG, ProblemError
from wort.wire.concepts import ConceptDetails, FoundConcept, RelatedConcepts, SearchResponse

PageId = Annotated[
    int,
    Path(
        alias="id",
        description="The page id of the concept's article.",
        # What the page of the interface fills in: it does not look at `examples`.
        json_schema_extra={"example": 25414},
    ),
]

RELATED: dict[str, Any] = {
    "religion": {
        "summary": "Of Religion (25414), with k=2, by what the package carries",
        "value": {
            "concept": {"title": "Religion", "page_id": 25414},
            "related": [
                {
                    "title": "Sociology of religion",
                    "page_id": 28352,
                    "score": 1.0,
                    "percentiles": {"random": 100.0, "linked": 99.71},
                },
                {
                    "title": "Freedom of religion",
                    "page_id": 46006,
                    "score": 1.0,
                    "percentiles": {"random": 100.0, "linked": 99.71},
                },
            ],
            "candidates": 550,
            **STARTER,
        },
    },
}
"""What ``GET /concepts/{id}/related`` answers; a test compares."""


def router(_: Settings) -> APIRouter:
    """The routes."""
    routes = APIRouter()

    @routes.get(
        "/concepts/search",
        operation_id="search_concepts",
        summary="Find concepts by the beginning of their titles",
        description="Concepts of which a title or a redirect begins with `q`, whatever its case and accents, "
        "the most linked first. After them, up to `limit`, those of which one nearly begins so: but for one "
        "letter missing, too many, wrong, or exchanged with the next; or for two, where `q` has six letters "
        "and no title begins with it.",
        responses={**answers(SearchResponse, TOO_LONG), **UNCHANGED},
        tags=["concepts"],
    )
    async def search(
        request: Request,
        q: Annotated[str, Query(max_length=255, description="How the title begins.", examples=["Athe"])],
        limit: Annotated[int, Query(ge=1, le=50, description="The most concepts to return.")] = 10,
    ) -> Response:
        def work(serving: Serving) -> Response:
            kept = unchanged(request, serving)
            return kept or tagged(respond(found(serving.scorer, q, limit)), serving)

        return await answer(request, work)

    @routes.get(
        "/concepts/{id}",
        operation_id="get_concept",
        summary="What is known of a concept?",
        description="Its title and redirects, categories, how many concepts it is linked with, and for which "
        "features the snapshot has evidence about it.",
        responses={**answers(ConceptDetails, NOT_FOUND, TOO_LONG), **UNCHANGED},
        tags=["concepts"],
    )
    async def one(request: Request, page_id: PageId) -> Response:
        def work(serving: Serving) -> Response:
            concept = concept_of(serving.scorer, page_id)
            kept = unchanged(request, serving)
            return kept or tagged(respond(details(serving.scorer, concept)), serving)

        return await answer(request, work)

    @routes.get(
        "/concepts/{id}/related",
        operation_id="related_concepts",
        summary="Which concepts are most related to this one?",
        description="The `k` most related concepts, by score. Every score is that of `POST /relatedness`. "
        "In a large wiki the candidates are those that the concept is mentioned with and those of similar "
        "text, some hundreds; all of them are scored by the full model.",
        responses={**answers(RelatedConcepts, NOT_FOUND, TOO_LONG, examples=RELATED), **UNCHANGED},
        tags=["concepts"],
    )
    async def most_related(
        request: Request,
        page_id: PageId,
        k: Annotated[int, Query(ge=1, le=MOST, description="The most concepts to return.")] = 20,
        min_score: Annotated[float, Query(ge=0, le=1, description="The least score.")] = 0.0,
        category: Annotated[
            str | None,
            Query(max_length=255, description="The title of a category: its members alone are returned."),
        ] = None,
    ) -> Response:
        def work(serving: Serving) -> Response:
            scorer = serving.scorer
            concept = concept_of(scorer, page_id)
            try:
                if category is not None:
                    category_id(scorer, category)
            except NoSuchCategory as error:
                raise ProblemError(NOT_FOUND, str(error)) from None
            kept = unchanged(request, serving)
            return kept or tagged(respond(related(scorer, concept, k, min_score, category)), serving)

        return await answer(request, work)

    return routes


def found(scorer: Scorer, q: str, limit: int) -> SearchResponse:
    """The concepts that a search for ``q`` finds, ``limit`` at most."""
    page_ids = scorer.snapshot.array("page_ids")
    return SearchResponse(
        [
            FoundConcept(each.title, int(page_ids[each.concept]), each.match, each.redirect)
            for each in scorer.resolver.search(q, limit)
        ]
    )


def concept_of(scorer: Scorer, page_id: int) -> int:
    """The concept of a page id.

    Raises:
        ProblemError: there is none.
    """
    concept = scorer.resolver.resolve(page_id).concept
    if concept < 0:
        raise ProblemError(
            NOT_FOUND,
            f"No concept of {scorer.snapshot.id} has the page id {page_id}. `GET /concepts/search` finds "
            "concepts by their titles.",
        )
    return concept
