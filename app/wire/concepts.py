"""Concepts by themselves."""

from __future__ import annotations

import msgspec


class FoundConcept(msgspec.Struct, frozen=True):
    """A concept whose title begins with what was typed."""

    title: str


class SearchResponse(msgspec.Struct, frozen=True):
    """Concepts by the beginning of their title."""

    concepts: list[FoundConcept]
