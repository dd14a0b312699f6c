"""Two concepts: their score, where it stands, what it adds up from, and the evidence."""

from __future__ import annotations

from dataclasses import dataclass
from math import fsum

from fastapi import APIRouter, Request, Response

from app.pages.bars import Bar, bars
from app.pages.examples import example_pairs
from app.pages.rendering import FormField, PageRoute, page
from app.serving.serving import Serving
from app.web.responses.answering import answer
from features.catalogue import FEATURES
from wort.schemas.described import Interval
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


PANEL = 10
"""People of whom an interval is told."""


@dataclass(frozen=True, slots=True)
class ExplanationRow:
    """One line of the explanation. ``value`` is None for the intercept.

    ``added``: what it adds to the score.
    """

    name: str
    description: str
    value: float | None
    added: float
    bar: Bar


@dataclass(frozen=True, slots=True)
class ExplanationGroup:
    """The lines of a group of features. ``added``: what they add to the score together."""

    name: str
    added: float
    rows: list[ExplanationRow]


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
            panel=of_ten(result.interval) if result and result.interval else None,
            thresholds=bool(serving.scorer.model.operating_points),
            groups=rows_by_group(result.explanation) if result and result.explanation else None,
            examples=[] if result else example_pairs(serving.scorer),
        )

    return await answer(request, drawn)


def in_words(score: float) -> str:
    """A score, from 0 to 1, in words."""
    return next(words for most, words in SCORES_IN_WORDS if score <= most)


def of_ten(interval: Interval) -> str:
    """An interval in words: how many of ten people would say so.

    >>> [of_ten(Interval(*ends, 0.9)) for ends in ((0.38, 0.83), (0.0, 0.04), (0.98, 1.0), (0.12, 0.13))]
    ['between 4 and 8', 'none', 'all', 'about 1']
    >>> [of_ten(Interval(*ends, 0.9)) for ends in ((0.0, 0.24), (0.71, 1.0), (0.0, 1.0))]
    ['at most 2', 'at least 7', 'any number']
    """
    low, high = round(PANEL * interval.low), round(PANEL * interval.high)
    if low == high:
        return {0: "none", PANEL: "all"}.get(low, f"about {low}")
    if low > 0:
        return f"between {low} and {high}" if high < PANEL else f"at least {low}"
    return f"at most {high}" if high < PANEL else "any number"


def rows_by_group(explanation: Explanation) -> list[ExplanationGroup]:
    """What the features add to the score, by group; first what every pair begins with.

    Contributions to another unit are shown by the shares of the score that they stand for.
    """
    by_name = {entry.feature: entry for entry in explanation.contributions}
    known = [(feature, by_name[feature.name]) for feature in FEATURES if feature.name in by_name]
    start = explanation.intercept if explanation.start is None else explanation.start
    added = [entry.contribution if entry.share is None else entry.share for _, entry in known]
    start_bar, *drawn = bars([start, *added])
    rows = [
        ExplanationRow(feature.name, feature.description, entry.value, share, bar)
        for (feature, entry), share, bar in zip(known, added, drawn, strict=True)
    ]
    groups = list(dict.fromkeys(feature.group for feature, _ in known))
    members = [
        [row for row, (feature, _) in zip(rows, known, strict=True) if feature.group == group]
        for group in groups
    ]
    first = ExplanationRow("Intercept", "where every pair begins", None, start, start_bar)
    return [
        ExplanationGroup("Start", start, [first]),
        *(
            ExplanationGroup(group, fsum(row.added for row in of_group), of_group)
            for group, of_group in zip(groups, members, strict=True)
        ),
    ]
