"""The tools: each answers from what is served at the time, or says what to ask instead."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, TypeVar

from mcp.server.mcpserver.exceptions import ToolError
from mcp.types import CallToolResult, TextContent
from pydantic import Field, StrictInt

from app.assistant.results import (
    ExplainedPair,
    FoundConcepts,
    Neighbours,
    Pair,
    Result,
    explained_pair,
    neighbours,
    pair,
)
from app.assistant.text_results import (
    AnnotatedText,
    Mention,
    Term,
    TermPairResult,
    TextPair,
    TextResult,
    text_concept,
)
from app.errors import AppError
from app.scoring.concepts import Scorer
from app.scoring.documents import ConceptBag, as_terms, document_relatedness
from app.scoring.in_words import advice, advice_on, not_in_excerpt, snapshot_name
from app.scoring.related import related
from app.scoring.search import search
from app.scoring.terms import TermScorer
from app.scoring.unknown_terms import only_joins
from app.serving.source import Source
from features.terms.extract import TermPair
from models.errors import ModelError
from snapshots.errors import SnapshotError
from wort.schemas.relatedness import PairResult
from wort.schemas.terms import TermSide

ConceptName = Annotated[
    str | StrictInt,  # else true were the page 1
    Field(description="A Wikipedia article: its title, its address, or its page id. Redirects are followed."),
]
PastedText = Annotated[
    str, Field(min_length=1, max_length=20_000, description="A text of a sentence or many paragraphs.")
]
FreeTerm = Annotated[
    str, Field(min_length=1, max_length=255, description="A term of one word or several, no article needed.")
]
About = Annotated[
    str | None, Field(max_length=1000, description="What the two are about: it helps to choose their senses.")
]
Most = Annotated[int, Field(ge=1, le=50, description="The most to return.")]

T = TypeVar("T")


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
        return _answer(pair(result, scorer))

    def explain(self, left: ConceptName, right: ConceptName) -> Annotated[CallToolResult, ExplainedPair]:
        """Why are two Wikipedia concepts related, or not? The score and the evidence behind it.

        What each feature adds to the score, and what the two share: articles that link to both, articles that
        both link to, categories, the topics of their texts.
        """
        scorer, result = self._scored(left, right, explain=True)
        return _answer(explained_pair(result, scorer))

    def related(self, concept: ConceptName, k: Most = 10) -> Annotated[CallToolResult, Neighbours]:
        """Which concepts are the most related to one? The `k` best, with the scores of `relatedness`."""
        scorer = self._source.current.scorer
        resolution = scorer.pairs.one(concept)
        if resolution.concept < 0:
            raise ToolError(advice(scorer.snapshot_info, concept, resolution))
        nearest = related(scorer, resolution.concept, k)
        side = scorer.pairs.side(concept, resolution)
        return _answer(neighbours(nearest, side, scorer))

    def search(
        self,
        query: Annotated[str, Field(min_length=1, max_length=255, description="A name, or words of it.")],
        limit: Most = 10,
    ) -> Annotated[CallToolResult, FoundConcepts]:
        """Which Wikipedia articles are called so, or nearly so? Use it to find exact titles."""
        scorer = self._source.current.scorer
        concepts = search(scorer, query, limit).concepts
        return _answer(
            FoundConcepts.model_validate(
                {"concepts": concepts, "excerpt": not_in_excerpt(scorer.snapshot_info)} | _snapshot(scorer)
            )
        )

    def annotate(self, text: PastedText) -> Annotated[CallToolResult, AnnotatedText]:
        """Which Wikipedia concepts does a text mention? Each mention with its article, from left to right.

        Senses are chosen by what stands around. Use it to link a text, or to find what `relatedness` can
        be asked about.
        """
        serving = self._source.current
        annotator = _opened(serving.annotator)
        mentions = annotator.described(text, annotator.annotated(text))
        annotations = [Mention.model_validate(mention) for mention in mentions]
        return _answer(AnnotatedText(annotations=annotations, **_snapshot(serving.scorer)))

    def texts(self, left: PastedText, right: PastedText) -> Annotated[CallToolResult, TextPair]:
        """How related are two texts? A score from 0 to 1, through the concepts that they mention."""
        serving = self._source.current
        scorer, annotator = serving.scorer, _opened(serving.annotator)
        first, second = (ConceptBag.of(scorer.snapshot, annotator.annotated(text)) for text in (left, right))
        instead = as_terms(left, right, "`terms`")
        said = document_relatedness(scorer, first, second, explain=True, instead=instead)
        return _answer(
            TextPair(
                score=said.score,
                note=said.note,
                left=list(map(text_concept, said.left.concepts)),
                right=list(map(text_concept, said.right.concepts)),
                **_snapshot(scorer),
            )
        )

    def terms(
        self, left: FreeTerm, right: FreeTerm, context: About = None
    ) -> Annotated[CallToolResult, TermPairResult]:
        """How related are two free terms, whether or not they are Wikipedia articles? A score from 0 to 1.

        Use it for what people write: "violent video games", "aggression". `context` says what the two are
        about, and helps to choose their senses. Terms that name articles score as `relatedness` says.
        """
        serving = self._source.current
        scorer = _opened(serving.terms)
        (said,) = scorer.score([TermPair(left, right, context)])
        if said.score is None:
            sides = (said.resolved.left, said.resolved.right)
            unknown = [side for side in sides if side.status != "ok"]
            named = " and ".join(f"{side.asked!r}" for side in unknown)
            joins = any(only_joins(side, serving.scorer.snapshot_info) for side in unknown)
            why = " Words that only join others say nothing by themselves." if joins else ""
            raise ToolError(f"Nothing is known of {named}.{why} Ask with other words.")
        return _answer(
            TermPairResult(
                left=_term(said.resolved.left, scorer),
                right=_term(said.resolved.right, scorer),
                score=said.score,
                low=None if said.interval is None else said.interval.low,
                high=None if said.interval is None else said.interval.high,
                used=list(said.used or ()),
                **_snapshot(serving.scorer),
            )
        )

    def _scored(self, left: str | int, right: str | int, explain: bool) -> tuple[Scorer, PairResult]:
        """The result of a pair that has a score, and what gave it.

        Raises:
            ToolError: a side names no concept, or several; both are told at once.
        """
        scorer = self._source.current.scorer
        (result,) = scorer.score([(left, right)], explain)
        if result.score is None:
            sides = (result.resolved.left, result.resolved.right)
            unclear = [(side.asked, side) for side in sides if side.status != "ok"]
            raise ToolError(advice_on(scorer.snapshot_info, unclear, terms="terms"))
        return scorer, result


def _opened(open_: Callable[[], T]) -> T:
    """What texts or terms need.

    Raises:
        ToolError: this snapshot, or this model, has it not.
    """
    try:
        return open_()
    except (AppError, ModelError, SnapshotError) as error:
        raise ToolError(str(error)) from error


def _term(side: TermSide, scorer: TermScorer) -> Term:
    if side.sense is None:
        return Term(asked=side.asked, sense=None, whole=False, others=[])
    others = [*side.sense.alternatives, *scorer.abbreviated(side)]
    return Term(asked=side.asked, sense=side.sense.title, whole=side.sense.whole, others=others)


def _snapshot(scorer: Scorer) -> dict[str, str]:
    return {"snapshot": snapshot_name(scorer.snapshot_info)}


def _answer(result: Result | TextResult) -> CallToolResult:
    return CallToolResult(
        content=[TextContent(type="text", text=result.text)], structured_content=result.model_dump()
    )
