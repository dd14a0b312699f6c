"""Whether judgements say the contrary of what was known before them.

A gate that asks a retraining's own judgements alone can be led by them: scores turned round teach a model
that is turned round, and by them it is far better than the one in force. So they are held against what they
cannot alter: the scores that the champion learnt from, those of base sets, and what the champion itself says
of their pairs.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Literal

import msgspec
import numpy as np
from scipy import stats

from measures.arrays import Bools, Floats
from training.statistics.correlation import pearson_spearman
from training.statistics.dependent_correlations import LARGEST

Whose = Literal["own", "base"]
Reference = Literal["learnt", "base", "in-force"]

LEVEL = 0.05
"""A correlation is below chance where one as low has less than this probability among unrelated scores."""


class Agreement(msgspec.Struct, frozen=True):
    """How judgements go with what was known of the same ``pairs``.

    ``whose``: "own" (a user's) or "base" (of joined sets). ``known``: "learnt" (the scores that the model in
    force learnt from), "base" (those of the joined sets), or "in-force" (what that model itself says).
    ``pearson`` and ``spearman`` are None where undefined, as where there are fewer than four pairs.
    """

    whose: Whose
    known: Reference
    pairs: int
    pearson: float | None
    spearman: float | None

    @property
    def log10_p(self) -> float | None:
        """log10 of the probability of one as low by chance, of the correlation for which that is less."""
        both = [log10_p_below(r, self.pairs) for r in (self.pearson, self.spearman) if r is not None]
        return min(both, default=None)

    @property
    def below_chance(self) -> bool:
        """Whether one of the correlations is significantly below 0."""
        return self.log10_p is not None and self.log10_p < math.log10(LEVEL)


def agreement(whose: Whose, known: Reference, scores: Floats, before: Floats) -> Agreement:
    """How ``scores`` go with what was known ``before`` of the same pairs, each float64[n]."""
    correlations = pearson_spearman(scores, before) if len(scores) >= 4 else (None, None)
    return Agreement(whose, known, len(scores), *correlations)


def agreements(
    scores: Floats, own: Bools, base: Floats, learnt: Floats, champion: Floats
) -> Iterator[Agreement]:
    """The judgements of a retraining beside all that was known of their pairs, where something was.

    Each is of the same n distinct pairs, NaN where there is nothing: ``scores``, those taught, ``own`` of
    them a user's; ``base``, those of the base sets, whether or not a user's hold over them; ``learnt``, those
    that the champion learnt from; ``champion``, what it says itself.
    """
    known: dict[Reference, Floats] = {"learnt": learnt, "base": base, "in-force": champion}
    judged: dict[Whose, Floats] = {"own": np.where(own, scores, np.nan), "base": base}
    for whose, of_them in judged.items():
        for name, before in known.items():
            both = ~np.isnan(of_them) & ~np.isnan(before)
            if whose != name and both.any():
                yield agreement(whose, name, of_them[both], before[both])


def above_chance(r: float | None, n: int) -> bool:
    """Whether a correlation of ``r`` over ``n`` pairs is significantly above 0; not where it is undefined."""
    return r is not None and n >= 4 and log10_p_below(-r, n) < math.log10(LEVEL)


def log10_p_below(r: float, n: int) -> float:
    """log10 of the probability of a correlation of ``r`` or less over ``n`` ≥ 4 pairs, were there none.

    Fisher's z: √(n − 3) artanh r is about standard normal. Source: Fisher 1921, On the "probable error" of a
    coefficient of correlation deduced from a small sample.

    >>> round(10 ** log10_p_below(-0.2, 103), 4)
    0.0213
    """
    z = math.sqrt(n - 3) * math.atanh(max(-LARGEST, min(r, LARGEST)))
    return float(stats.norm.logcdf(z)) / math.log(10)
