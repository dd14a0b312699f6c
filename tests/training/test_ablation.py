"""Ablation: the quick way gives the predictions of the slow one, and features get what they are worth."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from features.catalogue import FEATURE_NAMES, FEATURES, OF_WORT
from measures.arrays import Floats, Ints
from training.design import DESIGNS, Design
from training.errors import TooFewPairs
from training.evaluation.ablation import ALL, TopicSums, ablate
from training.fit import design_matrix, out_of_fold
from training.statistics.correlation import pearson, spearman

DESIGN = DESIGNS["default"]
ESA, MW = FEATURE_NAMES.index("ESA"), FEATURE_NAMES.index("MW")


def sample(pairs: int = 160, topics: int = 7, seed: int = 0) -> tuple[Floats, Floats, Ints]:
    """Features, scores and topics: features of very different size, some of them nearly the same."""
    random = np.random.default_rng(seed)
    values = random.random((pairs, len(FEATURE_NAMES))) * random.choice([0.01, 1.0, 8.0], len(FEATURE_NAMES))
    values[:, MW] = values[:, ESA] + 1e-4 * random.random(pairs)
    values[random.random(values.shape) < 0.3] = 0.0
    scores = np.clip(0.1 + 0.3 * values[:, 0] + 0.4 * values[:, ESA] + 0.1 * random.normal(size=pairs), 0, 1)
    return values, scores, random.integers(0, topics, pairs)


def without(design: Design, feature: str) -> Design:
    return replace(design, addends=tuple(addend for addend in design.addends if addend[0] != feature))


def only(design: Design, feature: str) -> Design:
    return replace(design, addends=tuple(addend for addend in design.addends if addend[0] == feature))


@pytest.mark.parametrize("name", ["default", "unconstrained"])
def test_every_row_is_that_of_the_slow_way(name: str) -> None:
    whole_design = DESIGNS[name]
    values, scores, topic = sample()
    rows = ablate(values, scores, topic, whole_design)
    assert [row.feature for row in rows] == [ALL, *OF_WORT]

    def slowly(design: Design) -> tuple[float, float]:
        predicted = out_of_fold(design_matrix(values, design), scores, topic, design.method)
        return pearson(predicted, scores), spearman(predicted, scores)

    whole = slowly(whole_design)
    assert (rows[0].alone.pearson, rows[0].alone.spearman) == pytest.approx(whole, abs=1e-9)
    assert (rows[0].addends, rows[0].without, rows[0].drop) == (len(whole_design.addends), None, None)
    for row in rows[1:]:
        one, others = only(whole_design, row.feature), without(whole_design, row.feature)
        alone, rest = slowly(one), slowly(others)
        assert row.addends == len(one.addends)
        assert row.without is not None
        assert row.drop is not None
        assert (row.alone.pearson, row.alone.spearman) == pytest.approx(alone, abs=1e-9)
        assert (row.without.pearson, row.without.spearman) == pytest.approx(rest, abs=1e-9)
        assert row.drop.pearson == pytest.approx(whole[0] - rest[0], abs=1e-9)
        assert row.drop.spearman == pytest.approx(whole[1] - rest[1], abs=1e-9)


@settings(max_examples=20)
@given(st.integers(0, 10_000), st.integers(2, 12), st.integers(5, 60))
def test_predictions_are_those_of_out_of_fold(seed: int, topics: int, pairs: int) -> None:
    """Few pairs, and so fits that are not determined, columns that are empty in a fold, and repeats."""
    random = np.random.default_rng(seed)
    topic = random.integers(0, topics, pairs)
    topic[:2] = 0, 1
    design = random.random((pairs, 6)) * [1, 1, 10, 0.1, 1, 1]
    design[:, 1] = 0.0
    design[topic != 0, 4] = 0.0
    design[:, 5] = 2 * design[:, 0]
    scores = random.random(pairs)
    folds = TopicSums(design, scores, topic, "least-squares")
    for columns in (range(6), [0], [3, 4], [0, 5]):
        expected = out_of_fold(design[:, list(columns)], scores, topic, "least-squares")
        np.testing.assert_allclose(folds.predict(columns), expected, atol=2e-6)


@settings(max_examples=20)
@given(st.integers(0, 10_000), st.integers(3, 12))
def test_predictions_with_no_weight_below_0_are_those_of_out_of_fold(seed: int, topics: int) -> None:
    """Of fits that are determined: columns that are empty, everywhere or in a fold, and that repeat."""
    random = np.random.default_rng(seed)
    topic = np.arange(60) % topics
    design = random.random((60, 6)) * [1, 1, 10, 0.1, 1, 1]
    design[:, 1] = 0.0
    design[topic != 0, 4] = 0.0
    scores = random.random(60)
    folds = TopicSums(design, scores, topic, "non-negative")
    for columns in (range(6), [0], [3, 4], [0, 5]):
        expected = out_of_fold(design[:, list(columns)], scores, topic, "non-negative")
        np.testing.assert_allclose(folds.predict(columns), expected, atol=1e-9)


def test_without_features_a_pair_is_given_the_mean_of_the_others() -> None:
    scores, topic = np.array([0.0, 0.5, 1.0, 1.0]), np.array([0, 0, 1, 2])
    found = TopicSums(np.ones((4, 1)), scores, topic, "least-squares").predict([])
    assert found.tolist() == pytest.approx([0.99, 0.99, 0.5, 0.5])


def test_identical_concepts_are_scored_and_not_learnt() -> None:
    values, scores, topic = sample()
    identical = np.zeros(len(scores), np.bool_)
    identical[:20] = True
    scores[:20] = 1.0
    rest = ablate(values[20:], scores[20:], topic[20:], DESIGN)
    found = ablate(values, scores, topic, DESIGN, identical=identical)
    predicted = np.ones(len(scores))
    matrix = design_matrix(values[20:], DESIGN)
    predicted[20:] = out_of_fold(matrix, scores[20:], topic[20:], "non-negative")
    assert found[0].alone.pearson == pytest.approx(pearson(predicted, scores), abs=1e-9)
    assert found[0].alone.pearson != rest[0].alone.pearson


def test_what_makes_the_scores_is_missed() -> None:
    values, _, topic = sample()
    values = np.random.default_rng(5).random(values.shape)
    rows = {row.feature: row for row in ablate(values, values[:, ESA], topic, DESIGN)}
    assert rows["ESA"].alone.pearson == pytest.approx(1.0, abs=1e-5)  # a pair lies beyond the clip
    drops = {name: row.drop.pearson or 0.0 for name, row in rows.items() if row.drop is not None}
    assert max(drops, key=lambda name: drops[name]) == "ESA"
    assert drops["ESA"] > 0.5
    assert all(abs(drop) < 1e-9 for name, drop in drops.items() if name != "ESA")


def test_groups_are_the_papers() -> None:
    values, scores, topic = sample()
    rows = ablate(values, scores, topic, DESIGN, groups=True)
    assert [row.feature for row in rows] == [
        ALL,
        *dict.fromkeys(feature.group for feature in FEATURES if feature.name in OF_WORT),
    ]
    assert sum(row.addends for row in rows[1:]) == len(DESIGN.addends)
    words = Design(tuple(addend for addend in DESIGN.addends if addend[0] in ("PMI1", "W2V")))
    expected = out_of_fold(design_matrix(values, words), scores, topic, "non-negative")
    assert rows[1].alone.pearson == pytest.approx(pearson(expected, scores), abs=1e-9)


def test_progress_counts_the_models() -> None:
    values, scores, topic = sample()
    counted: list[tuple[int, int | None]] = []
    ablate(values, scores, topic, DESIGN, lambda done, total: counted.append((done, total)))
    assert counted == [(done, 33) for done in range(1, 34)]


def test_a_constant_gold_has_no_correlation() -> None:
    values, scores, topic = sample()
    row = ablate(values, np.full_like(scores, 0.5), topic, DESIGN)[1]
    assert (row.alone.pearson, row.drop and row.drop.spearman) == (None, None)


def test_one_topic_cannot_be_left_out() -> None:
    values, scores, topic = sample()
    with pytest.raises(TooFewPairs, match="two topics"):
        ablate(values, scores, np.zeros_like(topic), DESIGN)
