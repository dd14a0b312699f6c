"""What the tools answer: a structure for programs, and a short text of it for the assistant to read."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from app.scoring.concepts import Scorer
from app.scoring.doubts import doubted_neighbours
from app.scoring.in_words import (
    SharedTitles,
    also_called_so,
    more_than,
    snapshot_name,
    start_of,
    understood,
)
from app.scoring.naming.resolving import PairResolver
from app.scoring.notes import notes_of
from app.scoring.panels import panel_says
from features.catalogue import FEATURES
from models.figures import figure
from wort.schemas.concepts import RelatedConcepts
from wort.schemas.described import Interval
from wort.schemas.evidence import Percentiles
from wort.schemas.relatedness import PairResult
from wort.schemas.sides import Side

NAMED = 5
"""Features, and concepts of each kind of evidence, that a text names; the structure has them all."""

QUESTIONS = {feature.name: feature.description for feature in FEATURES}


PANELS = 0.9
"""The share of panels of people that answer between ``low`` and ``high``."""


def interval_of(low: float | None, high: float | None) -> Interval | None:
    """The interval of a score that an answer has the ends of; None where it is unknown."""
    return None if low is None or high is None else Interval(low, high, PANELS)


def told(score: float, interval: Interval | None) -> str:
    """A score, and what people would say of the pair, as far as that is known.

    >>> told(0.9, Interval(0.0, 1.0, 0.9))[:61]
    '0.90 of 1. Of ten people, any number may call them related (0'
    >>> told(0.9, None)
    '0.90 of 1.'
    """
    people = f" {''.join(panel_says(score, interval))}" if interval else ""
    return f"{score:.2f} of 1.{people}"


class ToolResult(BaseModel):
    """What assistants are told, read off what the service answers by attributes of the same names."""

    model_config = ConfigDict(from_attributes=True)


class NamedConcept(ToolResult):
    """A Wikipedia article."""

    title: str
    page_id: Annotated[int | None, Field(description="Its page id, if it has one on Wikipedia.")]


Notes = Annotated[
    list[str],
    Field(
        description="What a name was taken for where it is no title, what else is called so, and why the "
        "score may be too high."
    ),
]


class Pair(ToolResult):
    """How related two concepts are."""

    left: NamedConcept
    right: NamedConcept
    score: Annotated[float, Field(description="0 to 1: the share of people who would call them related.")]
    low: Annotated[
        float | None, Field(description="The least share that nine of ten panels of people would give it.")
    ]
    high: Annotated[float | None, Field(description="The greatest share.")]
    percentile_random: Annotated[
        float | None, Field(description="Percent of random pairs of concepts that score less.")
    ]
    percentile_linked: Annotated[
        float | None, Field(description="Percent of pairs of linked articles that score less.")
    ]
    notes: Notes
    snapshot: Annotated[str, Field(description="The Wikipedia that the score rests on.")]

    @property
    def text(self) -> str:
        """The score in a sentence or two, and a line for each note."""
        interval = interval_of(self.low, self.high)
        more = more_than(Percentiles(self.percentile_random, self.percentile_linked), interval)
        named = f"{self.left.title} – {self.right.title}"
        return "\n".join([f"{named}: {told(self.score, interval)}{more} ({self.snapshot})", *self.notes])


class Addend(ToolResult):
    """What one feature adds to the score."""

    feature: str
    question: Annotated[str, Field(description="What the feature asks of the two.")]
    value: float
    contribution: Annotated[float, Field(description="What it adds to the score.")]


class Shared(ToolResult):
    """What the two concepts share, the most telling first."""

    linked_from: Annotated[list[str], Field(description="Articles that link to both.")]
    links_to: Annotated[list[str], Field(description="Articles that both link to.")]
    categories: list[str]
    topics: Annotated[list[str], Field(description="Concepts that the texts of both are about.")]
    words: Annotated[list[str], Field(description="Words that both articles use.")]
    paragraphs: Annotated[str, Field(description="How many paragraphs of Wikipedia mention both.")]


class ExplainedPair(Pair):
    """How related two concepts are, and why."""

    intercept: Annotated[float, Field(description="What the model begins with, whatever the pair.")]
    addends: Annotated[
        list[Addend],
        Field(description="The heaviest first. With the intercept they sum to the score, cut to 0 to 0.99."),
    ]
    shared: Shared | None

    @property
    def text(self) -> str:
        """The score, what adds the most to it, and what is shared, in lines."""
        lines = [super().text]
        heaviest = [addend for addend in self.addends if addend.contribution][:NAMED]
        if heaviest:
            lines.append("What weighs most:")
        lines += [f"- {of.feature} ({of.question}) {figure(of.contribution, '+.3f')}" for of in heaviest]
        if self.shared is not None:
            lines += SharedTitles(**self.shared.model_dump()).lines(NAMED)
        return "\n".join(lines)


class RelatedConcept(NamedConcept):
    """A concept beside another."""

    score: float
    doubted: Annotated[
        str | None,
        Field(description="Where the score may be too high: the sign of the note that says why, `*` or `†`."),
    ] = None


class Neighbours(ToolResult):
    """The concepts that are the most related to one, the first the most."""

    concept: NamedConcept
    related: list[RelatedConcept]
    notes: Notes
    snapshot: str

    @property
    def text(self) -> str:
        """The concepts with their scores, one a line."""
        lines = [f"{one.score:.2f}{one.doubted or ''} {one.title}" for one in self.related]
        if lines:
            lines.insert(0, f"The most related to {self.concept.title} ({self.snapshot}):")
        else:
            lines = [
                f"No concept of {self.snapshot} has evidence that it is related to {self.concept.title}."
            ]
        return "\n".join([*lines, *self.notes])


class FoundConcept(NamedConcept):
    """A concept that a search found."""

    match: Annotated[
        Literal["prefix", "alias", "words", "near"],
        Field(
            description="Whether a title begins so, it is called so, has the words, or is written or means "
            "nearly so."
        ),
    ]
    redirect: Annotated[str | None, Field(description="The other title that it was found by.")]
    alias: Annotated[str | None, Field(description="The other name that it was found by.")]


TRY_OTHERWISE = "Try fewer letters, or another name of it."


class FoundConcepts(ToolResult):
    """What a search found, the best first."""

    concepts: list[FoundConcept]
    snapshot: str
    excerpt: Annotated[
        str, Field(description="Of an excerpt: that it is one, and how to get all concepts.")
    ] = ""

    @property
    def text(self) -> str:
        """The titles, one a line."""
        if not self.concepts:
            return f"Nothing in {self.snapshot} is written like that. {self.excerpt or TRY_OTHERWISE}"
        lines = [
            f"{concept.title} (also {other})"
            if (other := concept.redirect or concept.alias)
            else concept.title
            for concept in self.concepts
        ]
        return "\n".join(lines)


Result = Pair | Neighbours | FoundConcepts


def notes(side: Side, pairs: PairResolver) -> list[str]:
    """What to know of a side: how it was understood, and what else is called so."""
    return [note for note in (understood(side), also_called_so(pairs.namesakes(side))) if note]


def neighbours(nearest: RelatedConcepts, side: Side, scorer: Scorer) -> Neighbours:
    """What is most related to a concept, which was understood as ``side``, by what gave it."""
    doubted = doubted_neighbours(scorer, side, nearest.related)
    related = [
        RelatedConcept(title=one.title, page_id=one.page_id, score=one.score, doubted=sign or None)
        for one, sign in zip(nearest.related, doubted.signs, strict=True)
    ]
    return Neighbours(
        concept=NamedConcept.model_validate(nearest.concept),
        related=related,
        notes=[*notes(side, scorer.pairs), *doubted.notes],
        snapshot=snapshot_name(scorer.snapshot_info),
    )


def pair(result: PairResult, scorer: Scorer) -> Pair:
    """The answer of a pair that has a score, by what gave it."""
    return Pair.model_validate(_pair(result, scorer))


def explained_pair(result: PairResult, scorer: Scorer) -> ExplainedPair:
    """The answer of a pair that has a score, with its reasons. A concept with itself has none."""
    explanation = result.explanation
    addends = [] if explanation is None else explanation.contributions
    start = 0.0 if explanation is None else start_of(explanation)
    reasons = {
        "intercept": start,
        "addends": [
            {
                "feature": addend.feature,
                "value": addend.value,
                # In units of evidence it says nothing to people: what it adds to the score does.
                "contribution": addend.contribution if addend.share is None else addend.share,
                "question": QUESTIONS[addend.feature],
            }
            for addend in sorted(addends, key=lambda addend: -abs(addend.contribution))
        ],
        "shared": None if result.evidence is None else SharedTitles.of(result.evidence),
    }
    return ExplainedPair.model_validate(_pair(result, scorer) | reasons)


def _pair(result: PairResult, scorer: Scorer) -> dict[str, object]:
    sides = (result.resolved.left, result.resolved.right)
    percentiles = result.percentiles or Percentiles()
    return {
        "left": result.resolved.left,
        "right": result.resolved.right,
        "score": result.score,
        "low": None if result.interval is None else result.interval.low,
        "high": None if result.interval is None else result.interval.high,
        "percentile_random": percentiles.random,
        "percentile_linked": percentiles.linked,
        "notes": [
            *filter(None, map(understood, sides)),
            *notes_of(scorer, result),
        ],
        "snapshot": snapshot_name(scorer.snapshot_info),
    }
