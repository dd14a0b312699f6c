"""What titles tell of senses that are compared: beside Microsoft, "Windows" is Microsoft Windows."""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet

import numpy as np

from features.senses.choosing import CandidatePair, CandidateSenses

TOLD_BY_TITLE = 2.0
"""How many times as likely a sense is whose title has all words of the other side's title, and more: of 1.5,
2 and 4 it helps most where senses are drawn alike (``benchmarks.chosen_senses``)."""


def told_by_titles(
    pair: CandidatePair, titles: tuple[Sequence[AbstractSet[str]], Sequence[AbstractSet[str]]]
) -> CandidatePair:
    """The senses of two sides, those less likely of a side whose titles do not tell of the other's concept.

    That is of a side some of whose senses do, beside one concept. ``titles``: the words of the titles of the
    senses of each side, folded, in their order.
    """
    (left, right), (of_left, of_right) = pair, titles
    return _told(left, of_left, of_right), _told(right, of_right, of_left)


def _told(
    senses: CandidateSenses, titles: Sequence[AbstractSet[str]], beside: Sequence[AbstractSet[str]]
) -> CandidateSenses:
    """The senses of one side, with the priors that they have beside the other."""
    if len(beside) != 1 or len(senses) < 2:
        return senses
    other = beside[0]
    has = [other < title for title in titles]
    if not other or not any(has):
        return senses
    priors = np.where(np.array(has), senses.priors, senses.priors / TOLD_BY_TITLE)
    return CandidateSenses(senses.concepts, priors, senses.mentions)
