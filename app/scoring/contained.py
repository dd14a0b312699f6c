"""Whether a term names a concept as a whole, or only contains what names one."""

from __future__ import annotations

from app.scoring.concepts import Scorer
from features.senses.candidates import MINIMUM_LINK_PROBABILITY


def names_as_a_whole(scorer: Scorer, term: str) -> bool:
    """Whether all of ``term`` is a title, or a text of links; else its senses are those of mentions in it.

    It says of a term what ``features.senses.candidates`` does with it.
    """
    if scorer.resolver.resolve(term, suggest=False, candidates=False, aliases=False).status in (
        "ok",
        "ambiguous",
    ):
        return True
    dictionary = scorer.pairs.senses.dictionary
    mention = dictionary.number(term)
    return mention >= 0 and float(dictionary.link_probability(mention)) >= MINIMUM_LINK_PROBABILITY
