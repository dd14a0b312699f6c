"""Tests of two correlations that share a variable: two measures and the gold scores of the same pairs.

Three variables: a measure x, a measure z, and the gold y. Both correlations, r_xy and r_zy, are of the same n
pairs and of the same gold, so they depend on each other, the more so the more the measures correlate (r_xz).
All three tests take that into account. They assume that the pairs are drawn independently, and normality;
for Spearman's ρ the same formulas are used on the ranks, which is the custom of the field and approximate.

Sources: Williams 1959 and Steiger 1980 (Tests for comparing elements of a correlation matrix, Psychological
Bulletin 87) for the tests; Rastogi, Van Durme & Arora 2015 (Multiview LSA, NAACL, "Significance of
comparison") for the minimum required difference for significance, MRDS. docs/significance.md tells more.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from scipy import special, stats

LEVEL = 0.05
"""A difference with a lower p is called significant."""

LARGEST = math.nextafter(1.0, 0.0)
"""Fisher's z of 1 is infinite; a correlation of 1 is given that of the number next to it."""

_TINY = 1e-300
"""What a sum of squares is at least, that rounding may have brought to 0."""

_ROUNDING = 1e-6
"""How far below 0 the determinant of three correlations may be for rounding."""


@dataclass(frozen=True, slots=True)
class CorrelationTest:
    """A test of r_xy against r_zy.

    ``statistic``: z or t, positive where r_xy is the larger. ``p``: two-sided; 0 where it is below what a
    float can hold (about 10⁻³⁰⁸), which ``log10_p`` still tells.
    """

    statistic: float
    p: float
    log10_p: float


def steiger_z(r_xy: float, r_zy: float, r_xz: float, n: int) -> CorrelationTest:
    """Steiger's Z for two correlations with one variable in common, by the pooled correlation.

    Z = √(n − 3) (ζ(r_xy) − ζ(r_zy)) / √(2 − 2 s), ζ(r) = artanh r, s = ψ / (1 − r̄²)²,
    ψ = r_xz (1 − 2 r̄²) − ½ r̄² (1 − 2 r̄² − r_xz²), r̄ = ½ (r_xy + r_zy); standard normal where both
    correlations are the same.

    Raises:
        ValueError: n is below 4, or no three variables have these correlations.

    Source: Steiger 1980, formulas 3, 13 and 14.

    >>> round(steiger_z(0.4, 0.5, 0.1, 103).statistic, 4)
    -0.8887
    """
    _check(r_xy, r_zy, r_xz, n)
    if r_xy == r_zy:
        return CorrelationTest(0.0, 1.0, 0.0)
    pooled = ((r_xy + r_zy) / 2) ** 2
    covariance = r_xz * (1 - 2 * pooled) - 0.5 * pooled * (1 - 2 * pooled - r_xz**2)
    spread = 1 - covariance / (1 - pooled) ** 2
    difference = _fisher(r_xy) - _fisher(r_zy)
    # Measures that are all but one another leave a spread that rounding may bring to 0.
    z = math.sqrt(n - 3) * difference / math.sqrt(2 * max(spread, _TINY))
    return _two_sided(z, float(stats.norm.logsf(abs(z))))


def williams_t(r_xy: float, r_zy: float, r_xz: float, n: int) -> CorrelationTest:
    """Williams' T2 for two correlations with one variable in common, with n − 3 degrees of freedom.

    T2 = (r_xy − r_zy) √((n − 1) (1 + r_xz) / (2 (n − 1) / (n − 3) |R| + r̄² (1 − r_xz)³)), where
    |R| = 1 − r_xy² − r_zy² − r_xz² + 2 r_xy r_zy r_xz and r̄ = ½ (r_xy + r_zy).

    Raises:
        ValueError: n is below 4, or no three variables have these correlations.

    Source: Williams 1959; Steiger 1980, formula 7, who prefers it to Hotelling's T1.

    >>> round(williams_t(0.3, 0.4, 0.5, 100).statistic, 4)
    -1.0767
    """
    _check(r_xy, r_zy, r_xz, n)
    if r_xy == r_zy:
        return CorrelationTest(0.0, 1.0, 0.0)
    t = (r_xy - r_zy) * math.sqrt((n - 1) * (1 + r_xz) / max(_scatter(r_xy, r_zy, r_xz, n), _TINY))
    return _two_sided(t, _log_tail_of_t(abs(t), n - 3))


def minimum_significant_difference(r_xz: float, r: float, n: int, p: float = LEVEL) -> float:
    """The least by which a measure must pass another, whose correlation is ``r``, for significance at ``p``.

    ``williams_t(r + d, r, r_xz, n)`` has a two-sided p below ``p`` for each difference d above the one
    returned. Infinite where no possible difference is significant.

    Raises:
        ValueError: n is below 4, a correlation is outside (−1, 1), or p outside (0, 1).

    >>> round(minimum_significant_difference(0.9, 0.6, 353), 4)
    0.0362
    """
    _check_search(r_xz, n, p)
    if not -1.0 < r < 1.0:
        raise ValueError(f"a correlation that can be passed lies between -1 and 1, and {r} does not")
    squared = float(stats.t.isf(p / 2, n - 3)) ** 2
    weight, cube = 2 * (n - 1) / (n - 3), (1 - r_xz) ** 3
    # d² (n − 1) (1 + r_xz) = T² (weight |R| + r̄² cube), of which both sides are quadratic in d.
    constant = squared * (weight * (1 - r_xz) * (1 + r_xz - 2 * r * r) + r * r * cube)
    linear = squared * (cube * r - 2 * weight * r * (1 - r_xz))
    quadratic = (n - 1) * (1 + r_xz) + squared * (weight - cube / 4)
    under_root = linear * linear + 4 * quadratic * constant
    root = (linear + math.sqrt(under_root)) / (2 * quadratic) if under_root > 0 else 0.0
    # What the other correlation can be at all, given these two.
    middle, reach = r * r_xz, math.sqrt((1 - r * r) * (1 - r_xz * r_xz))
    least = max(root, middle - reach - r, 0.0)
    return least if r + least <= middle + reach else math.inf


def mrds(r_xz: float, n: int, p: float = LEVEL) -> float:
    """The minimum required difference for significance: the least that is significant whatever the level.

    The least σ for which Williams' T2 of r + σ against r is significant at ``p`` for each r in (0, 1), for
    measures that correlate with ``r_xz``: one-sided, with n − 2 degrees of freedom, as published. T2 grows
    with r, so r = 0 decides, and σ² = c² k (1 − r_xz²) / ((n − 1) (1 + r_xz) + c² (k − ¼ (1 − r_xz)³)),
    where c is the quantile of t and k = 2 (n − 1) / (n − 3). Infinite where so few pairs show nothing.

    Raises:
        ValueError: n is below 4, r_xz is outside (−1, 1), or p outside (0, 1).

    Source: Rastogi et al. 2015; the paper's table has it for r_xz of 0.5, 0.7 and 0.9.

    >>> round(mrds(0.9, 353), 3)
    0.039
    """
    _check_search(r_xz, n, p)
    squared = float(stats.t.isf(p, n - 2)) ** 2
    weight, possible = 2 * (n - 1) / (n - 3), 1 - r_xz * r_xz
    share = squared * weight / ((n - 1) * (1 + r_xz) + squared * (weight - (1 - r_xz) ** 3 / 4))
    return math.sqrt(share * possible) if share <= 1 else math.inf


def mrds_log10_p(difference: float, r_xz: float, n: int) -> float:
    """The log10 of the level at which ``difference`` is the MRDS: the p that WORT quotes for MRDS.

    Raises:
        ValueError: n is below 4, or r_xz is outside (−1, 1).

    >>> round(10 ** mrds_log10_p(mrds(0.9, 353), 0.9, 353), 6)
    0.05
    """
    _check_search(r_xz, n, 0.5)
    # No measure can be better than one of correlation 0 by more.
    size = min(abs(difference), math.sqrt(1 - r_xz * r_xz))
    t = size * math.sqrt((n - 1) * (1 + r_xz) / _scatter(size, 0.0, r_xz, n))
    return _log_tail_of_t(t, n - 2) / math.log(10)


def _scatter(r_xy: float, r_zy: float, r_xz: float, n: int) -> float:
    """What stands below the root of Williams' T2."""
    mean = (r_xy + r_zy) / 2
    return 2 * (n - 1) / (n - 3) * max(_determinant(r_xy, r_zy, r_xz), 0.0) + mean**2 * (1 - r_xz) ** 3


def _determinant(r_xy: float, r_zy: float, r_xz: float) -> float:
    # In an order that swapping the two measures leaves as it is.
    return 1 - (r_xy**2 + r_zy**2) - r_xz**2 + 2 * (r_xy * r_zy) * r_xz


def _fisher(r: float) -> float:
    return math.atanh(max(-LARGEST, min(r, LARGEST)))


def _two_sided(statistic: float, log_tail: float) -> CorrelationTest:
    log_p = min(log_tail + math.log(2), 0.0)
    return CorrelationTest(statistic, math.exp(log_p), log_p / math.log(10))


def _log_tail_of_t(t: float, freedom: int) -> float:
    """The logarithm of the probability that Student's t is above ``t`` ≥ 0.

    ½ I_x(ν/2, ½) with x = ν / (ν + t²), by the series of the incomplete beta function at x
    (Abramowitz & Stegun 26.5.4), so that it does not vanish where the probability is below float range.
    """
    tail = float(stats.t.sf(t, freedom))
    if tail > 1e-200:
        return math.log(tail)
    a, x = freedom / 2, freedom / (freedom + t * t)
    series = float(special.hyp2f1(a + 0.5, 1.0, a + 1.0, x))
    inner = a * math.log(x) + 0.5 * math.log1p(-x) - math.log(a) - float(special.betaln(a, 0.5))
    return inner + math.log(series) - math.log(2)


def _check(r_xy: float, r_zy: float, r_xz: float, n: int) -> None:
    if n < 4:
        raise ValueError(f"comparing two correlations takes 4 pairs at least, and there are {n}")
    if not all(-1.0 <= r <= 1.0 for r in (r_xy, r_zy, r_xz)):
        raise ValueError(f"correlations lie between -1 and 1, and one of {r_xy}, {r_zy}, {r_xz} does not")
    if _determinant(r_xy, r_zy, r_xz) < -_ROUNDING:
        raise ValueError(f"no three variables have the correlations {r_xy}, {r_zy} and {r_xz}")


def _check_search(r_xz: float, n: int, p: float) -> None:
    if n < 4:
        raise ValueError(f"comparing two correlations takes 4 pairs at least, and there are {n}")
    if not (-1.0 < r_xz < 1.0 and 0.0 < p < 1.0):
        raise ValueError(f"r_xz = {r_xz} must lie between -1 and 1, and p = {p} between 0 and 1")
