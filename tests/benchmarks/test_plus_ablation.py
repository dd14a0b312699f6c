"""What a feature is worth to ``wort-plus``: fits without it, the tests of the loss, and left-out cosines."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from benchmarks.plus_ablation import COLUMNS, DESIGN, Loss, Sample, losses, losses_table, sample_of, sets_of
from features.catalogue import FEATURE_NAMES, FEATURES
from snapshots.snapshot import Snapshot
from tests.support.judged import TOPICS, judgements, toy_wiki, write
from tests.training.test_left_out import Known
from tests.training.test_training import drawn_pairs
from training.benchmarks.read import read_benchmark
from training.design import DESIGNS, ENCODER, Design
from training.left_out import keys_of
from training.statistics import bootstrap
from training.statistics.correlation import pearson_spearman
from training.statistics.significance import Difference, compare
from training.train import left_out_predictions

PAIRS, IDENTICAL = 240, 4
NARROW = Design(
    tuple(
        (feature, transform) for feature in ("W2V", "ESA", *ENCODER) for transform in ("identity", "log1p20")
    ),
    method="log-logistic",
)
DRAWN = bootstrap.draws(4, 50, 1)


def made_up() -> Sample:
    """People go by ESA, and by what all three cosines say nearly alike; W2V says the contrary."""
    random = np.random.default_rng(3)
    values = 0.5 * random.random((PAIRS, len(FEATURE_NAMES)))
    esa, w2v, *cosines = (FEATURE_NAMES.index(name) for name in ("ESA", "W2V", *ENCODER))
    for cosine in cosines[1:]:
        values[:, cosine] = values[:, cosines[0]] + 0.002 * random.random(PAIRS)
    scores = np.clip(
        0.8 * values[:, esa] + 1.2 * values[:, cosines[0]] + 0.02 * random.normal(size=PAIRS), 0, 1
    )
    values[:, w2v] = 0.6 - 0.5 * scores
    scores[:IDENTICAL] = 1.0
    pairs = drawn_pairs(scores, identical=IDENTICAL)
    # Two folds of two topics each: as of an encoder that was tuned without them.
    return Sample(pairs, values, pairs.topic // 2)


@pytest.fixture(scope="module")
def sample() -> Sample:
    return made_up()


@pytest.fixture(scope="module")
def found(sample: Sample) -> list[Loss]:
    return list(losses(sample, NARROW, DRAWN))


def test_every_feature_is_left_out_alone_and_the_cosines_together() -> None:
    sets = sets_of(DESIGN)
    assert sets[: len(FEATURES)] == [(feature.name,) for feature in FEATURES]
    title, cross, lead = ENCODER
    assert sets[len(FEATURES) :] == [(title, cross), (title, lead), (cross, lead), ENCODER]
    assert sets_of(DESIGNS["default"]) == [
        (feature.name,) for feature in FEATURES if feature.group != "encoder"
    ]


def test_each_loss_is_that_of_training_without_the_features(sample: Sample, found: list[Loss]) -> None:
    pairs = replace(sample.pairs, topic=sample.fold)
    whole = left_out_predictions(pairs, sample.values, NARROW)
    assert [loss.left_out for loss in found] == [", ".join(set_) for set_ in sets_of(NARROW)]
    for loss in found:
        kept = tuple(addend for addend in NARROW.addends if addend[0] not in loss.left_out.split(", "))
        without = left_out_predictions(pairs, sample.values, replace(NARROW, addends=kept))
        assert loss.addends == len(NARROW.addends) - len(kept)
        assert [test.r_first for test in loss.tests] == pytest.approx(pearson_spearman(whole, pairs.scores))
        assert [test.r_second for test in loss.tests] == pytest.approx(
            pearson_spearman(without, pairs.scores)
        )
        expected = compare(whole, without, pairs.scores, "spearman")
        assert loss.tests[1].p == pytest.approx(expected.p)
        assert loss.same == (np.abs(whole - without).max() < 1e-4)


def test_what_nothing_else_says_is_missed(found: list[Loss]) -> None:
    by_name = {loss.left_out: loss for loss in found}
    for missed in ("ESA", ", ".join(ENCODER)):
        for test in by_name[missed].tests:
            assert test.significant, missed
            assert test.low is not None
            assert test.low > 0.02, missed
    for cosine in ENCODER:
        pearson, _ = by_name[cosine].tests
        assert pearson.r_first is not None
        assert pearson.r_second == pytest.approx(pearson.r_first, abs=0.002)


def test_a_feature_of_no_weight_is_not_tested(found: list[Loss]) -> None:
    """Rounding alone makes such models differ, of which a test may say that it is sure."""
    table = losses_table(found, NARROW)
    shown = {row[0]: dict(zip(COLUMNS, row, strict=True)) for row in table.rows}
    assert found[0].left_out == "W2V"
    assert found[0].same
    assert shown["W2V"]["p"] == "–"
    assert shown["ESA"]["p"] != "–"
    assert [row[0] for row in table.rows] == ["nothing", *(loss.left_out for loss in found)]


def test_a_row_says_what_was_tested() -> None:
    tests = (
        Difference("all", "ESA", "pearson", 0.8, 0.75, 0.9, 100, p=0.01, log10_p=-2.0, low=0.01, high=0.09),
        Difference(
            "all", "ESA", "spearman", 0.7, 0.71, 0.9, 100, p=0.5, log10_p=-0.30103, low=-0.1, high=0.2
        ),
    )
    whole, row = losses_table([Loss("ESA", 2, tests, False)], NARROW).rows
    assert whole[:3] == ("nothing", 10, "0.8000 / 0.7000")
    assert row == (
        "ESA",
        2,
        "0.7500 / 0.7100",
        "+0.0500 / −0.0100",
        "+0.0100 to +0.0900",
        "−0.1000 to +0.2000",
        "0.01 / 0.5",
    )
    undefined = Difference("all", "ESA", "pearson", None, None, None, 3)
    assert losses_table([Loss("ESA", 2, (undefined,) * 2, False)], NARROW).rows[1][2:] == (
        "– / –",
        "– / –",
        "–",
        "–",
        "undefined / undefined",
    )


def test_left_out_cosines_stand_for_those_of_the_snapshot(tmp_path: Path) -> None:
    folder = toy_wiki(tmp_path / "toy")
    benchmark = read_benchmark(write(tmp_path / "pairs.csv", judgements(folder)), "train")
    snapshot = Snapshot.open(folder)
    plain = sample_of(snapshot, benchmark, None)
    assert plain.fold.tolist() == plain.pairs.topic.tolist()
    keys = keys_of(benchmark.judgements)
    known = Known(
        dict.fromkeys(keys, (0.1, 0.2, 0.3)), {f"topic {number}": number % 2 for number in range(TOPICS)}
    )
    sample = sample_of(snapshot, benchmark, known)
    encoder = [FEATURE_NAMES.index(name) for name in ENCODER]
    assert sample.values[:, encoder].tolist() == [[0.1, 0.2, 0.3]] * len(keys)
    others = [place for place in range(len(FEATURE_NAMES)) if place not in encoder]
    np.testing.assert_array_equal(sample.values[:, others], plain.values[:, others])
    assert sample.fold.tolist() == [known.fold[topic] for _, _, topic in keys]
