"""Readings that are guesses: a name that was taken for one concept, and often enough means another."""

from __future__ import annotations

from dataclasses import dataclass

from wort.schemas.sides import Side
from wort.schemas.terms import TermSide

LIKELY = 0.8
"""The share of a name below which the concept that it is taken for is a guess. In the starter "Darwin" is
Charles Darwin at 0.59, and "Bush" George W. Bush at 0.72; "Lincoln" is Abraham Lincoln at 0.93."""

OFFERED = 6
"""Other concepts that are offered, at the most."""


@dataclass(frozen=True, slots=True)
class Guess:
    """What a name was taken for. ``share``: in percent; ``others``: the titles that it may mean as well."""

    asked: str
    title: str
    share: int
    others: tuple[str, ...]


def guess(side: Side | TermSide) -> Guess | None:
    """What is guessed of a side; None where nothing is, or where there is nothing else to choose."""
    if isinstance(side, Side):
        title, prior = side.title, side.prior
        others = tuple(other.title for other in side.alternatives)
    elif side.sense is not None and side.sense.whole:
        title, prior, others = side.sense.title, side.sense.prior, side.sense.alternatives
    else:
        return None
    if title is None or prior is None or prior >= LIKELY or not others:
        return None
    return Guess(str(side.asked), title, round(100 * prior), others[:OFFERED])


def otherwise_named(side: Side) -> bool:
    """Whether a concept was found by another name than its title, which is no guess: an answer says so."""
    return side.matched in ("redirect", "variant", "alias") and guess(side) is None
