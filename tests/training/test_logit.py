"""The fractional logit: the best fit there is, by slow and obvious means, and the same one every time."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression

from features.catalogue import FEATURE_NAMES
from measures.arrays import Floats
from models.logistic import HIGHEST, logistic
from training.design import DESIGNS, Design
from training.errors import NotFitted
from training.fit import cross_fit, design_matrix, fit, out_of_fold
from training.logit import RIDGE, fractional_logit

WEIGHTS = np.array([2.0, 0.0, 0.5, 1.0])


def sample(pairs: int = 600, weights: Floats = WEIGHTS, seed: int = 0) -> tuple[Floats, Floats]:
    """Addends of different scales, and the shares of panels of ten whose judges follow a logit."""
    generator = np.random.default_rng(seed)
    addends = generator.random((pairs, len(weights))) * np.array([1.0, 10.0, 3.0, 0.5])[: len(weights)]
    expected = HIGHEST * logistic(addends @ weights - 2.0)
    return addends, generator.binomial(10, expected) / 10


def penalised(addends: Floats, scores: Floats, weights: Floats, intercept: float) -> float:
    """What is to be least: the deviance, halved, and the ridge."""
    log_odds, target = addends @ weights + intercept, np.minimum(scores, HIGHEST) / HIGHEST
    spread = addends.std(axis=0)
    loss = np.log1p(np.exp(log_odds)) - target * log_odds
    return float(loss.sum() + RIDGE / 2 * ((weights * spread) ** 2).sum())


def by_projected_gradient(addends: Floats, scores: Floats, steps: int = 3000) -> tuple[Floats, float]:
    """Small steps down the slope, and back to 0 where a weight went below."""
    scaled = (addends - addends.mean(axis=0)) / addends.std(axis=0)
    target = np.minimum(scores, HIGHEST) / HIGHEST
    weights, intercept = np.zeros(scaled.shape[1]), 0.0
    for _ in range(steps):
        off = 1.0 / (1.0 + np.exp(-(scaled @ weights + intercept))) - target
        weights = np.maximum(weights - 0.5 * (scaled.T @ off + RIDGE * weights) / len(scores), 0.0)
        intercept -= 0.5 * off.mean()
    weights = weights / addends.std(axis=0)
    return weights, intercept - float(weights @ addends.mean(axis=0))


def test_it_is_what_small_steps_down_come_to() -> None:
    addends, scores = sample(weights=np.array([2.0, -0.4, 0.5, 1.0]))
    weights, intercept = fractional_logit(addends, scores)
    expected, constant = by_projected_gradient(addends, scores)
    assert weights[1] == 0.0
    assert (weights[[0, 2, 3]] > 0.1).all()
    np.testing.assert_allclose(weights, expected, atol=1e-6)
    assert intercept == pytest.approx(constant, abs=1e-6)


def test_it_is_the_logistic_regression_of_each_judge_alone() -> None:
    """A share is split into judges who say yes and such as say no: rows of scikit-learn's, with weights."""
    addends, scores = sample(weights=np.array([2.0, 0.4, 0.5, 1.0]))
    scores = np.minimum(scores, 0.9)
    spread, share = addends.std(axis=0), scores / HIGHEST
    told = LogisticRegression(C=1.0 / RIDGE, tol=1e-10, max_iter=10_000)
    told.fit(
        np.concatenate([addends, addends]) / spread,
        np.repeat([1, 0], len(scores)),
        sample_weight=np.concatenate([share, 1.0 - share]),
    )
    weights, intercept = fractional_logit(addends, scores)
    np.testing.assert_allclose(weights, told.coef_[0] / spread, atol=1e-5)
    assert intercept == pytest.approx(told.intercept_[0], abs=1e-5)


def test_nothing_near_it_is_better() -> None:
    addends, scores = sample()
    weights, intercept = fractional_logit(addends, scores)
    best = penalised(addends, scores, weights, intercept)
    generator = np.random.default_rng(1)
    for _ in range(200):
        moved = np.maximum(weights + generator.normal(0.0, 0.05, len(weights)), 0.0)
        assert penalised(addends, scores, moved, intercept + generator.normal(0.0, 0.05)) > best


def test_weights_are_found_again_from_many_judges() -> None:
    addends, scores = sample(20_000)
    weights, intercept = fractional_logit(addends, scores)
    np.testing.assert_allclose(weights, WEIGHTS, atol=0.06)
    assert intercept == pytest.approx(-2.0, abs=0.08)
    assert HIGHEST * logistic(addends @ weights + intercept).mean() == pytest.approx(scores.mean(), abs=1e-3)


def test_the_same_numbers_have_the_same_fit() -> None:
    addends, scores = sample()
    first, second = (fractional_logit(addends.copy(), scores.copy()) for _ in range(2))
    assert first[0].tolist() == second[0].tolist()
    assert first[1] == second[1]


def test_addends_that_say_the_same_share_the_weight() -> None:
    addends, scores = sample(weights=WEIGHTS[:1])
    twice = np.column_stack([addends, addends, np.full(len(scores), 7.0), np.zeros(len(scores))])
    weights, _ = fractional_logit(twice, scores)
    assert weights[0] == pytest.approx(weights[1], rel=1e-6)
    assert weights[2:].tolist() == [0.0, 0.0]


@pytest.mark.parametrize("share", [0.0, 1.0])
def test_where_all_say_the_same_there_is_a_fit_still(share: float) -> None:
    addends, _ = sample(50)
    weights, intercept = fractional_logit(addends, np.full(50, share))
    predicted = HIGHEST * logistic(addends @ weights + intercept)
    np.testing.assert_allclose(predicted, share * HIGHEST, atol=1e-6)


def test_numbers_that_are_none_are_an_error() -> None:
    addends, scores = sample(50)
    addends[3, 1] = np.nan
    with pytest.raises(NotFitted, match="not a finite number"):
        fractional_logit(addends, scores)


def test_no_score_of_a_topic_reaches_its_own_predictions() -> None:
    addends, scores = sample(200)
    topic = np.arange(200) % 5
    own = np.equal(topic, 2)
    others = np.where(own, 1.0 - scores, scores)
    before, after = (
        out_of_fold(addends, known, topic, positive=True, link="logit") for known in (scores, others)
    )
    assert (before[own] == after[own]).all()
    assert (before[~own] != after[~own]).any()
    folds = [(~own, own)]
    expected = cross_fit(addends, scores, folds, positive=True, link="logit")[own]
    assert before[own].tolist() == expected.tolist()


def test_shuffled_scores_are_not_predicted_out_of_fold() -> None:
    """What would be learnt of them could come by a leak alone."""
    addends, scores = sample(1000)
    topic = np.arange(1000) % 10
    shuffled = np.random.default_rng(5).permutation(scores)
    kept = out_of_fold(addends, scores, topic, positive=True, link="logit")
    lost = out_of_fold(addends, shuffled, topic, positive=True, link="logit")
    assert np.corrcoef(kept, scores)[0, 1] > 0.5
    assert np.corrcoef(lost, shuffled)[0, 1] < 0.08


def test_a_logistic_model_has_no_design_with_weights_below_0() -> None:
    with pytest.raises(ValueError, match="no weight below 0"):
        Design((("ESA", "identity"),), positive=False, link="logit")


def test_the_design_plus_reads_what_is_there() -> None:
    design = DESIGNS["plus"]
    assert design.link == "logit"
    values = np.random.default_rng(0).random((40, len(FEATURE_NAMES)))
    found = fit(design_matrix(values, design), values[:, 0] * 0.9, link="logit")
    assert (found.weights >= 0.0).all()
    assert (found.predict(design_matrix(values, design)) < HIGHEST).all()
