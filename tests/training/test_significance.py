"""Significance: published examples, the tables of Rastogi et al., and what simulated measures show."""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import pairwise

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import integrate, stats

from measures.arrays import Floats
from tests.conftest import ROOT
from training.statistics.bootstrap import draws
from training.statistics.correlation import CorrelationKind, pearson, spearman
from training.statistics.dependent_correlations import (
    CorrelationTest,
    minimum_significant_difference,
    mrds,
    mrds_log10_p,
    steiger_z,
    williams_t,
)
from training.statistics.significance import (
    Difference,
    compare,
    compare_all,
    difference_interval,
    shown_p,
)

Test = Callable[[float, float, float, int], CorrelationTest]

# Published examples


def test_the_example_of_steiger() -> None:
    """Case A, p. 249: printed as −.8913, from a covariance that was rounded to .0042."""
    found = steiger_z(0.4, 0.5, 0.1, 103)
    assert found.statistic == pytest.approx(-0.8887185, abs=5e-8)
    assert found.statistic == pytest.approx(-0.8913, abs=3e-3)
    assert found.p == pytest.approx(2 * stats.norm.sf(0.8887185), abs=1e-7)


def test_the_examples_of_silver_hittner_and_may() -> None:
    """The values of their program, DEPCOR (2006)."""
    steiger, williams = steiger_z(0.3, 0.4, 0.5, 100), williams_t(0.3, 0.4, 0.5, 100)
    assert (round(steiger.statistic, 4), round(steiger.p, 4)) == (-1.0718, 0.2838)
    assert (round(williams.statistic, 4), round(williams.p, 4)) == (-1.0767, 0.2843)


MRDS_TABLE = {
    3000: (4.2, 3.2, 1.8, 3.0, 2.3, 1.3),
    2034: (5.1, 3.9, 2.3, 3.6, 2.8, 1.6),
    2003: (5.1, 4.0, 2.3, 3.6, 2.8, 1.6),
    999: (7.3, 5.7, 3.2, 5.2, 4.0, 2.3),
    353: (12.3, 9.5, 5.5, 8.7, 6.7, 3.9),
    287: (13.7, 10.6, 6.1, 9.7, 7.5, 4.3),
    252: (14.6, 11.3, 6.5, 10.3, 8.0, 4.6),
    203: (16.2, 12.6, 7.3, 11.5, 8.9, 5.1),
    65: (28.6, 22.3, 12.9, 20.6, 16.0, 9.2),
    30: (41.7, 32.7, 19.0, 30.6, 23.9, 13.8),
}
"""Rastogi et al. 2015, Table 2: MRDS in percent by number of pairs, for p of 0.01 and then 0.05, each with
correlations of 0.5, 0.7 and 0.9 between the measures. The paper searches in steps of 0.1 and gives the last
step that is not significant."""


@pytest.mark.parametrize("n", MRDS_TABLE)
def test_the_table_of_rastogi_et_al(n: int) -> None:
    found = [mrds(r, n, p) for p in (0.01, 0.05) for r in (0.5, 0.7, 0.9)]
    assert [math.floor(1000 * difference) / 10 for difference in found] == list(MRDS_TABLE[n])


def test_the_table_of_the_docs() -> None:
    page = (ROOT / "docs" / "significance.md").read_text(encoding="utf-8")
    table = page.partition("<!-- mrds: start -->")[2].partition("<!-- mrds: end -->")[0]
    head, _, *rows = [line.strip("| ").split(" | ") for line in table.strip().splitlines()]
    for pairs, *figures in rows:
        n = int(pairs.replace(",", ""))
        assert figures == [f"{mrds(float(r), n):.4f}" for r in head[1:]], n
    assert len(rows) == 9


# Against their definitions


def plain_williams(r_xy: float, r_zy: float, r_xz: float, n: int) -> float:
    correlations = np.array([[1, r_xy, r_xz], [r_xy, 1, r_zy], [r_xz, r_zy, 1]])
    mean = (r_xy + r_zy) / 2
    below = 2 * np.linalg.det(correlations) * (n - 1) / (n - 3) + mean**2 * (1 - r_xz) ** 3
    return float((r_xy - r_zy) * np.sqrt((n - 1) * (1 + r_xz) / below))


@st.composite
def correlations(draw: st.DrawFn) -> tuple[float, float, float, int]:
    """Three correlations that three variables can have, and a number of pairs."""
    r_xy, r_zy, share = (draw(st.floats(-0.95, 0.95)) for _ in range(3))
    return (
        r_xy,
        r_zy,
        r_xy * r_zy + share * math.sqrt((1 - r_xy**2) * (1 - r_zy**2)),
        draw(st.integers(5, 5000)),
    )


@given(correlations())
def test_williams_is_its_formula_and_odd(sample: tuple[float, float, float, int]) -> None:
    r_xy, r_zy, r_xz, n = sample
    found, back = williams_t(r_xy, r_zy, r_xz, n), williams_t(r_zy, r_xy, r_xz, n)
    assert found.statistic == pytest.approx(plain_williams(*sample), rel=1e-6, abs=1e-9)
    assert (back.statistic, back.p) == (-found.statistic, found.p)
    assert found.p == pytest.approx(2 * stats.t.sf(abs(found.statistic), n - 3), rel=1e-6, abs=1e-250)


@given(correlations())
def test_steiger_is_odd_and_agrees_with_williams_in_large_samples(
    sample: tuple[float, float, float, int],
) -> None:
    r_xy, r_zy, r_xz, _ = sample
    found, back = steiger_z(r_xy, r_zy, r_xz, 100), steiger_z(r_zy, r_xy, r_xz, 100)
    assert (back.statistic, back.p) == (-found.statistic, found.p)
    # Where the null hypothesis is nearly true, in samples without end, both are the same test.
    near, alike = r_xy + 1e-6, 0.9 * r_xy**2 + 0.1 * r_xz**2
    z, t = (
        steiger_z(near, r_xy, alike, 10**9),
        williams_t(near, r_xy, alike, 10**9),
    )
    assert z.statistic == pytest.approx(t.statistic, rel=1e-3)


@pytest.mark.parametrize(
    ("n", "r_xz", "p"), [(30, 0.9, 0.05), (100, 0.2, 0.01), (353, -0.3, 0.05), (8, 0.5, 0.2)]
)
def test_the_mrds_is_what_its_definition_searches_for(n: int, r_xz: float, p: float) -> None:
    def significant_everywhere(difference: float) -> bool:
        tails = []
        for r in np.arange(0.0, 1.0 - difference, 1e-3):
            if np.linalg.det([[1, r, r_xz], [r, 1, r + difference], [r_xz, r + difference, 1]]) > 0:
                tails.append(stats.t.sf(plain_williams(r + difference, r, r_xz, n), n - 2))
        return max(tails) <= p

    found = mrds(r_xz, n, p)
    assert significant_everywhere(found + 1e-6)
    assert not significant_everywhere(found - 1e-6)


@given(st.floats(-0.9, 0.95), st.floats(-0.9, 0.9), st.integers(10, 5000), st.floats(0.001, 0.3))
def test_the_least_difference_is_just_significant(r_xz: float, r: float, n: int, p: float) -> None:
    least = minimum_significant_difference(r_xz, r, n, p)
    middle, reach = r * r_xz, math.sqrt((1 - r * r) * (1 - r_xz * r_xz))
    if math.isinf(least):
        # Not even the highest correlation that is possible beside r would be significant.
        assert middle + reach <= r or williams_t(middle + reach - 1e-9, r, r_xz, n).p > p * 0.99
    elif r + least > middle - reach + 1e-9:
        assert williams_t(r + least, r, r_xz, n).p == pytest.approx(p, rel=1e-6)
    else:  # each correlation above r that is possible is significant
        assert williams_t(r + least + 1e-9, r, r_xz, n).p < p


def test_more_pairs_and_more_alike_measures_need_less() -> None:
    by_n = [mrds(0.8, n) for n in (30, 100, 300, 1000, 3000)]
    by_r = [mrds(r, 353) for r in (-0.5, 0.0, 0.5, 0.9, 0.99)]
    stricter = [mrds(0.8, 353, p) for p in (0.1, 0.05, 0.01, 1e-10)]
    assert all(b < a for a, b in pairwise(by_n))
    assert all(b < a for a, b in pairwise(by_r))
    assert all(a < b for a, b in pairwise(stricter))


@given(st.floats(-0.9, 0.98), st.integers(5, 5000), st.floats(1e-12, 0.49))
def test_the_level_of_a_difference_is_the_inverse_of_the_mrds(r_xz: float, n: int, p: float) -> None:
    least = mrds(r_xz, n, p)
    if math.isinf(least):
        assert mrds_log10_p(1.0, r_xz, n) > math.log10(p)
    else:
        assert mrds_log10_p(least, r_xz, n) == pytest.approx(math.log10(p), abs=1e-6)


# Below what a float can hold


@pytest.mark.parametrize(("r_xy", "r_zy", "n"), [(0.9, 0.1, 5000), (0.75, 0.5, 9000), (0.95, 0.1, 800)])
def test_p_values_below_float_range_are_told_as_logarithms(r_xy: float, r_zy: float, n: int) -> None:
    found = williams_t(r_xy, r_zy, 0.2, n)
    t, freedom = abs(found.statistic), n - 3

    def beyond(x: float) -> float:
        """The density of t, over that at the statistic."""
        return math.exp(
            (freedom + 1) / 2 * (math.log1p(t * t / freedom) - math.log1p((t + x) ** 2 / freedom))
        )

    scale = freedom / t
    area = scale * integrate.quad(lambda u: beyond(u * scale / freedom) / freedom, 0, 200)[0]
    area += integrate.quad(beyond, 200 * scale / freedom, math.inf)[0]
    expected = (float(stats.t.logpdf(t, freedom)) + math.log(2 * area)) / math.log(10)
    assert found.log10_p == pytest.approx(expected, rel=1e-6)
    assert found.log10_p < -150


def test_a_normal_p_value_below_float_range() -> None:
    found = steiger_z(0.9, 0.1, 0.2, 5000)
    assert found.p == 0.0
    z = abs(found.statistic)
    # The tail of a normal is between these (Gordon 1941).
    upper = -z * z / 2 - math.log(z * math.sqrt(2 * math.pi)) + math.log(2)
    assert upper - 1 / z**2 < found.log10_p * math.log(10) < upper


def test_how_p_values_are_shown() -> None:
    shown = [shown_p(x) for x in (0.0, -1.5, -4.2, -299.0, -300.5, None)]
    assert shown == ["1", "0.032", "6e-05", "1e-299", "< 1e-300", "undefined"]


# Edges


def test_equal_correlations_differ_by_nothing() -> None:
    for test in (steiger_z, williams_t):
        assert (test(0.5, 0.5, 1.0, 50).statistic, test(0.5, 0.5, 0.3, 50).p) == (0.0, 1.0)


def test_a_measure_that_is_the_gold() -> None:
    found = steiger_z(1.0, 0.5, 0.5, 50)
    assert math.isfinite(found.statistic)
    assert found.p < 1e-12
    assert steiger_z(1.0, -1.0, -1.0, 50).p < 1e-12


@pytest.mark.parametrize("test", [steiger_z, williams_t])
def test_what_cannot_be_is_refused(test: Test) -> None:
    with pytest.raises(ValueError, match="4 pairs"):
        test(0.5, 0.4, 0.3, 3)
    with pytest.raises(ValueError, match="between -1 and 1"):
        test(1.5, 0.4, 0.3, 30)
    with pytest.raises(ValueError, match="no three variables"):
        test(0.9, -0.9, 0.9, 30)


def test_what_cannot_be_searched_for_is_refused() -> None:
    with pytest.raises(ValueError, match="4 pairs"):
        mrds(0.5, 3)
    for r_xz, p in ((1.0, 0.05), (0.5, 0.0), (0.5, 1.0)):
        with pytest.raises(ValueError, match="must lie"):
            mrds(r_xz, 50, p)
    with pytest.raises(ValueError, match="can be passed"):
        minimum_significant_difference(0.5, 1.0, 50)


# On data


def sample(n: int = 200, seed: int = 1) -> tuple[Floats, Floats, Floats]:
    """A better measure, a worse one, and the gold."""
    random = np.random.default_rng(seed)
    gold, noise = random.normal(size=n), random.normal(size=(2, n))
    return gold + noise[0], gold + 2 * noise[1], gold


@pytest.mark.parametrize("kind", ["pearson", "spearman"])
def test_two_measures_by_hand(kind: CorrelationKind) -> None:
    x, z, gold = sample()
    correlation = pearson if kind == "pearson" else spearman
    r = correlation(x, gold), correlation(z, gold), correlation(x, z)
    found = compare(x, z, gold, kind, ("good", "poor"))
    assert (found.first, found.second, found.kind, found.n) == ("good", "poor", kind, 200)
    assert (found.r_first, found.r_second, found.r_between) == r
    test = steiger_z(*r, 200)
    assert (found.z, found.p, found.log10_p) == (test.statistic, test.p, test.log10_p)
    assert found.mrds_05 == mrds(r[2], 200)
    assert found.significant
    assert msgspec.json.decode(msgspec.json.encode(found), type=Difference) == found


def test_all_pairs_the_better_first() -> None:
    x, z, gold = sample()
    columns = {"poor": z, "constant": np.ones(200), "good": x, "gold": gold}
    kinds: tuple[CorrelationKind, ...] = ("pearson", "spearman")
    for kind in kinds:
        found = compare_all(columns, gold, kind)
        names = [(pair.first, pair.second) for pair in found]
        assert names == [
            ("gold", "good"), ("gold", "poor"), ("gold", "constant"),
            ("good", "poor"), ("good", "constant"), ("poor", "constant"),
        ]  # fmt: skip
        assert found[3] == compare(x, z, gold, kind, ("good", "poor"))
        assert (found[2].r_second, found[2].p, found[2].significant) == (None, None, None)


def test_too_few_pairs_are_not_tested() -> None:
    found = compare(np.array([1.0, 2, 3]), np.array([1.0, 3, 2]), np.array([1.0, 2, 4]))
    assert (found.n, found.z, found.mrds_05, found.significant) == (3, None, None, None)
    assert found.r_second == pytest.approx(pearson(np.array([1.0, 3, 2]), np.array([1.0, 2, 4])))


def drawn(
    correlations: tuple[float, float, float], n: int, times: int, seed: int
) -> list[tuple[float, float, float]]:
    """Sample correlations of normal variables with these, so many times: r_xy, r_zy, r_xz."""
    r_xy, r_zy, r_xz = correlations
    covariance = [[1, r_xz, r_xy], [r_xz, 1, r_zy], [r_xy, r_zy, 1]]
    data = np.random.default_rng(seed).multivariate_normal(np.zeros(3), covariance, size=(times, n))
    data -= data.mean(axis=1, keepdims=True)
    data /= np.sqrt((data**2).sum(axis=1, keepdims=True))
    x, z, y = np.moveaxis(data, 2, 0)
    found = [np.einsum("tn,tn->t", a, b).tolist() for a, b in ((x, y), (z, y), (x, z))]
    return list(zip(*found, strict=True))


@pytest.mark.parametrize("test", [steiger_z, williams_t])
@pytest.mark.parametrize(("r", "between", "n"), [(0.5, 0.7, 100), (0.3, 0.1, 60), (0.65, 0.9, 300)])
def test_false_alarms_are_as_rare_as_they_should_be(test: Test, r: float, between: float, n: int) -> None:
    """Measures that are equally good: one in twenty comparisons is significant at 0.05."""
    times = 4000
    p = np.array([test(*each, n).p for each in drawn((r, r, between), n, times, 3)])
    for level in (0.05, 0.2):
        margin = 4 * math.sqrt(level * (1 - level) / times)
        assert np.mean(p < level) == pytest.approx(level, abs=margin)


def test_a_difference_that_is_there_is_found() -> None:
    """Steiger's Z finds it as often as its own normal approximation promises."""
    r_xy, r_zy, r_xz, n = 0.6, 0.5, 0.7, 300
    expected = stats.norm.cdf(abs(steiger_z(r_xy, r_zy, r_xz, n).statistic) - stats.norm.isf(0.025))
    p = [steiger_z(*each, n).p for each in drawn((r_xy, r_zy, r_xz), n, 3000, 4)]
    assert np.mean(np.array(p) < 0.05) == pytest.approx(expected, abs=0.04)
    assert 0.5 < expected < 0.95


def test_an_interval_by_topics_is_that_of_the_differences() -> None:
    x, z, gold = sample(60)
    topic = np.arange(60) % 5
    resamples = draws(5, 40, 1)
    for kind, correlation in (("pearson", pearson), ("spearman", spearman)):
        differences = []
        for counts in resamples:
            rows = np.concatenate([np.repeat(np.flatnonzero(topic == t), counts[t]) for t in range(5)])
            differences.append(correlation(x[rows], gold[rows]) - correlation(z[rows], gold[rows]))
        found = difference_interval(
            x, z, gold, topic, resamples, "pearson" if kind == "pearson" else "spearman"
        )
        assert (found.low, found.high) == pytest.approx(tuple(np.quantile(differences, [0.025, 0.975])))


def test_pairs_that_go_together_widen_the_interval() -> None:
    """Every pair copied ten times: the test is ten times as sure, the interval by topics is not."""
    x, z, gold = sample(100, seed=2)
    first, second, scores = (np.repeat(column, 10) for column in (x, z, gold))
    once, copied = compare(x, z, gold), compare(first, second, scores)
    assert copied.log10_p is not None
    assert once.log10_p is not None
    assert copied.log10_p < 5 * once.log10_p
    resamples = draws(100, 200, 1)
    alone = difference_interval(x, z, gold, np.arange(100), resamples)
    together = difference_interval(first, second, scores, np.repeat(np.arange(100), 10), resamples)
    assert (together.low, together.high) == pytest.approx((alone.low, alone.high))
