"""No feature's growth lowers a score: of the models that ship, and of whatever is trained by default."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Annotated, get_args, get_origin, get_type_hints

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from app.api.retrainings import RetrainingOptions
from app.cli.retrain import retrain
from features.catalogue import FEATURE_NAMES, FEATURES, SIGNATURES, named
from features.feature import ConceptFeature
from measures.arrays import Floats
from models.additive import TRANSFORMS
from models.files import load
from models.protocol import RelatednessModel
from models.shipped import shipped_models
from tests.training.test_training import drawn_pairs, features, trained_on
from training.design import DESIGNS, Design, design_of
from training.evaluation.ablation import TopicSums
from training.fit import Regression, cross_fit, design_matrix, fit, out_of_fold
from training.retraining.challenger import ChallengerJob
from training.retraining.folds import Folds
from training.retraining.held_out import ReadPairs, held_out
from training.terms.design import TERM_DESIGNS
from training.terms.fit import left_out_predictions as of_terms
from training.train import left_out_predictions


def largest_of(features: Sequence[ConceptFeature]) -> Floats:
    """The largest values that features may have; 30 of those without a bound."""
    return np.array([min(feature.range[1], 30.0) for feature in features])


def of_concepts() -> list[RelatednessModel]:
    return [load(path, SIGNATURES) for path in shipped_models("") if not path.name.startswith("terms-")]


def held() -> list[RelatednessModel]:
    """Those without a weight below 0: the papers' regression is as the papers have it."""
    return [model for model in of_concepts() if "regression" not in model.name]


def trained(values: Floats, scores: Floats, design: Design) -> RelatednessModel:
    """The model that ``wort train`` makes of these features and scores."""
    pairs = drawn_pairs(scores)
    model: RelatednessModel = trained_on(pairs, values, left_out_predictions(pairs, values, design), design)
    return model


@given(st.lists(st.floats(-5, 50), min_size=2, max_size=20))
def test_transforms_rise_with_their_feature(values: list[float]) -> None:
    for transform in TRANSFORMS.values():
        found = transform.apply(np.array(sorted(values))).tolist()
        assert all(low <= high for low, high in pairwise(found))


@pytest.mark.parametrize("model", held(), ids=lambda model: model.name)
@given(st.integers(0, 10_000))
def test_no_feature_that_grows_lowers_a_score_of_a_shipped_model(model: RelatednessModel, seed: int) -> None:
    draw = np.random.default_rng(seed)
    read = named(model.reads)
    largest, smallest = largest_of(read), np.array([feature.range[0] for feature in read])
    shape = (20, len(read))
    values = smallest + draw.random(shape) * (largest - smallest) * draw.choice([0.01, 0.1, 1.0], shape)
    values[draw.random(values.shape) < 0.3] = 0.0
    before = model.raw(values)
    for column in range(len(read)):
        grown = values.copy()
        grown[:, column] += draw.random(20) * (largest[column] - grown[:, column])
        assert (model.raw(grown) >= before).all()
        assert (model.score(grown) >= model.score(values)).all()


@pytest.mark.parametrize("model", held(), ids=lambda model: model.name)
@given(arrays.arrays(np.float64, (5, len(FEATURES)), elements=st.floats(0, 30)))
def test_what_there_is_of_evidence_never_counts_against(model: RelatednessModel, values: Floats) -> None:
    read = named(model.reads)
    contributions = model.contributions(values[:, : len(read)])
    assert (contributions >= 0.0).all()
    for group in {feature.group for feature in read}:
        own = [place for place, feature in enumerate(read) if feature.group == group]
        assert (contributions[:, own].sum(axis=1) >= 0.0).all()


def test_the_shipped_models_are_of_the_declared_designs() -> None:
    found = {model.name: design_of(model) for model in of_concepts()}
    designs = {"wort": "default", "wort-plus": "plus", "wort-regression": "plain"}
    assert found == {
        f"{name}-{snapshot}": DESIGNS[design]
        for name, design in designs.items()
        for snapshot in ("starter", "enwiki-relinked")
    }
    # Weights of either sign, as the documents say and measure.
    assert TERM_DESIGNS["default"].method == "least-squares"


@settings(max_examples=8)
@given(st.integers(0, 1000))
def test_a_feature_that_speaks_against_in_the_judgements_gets_no_weight(seed: int) -> None:
    values = features(120, seed)
    scores = np.clip(0.6 - 0.8 * values[:, 3] + 0.5 * values[:, 15], 0, 1)
    model = trained(values, scores, DESIGNS["default"])
    assert min(term.weight for term in model.coefficients) >= 0.0
    weight = {(term.feature, term.transform): term.weight for term in model.coefficients}
    assert weight[FEATURE_NAMES[3], "identity"] == 0.0
    free = trained(values, scores, DESIGNS["unconstrained"])
    assert min(term.weight for term in free.coefficients) < -0.5
    assert [design_of(model), design_of(free)] == [DESIGNS["default"], DESIGNS["unconstrained"]]


@settings(max_examples=8)
@given(st.integers(0, 1000))
def test_weights_held_at_0_are_the_best_of_those(seed: int) -> None:
    """By the conditions of the optimum: a weight of 0 would not gain by growing, no other by changing."""
    values = features(80, seed)
    scores = np.random.default_rng(seed).random(80)
    matrix = design_matrix(values, DESIGNS["default"])
    found = fit(matrix, scores, "non-negative")
    slope = (matrix - matrix.mean(axis=0)).T @ (scores - found.raw(matrix))
    assert (found.weights >= 0.0).all()
    assert (slope <= 1e-8).all()
    assert np.abs(slope[found.weights > 0]).max(initial=0.0) <= 1e-8
    assert found.raw(matrix).mean() == pytest.approx(scores.mean())


@pytest.mark.parametrize("takes", [Regression, fit, cross_fit, out_of_fold, of_terms, TopicSums])
def test_no_method_is_taken_for_granted(takes: Callable[..., object]) -> None:
    assert inspect.signature(takes).parameters["method"].default is inspect.Parameter.empty


def test_folds_are_fitted_as_the_model_is() -> None:
    values, topic = features(120), np.arange(120) % 4
    scores = np.clip(0.6 - 0.8 * values[:, 3] + 0.5 * values[:, 15], 0, 1)
    pairs, design = drawn_pairs(scores), DESIGNS["default"]
    matrix = design_matrix(values, design)
    predicted = left_out_predictions(pairs, values, design)
    expected = np.empty(120)
    for number in range(4):
        own = topic == number
        expected[own] = fit(matrix[~own], scores[~own], "non-negative").predict(matrix[own])
    np.testing.assert_array_equal(predicted, expected)
    assert np.abs(predicted - out_of_fold(matrix, scores, topic, "least-squares")).max() > 0.01


@pytest.mark.parametrize("name", DESIGNS)
def test_a_model_in_force_is_fitted_again_as_it_was(name: str) -> None:
    """With weights of either sign where it has some, and held at 0 where it has none below."""
    values = features(120)
    scores = np.clip(0.6 - 0.8 * values[:, 3] + 0.5 * values[:, 15], 0, 1)
    model = trained(values, scores, DESIGNS[name])
    ends = np.arange(120)
    topics = tuple("abcd"[number] for number in ends % 4)
    rows = ReadPairs(ends, ends + 1000, model.read_from(values, FEATURE_NAMES), scores, topics)
    folds = Folds("topics", ends % 4, 4, 0, ends % 4)
    found = held_out(model, rows, rows, folds)
    assert (found.how, found.refits) == ("held out", 4)
    expected = left_out_predictions(drawn_pairs(scores), values, DESIGNS[name])
    np.testing.assert_allclose(found.values, expected, atol=1e-12)


def test_every_way_in_has_the_same_designs_and_the_same_default() -> None:
    assert ChallengerJob.__dataclass_fields__["design"].default == DESIGNS["default"]
    hint = get_type_hints(retrain, include_extras=True)["design"]
    assert get_origin(hint) is Annotated
    of_command, none = get_args(get_args(hint)[0])
    assert (get_args(of_command), none) == (tuple(DESIGNS), type(None))
    assert inspect.signature(retrain).parameters["design"].default is None, "as the model in force"
    assert RetrainingOptions.model_fields["design"].default is None
    (constraint,) = RetrainingOptions.model_fields["design"].metadata
    (pattern,) = re.findall(r"\^\((.*)\)\$", constraint.pattern)
    assert pattern.split("|") == list(DESIGNS)
