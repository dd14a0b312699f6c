"""Two concepts: their score, where it stands, what it adds up from, and the evidence."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby

from fastapi import APIRouter, Request, Response

from app.pages.bars import Bar, bars
from app.pages.examples import example_pairs
from app.pages.rendering import FormField, PageRoute, page
from app.serving.serving import Serving
from app.web.responses.answering import answer
from features.catalogue import FEATURES
from wort.schemas.relatedness import Explanation

SCORES_IN_WORDS = (
    (0.15, "Unrelated"),
    (0.35, "Barely related"),
    (0.6, "Somewhat related"),
    (0.8, "Related"),
    (1.0, "Closely related"),
)
"""What a score is called that is at most so much. The number is what counts; this is how to say it."""

router = APIRouter(include_in_schema=False, route_class=PageRoute)


@dataclass(frozen=True, slots=True)
class ExplanationRow:
    """One line of the explanation. ``value`` is None for the intercept."""

    name: str
    description: str
    value: float | None
    contribution: float
    bar: Bar


@router.get("/")
async def compare(request: Request, left: FormField = "", right: FormField = "") -> Response:
    """The form and, where two concepts are named, what is known of them."""
    left, right = left.strip(), right.strip()

    def drawn(serving: Serving) -> Response:
        (result,) = serving.scorer.score([(left, right)], explain=True) if left and right else [None]
        return page(
            request,
            serving,
            "compare.html",
            left=left,
            right=right,
            result=result,
            in_words=in_words(result.score) if result and result.score is not None else None,
            groups=rows_by_group(result.explanation) if result and result.explanation else None,
            examples=[] if result else example_pairs(serving.scorer),
        )

    return await answer(request, drawn)


def in_words(score: float) -> str:
    """A score, from 0 to 1, in words."""
    return next(words for most, words in SCORES_IN_WORDS if score <= most)


def rows_by_group(explanation: Explanation) -> list[tuple[str, list[ExplanationRow]]]:
    """The explanation's lines by group of features, in the order in which they are added."""
    contributions = [explanation.intercept, *(entry.contribution for entry in explanation.contributions)]
    drawn = bars(contributions)
    rows = [
        (
            feature.group,
            ExplanationRow(feature.name, feature.description, entry.value, entry.contribution, bar),
        )
        for feature, entry, bar in zip(FEATURES, explanation.contributions, drawn[1:], strict=True)
    ]
    start = ExplanationRow("Intercept", "where every pair begins", None, explanation.intercept, drawn[0])
    return [
        ("Start", [start]),
        *((group, [row for _, row in members]) for group, members in groupby(rows, key=lambda row: row[0])),
    ]
