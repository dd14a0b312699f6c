"""What is said where a text has mentions, and none of them is an annotation."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from snapshots.annotator import Annotation
from snapshots.strings import StringTable
from wort.schemas.naming import quoted

_NAMED = 3
"""Concepts that are named, the surest."""


class Unsure(NamedTuple):
    """Of mentions that are no annotations, as a sentence; and whether a least ρ of 0 makes them some."""

    said: str
    at_zero: bool


def unsure_of(
    titles: StringTable, text: str, below: Sequence[Annotation], doubted: Sequence[Annotation]
) -> Unsure | None:
    """Which concepts ``text``, without annotations, mentions nevertheless, the surest first; None: none.

    ``below``: its annotations, whatever their ρ is; ``doubted``: those that it had if none were doubted;
    ``titles``: of the concepts.
    """
    if below:
        surest = _surest(below)
        named = _listed(f"{titles[concept]} ({rho:.2f})" for concept, rho in surest.items())
        return Unsure(f"Concepts were found, but none surely enough (ρ): {named}.", True)
    if doubted:
        written = {one.concept: quoted(text[one.start : one.end]) for one in doubted}
        named = _listed(f"{written[concept]} ({titles[concept]})" for concept in _surest(doubted))
        return Unsure(f"Left out, since something else is more likely meant: {named}.", False)
    return None


def _surest(found: Sequence[Annotation]) -> dict[int, float]:
    """The greatest ρ of each concept, the greatest first."""
    surest: dict[int, float] = {}
    for one in sorted(found, key=lambda each: -each.rho):
        surest.setdefault(one.concept, one.rho)
    return surest


def _listed(named: Iterable[str]) -> str:
    every = list(named)
    of_all = "" if len(every) <= _NAMED else f", the surest of {len(every)}"
    return f"{', '.join(every[:_NAMED])}{of_all}"
