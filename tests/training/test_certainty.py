"""What a report says may be expected of scores, and what a model file keeps of it."""

from __future__ import annotations

import msgspec
import numpy as np
import pytest

from features.catalogue import FEATURE_NAMES
from models.expectation import Estimate, IntervalBands, OperatingPoint, OperatingPoints
from models.log_logistic import LogLogisticModel
from tests.training.test_training import drawn_pairs, features, judged
from training.coverage import CoveredPairs
from training.design import DESIGNS
from training.evaluation.columns import Sampling
from training.evaluation.evaluate import judge, model_predictions
from training.evaluation.report import Report
from training.reports.certainty import certainty_section
from training.statistics.thresholds import ThresholdChoice, Wanted
from training.train import left_out_predictions, trained

PAIRS, SAME = 400, 5
DESIGN = DESIGNS["plus"]


@pytest.fixture(scope="module")
def fitted() -> tuple[CoveredPairs, LogLogisticModel, Report]:
    values = features(PAIRS)
    chance = np.random.default_rng(2).random(PAIRS)
    related = np.clip(2.4 * values[:, 0] * values[:, 3] + 0.4 * (chance - 0.5), 0.0, 1.0)
    scores = np.asarray(np.round(related, 1), np.float64)
    pairs = drawn_pairs(scores, identical=SAME)
    predicted = left_out_predictions(pairs, values, DESIGN)
    report = judge(
        judged(pairs, values, predicted),
        model="toy",
        snapshot="toywiki",
        predictions="out-of-fold",
        sampling=Sampling(20),
        wanted=Wanted(0.4, precision=0.5, recall=0.5),
    )
    model, _, _ = trained(judged(pairs, values, predicted), DESIGN, ~pairs.identical, report)
    assert isinstance(model, LogLogisticModel)
    return pairs, model, report


def test_pairs_of_identical_sides_do_not_count(fitted: tuple[CoveredPairs, LogLogisticModel, Report]) -> None:
    _, model, report = fitted
    assert report.certainty is not None
    assert sum(one.pairs for one in report.certainty.bins) == PAIRS - SAME
    assert report.certainty.thresholds is not None
    assert report.certainty.thresholds.related_at == 0.4
    assert isinstance(model.interval_bands, IntervalBands)
    assert model.operating_points
    assert model.operating_points.related_at == 0.5
    assert model.calibration
    assert [(one.pairs, one.predicted, one.judged) for one in model.calibration.bins] == [
        (one.pairs, one.predicted, one.gold) for one in report.certainty.bins
    ]
    assert model.calibration.error == pytest.approx(report.certainty.calibration_error)


def test_the_file_says_what_the_report_does_and_comes_back_whole(
    fitted: tuple[CoveredPairs, LogLogisticModel, Report],
) -> None:
    pairs, model, report = fitted
    assert msgspec.json.decode(model.encoded(), type=LogLogisticModel) == model
    assert msgspec.json.decode(report.json(), type=Report) == report
    ends = model.interval(model.read_from(features(PAIRS), FEATURE_NAMES))
    assert ends is not None
    held = (ends[0] <= pairs.scores + 1e-9) & (pairs.scores - 1e-9 <= ends[1])
    assert held[~pairs.identical].mean() > 0.85


def test_a_model_that_says_no_interval_is_judged_without_one(
    fitted: tuple[CoveredPairs, LogLogisticModel, Report],
) -> None:
    pairs, model, _ = fitted
    predicted = model_predictions(model, pairs, features(PAIRS))
    given = judged(pairs, features(PAIRS), predicted)
    said = {"model": "toy", "snapshot": "toywiki", "predictions": "model", "sampling": Sampling(20)}
    without = judge(given, **said).certainty  # type: ignore[arg-type]
    assert without is not None
    assert without.intervals is None
    told = judge(given, **said, bands=model.interval_bands or None).certainty  # type: ignore[arg-type]
    assert told is not None
    assert told.intervals is not None
    assert told.intervals.held > 0.85


def test_scores_on_another_scale_have_none() -> None:
    values = features(40)
    pairs = drawn_pairs(values[:, 0] * 10)
    given = judged(pairs, values, values[:, 0])
    assert judge(given, model="m", snapshot="s", predictions="model", sampling=Sampling(5)).certainty is None


def test_the_section_has_every_figure(fitted: tuple[CoveredPairs, LogLogisticModel, Report]) -> None:
    _, _, report = fitted
    section = certainty_section(report)
    within, points, chosen = section.tables
    assert len(within.on("terminal")[1]) == 15
    assert report.certainty is not None
    assert report.certainty.intervals is not None
    held = report.certainty.intervals
    assert within.on("page")[1][0] == [
        "by prediction: 1 of 10 (lowest)",
        f"{held.by_score[0]:.1%}",
    ]
    assert points.on("terminal")[1][0][0] == "0.050"
    assert [row[0] for row in chosen.on("terminal")[1]] == ["precision 0.5", "recall 0.5"]
    assert f"{report.certainty.calibration_error:.4f}" in section.sentences[0]
    assert "at least 40% of its judges" in " ".join(section.sentences)


def test_what_is_a_little_less_than_asked_for_looks_so(
    fitted: tuple[CoveredPairs, LogLogisticModel, Report],
) -> None:
    certainty = fitted[2].certainty
    assert certainty is not None
    nearly = OperatingPoint(
        0.3, Estimate(0.797, 0.7, 0.9), Estimate(0.797, None, None), Estimate(1.0, None, None)
    )
    points = OperatingPoints(0.5, 0.25, (nearly,))
    asked = (ThresholdChoice("precision 0.8", None, {"precision": 0.8}),)
    certainty = msgspec.structs.replace(certainty, thresholds=points, chosen=asked)
    section = certainty_section(msgspec.structs.replace(fitted[2], certainty=certainty))
    assert section.tables[1].on("terminal")[1] == [["0.300", "0.797 [0.70, 0.90]", "0.80", "1.00"]]


def test_a_report_without_figures_has_no_section(
    fitted: tuple[CoveredPairs, LogLogisticModel, Report],
) -> None:
    _, _, report = fitted
    with pytest.raises(ValueError, match="says nothing"):
        certainty_section(msgspec.structs.replace(report, certainty=None))
