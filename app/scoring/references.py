"""What names a concept."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import wort.schemas.relatedness as schema

CHARACTERS = 200
"""Characters of titles that take about as long to look up as a plain pair takes to be scored."""

_QUOTED = 300
"""Characters that are quoted of what somebody asked for: any title fits."""


@dataclass(frozen=True, slots=True)
class Mention:
    """What a text calls a concept, and what it says around it, or None. It may mean several concepts."""

    text: str
    context: str | None = None


Reference = str | int | Mention
"""What names a concept: a title or a Wikipedia URL (str), a page id (int), or a mention."""


def named(concept: str | int | schema.Reference) -> Reference:
    """What ``concept`` names, as requests name it: two that name the same in other words become the same."""
    if not isinstance(concept, schema.Reference):
        return concept
    if isinstance(concept.mention, str):
        return Mention(concept.mention, concept.context)
    return concept.id if isinstance(concept.id, int) else str(concept.title)


def characters(references: Iterable[Reference]) -> int:
    """How many characters some references have, without the contexts of mentions."""
    total = 0
    for side in references:
        if isinstance(side, str):
            total += len(side)
        elif isinstance(side, Mention):
            total += len(side.text)
    return total


def quoted(asked: str | int) -> str:
    """What somebody asked for, in quotes; of what is longer than any title, its beginning."""
    if isinstance(asked, str) and len(asked) > _QUOTED:
        return f"{asked[:_QUOTED]!r}…"
    return repr(asked)
