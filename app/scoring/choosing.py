"""Which senses the two sides of a pair have, where a side may have several: both are chosen together.

Of all pairs of candidate senses, one of each side, it is the one of the greatest

    prior(a) · prior(b) · score(a, b)

where the score is that of the full model, and 1 for a concept with itself. Of equally good pairs it is the
one of the greatest prior(a) · prior(b); of those, the first in the order of the candidates.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from measures.arrays import Floats, Ints

BLOCK = 2048
"""Pairs whose candidates are held at once: of ten senses a side they make 200,000 pairs of senses."""


class PossibleSenses(NamedTuple):
    """The senses that a side may have, the likeliest first: their concepts, and their priors in (0, 1].

    ``concepts`` int64[k], distinct; ``priors`` float64[k].
    """

    concepts: Ints
    priors: Floats


Relatedness = Callable[[Ints, Ints], Floats]
"""The scores of pairs of concepts, each in [0, 1] and the same in both orders."""


def chosen_senses(
    pairs: Sequence[tuple[PossibleSenses, PossibleSenses]], relatedness: Relatedness
) -> list[tuple[int, int]]:
    """The senses of each pair: their places in its two ``PossibleSenses``, neither of which is empty.

    ``relatedness`` is asked in one order for any two concepts, and only for those that the priors leave a
    chance: since no score is above 1, none whose priors' product is at most what the likeliest pair of senses
    has reached.
    """
    chosen: list[tuple[int, int]] = []
    for start in range(0, len(pairs), BLOCK):
        chosen += _chosen(pairs[start : start + BLOCK], relatedness)
    return chosen


def _chosen(
    pairs: Sequence[tuple[PossibleSenses, PossibleSenses]], relatedness: Relatedness
) -> list[tuple[int, int]]:
    sizes = np.array([len(left.concepts) * len(right.concepts) for left, right in pairs], np.int64)
    starts = np.cumsum(sizes) - sizes
    pair = np.repeat(np.arange(len(pairs)), sizes)
    first = np.concatenate([np.repeat(left.concepts, len(right.concepts)) for left, right in pairs])
    second = np.concatenate([np.tile(right.concepts, len(left.concepts)) for left, right in pairs])
    prior = np.concatenate([np.multiply.outer(left.priors, right.priors).ravel() for left, right in pairs])
    merit = np.full(len(pair), -1.0)

    def look_at(places: Ints) -> None:
        merit[places] = prior[places] * _scores(first[places], second[places], relatedness)

    # The likeliest senses of each side are the likeliest to be chosen, and may rule most others out.
    look_at(starts)
    in_question = prior > merit[starts][pair]
    in_question[starts] = False
    look_at(np.flatnonzero(in_question))
    best = _first_of_the_best(merit, prior, starts, pair)
    widths = [len(right.concepts) for _, right in pairs]
    return [divmod(place, width) for place, width in zip((best - starts).tolist(), widths, strict=True)]


def _scores(first: Ints, second: Ints, relatedness: Relatedness) -> Floats:
    """The score of each two concepts, each two looked at once, whichever comes first."""
    both = np.column_stack((np.minimum(first, second), np.maximum(first, second)))
    distinct, place = np.unique(both, axis=0, return_inverse=True)
    scores = np.ones(len(distinct))
    differ = distinct[:, 0] != distinct[:, 1]
    scores[differ] = relatedness(distinct[differ, 0], distinct[differ, 1])
    return scores[place.ravel()]


def _first_of_the_best(merit: Floats, prior: Floats, starts: Ints, pair: Ints) -> Ints:
    """Where each pair's greatest merit stands; of equal ones the greatest prior, of those the first."""
    best = merit == np.maximum.reduceat(merit, starts)[pair]
    priors: NDArray[Any] = np.where(best, prior, -1.0)
    best &= priors == np.maximum.reduceat(priors, starts)[pair]
    places = np.where(best, np.arange(len(pair)), len(pair))
    found: Ints = np.minimum.reduceat(places, starts)
    return found
