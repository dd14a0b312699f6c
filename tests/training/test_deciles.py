"""Correlations by decile of popularity."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.wikis.toy import TITLES, TOY, toy_snapshot
from training.evaluation.deciles import by_decile, pair_popularity
from training.statistics.correlation import pearson, spearman


def test_a_measure_that_needs_popularity() -> None:
    random = np.random.default_rng(0)
    gold, popularity = random.random(1000), random.permutation(1000)
    knows = np.where(popularity >= 500, gold, random.random(1000))
    found = by_decile({"knows the popular": knows, "constant": np.ones(1000)}, gold, popularity)
    assert [decile.number for decile in found] == list(range(1, 11))
    assert [(decile.low, decile.high) for decile in found] == [(100 * i, 100 * i + 99) for i in range(10)]
    correlations = [decile.pearson["knows the popular"] or 0.0 for decile in found]
    assert max(correlations[:5]) < 0.5
    assert correlations[5:] == pytest.approx([1.0] * 5)
    assert found[0].pearson["constant"] is None
    assert found[9].spearman["constant"] is None


@given(st.lists(st.tuples(st.integers(0, 5), st.floats(0, 1)), min_size=1, max_size=60), st.integers(0, 99))
def test_parts_are_equal_and_ordered(pairs: list[tuple[int, float]], seed: int) -> None:
    popularity = np.array([popular for popular, _ in pairs])
    gold = np.array([score for _, score in pairs])
    measure = np.random.default_rng(seed).random(len(pairs))
    found = by_decile({"m": measure}, gold, popularity)
    sizes = [decile.pairs for decile in found]
    assert sum(sizes) == len(pairs)
    assert len(found) == min(10, len(pairs))
    assert max(sizes) - min(sizes) <= 1
    assert all(a.high <= b.low for a, b in pairwise(found))
    # By the plainest way: sort, then count off.
    order, start = sorted(range(len(pairs)), key=lambda i: popularity[i]), 0
    for decile in found:
        own = order[start : start + decile.pairs]
        start += decile.pairs
        for kind, correlation in (("pearson", pearson), ("spearman", spearman)):
            expected = correlation(measure[own], gold[own])
            shown = getattr(decile, kind)["m"]
            assert (shown is None) == np.isnan(expected)
            assert shown is None or shown == expected


def test_lengths_that_do_not_match_are_refused() -> None:
    with pytest.raises(ValueError, match="2 popularities do not go with 3 scores"):
        by_decile({}, np.zeros(3), np.zeros(2, np.int64))


def test_popularity_is_that_of_the_less_linked(tmp_path: Path) -> None:
    rows = np.arange(len(TITLES))
    left, right = (side.ravel() for side in np.meshgrid(rows, rows))
    found = pair_popularity(toy_snapshot(tmp_path / "toy"), left, right)
    expected = [
        min(len(TOY.into(a)), len(TOY.into(b))) for a, b in zip(left.tolist(), right.tolist(), strict=True)
    ]
    assert found.tolist() == expected
    assert len(set(expected)) > 2
