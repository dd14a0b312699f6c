"""What is said where a text has mentions, and none of them is sure enough to be an annotation."""

from __future__ import annotations

from collections.abc import Sequence

from snapshots.annotator import Annotation
from snapshots.strings import StringTable

_NAMED = 3
"""Concepts that are named, the surest."""


def unsure_of(titles: StringTable, found: Sequence[Annotation]) -> str | None:
    """Which concepts ``found`` has, the surest first, as a sentence; None where it has none.

    ``found``: the annotations of a text, whatever their ρ is; ``titles``: of the concepts.
    """
    surest: dict[int, float] = {}
    for one in sorted(found, key=lambda each: -each.rho):
        surest.setdefault(one.concept, one.rho)
    named = [f"{titles[concept]} ({rho:.2f})" for concept, rho in list(surest.items())[:_NAMED]]
    if not named:
        return None
    of_all = "" if len(surest) <= _NAMED else f", the surest of {len(surest)}"
    return f"Concepts were found, but none surely enough (ρ): {', '.join(named)}{of_all}."
