"""What names a concept."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import wort.schemas.references as schema

CHARACTERS = 200
"""Characters of titles that take about as long to look up as a plain pair takes to be scored."""


@dataclass(frozen=True, slots=True)
class MentionReference:
    """What a text calls a concept, and what it says around it, or None. It may mean several concepts."""

    text: str
    context: str | None = None


@dataclass(frozen=True, slots=True)
class Text:
    """A term or a short text, whether or not it names a concept, and what is said of it, or None."""

    text: str
    description: str | None = None


Reference = str | int | MentionReference
"""What names a concept: a title or a Wikipedia URL (str), a page id (int), or a mention."""

AnyPair = tuple[Reference | Text, Reference | Text]


def has_text(pair: AnyPair) -> bool:
    """Whether a side of a pair is a text."""
    return isinstance(pair[0], Text) or isinstance(pair[1], Text)


def side_named(side: str | int | schema.SideReference) -> Reference | Text:
    """As ``named``, of a side of a pair, which may be a text."""
    if not isinstance(side, schema.SideReference):
        return side
    return Text(side.text, side.description) if isinstance(side.text, str) else named(side)


def named(concept: str | int | schema.Reference) -> Reference:
    """What ``concept`` names, as requests name it: two that name the same in other words become the same."""
    if not isinstance(concept, schema.Reference):
        return concept
    if isinstance(concept.mention, str):
        return MentionReference(concept.mention, concept.context)
    return concept.id if isinstance(concept.id, int) else str(concept.title)


def characters(references: Iterable[Reference | Text]) -> int:
    """How many characters some references have, without contexts and descriptions."""
    total = 0
    for side in references:
        if isinstance(side, str):
            total += len(side)
        elif not isinstance(side, int):
            total += len(side.text)
    return total
