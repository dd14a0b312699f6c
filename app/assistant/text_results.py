"""What the tools answer of texts and of free terms: a structure for programs, and a short text of it."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from app.assistant.results import NAMED, NamedConcept, ToolResult, interval_of, told
from app.scoring.in_words import OF_TEXTS
from wort.schemas.texts import DocumentConcept

NO_CONCEPTS = "It mentions nothing that is a concept of this snapshot."


class Mention(NamedConcept):
    """A mention in a text, and the concept that it stands for."""

    mention: Annotated[str, Field(description="The mention as the text has it.")]
    start: Annotated[int, Field(description="Characters of the text before it.")]
    rho: Annotated[float, Field(description="How sure the annotation is, from 0 to 1.")]


class AnnotatedText(ToolResult):
    """The concepts that a text mentions, from left to right."""

    annotations: list[Mention]
    snapshot: str

    @property
    def text(self) -> str:
        """The mentions with their concepts, one a line."""
        lines = [f"{one.rho:.2f} {one.mention} → {one.title}" for one in self.annotations]
        return "\n".join(lines or [NO_CONCEPTS])


class TextConcept(NamedConcept):
    """A concept of a text, and the one of the other text that is most related to it."""

    weight: Annotated[float, Field(description="Its share of the text: those of a text sum to 1.")]
    match: Annotated[str | None, Field(description="The title of the most related one of the other text.")]
    score: Annotated[float | None, Field(description="How related the two are.")]


class TextPair(ToolResult):
    """How related two texts are, through their concepts."""

    score: Annotated[
        float | None,
        Field(
            description="From 0 to 1, no share of people: the mean score of their concepts, each with its "
            "nearest one of the other text; nothing where a text mentions no concept."
        ),
    ]
    note: Annotated[
        str | None,
        Field(description="On how little the score rests, where it does; without one, what has one."),
    ]
    left: Annotated[list[TextConcept], Field(description="The concepts of the one, the heaviest first.")]
    right: Annotated[list[TextConcept], Field(description="Those of the other.")]
    snapshot: str

    @property
    def text(self) -> str:
        """The score, and what the heaviest concepts of both are matched with."""
        if self.score is None:
            sides = [name for name, of in (("first", self.left), ("second", self.right)) if not of]
            mention = "text mentions" if len(sides) == 1 else "texts mention"
            said = f"No score: the {' and the '.join(sides)} {mention} no concept of this snapshot."
            return " ".join(filter(None, [said, self.note]))
        lines = [f"The texts: {self.score:.2f} of 1 ({self.snapshot})", OF_TEXTS, *filter(None, [self.note])]
        for name, concepts in (("first", self.left), ("second", self.right)):
            lines.append(f"Of the {name}:")
            lines += [f"- {one.title} ~ {one.match} {one.score:.2f}" for one in concepts[:NAMED] if one.match]
        return "\n".join(lines)


class Term(ToolResult):
    """One of two terms, and what it was taken to name."""

    asked: str
    sense: Annotated[str | None, Field(description="The article that it was taken to name or contain.")]
    whole: Annotated[bool, Field(description="Whether all of it names that article; else a part does.")]
    others: Annotated[list[str], Field(description="Other articles that it may name.")]

    @property
    def text(self) -> str:
        """What it was taken for, in a clause; nothing where it names no article."""
        if self.sense is None:
            return ""
        others = f" (it may mean {'; '.join(self.others[:NAMED])} too)" if self.others else ""
        return f"{self.asked} {'is taken for' if self.whole else 'contains'} {self.sense}{others}"


class TermPairResult(ToolResult):
    """How related two free terms are."""

    left: Term
    right: Term
    score: Annotated[float, Field(description="0 to 1: the share of people who would call them related.")]
    low: Annotated[
        float | None, Field(description="The least share that nine of ten panels of people would give it.")
    ]
    high: Annotated[float | None, Field(description="The greatest share.")]
    used: Annotated[
        list[str], Field(description="What the score rests on: `concepts`, `words`, the `encoder`.")
    ]
    snapshot: str

    @property
    def text(self) -> str:
        """The score in a sentence or two."""
        score = told(self.score, interval_of(self.low, self.high))
        taken = [of.text for of in (self.left, self.right) if of.sense]
        senses = f" {'; '.join(taken)}." if taken else ""
        named = f"{self.left.asked} – {self.right.asked}"
        return f"{named}: {score}{senses} ({self.snapshot})"


TextResult = AnnotatedText | TextPair | TermPairResult


def text_concept(concept: DocumentConcept) -> TextConcept:
    """A concept of one text, with its match in the other."""
    match = concept.match
    return TextConcept(
        title=concept.title,
        page_id=concept.page_id,
        weight=concept.weight,
        match=None if match is None else match.title,
        score=None if match is None else match.score,
    )
