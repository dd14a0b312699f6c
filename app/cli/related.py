"""``wort related``: the concepts that are the most related to one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

import typer

from app.cli.answering import SEARCH, JsonOrText, asked, encodable, rests_on, tell
from app.cli.settings import AskedModel, AskedSnapshot

if TYPE_CHECKING:
    from app.scoring.concepts import Scorer
    from wort.schemas.concepts import RelatedConcepts
    from wort.schemas.sides import Side

MOST = 100
"""As the server allows."""


def related(
    concept: Annotated[
        str, typer.Argument(help="A title, or the address of an article.", callback=encodable)
    ],
    top: Annotated[int, typer.Option(help="The most concepts to show.", min=1, max=MOST)] = 20,
    snapshot: AskedSnapshot = None,
    model: AskedModel = None,
    json: JsonOrText = None,
) -> None:
    """Which concepts are the most related to one? With their scores, the most related first.

    The answer is that of GET /v1/concepts/related; where there is no such concept, its problem in JSON, with
    candidates and suggestions, and the exit code 3.
    """
    from app.errors import NoSuchConcept
    from app.scoring.in_words import advice
    from app.scoring.related import related as most_related

    scorer = asked(snapshot, model).scorer
    resolution = scorer.pairs.one(concept)
    if resolution.concept < 0:
        _tell_problem(scorer, concept, json)
        raise NoSuchConcept(advice(scorer.snapshot_info, concept, resolution, SEARCH))
    answer = most_related(scorer, resolution.concept, top)
    side = scorer.pairs.side(concept, resolution)
    tell(answer, lambda: _lines(answer, side, scorer), json)


def _tell_problem(scorer: Scorer, concept: str, as_json: bool | None) -> None:
    """Print in JSON what the server answers to what names no concept; it is told in words elsewhere."""
    # Imported here: only this needs the web.
    from app.api.concepts import concept_of
    from app.web.problems import ProblemError

    try:
        concept_of(scorer, concept)
    except ProblemError as error:
        tell(error.problem(), lambda: (), as_json)


def _lines(answer: RelatedConcepts, side: Side, scorer: Scorer) -> Iterator[str]:
    from app.scoring.doubts import doubted_neighbours
    from app.scoring.in_words import understood

    yield from filter(None, [understood(side)])
    if answer.related:
        yield f"The most related to {answer.concept.title}:"
    else:
        yield f"No concept here has evidence that it is related to {answer.concept.title}."
    doubted = doubted_neighbours(scorer, side, answer.related)
    for one, sign in zip(answer.related, doubted.signs, strict=True):
        yield f"  {one.score:.2f}{sign or ' '} {one.title}"
    yield from doubted.notes
    yield rests_on(answer.model, answer.snapshot)
