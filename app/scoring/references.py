"""What names a concept."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Mention:
    """What a text calls a concept, and what it says around it, or None. It may mean several concepts."""

    text: str
    context: str | None = None


Reference = str | int | Mention
"""What names a concept: a title or a Wikipedia URL (str), a page id (int), or a mention."""
