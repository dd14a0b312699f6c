"""The tools: each answers from what is served at the time, or says what to ask instead."""

from __future__ import annotations

from typing import Annotated

from mcp.server.mcpserver.exceptions import ToolError
from mcp.types import CallToolResult, TextContent
from pydantic import Field

from app.assistant.results import (
    ExplainedPair,
    FoundConcepts,
    Neighbours,
    Pair,
    Result,
    explained_pair,
    pair,
)
from app.scoring.concepts import Scorer
from app.scoring.in_words import advice, snapshot_name
from app.scoring.related import related
from app.scoring.search import search
from app.serving.source import Source
from wort.schemas.relatedness import PairResult

ConceptName = Annotated[
    str | int,
    Field(description="A Wikipedia article: its title, its address, or its page id. Redirects are followed."),
]
Most = Annotated[int, Field(ge=1, le=50, description="The most to return.")]


class Tools:
    """The tools over what a source serves. Each call is answered by one release from start to end."""

    def __init__(self, source: Source) -> None:
        self._source = source

    def relatedness(self, left: ConceptName, right: ConceptName) -> Annotated[CallToolResult, Pair]:
        """How related are two Wikipedia concepts? A score from 0 (not at all) to 1.

        The score means the share of people who would call the two related, and is the same in both orders.
        Use it to rank, group or disambiguate things that have Wikipedia articles. It says nothing of how
        they are related: `explain` does.
        """
        scorer, result = self._scored(left, right, explain=False)
        return _answer(pair(result, scorer.snapshot_info))

    def explain(self, left: ConceptName, right: ConceptName) -> Annotated[CallToolResult, ExplainedPair]:
        """Why are two Wikipedia concepts related, or not? The score and the evidence behind it.

        What each feature adds to the score, and what the two share: articles that link to both, articles that
        both link to, categories, the topics of their texts.
        """
        scorer, result = self._scored(left, right, explain=True)
        return _answer(explained_pair(result, scorer.snapshot_info))

    def related(self, concept: ConceptName, k: Most = 10) -> Annotated[CallToolResult, Neighbours]:
        """Which concepts are the most related to one? The `k` best, with the scores of `relatedness`."""
        scorer = self._source.current.scorer
        resolution = scorer.resolver.resolve(concept)
        if resolution.concept < 0:
            raise ToolError(advice(scorer.snapshot_info, concept, resolution))
        nearest = related(scorer, resolution.concept, k)
        fields = {"concept": nearest.concept, "related": nearest.related}
        return _answer(Neighbours.model_validate(fields | _snapshot(scorer)))

    def search(
        self,
        query: Annotated[str, Field(min_length=1, max_length=255, description="How the title begins.")],
        limit: Most = 10,
    ) -> Annotated[CallToolResult, FoundConcepts]:
        """Which Wikipedia articles have a title that begins so, or nearly so? Use it to find exact titles."""
        scorer = self._source.current.scorer
        concepts = search(scorer, query, limit).concepts
        return _answer(FoundConcepts.model_validate({"concepts": concepts} | _snapshot(scorer)))

    def _scored(self, left: str | int, right: str | int, explain: bool) -> tuple[Scorer, PairResult]:
        """The result of a pair that has a score, and what gave it.

        Raises:
            ToolError: a side names no concept, or several; both are told at once.
        """
        scorer = self._source.current.scorer
        (result,) = scorer.score([(left, right)], explain)
        if result.score is None:
            sides = (result.resolved.left, result.resolved.right)
            told = [advice(scorer.snapshot_info, side.asked, side) for side in sides if side.status != "ok"]
            raise ToolError("\n".join(told))
        return scorer, result


def _snapshot(scorer: Scorer) -> dict[str, str]:
    return {"snapshot": snapshot_name(scorer.snapshot_info)}


def _answer(result: Result) -> CallToolResult:
    return CallToolResult(
        content=[TextContent(type="text", text=result.text)], structured_content=result.model_dump()
    )
