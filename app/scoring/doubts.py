"""Why scores may be too high, in sentences, and the signs of those among what is related to a concept."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from app.scoring.concepts import Scorer
from app.scoring.in_words import marked_as_called_so, merely_called_so
from app.scoring.mere_names import mere_names, merely_named
from app.scoring.mixed_links import Mixed, mixed_links, mixed_neighbours
from app.scoring.terms import TermScorer
from wort.schemas.concepts import RelatedConcept
from wort.schemas.naming import quoted
from wort.schemas.relatedness import PairResult
from wort.schemas.sides import Side
from wort.schemas.terms import TermResult

OF_NAMES, OF_LINKS = "*", "†"
"""The signs beside what may share a mere name with a concept, and what may be related to its namesake."""


class Doubted(NamedTuple):
    """What of those related to a concept is doubted.

    ``signs``: of each, ``OF_NAMES``, ``OF_LINKS`` or none. ``notes``: what the signs say, a sentence each.
    ``meant``: titles of the namesakes that those with ``OF_LINKS`` may be related to.
    """

    signs: list[str]
    notes: list[str]
    meant: list[str]


def doubts(
    scorer: Scorer,
    result: PairResult,
    quote: Callable[[str], str] = quoted,
    mixed: Sequence[Mixed] | None = None,
) -> list[str]:
    """Why the score of a pair may be too high, a sentence for each reason; ``quote`` quotes a word.

    ``mixed``: its ``mixed_links``, where these are known already.
    """
    names = merely_called_so(mere_names(scorer, result), quote)
    links = mixed_links(scorer, result) if mixed is None else mixed
    return [*filter(None, [names]), *map(may_mean, links)]


def doubts_of_terms(
    scorer: TermScorer, result: TermResult, quote: Callable[[str], str] = quoted
) -> list[str]:
    """The same of two terms that are scored as the concepts that they name."""
    left, right = result.resolved.left.sense, result.resolved.right.sense
    by_concepts = result.status == "ok" and result.model == scorer.concepts.model_info.name
    if not by_concepts or left is None or right is None:
        return []
    (pair,) = scorer.concepts.score([(left.title, right.title)], compare=False)
    return doubts(scorer.concepts, pair, quote)


def doubted_neighbours(scorer: Scorer, side: Side, related: Sequence[RelatedConcept]) -> Doubted:
    """What is doubted of the concepts that are related to the one that a side names."""
    title = side.title or ""
    named = merely_named(scorer, title, related)
    meant = mixed_neighbours(scorer, side, related)
    reasons = list(zip(named, meant, strict=True))
    signs = [OF_NAMES if is_name else OF_LINKS if other else "" for is_name, other in reasons]
    notes = [marked_as_called_so(title)] if OF_NAMES in signs else []
    others = list(dict.fromkeys(other for is_name, other in reasons if other and not is_name))
    if others:
        notes.append(
            f"{OF_LINKS} Articles that mention {title} beside it may mean {' or '.join(others)} instead. "
            "Then its score is too high."
        )
    return Doubted(signs, notes, others)


def may_mean(mixed: Mixed) -> str:
    """What is said of a pair whose links may be of a namesake.

    >>> may_mean(Mixed("Apple", "Apple Inc.", "Microsoft")).partition(",")[0]
    'Articles that mention Apple beside Microsoft may mean Apple Inc.'
    """
    title, meant, beside = mixed
    return (
        f"Articles that mention {title} beside {beside} may mean {meant}, whose own article begins much more "
        f"like that of {beside}. Then this score is too high."
    )
