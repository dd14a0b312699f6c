"""The log-logistic model: bounded, in order, exact in its evidence, and never lowered by evidence."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.errors import BadNumbers, ModelError, NotAModel
from models.expectation import (
    CalibrationBin,
    CalibrationCurve,
    Estimate,
    EvidenceBands,
    IntervalBands,
    OperatingPoint,
    OperatingPoints,
)
from models.files import load
from models.linear import LinearModel
from models.log_logistic import HIGHEST, LogLogisticModel
from models.protocol import Coefficient, FoldResult, RelatednessModel, TrainingSet

SIGNATURES = ("PMI1@1", "MW@2", "ESA@1")

BANDS = IntervalBands(0.9, (0.25, 0.75), (0.125, 0.5), (0.25, 0.125))

CURVE = CalibrationCurve((CalibrationBin(30, 0.125, 0.25), CalibrationBin(10, 0.75, 0.5)))

POINTS = OperatingPoints(
    0.5,
    0.3,
    (
        OperatingPoint(0.25, Estimate(0.5, 0.4, 0.6), Estimate(0.9, 0.8, None), Estimate(0.5, 0.4, 0.6)),
        OperatingPoint(0.5, Estimate(None, None, None), Estimate(0.0, 0.0, 0.0), Estimate(0.0, 0.0, 0.0)),
    ),
)


def fields(**changes: Any) -> dict[str, Any]:
    return {
        "name": "toy",
        "features": SIGNATURES,
        "coefficients": (
            Coefficient("PMI1", "identity", 0.25),
            Coefficient("ESA", "identity", 0.5),
            Coefficient("ESA", "log1p20", 0.125),
        ),
        "intercept": 0.25,
        "trained_on": TrainingSet("word_train.csv", "00ff", pairs=12, fitted=9, topics=3),
        "snapshot": "toywiki-20200101-abcd",
        "metrics": {"pearson": 0.75, "spearman": None},
        "cross_validation": (FoldResult("Owl", 3, 0.5, None),),
        "created": "2020-02-03T04:05:06+00:00",
        "code_version": "0.1.0",
        **changes,
    }


def model(**changes: Any) -> LogLogisticModel:
    return LogLogisticModel(**fields(**changes))


def written(tmp_path: Path, **changes: Any) -> Path:
    content = msgspec.to_builtins(model(interval_bands=BANDS, operating_points=POINTS))
    path = tmp_path / "model.json"
    path.write_text(json.dumps({**content, **changes}))
    return path


VALUES = st.floats(-30.0, 30.0)
ROWS = st.lists(st.tuples(VALUES, VALUES, VALUES), min_size=1, max_size=40)


def test_scores_by_hand() -> None:
    values = np.array([[0.0, 9.0, 0.0], [8.0, 9.0, 0.05]])
    raw = [0.25, 2.275 + 0.125 * math.log(2.0)]
    np.testing.assert_allclose(model().raw(values), raw, rtol=1e-14)
    expected = [0.99 * each**3 / (1.0 + each**3) for each in raw]
    np.testing.assert_allclose(model().score(values), expected, rtol=1e-14)
    assert model().score(values[:1]) == pytest.approx(0.01523, abs=5e-5)


def test_contributions_are_evidence_and_a_linear_model_says_scores() -> None:
    assert model().unit == "evidence"
    assert LinearModel(**fields()).unit == "score"
    assert b"unit" not in model().encoded()


@given(ROWS)
def test_contributions_sum_to_the_raw_score_exactly(rows: list[tuple[float, float, float]]) -> None:
    values = np.array(rows)
    for contributions, raw in zip(model().contributions(values), model().raw(values), strict=True):
        total = model().intercept
        for contribution in contributions.tolist():
            total += contribution
        assert total == raw


@given(ROWS)
def test_a_row_has_the_same_answer_in_any_batch(rows: list[tuple[float, float, float]]) -> None:
    values, banded = np.array(rows), model(interval_bands=BANDS)
    together, ends = banded.score(values), banded.interval(values)
    assert ends is not None
    for row in range(len(values)):
        alone = banded.interval(values[row : row + 1])
        assert alone is not None
        assert (alone[0][0], alone[1][0]) == (ends[0][row], ends[1][row])
        assert banded.score(values[row : row + 1])[0] == together[row]
    assert together[::-1].tolist() == banded.score(values[::-1]).tolist()


@given(ROWS, st.sampled_from([0, 1, 2]), st.floats(0.0, 30.0))
def test_evidence_never_counts_against_a_pair(
    rows: list[tuple[float, float, float]], column: int, more: float
) -> None:
    values = np.array(rows)
    raised = values.copy()
    raised[:, column] += more
    assert (model().score(raised) >= model().score(values)).all()


@given(st.lists(st.floats(-1e300, 1e300), min_size=2, max_size=40))
def test_scores_are_bounded_and_in_the_order_of_the_raw_ones(raw: list[float]) -> None:
    ordered = np.sort(np.array(raw))
    scores = model().clipped(ordered)
    assert ((scores >= 0.0) & (scores <= HIGHEST)).all()
    assert (np.diff(scores) >= 0.0).all()


def test_what_is_nearly_identical_is_told_apart() -> None:
    scores = model().clipped(np.arange(3.0, 30.0))
    assert (np.diff(scores) > 0.0).all()
    assert scores[0] > 0.95
    assert scores[-1] < HIGHEST


@given(ROWS, st.floats(0.0, 5.0), st.sampled_from([LinearModel, LogLogisticModel]))
def test_contributions_to_the_score_add_up_to_it_and_keep_their_signs_and_proportions(
    rows: list[tuple[float, float, float]], intercept: float, kind: type[RelatednessModel]
) -> None:
    values, asked = np.array(rows), kind(**fields(intercept=intercept))
    added, summed = asked.score_contributions(values), asked.contributions(values)
    base = asked.clipped(np.array([intercept]))
    np.testing.assert_allclose(base + added.sum(axis=1), asked.score(values), atol=1e-8)
    assert (added * summed >= 0.0).all()
    np.testing.assert_allclose(
        added * summed.sum(axis=1, keepdims=True), summed * added.sum(axis=1, keepdims=True), atol=1e-8
    )


def test_contributions_to_the_score_are_integrated_gradients() -> None:
    """By the definition: the gradient at the middles of small steps from no contribution to all of them."""
    asked = model()
    values = np.array([[3.0, 0.0, 0.3], [0.5, 0.0, 0.1]])
    summed = asked.contributions(values)
    steps = (np.arange(4000) + 0.5) / 4000
    way = asked.intercept + steps[:, np.newaxis] * summed.sum(axis=1)
    slope = HIGHEST * 3.0 * way**2 / (1.0 + way**3) ** 2
    np.testing.assert_allclose(
        asked.score_contributions(values), summed * slope.mean(axis=0)[:, np.newaxis], rtol=1e-6
    )


def test_without_evidence_nothing_is_added_to_the_score() -> None:
    assert model().score_contributions(np.zeros((1, 3))).tolist() == [[0.0, 0.0, 0.0]]


# Intervals


def test_an_interval_by_hand() -> None:
    low, high = BANDS.around(np.array([0.0, 0.25, 0.5, 0.75, 0.98]))
    np.testing.assert_allclose(low, [0.0, 0.125, 0.375, 0.25, 0.48])
    np.testing.assert_allclose(high, [0.25, 0.5, 0.75, 0.875, 1.0])


def test_an_interval_may_reach_the_ends_whatever_the_score() -> None:
    low, high = IntervalBands(0.9, (0.0, 0.5), (1.0, 0.25), (0.25, 1.0)).around(np.array([0.25, 0.75]))
    assert (low.tolist(), high.tolist()) == ([0.0, 0.5], [0.5, 1.0])


@given(st.lists(st.floats(0.0, 1.0), min_size=1, max_size=40))
def test_an_interval_is_within_the_range_and_has_the_score(scores: list[float]) -> None:
    low, high = BANDS.around(np.array(scores))
    assert ((low >= 0.0) & (low <= scores) & (scores <= high) & (high <= 1.0)).all()


def test_a_model_that_was_not_told_says_no_interval() -> None:
    assert model().interval(np.zeros((1, 3))) is None
    assert b"interval" not in model().encoded()


# The file


@pytest.mark.parametrize("kind", [LinearModel, LogLogisticModel])
def test_what_is_saved_is_loaded(tmp_path: Path, kind: type[RelatednessModel]) -> None:
    saved = kind(**fields(interval_bands=BANDS, operating_points=POINTS, calibration=CURVE))
    saved.save(tmp_path / "model.json")
    loaded = load(tmp_path / "model.json", SIGNATURES)
    assert loaded == saved
    assert type(loaded) is kind


POINT = msgspec.to_builtins(POINTS.points[0])


@pytest.mark.parametrize(
    ("changes", "error", "said"),
    [
        (
            {"terms": [{"feature": "ESA", "transform": "sqrt", "weight": -1e-9}]},
            BadNumbers,
            "ESA .sqrt. is -1e-09",
        ),
        ({"intercept": -1e-9}, BadNumbers, "the intercept is -1e-09"),
        ({"interval_bands": {"level": 0.9}}, NotAModel, "missing"),
        (
            {"interval_bands": {"level": 0.9, "scores": [0.1], "below": [0.1, 0.1], "above": [0.1]}},
            BadNumbers,
            "one length",
        ),
        ({"interval_bands": {"level": 0.9, "scores": [], "below": [], "above": []}}, BadNumbers, "length"),
        (
            {"interval_bands": {"level": 1.0, "scores": [0.1], "below": [0.1], "above": [0.1]}},
            BadNumbers,
            "level",
        ),
        (
            {"interval_bands": {"level": 0.9, "scores": [0.1], "below": [-0.1], "above": [0.1]}},
            BadNumbers,
            "-0.1",
        ),
        (
            {"interval_bands": {"level": 0.9, "scores": [0.2, 0.1], "below": [0, 0], "above": [0, 0]}},
            BadNumbers,
            "ascend",
        ),
        ({"operating_points": {"related_at": 0.5, "related": 0.3, "points": []}}, BadNumbers, "0 operating"),
        (
            {"operating_points": {"related_at": 0.5, "related": 0.3, "points": [POINT, POINT]}},
            BadNumbers,
            "ascend",
        ),
        ({"operating_points": {"related_at": 1.5, "related": 0.3, "points": [POINT]}}, BadNumbers, "1.5"),
        (
            {
                "operating_points": {
                    "related_at": 0.5,
                    "related": 0.3,
                    "points": [{**POINT, "recall": [2.0, None, None]}],
                }
            },
            BadNumbers,
            "2.0",
        ),
        ({"operating_points": [1]}, NotAModel, "operating_points"),
        ({"calibration": {"bins": []}}, BadNumbers, "0 bins"),
        ({"calibration": {"bins": [[0, 0.1, 0.2]]}}, BadNumbers, "no pairs"),
        ({"calibration": {"bins": [[3, 0.1, 1.2]]}}, BadNumbers, "1.2"),
        ({"calibration": {"bins": [[3, 0.2, 0.2], [3, 0.1, 0.2]]}}, BadNumbers, "ascend"),
    ],
)
def test_a_model_that_makes_no_sense_is_refused(
    tmp_path: Path, changes: dict[str, Any], error: type[ModelError], said: str
) -> None:
    with pytest.raises(error, match=said):
        load(written(tmp_path, **changes), SIGNATURES)


def test_the_calibration_error_is_the_mean_over_pairs() -> None:
    assert CURVE.error == (30 * 0.125 + 10 * 0.25) / 40


@given(ROWS, st.lists(st.sampled_from([0.0, 0.125, 0.3]), min_size=4, max_size=4))
def test_what_has_no_weight_need_not_be_read(rows: list[tuple[float, ...]], weights: list[float]) -> None:
    addends = (("PMI1", "identity"), ("MW", "sqrt"), ("ESA", "identity"), ("ESA", "log1p20"))
    of_all = tuple(Coefficient(*addend, weight) for addend, weight in zip(addends, weights, strict=True))
    whole = model(coefficients=of_all, interval_bands=BANDS)
    weighed = whole.weighed
    if any(weights):
        assert weighed.reads == tuple(
            feature for feature in whole.reads if any(one.weight for one in of_all if one.feature == feature)
        )
    values = np.array(rows)
    fewer = weighed.read_from(values, whole.reads)
    assert weighed.raw(fewer).tobytes() == whole.raw(values).tobytes()
    for ends in zip(weighed.interval(fewer) or (), whole.interval(values) or (), strict=True):
        np.testing.assert_array_equal(*ends)


def test_intervals_by_evidence_want_every_feature() -> None:
    by_evidence = (EvidenceBands(0, BANDS),)
    bands = msgspec.structs.replace(BANDS, by_evidence=by_evidence)
    nothing = Coefficient("MW", "identity", 0.0)
    whole = model(coefficients=(*fields()["coefficients"], nothing), interval_bands=bands)
    assert whole.weighed is whole
