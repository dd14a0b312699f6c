"""Concepts by what somebody types of their names."""

from __future__ import annotations

from itertools import takewhile

from app.scoring.concepts import Scorer
from app.scoring.related import OF_MEANINGS
from snapshots.naming.alias_use import lists_meanings
from snapshots.naming.mentions import QUALIFIER, fold
from snapshots.text import words
from wort.schemas.concepts import FoundConcept, SearchResponse

_ABBREVIATED = 5
"""Letters of the longest query in capitals that is taken for an abbreviation."""


def search(scorer: Scorer, query: str, limit: int) -> SearchResponse:
    """The concepts that a search for ``query`` finds, ``limit`` at most, the best first.

    What compares concepts reads some names that are no beginning of a title, such as WHO and WW2: what it
    would take the query for is found as well, and first unless that is the title of another. Where nothing
    has a word for a name, or several do, what a comparison would suggest comes behind those that have it, and
    before what only begins so: for NYC New York City, and for "cow" Cattle.
    """
    page_ids = scorer.snapshot.page_ids
    results = scorer.resolver.search(query, limit + OF_MEANINGS)
    if "disambiguation" not in query.lower():
        results = [one for one in results if not lists_meanings(one.title)]
    found = [
        FoundConcept(one.title, page_ids[one.concept], one.match, one.redirect, one.alias) for one in results
    ]
    meant = scorer.resolver.resolve(query, suggest=False, candidates=False)
    called = sum(1 for _ in takewhile(lambda one: _is_called(one, query), found))
    if meant.matched in ("alias", "variant"):
        title = scorer.snapshot.concept_titles[meant.concept]
        first = next((one for one in found if one.title == title), None)
        if first is None or first.match not in ("prefix", "alias"):
            first = FoundConcept(title, page_ids[meant.concept], "alias", alias=query.strip().lower())
        if not (called and found[0].match == "prefix"):
            found = [first, *(one for one in found if one.title != title)]
    elif (is_nearly := all(one.match == "near" for one in found)) or (
        meant.status != "ok" and _is_whole(scorer, query)
    ):
        # What has the word, or begins so, a search finds by itself, and puts in order.
        there = set() if is_nearly else {one.title for one in found}
        suggested = [
            one
            for one in _suggested(scorer, query)
            if is_nearly or not (one.title in there or _has_word(one.title, query))
        ]
        known = {one.title for one in suggested}
        found = [*found[:called], *suggested, *(one for one in found[called:] if one.title not in known)]
    return SearchResponse(found[:limit])


def _is_called(found: FoundConcept, query: str) -> bool:
    """Whether what was found is called as the query, and does not only begin so."""
    name = QUALIFIER.sub("", found.alias or found.redirect or found.title)
    return found.match in ("prefix", "alias") and words(fold(name)) == words(fold(query))


def _has_word(title: str, query: str) -> bool:
    """Whether a title has a word that begins as the query does."""
    return any(word.startswith(fold(query.strip())) for word in words(fold(title)))


def _is_whole(scorer: Scorer, query: str) -> bool:
    """Whether a query is a word that articles write, or an abbreviation, and not the beginning of one."""
    word = query.strip()
    if word.isupper() and 1 < len(word) <= _ABBREVIATED:
        return True
    return word.isalpha() and len(word) > 1 and scorer.resolver.is_word(word)


def _suggested(scorer: Scorer, query: str) -> list[FoundConcept]:
    """What a comparison suggests for a name that no concept has."""
    named = {name: scorer.resolver.resolve(name) for name in scorer.pairs.one(query).suggestions}
    return [
        FoundConcept(one.title, one.page_id, "near", name if one.matched == "redirect" else None)
        for name, one in named.items()
        if one.title is not None
    ]
