"""Is one measure better than another on the same pairs? Every two measures, compared and tested."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations

import msgspec

from measures.arrays import Floats, Ints
from training.statistics import bootstrap
from training.statistics.correlation import CORRELATIONS, CorrelationKind, defined, or_lowest
from training.statistics.dependent_correlations import LARGEST, LEVEL, mrds, mrds_log10_p, steiger_z


class Difference(msgspec.Struct, frozen=True):
    """Two measures on the same pairs: their correlations with the gold, with each other, and the tests.

    ``z``, ``p``, ``log10_p``: Steiger's Z, two-sided; ``significant``: p < 0.05. ``mrds_05``: the MRDS at
    0.05 for measures that correlate as these do, and ``mrds_log10_p`` the log10 of the lowest level at which
    their difference reaches it: one-sided, as published. ``low`` and ``high``: the bootstrap interval of
    r_first − r_second, whole topics resampled, where one was asked for. All None where a correlation is
    undefined, and the MRDS where so few pairs can show no difference.
    """

    first: str
    second: str
    kind: CorrelationKind
    r_first: float | None
    r_second: float | None
    r_between: float | None
    n: int
    z: float | None = None
    p: float | None = None
    log10_p: float | None = None
    mrds_05: float | None = None
    mrds_log10_p: float | None = None
    significant: bool | None = None
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True, slots=True)
class Clusters:
    """What goes together: ``topic``, the number of each pair's topic or group, int64[n], and resamples.

    ``drawn``: how often each topic is in each resample, as from ``training.statistics.bootstrap.draws``;
    ``level``: the coverage of intervals.
    """

    topic: Ints
    drawn: Ints
    level: float = bootstrap.LEVEL


def compare(
    x: Floats,
    z: Floats,
    gold: Floats,
    kind: CorrelationKind = "pearson",
    names: tuple[str, str] = ("first", "second"),
    clusters: Clusters | None = None,
) -> Difference:
    """The measures x and z against the gold, each float64[n]; ``names`` are the two measures'.

    ``clusters``: the pairs' topics, for the interval of the difference; without them there is none.

    Raises:
        ValueError: the arrays differ in length, or hold numbers that are not finite.
    """
    correlation = CORRELATIONS[kind]
    difference = _difference(
        names, kind, (correlation(x, gold), correlation(z, gold), correlation(x, z)), len(gold)
    )
    if clusters is None or difference.p is None:
        return difference
    ends = difference_interval(x, z, gold, clusters.topic, clusters.drawn, kind, clusters.level)
    return msgspec.structs.replace(difference, low=defined(ends.low), high=defined(ends.high))


def compare_all(
    columns: Mapping[str, Floats], gold: Floats, kind: CorrelationKind = "pearson"
) -> tuple[Difference, ...]:
    """Every two measures, the better one first, pairs in the order of their correlations with the gold.

    ``columns``: float64[n] by name. Measures whose correlation is undefined come last.

    Raises:
        ValueError: the arrays differ in length, or hold numbers that are not finite.
    """
    correlation = CORRELATIONS[kind]
    with_gold = {name: correlation(values, gold) for name, values in columns.items()}
    best_first = sorted(columns, key=lambda name: -or_lowest(with_gold[name]))
    return tuple(
        _difference(
            (first, second),
            kind,
            (with_gold[first], with_gold[second], correlation(columns[first], columns[second])),
            len(gold),
        )
        for first, second in combinations(best_first, 2)
    )


def difference_interval(
    x: Floats,
    z: Floats,
    gold: Floats,
    topic: Ints,
    drawn: Ints,
    kind: CorrelationKind = "pearson",
    level: float = bootstrap.LEVEL,
) -> bootstrap.ConfidenceInterval:
    """The bootstrap interval of r(x, gold) − r(z, gold), whole topics resampled.

    The tests take pairs for independent. Those of one topic are not, and where it matters this interval is
    the wider, more cautious answer: a difference is there if 0 is outside.

    ``x``, ``z``, ``gold``: float64[n]; ``topic``: the topic of each pair, int64[n]; ``drawn``: how often each
    topic is in each resample, as from ``training.statistics.bootstrap.draws``; ``level``: its coverage.
    """
    resampled = bootstrap.RESAMPLED[kind]
    return bootstrap.interval(resampled(x, gold, topic, drawn) - resampled(z, gold, topic, drawn), level)


def shown_p(log10_p: float | None) -> str:
    """A p-value in a few characters, those below what a float can hold as a bound.

    >>> shown_p(math.log10(0.0123)), shown_p(-12.5), shown_p(-410.0), shown_p(None)
    ('0.012', '3e-13', '< 1e-300', 'undefined')
    """
    if log10_p is None:
        return "undefined"
    if log10_p < -300:
        return "< 1e-300"
    return f"{10**log10_p:.2g}" if log10_p > -4 else f"{10**log10_p:.0e}"


def _difference(
    names: tuple[str, str], kind: CorrelationKind, correlations: tuple[float, float, float], n: int
) -> Difference:
    first, second, between = correlations
    undefined = Difference(*names, kind, defined(first), defined(second), defined(between), n)
    if n < 4 or any(math.isnan(r) for r in correlations):
        return undefined
    test = steiger_z(first, second, between, n)
    # Rounding may bring two measures' correlation to 1, where no difference is left to speak of.
    apart = max(-LARGEST, min(between, LARGEST))
    required = mrds(apart, n)
    return msgspec.structs.replace(
        undefined,
        z=test.statistic,
        p=test.p,
        log10_p=test.log10_p,
        mrds_05=required if math.isfinite(required) else None,
        mrds_log10_p=mrds_log10_p(first - second, apart, n),
        significant=test.p < LEVEL,
    )
