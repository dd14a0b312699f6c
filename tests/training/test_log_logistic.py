"""The fractional response: the best fit there is, by slow and obvious means, and the same one every time."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import Bounds, minimize

from features.catalogue import FEATURE_NAMES
from measures.arrays import Floats
from models.log_logistic import HIGHEST, log_logistic
from training.design import DESIGNS
from training.errors import NotFitted
from training.fit import cross_fit, design_matrix, fit, out_of_fold
from training.log_logistic import LEAST, RIDGE, fractional_log_logistic

WEIGHTS = np.array([0.6, 0.0, 0.15, 0.4])


def sample(pairs: int = 600, weights: Floats = WEIGHTS, seed: int = 0) -> tuple[Floats, Floats]:
    """Addends of different scales, and the shares of panels of ten whose judges follow such a model."""
    generator = np.random.default_rng(seed)
    addends = generator.random((pairs, len(weights))) * np.array([1.0, 10.0, 3.0, 0.5])[: len(weights)]
    expected = HIGHEST * log_logistic(addends @ weights + 0.2)
    return addends, generator.binomial(10, expected) / 10


def penalised(addends: Floats, scores: Floats, weights: Floats, intercept: float) -> float:
    """What is to be least: the deviance, halved, and the ridge."""
    odds, target = (addends @ weights + intercept) ** 3, np.minimum(scores, HIGHEST) / HIGHEST
    loss = -target * np.log(odds / (1.0 + odds)) - (1.0 - target) * np.log(1.0 / (1.0 + odds))
    return float(loss.sum() + RIDGE / 2 * ((weights * addends.std(axis=0)) ** 2).sum())


def test_it_is_what_a_general_descent_comes_to() -> None:
    """SciPy's L-BFGS-B knows no slopes here and begins elsewhere."""
    addends, scores = sample(weights=np.array([0.6, -0.02, 0.15, 0.4]))
    weights, intercept = fractional_log_logistic(addends, scores)
    spread = addends.std(axis=0)

    def mean_loss(at: Floats) -> float:
        return penalised(addends, scores, at[:-1] / spread, float(at[-1])) / len(scores)

    found = minimize(
        mean_loss,
        np.full(5, 0.3),
        method="L-BFGS-B",
        bounds=Bounds(np.array([0.0, 0.0, 0.0, 0.0, LEAST])),
        options={"ftol": 1e-15, "gtol": 1e-9, "maxiter": 5000, "maxfun": 100_000},
    )
    assert weights[1] == 0.0
    assert (weights[[0, 2, 3]] > 0.05).all()
    np.testing.assert_allclose(weights, found.x[:-1] / spread, atol=1e-4)
    assert intercept == pytest.approx(found.x[-1], abs=1e-4)


def test_nothing_near_it_is_better() -> None:
    addends, scores = sample()
    weights, intercept = fractional_log_logistic(addends, scores)
    best = penalised(addends, scores, weights, intercept)
    generator = np.random.default_rng(1)
    for _ in range(200):
        moved = np.maximum(weights + generator.normal(0.0, 0.02, len(weights)), 0.0)
        assert penalised(addends, scores, moved, max(intercept + generator.normal(0.0, 0.02), LEAST)) > best


def test_weights_are_found_again_from_many_judges() -> None:
    addends, scores = sample(20_000)
    weights, intercept = fractional_log_logistic(addends, scores)
    np.testing.assert_allclose(weights, WEIGHTS, atol=0.02)
    assert intercept == pytest.approx(0.2, abs=0.03)
    predicted = HIGHEST * log_logistic(addends @ weights + intercept)
    assert predicted.mean() == pytest.approx(scores.mean(), abs=3e-3)


def test_the_same_numbers_have_the_same_fit() -> None:
    addends, scores = sample()
    first, second = (fractional_log_logistic(addends.copy(), scores.copy()) for _ in range(2))
    assert first[0].tolist() == second[0].tolist()
    assert first[1] == second[1]


def test_addends_that_say_the_same_share_the_weight() -> None:
    addends, scores = sample(weights=WEIGHTS[:1])
    twice = np.column_stack([addends, addends, np.full(len(scores), 7.0), np.zeros(len(scores))])
    weights, _ = fractional_log_logistic(twice, scores)
    assert weights[0] == pytest.approx(weights[1], rel=1e-6)
    assert weights[2:].tolist() == [0.0, 0.0]


@pytest.mark.parametrize("share", [0.0, 1.0])
def test_where_all_say_the_same_there_is_a_fit_still(share: float) -> None:
    addends, _ = sample(50)
    weights, intercept = fractional_log_logistic(addends, np.full(50, share))
    predicted = HIGHEST * log_logistic(addends @ weights + intercept)
    np.testing.assert_allclose(predicted, share * HIGHEST, atol=1e-6)


@pytest.mark.parametrize("number", [np.nan, np.inf, -1e-9])
def test_addends_that_are_no_evidence_are_an_error(number: float) -> None:
    addends, scores = sample(50)
    addends[3, 1] = number
    with pytest.raises(NotFitted, match="not a finite number from 0 on"):
        fractional_log_logistic(addends, scores)


@pytest.mark.parametrize("scores", [[0.5, np.nan], [0.5, -0.1], [0.5, 1.1], []])
def test_scores_that_are_no_shares_are_an_error(scores: list[float]) -> None:
    with pytest.raises(NotFitted, match=r"share|no pairs"):
        fractional_log_logistic(np.ones((len(scores), 2)), np.array(scores))


def test_no_score_of_a_topic_reaches_its_own_predictions() -> None:
    addends, scores = sample(200)
    topic = np.arange(200) % 5
    own = np.equal(topic, 2)
    others = np.where(own, 1.0 - scores, scores)
    before, after = (out_of_fold(addends, known, topic, "log-logistic") for known in (scores, others))
    assert (before[own] == after[own]).all()
    assert (before[~own] != after[~own]).any()
    folds = [(~own, own)]
    expected = cross_fit(addends, scores, folds, "log-logistic")[own]
    assert before[own].tolist() == expected.tolist()


def test_shuffled_scores_are_not_predicted_out_of_fold() -> None:
    """What would be learnt of them could come by a leak alone."""
    addends, scores = sample(1000)
    topic = np.arange(1000) % 10
    shuffled = np.random.default_rng(5).permutation(scores)
    kept = out_of_fold(addends, scores, topic, "log-logistic")
    lost = out_of_fold(addends, shuffled, topic, "log-logistic")
    assert np.corrcoef(kept, scores)[0, 1] > 0.5
    assert np.corrcoef(lost, shuffled)[0, 1] < 0.08


def test_the_design_plus_reads_what_is_there() -> None:
    design = DESIGNS["plus"]
    assert design.method == "log-logistic"
    values = np.random.default_rng(0).random((40, len(FEATURE_NAMES)))
    found = fit(design_matrix(values, design), values[:, 0] * 0.9, "log-logistic")
    assert (found.weights >= 0.0).all()
    assert found.intercept > 0.0
    assert (found.predict(design_matrix(values, design)) < HIGHEST).all()


def test_evidence_below_0_is_fitted_as_none() -> None:
    design = DESIGNS["plus"]
    values = np.random.default_rng(0).normal(size=(40, len(FEATURE_NAMES)))
    cut = np.maximum(values, 0.0)
    assert (design_matrix(values, design) == design_matrix(cut, design)).all()
