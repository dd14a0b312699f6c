"""What is over-represented in some texts: the hypergeometric test, as WORD and TR9856 use it.

Of ``population`` units (sentences, say), ``marked`` have a term; ``drawn`` of them are those of a topic, and
``seen`` of these have the term. If the topic's units were drawn at random, the number of them that have the
term would be hypergeometric; that it is ``seen`` or more has the probability

    p = Σ_{k ≥ seen} C(marked, k) · C(population − marked, drawn − k) / C(population, drawn)

Levy et al. 2015, section 3.2, and the release notes of TR9856, section 2.3; Ein Dor et al. 2018, section 3.1.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import gammaln

Floats = NDArray[np.float64]

_NEGLIGIBLE = 1e-17
"""The share of a sum below which its next term, and all that follow, change nothing."""


def log_p_value(population: int, marked: ArrayLike, drawn: int, seen: ArrayLike) -> Floats:
    """The natural logarithm of p, float64, for each of several terms: ``marked`` and ``seen`` broadcast.

    Logarithms keep apart what a float64 would call 0: a large topic has many terms below 1e-308.

    >>> float(np.exp(log_p_value(population=10, marked=4, drawn=5, seen=4))).__round__(6)
    0.02381
    """
    columns = np.broadcast_arrays(np.asarray(marked, float), np.asarray(seen, float))
    has, x = (np.ravel(column) for column in columns)
    result = np.zeros(len(x))
    least, most = np.maximum(0, drawn + has - population), np.minimum(has, drawn)
    result[x > most] = -np.inf
    inside = (x > least) & (x <= most)
    mode = np.floor((drawn + 1) * (has + 1) / (population + 2))
    above, below = inside & (x > mode), inside & (x <= mode)
    result[above] = _upper_tail(population, has[above], drawn, x[above])
    # Below the mode the tail is nearly everything: what is left of it is the smaller sum.
    rest = np.exp(_lower_tail(population, has[below], drawn, x[below] - 1))
    result[below] = np.log1p(-np.minimum(rest, 1))
    return np.minimum(result, 0).reshape(columns[0].shape)


def over_represented(log_p: Floats, tests: int, level: float) -> NDArray[np.bool_]:
    """Which p, after Bonferroni's correction for so many tests, are at most ``level``.

    >>> over_represented(np.log([0.01, 0.02, 0.5]), tests=3, level=0.05).tolist()
    [True, False, False]
    """
    return np.asarray(log_p + np.log(max(tests, 1)) <= np.log(level))


def _log_choose(n: Floats | int, k: Floats | int) -> Floats:
    return np.asarray(gammaln(n + 1) - gammaln(k + 1) - gammaln(n - k + 1))


def _log_mass(population: int, marked: Floats, drawn: int, x: Floats) -> Floats:
    """The logarithm of the probability of exactly ``x``."""
    others = _log_choose(population - marked, drawn - x)
    return np.asarray(_log_choose(marked, x) + others - _log_choose(population, drawn))


def _upper_tail(population: int, marked: Floats, drawn: int, x: Floats) -> Floats:
    """The logarithm of the probability of ``x`` or more, which lies above the mode."""

    def ratio(k: Floats, has: Floats) -> Floats:
        return (has - k) * (drawn - k) / ((k + 1) * (population - has - drawn + k + 1))

    return _log_mass(population, marked, drawn, x) + _log_sum(ratio, 1, x, marked)


def _lower_tail(population: int, marked: Floats, drawn: int, x: Floats) -> Floats:
    """The logarithm of the probability of ``x`` or fewer, which lies below the mode."""

    def ratio(k: Floats, has: Floats) -> Floats:
        return k * (population - has - drawn + k) / ((has - k + 1) * (drawn - k + 1))

    return _log_mass(population, marked, drawn, x) + _log_sum(ratio, -1, x, marked)


def _log_sum(ratio: Callable[[Floats, Floats], Floats], step: int, start: Floats, marked: Floats) -> Floats:
    """The logarithm of the sum of all masses from ``start`` on, as multiples of the first.

    ``ratio`` gives each mass as a multiple of the one before it. All are at most 1, since the sum leads away
    from the mode, and the last is 0.
    """
    total, term, k = np.ones(len(start)), np.ones(len(start)), start.copy()
    active = np.arange(len(start))
    while len(active):
        term[active] *= ratio(k[active], marked[active])
        total[active] += term[active]
        k[active] += step
        active = active[term[active] > _NEGLIGIBLE * total[active]]
    return np.log(total)
