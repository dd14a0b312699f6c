"""Other learners: judged on folds that do not leak, the same each time, and each good at what it is for."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.linear_model import Ridge
from sklearn.neighbors import KNeighborsRegressor
from sklearn.preprocessing import StandardScaler

from features.catalogue import FEATURE_NAMES
from measures.arrays import Floats, Ints
from models.protocol import CLIP
from papers.word.learners import LEARNERS, compare_learners, learner_out_of_fold
from tests.conftest import ROOT
from training.design import DESIGNS
from training.errors import TooFewPairs
from training.fit import design_matrix, out_of_fold
from training.statistics.correlation import pearson

DESIGN = DESIGNS["default"]
ESA, MW = FEATURE_NAMES.index("ESA"), FEATURE_NAMES.index("MW")


def sample(pairs: int = 240, topics: int = 4, seed: int = 0) -> tuple[Floats, Floats, Ints]:
    random = np.random.default_rng(seed)
    values = random.random((pairs, len(FEATURE_NAMES)))
    # An exclusive or: nothing that adds the features up can tell it.
    scores = ((values[:, ESA] > 0.5) ^ (values[:, MW] > 0.5)).astype(float)
    return values, scores, random.integers(0, topics, pairs)


def test_linear_is_the_models_own_regression() -> None:
    values, scores, topic = sample()
    _, predictions = compare_learners(values, scores, topic, DESIGN)
    for name, design in (("linear", DESIGN), ("unconstrained", DESIGNS["unconstrained"])):
        expected = out_of_fold(design_matrix(values, design), scores, topic, design.method)
        np.testing.assert_allclose(predictions[name], expected, atol=1e-12)


def test_what_is_no_sum_is_learnt_by_trees_alone() -> None:
    values, scores, topic = sample(600)
    results, predictions = compare_learners(values, scores, topic, DESIGN)
    found = {result.learner: result.pearson or 0.0 for result in results}
    assert list(found) == list(predictions) == list(LEARNERS)
    assert found["boosted trees"] > 0.8
    assert max(found["linear"], found["ridge"]) < 0.3
    assert found["boosted trees"] == pearson(predictions["boosted trees"], scores)


def test_figures_are_pooled_and_by_topic() -> None:
    values, scores, topic = sample()
    topic[topic == 0] = 9
    scores[topic == 3] = 0.5  # a topic whose correlation is undefined
    results, predictions = compare_learners(values, scores, topic, DESIGN)
    for result in results:
        predicted = predictions[result.learner]
        own = [pearson(predicted[topic == number], scores[topic == number]) for number in (1, 2, 9)]
        assert result.pearson_mean == pytest.approx(np.mean(own))
        assert result.description == LEARNERS[result.learner].description


@pytest.mark.parametrize("name", LEARNERS)
def test_no_score_of_a_topic_reaches_its_own_predictions(name: str) -> None:
    values, scores, topic = sample()
    own = topic == 1
    altered = np.where(own, 1.0 - scores / 2, scores)
    before, after = (learner_out_of_fold(LEARNERS[name], values, given, topic) for given in (scores, altered))
    assert (before[own] == after[own]).all()
    assert (before[~own] != after[~own]).any()


@pytest.mark.parametrize("name", LEARNERS)
def test_nothing_of_a_topics_features_reaches_what_its_prediction_is_made_by(name: str) -> None:
    """Scaled outside the fold, one huge value would move the predictions of its whole topic."""
    values, scores, topic = sample()
    altered = values.copy()
    altered[np.flatnonzero(topic == 1)[0], 0] = 1e6
    before, after = (learner_out_of_fold(LEARNERS[name], given, scores, topic) for given in (values, altered))
    others = np.flatnonzero(topic == 1)[1:]
    np.testing.assert_array_equal(before[others], after[others])


def test_neighbours_and_ridge_are_scaled_inside_the_fold() -> None:
    values, scores, topic = sample()
    rest, own = topic != 2, topic == 2
    scaler = StandardScaler().fit(values[rest])
    neighbours = KNeighborsRegressor(50, weights="distance").fit(scaler.transform(values[rest]), scores[rest])
    found = learner_out_of_fold(LEARNERS["nearest neighbours"], values, scores, topic)
    np.testing.assert_allclose(found[own], np.clip(neighbours.predict(scaler.transform(values[own])), *CLIP))
    found = learner_out_of_fold(LEARNERS["ridge"], values, scores, topic)
    penalties = np.logspace(-3, 3, 13)
    candidates = [Ridge(penalty).fit(scaler.transform(values[rest]), scores[rest]) for penalty in penalties]
    possible = [np.clip(ridge.predict(scaler.transform(values[own])), *CLIP) for ridge in candidates]
    assert min(np.abs(found[own] - each).max() for each in possible) < 1e-9


def test_the_same_each_time_and_cut() -> None:
    values, scores, topic = sample(seed=3)
    first, second = (compare_learners(values, scores, topic, DESIGN)[1] for _ in range(2))
    for name in LEARNERS:
        assert (first[name] == second[name]).all()
        assert first[name].min() >= 0.0
        assert first[name].max() <= 1.0


def test_identical_concepts_are_scored_and_not_learnt() -> None:
    values, scores, topic = sample()
    identical = np.zeros(len(scores), np.bool_)
    identical[:30] = True
    _, rest = compare_learners(values[30:], scores[30:], topic[30:], DESIGN)
    _, found = compare_learners(values, scores, topic, DESIGN, identical=identical)
    for name in LEARNERS:
        assert (found[name][:30] == 1.0).all()
        np.testing.assert_array_equal(found[name][30:], rest[name])


def test_progress_counts_the_folds_of_all() -> None:
    values, scores, topic = sample(60)
    counted: list[tuple[int, int | None]] = []
    compare_learners(values, scores, topic, DESIGN, lambda done, total: counted.append((done, total)))
    folds = 4 * len(LEARNERS)
    assert counted == [(done, folds) for done in range(1, folds + 1)]


def test_few_pairs_are_enough_for_each_learner() -> None:
    values, scores, _ = sample(6)
    results, _ = compare_learners(values, scores, np.array([0, 0, 0, 1, 1, 1]), DESIGN)
    assert len(results) == len(LEARNERS)


def test_one_topic_cannot_be_left_out() -> None:
    values, scores, topic = sample()
    with pytest.raises(TooFewPairs, match="two topics"):
        compare_learners(values, scores, np.zeros_like(topic), DESIGN)


def test_every_learner_is_documented() -> None:
    page = (ROOT / "docs" / "measured-features.md").read_text(encoding="utf-8")
    for name, learner in LEARNERS.items():
        assert f"| {name} | {learner.reads} | {learner.description} |" in page, name
