"""Concepts by what somebody types of their names."""

from __future__ import annotations

from app.scoring.concepts import Scorer
from app.scoring.related import OF_MEANINGS
from snapshots.annotator.names.alias_use import lists_meanings
from wort.schemas.concepts import FoundConcept, SearchResponse


def search(scorer: Scorer, query: str, limit: int) -> SearchResponse:
    """The concepts that a search for ``query`` finds, ``limit`` at most, the best first.

    What compares concepts reads some names that are no beginning of a title, such as WHO and WW2: what it
    would take the query for is found as well. Where nothing has the query for a name or a part of one, what
    it would suggest comes first: for NYC New York City.
    """
    page_ids = scorer.snapshot.page_ids
    results = scorer.resolver.search(query, limit + OF_MEANINGS)
    if "disambiguation" not in query.lower():
        results = [one for one in results if not lists_meanings(one.title)]
    results = results[:limit]
    found = [
        FoundConcept(one.title, page_ids[one.concept], one.match, one.redirect, one.alias) for one in results
    ]
    meant = scorer.resolver.resolve(query, suggest=False, candidates=False)
    if meant.matched in ("alias", "variant") and meant.concept not in {one.concept for one in results}:
        title = scorer.snapshot.concept_titles[meant.concept]
        found.insert(0, FoundConcept(title, page_ids[meant.concept], "alias", alias=query.strip().lower()))
    if all(one.match == "near" for one in found):
        suggested = _suggested(scorer, query)
        known = {one.title for one in suggested}
        found = [*suggested, *(one for one in found if one.title not in known)]
    return SearchResponse(found[:limit])


def _suggested(scorer: Scorer, query: str) -> list[FoundConcept]:
    """What a comparison suggests for a name that no concept has."""
    named = {name: scorer.resolver.resolve(name) for name in scorer.pairs.one(query).suggestions}
    return [
        FoundConcept(one.title, one.page_id, "near", name if one.matched == "redirect" else None)
        for name, one in named.items()
        if one.title is not None
    ]
