"""What pages say of texts in which no mention is sure enough."""

from __future__ import annotations

from app.api.texts import annotated
from app.scoring.annotating import TextAnnotator
from app.scoring.concepts import Scorer
from app.scoring.unsure import Unsure, unsure_of
from app.web.responses.turns import Turns


async def unsure_in(
    turns: Turns, scorer: Scorer, annotator: TextAnnotator, text: str, least: float | None = None
) -> Unsure | None:
    """What a text without annotations mentions nevertheless; ``least``: the ρ that they were to have."""
    below = await annotated(turns, annotator, text, (), 0.0)
    doubted = [] if below else await annotated(turns, annotator.undoubting(), text, (), least)
    return unsure_of(scorer.snapshot.concept_titles, text, below, doubted)
