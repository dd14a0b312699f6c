"""Concepts by what somebody types of their names."""

from __future__ import annotations

from app.scoring.concepts import Scorer
from wort.schemas.concepts import FoundConcept, SearchResponse


def search(scorer: Scorer, query: str, limit: int) -> SearchResponse:
    """The concepts that a search for ``query`` finds, ``limit`` at most, the best first."""
    page_ids = scorer.snapshot.page_ids
    results = scorer.resolver.search(query, limit)
    return SearchResponse(
        [
            FoundConcept(one.title, page_ids[one.concept], one.match, one.redirect, one.alias)
            for one in results
        ]
    )
