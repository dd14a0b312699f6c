"""Training: folds that do not leak, weights that are found, the report's figures."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import Any

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from features.catalogue import FEATURE_NAMES, OF_WORT, SIGNATURES
from measures.arrays import Floats
from models.additive import TRANSFORMS, AdditiveModel
from models.protocol import CLIP
from training.benchmarks.declared import shipped
from training.benchmarks.judgements import Benchmark, Judgement
from training.coverage import Coverage, CoveredPairs
from training.design import DESIGNS, PLAIN, Design
from training.errors import BadRow, TooFewPairs
from training.evaluation.columns import Gold, Sampling
from training.evaluation.detail import differences
from training.evaluation.evaluate import JudgedPairs, judge, model_predictions, notes_on, shortfalls
from training.evaluation.report import Report
from training.evaluation.seen import has_seen
from training.fit import compare_designs, design_matrix, fit, out_of_fold
from training.statistics.significance import difference_interval
from training.train import check_trainable, left_out_predictions, scarce, trained

WORD_TRAIN = shipped()["word-train"].checksum
ESA, TFIDF = FEATURE_NAMES.index("ESA"), FEATURE_NAMES.index("TFIDF-CS")


def benchmark(
    *pairs: tuple[str, str, float, str | None], spellings: Mapping[str, tuple[str, ...]] | None = None
) -> Benchmark:
    judgements = tuple(Judgement(*pair, line) for line, pair in enumerate(pairs, start=2))
    return Benchmark("toy.csv", "00ff", judgements, 3, spellings or {})


# Terms and folds


def test_every_term_set_can_be_computed() -> None:
    for design in DESIGNS.values():
        assert len(set(design.addends)) == len(design.addends)
        assert {feature for feature, _ in design.addends} <= set(FEATURE_NAMES)
        assert {transform for _, transform in design.addends} <= set(TRANSFORMS)
    assert PLAIN.addends == tuple((feature, "identity") for feature in OF_WORT)


def test_the_design_matrix_by_hand() -> None:
    values = np.zeros((1, len(FEATURE_NAMES)))
    values[0, ESA], values[0, TFIDF] = 0.25, 0.5
    design = Design((("TFIDF-CS", "identity"), ("ESA", "sqrt"), ("ESA", "log1p20")))
    np.testing.assert_allclose(design_matrix(values, design), [[0.5, 0.5, math.log(6)]])


def test_a_line_is_fitted_exactly() -> None:
    design = np.array([[0.0, 1.0], [1.0, 0.0], [2.0, 5.0], [3.0, 1.0]])
    found = fit(design, design @ np.array([0.25, -0.125]) + 0.5, "least-squares")
    np.testing.assert_allclose(found.weights, [0.25, -0.125], atol=1e-12)
    assert found.intercept == pytest.approx(0.5, abs=1e-12)
    np.testing.assert_allclose(found.predict(np.array([[4.0, 0.0], [0.0, 8.0]])), [0.99, 0.0])


def test_a_term_without_evidence_anywhere_gets_no_weight() -> None:
    design = np.array([[0.0, 0.0], [1.0, 0.0], [2.0, 0.0]])
    assert fit(design, np.array([0.0, 0.5, 1.0]), "least-squares").weights.tolist() == pytest.approx(
        [0.5, 0.0]
    )


TOPICS = np.repeat(np.arange(4), [5, 3, 6, 4])


def sample(seed: int = 0) -> tuple[Floats, Floats]:
    generator = np.random.default_rng(seed)
    return generator.random((len(TOPICS), 3)), generator.random(len(TOPICS))


def test_predictions_are_those_of_a_fit_without_the_topic() -> None:
    design, scores = sample()
    predicted = out_of_fold(design, scores, TOPICS, "least-squares")
    for topic in range(4):
        own = np.equal(TOPICS, topic)
        rest = ~own
        with_one = np.column_stack([np.ones(rest.sum()), design[rest]])
        solution = np.linalg.lstsq(with_one, scores[rest], rcond=None)[0]
        plainly = np.clip(solution[0] + design[own] @ solution[1:], *CLIP)
        np.testing.assert_allclose(predicted[own], plainly, atol=1e-12)


@given(st.integers(0, 3), st.integers(0, 1000))
def test_no_score_of_a_topic_reaches_its_own_predictions(topic: int, seed: int) -> None:
    design, scores = sample(seed)
    own = np.equal(TOPICS, topic)
    others = np.where(own, 1.0 - scores**2, scores)
    before, after = (out_of_fold(design, known, TOPICS, "least-squares") for known in (scores, others))
    assert (before[own] == after[own]).all()
    assert (before[~own] != after[~own]).any()


def test_progress_counts_the_folds() -> None:
    design, scores = sample()
    counted: list[tuple[int, int | None]] = []
    out_of_fold(design, scores, TOPICS, "least-squares", lambda done, total: counted.append((done, total)))
    assert counted == [(1, 4), (2, 4), (3, 4), (4, 4)]


def test_one_topic_cannot_be_left_out() -> None:
    design, scores = sample()
    with pytest.raises(TooFewPairs, match="two topics"):
        out_of_fold(design, scores, np.zeros(len(scores), np.int64), "least-squares")


def test_a_margin_over_or_of_what_is_undefined_is_none() -> None:
    scores = np.linspace(0, 1, 8)
    flat = np.zeros((8, len(FEATURE_NAMES)))
    one = flat.copy()
    one[:, FEATURE_NAMES.index("ESA")] = scores
    of_nothing, over_nothing = (
        reported(drawn_pairs(scores), values, predicted).margins["pearson"]
        for values, predicted in ((one, np.full(8, 0.5)), (flat, scores))
    )
    assert (of_nothing.best, of_nothing.value) == ("ESA", None)
    assert (over_nothing.best, over_nothing.value) == (None, None)


# From pairs to a model


def features(pairs: int, seed: int = 0) -> Floats:
    return np.random.default_rng(seed).random((pairs, len(FEATURE_NAMES))) * 0.5


def drawn_pairs(scores: Floats, identical: int = 0) -> CoveredPairs:
    left = np.arange(len(scores))
    right = np.where(left < identical, left, left + 1000)
    return CoveredPairs(left, right, scores, left % 4, ("a", "b", "c", "d"))


def judged(pairs: CoveredPairs, values: Floats, predicted: Floats) -> JudgedPairs:
    coverage = Coverage(len(pairs.scores), len(pairs.scores), int(pairs.identical.sum()), 0, ())
    return JudgedPairs(benchmark(), "train", pairs, coverage, values, predicted)


def reported(pairs: CoveredPairs, values: Floats, predicted: Floats) -> Report:
    given = judged(pairs, values, predicted)
    return judge(given, model="toy", snapshot="toywiki", predictions="out-of-fold", sampling=Sampling(20))


def trained_on(pairs: CoveredPairs, values: Floats, predicted: Floats, design: Design) -> AdditiveModel:
    report = reported(pairs, values, predicted)
    return trained(judged(pairs, values, predicted), design, ~pairs.identical, report).model


def test_the_weights_that_made_the_scores_are_found() -> None:
    values = features(120)
    scores = 0.1 + 0.5 * values[:, ESA] + 0.125 * np.log1p(20 * values[:, TFIDF])
    pairs = drawn_pairs(scores, identical=10)
    scores[:10] = 0.0  # what a regression would be led astray by
    design = DESIGNS["default"]
    predicted = left_out_predictions(pairs, values, design)
    np.testing.assert_allclose(predicted[10:], scores[10:], atol=1e-9)
    assert (predicted[:10] == 1.0).all()
    model = trained_on(pairs, values, predicted, design)
    weights = {(term.feature, term.transform): term.weight for term in model.coefficients}
    assert list(weights) == list(design.addends)
    assert weights.pop(("ESA", "identity")) == pytest.approx(0.5, abs=1e-9)
    assert weights.pop(("TFIDF-CS", "log1p20")) == pytest.approx(0.125, abs=1e-9)
    assert max(map(abs, weights.values())) < 1e-9
    assert model.features == SIGNATURES[: len(OF_WORT)]
    assert (model.trained_on.fitted, model.trained_on.topics) == (110, 4)
    assert (model.trained_on.checksum, model.snapshot) == ("00ff", "toywiki")
    np.testing.assert_allclose(model_predictions(model, pairs, values), predicted, atol=1e-9)


def test_terms_are_compared_out_of_fold() -> None:
    values = features(80)
    scores = np.log1p(20 * values[:, ESA]) / 4
    addends = ("ESA", "identity"), ("ESA", "log1p20"), ("MW", "identity")
    designs = [Design((addend,)) for addend in addends]
    plain, curved, unrelated = compare_designs(values, scores, np.arange(80) % 4, designs)
    assert curved == pytest.approx((1.0, 1.0))
    assert 0.8 < plain[0] < 1.0
    assert unrelated[0] < 0.3


@pytest.mark.parametrize(
    ("pair", "error", "said"),
    [
        (("a", "b", 0.5, None), TooFewPairs, "line 3 has no topic"),
        (("a", "b", 7.5, "t"), BadRow, "line 3: the score 7.5 is not between 0 and 1"),
        (("a", "b", -0.1, "t"), BadRow, "line 3: the score -0.1"),
    ],
)
def test_what_cannot_be_learnt_from_is_refused(
    pair: tuple[str, str, float, str | None], error: type[Exception], said: str
) -> None:
    check_trainable(benchmark(("a", "b", 0.0, "t"), ("a", "b", 1.0, "t")))
    with pytest.raises(error, match=said):
        check_trainable(benchmark(("a", "b", 0.5, "t"), pair))


@pytest.mark.parametrize(
    ("pairs", "weights", "topics", "said"),
    [
        (200, 20, 5, []),
        (200, 20, 0, []),  # no topics: nothing to say of them
        (199, 20, 5, ["199 pairs for 20 weights"]),
        (200, 20, 4, ["4 topics"]),
        (12, 4, 3, ["12 pairs for 4 weights", "3 topics"]),
    ],
)
def test_a_model_of_few_pairs_is_warned_of(pairs: int, weights: int, topics: int, said: list[str]) -> None:
    warnings = scarce(pairs, weights, topics)
    assert len(warnings) == bool(said)
    assert all(part in warnings[0] for part in said)
    assert ("topics, and" in "".join(warnings)) == (0 < topics < 5)


# The report


def test_the_figures_by_hand() -> None:
    scores = np.array([0.0, 0.1, 0.3, 0.2, 0.5, 0.5, 1.0])
    topic = np.array([0, 0, 0, 0, 1, 1, 2])
    values = np.zeros((7, len(FEATURE_NAMES)))
    values[:, ESA] = [1, 2, 3, 4, 5, 6, 7]
    values[:, TFIDF] = [0, 0, 1, 0, 1, 0, 0]
    pairs = CoveredPairs(np.arange(7), np.arange(7) + 10, scores, topic, ("a", "b", "c"))
    report = reported(pairs, values, scores)
    measures = {measure.name: measure for measure in report.measures}
    assert list(measures) == [*FEATURE_NAMES, "toy"]

    esa = measures["ESA"]
    assert esa.evidence == 7
    assert measures["TFIDF-CS"].evidence == 2
    assert measures["MW"].evidence == 0
    # Topic a ranks 1 2 3 4 against 1 2 4 3; b has equal scores and c one pair.
    assert esa.spearman.mean is not None
    assert esa.spearman.mean.value == pytest.approx(0.8)
    assert esa.spearman.undefined == 2
    # Ranks of all scores: 1 2 4 3 5½ 5½ 7, whose sum of squares about 4 is 27½.
    assert esa.spearman.pooled.value == pytest.approx(26.5 / math.sqrt(28 * 27.5))
    assert measures["MW"].pearson.pooled.value is None
    assert measures["MW"].pearson.pooled.low is None
    assert measures["MW"].pearson.undefined == 3
    assert report.of_model.pearson.pooled.value == pytest.approx(1.0)
    assert report.margins["spearman"].best == "ESA"
    assert report.margins["spearman"].value == pytest.approx(math.sqrt(28 * 27.5) / 26.5 - 1)
    assert (report.margins["pearson"].paper, report.margins["spearman"].paper) == (0.13, 0.16)
    assert [(fold.topic, fold.pairs, fold.pearson) for fold in report.folds] == [
        ("a", 4, pytest.approx(1.0)),
        ("b", 2, None),
        ("c", 1, None),
    ]
    assert (
        json.loads(report.json())["measures"][FEATURE_NAMES.index("MW")]["pearson"]["pooled"]["value"] is None
    )


def test_intervals_hold_the_figure_and_are_repeatable() -> None:
    values = features(60)
    pairs = drawn_pairs(np.clip(values[:, ESA] + 0.1 * values[:, 0], 0, 1))
    first, second = (reported(pairs, values, values[:, ESA]) for _ in range(2))
    assert first.measures == second.measures
    figure = first.of_model.pearson.pooled
    assert figure.low is not None
    assert figure.high is not None
    assert figure.value is not None
    assert 0.5 < figure.low < figure.value < figure.high < 1.0


def test_without_topics_there_are_no_means() -> None:
    pairs = CoveredPairs(np.arange(3), np.arange(3) + 3, np.array([0.0, 1.0, 0.5]), np.arange(3), ())
    report = reported(pairs, features(3), np.array([0.1, 0.9, 0.4]))
    assert report.of_model.pearson.mean is None
    assert report.resampling.unit == "pairs"
    assert (report.topics, report.folds) == (0, ())
    assert "pearson_mean_over_topics" in report.metrics


@pytest.mark.parametrize("covered", [0, 1])
def test_too_few_pairs_are_an_error(covered: int) -> None:
    pairs = CoveredPairs(
        np.arange(covered), np.arange(covered) + 5, np.zeros(covered), np.arange(covered), ("a",)[:covered]
    )
    with pytest.raises(TooFewPairs, match=f"{covered} of {covered} pairs"):
        reported(pairs, features(covered), np.zeros(covered))


def toy_model() -> AdditiveModel:
    values = features(40)
    pairs = drawn_pairs(values[:, ESA])
    design = Design((("ESA", "identity"),))
    predicted = left_out_predictions(pairs, values, design)
    return trained_on(pairs, values, predicted, design)


def test_a_model_says_nothing_of_identical_concepts() -> None:
    pairs = drawn_pairs(np.zeros(4), identical=1)
    predicted = model_predictions(toy_model(), pairs, np.zeros((4, len(FEATURE_NAMES))))
    assert predicted.tolist() == [1.0, *[pytest.approx(0.0, abs=1e-9)] * 3]


def test_a_reader_is_told_what_figures_are_worth() -> None:
    model, other = toy_model(), Benchmark("other.csv", "beef", ())
    assert notes_on(model, "toywiki", other, "all") == ()
    assert "otherwiki" in notes_on(model, "otherwiki", other, "all")[0]
    assert "has seen" in notes_on(model, "toywiki", benchmark(), "train")[0]
    assert notes_on(model, "toywiki", benchmark(), "test") == ()


@pytest.mark.parametrize(
    ("trained", "name", "judged", "seen"),
    [
        ({"checksum": "joined", "parts": ("x", "file")}, "file.csv", "file", "very file"),
        ({"checksum": "joined", "parts": ("x", "y")}, "file.csv", "file", None),
        ({"name": "word-train"}, "word", "other", "on word-train, which has pairs"),
        ({"checksum": "joined", "parts": ("x", WORD_TRAIN)}, "word", "other", "on word-train,"),
        ({"name": "word"}, "word-train", "other", "on word, which has pairs"),
        ({"name": "tr9856"}, "tr9856", "other", "on tr9856 in another file"),
        ({"name": "mc-30"}, "rg-65", "other", "on mc-30, which"),
        ({"name": "men"}, "rg-65", "other", None),
        ({"name": "word-train.csv"}, "word", "other", None),
    ],
)
def test_pairs_that_a_model_has_seen_are_told_by_whatever_file(
    trained: dict[str, Any], name: str, judged: str, seen: str | None
) -> None:
    model = toy_model()
    learnt = msgspec.structs.replace(model.trained_on, **{"name": "mine.csv", "checksum": "mine", **trained})
    model = msgspec.structs.replace(model, trained_on=learnt)
    asked = Benchmark(name, judged, ())
    found = has_seen(model, asked, "all")
    assert (found is None) == (seen is None)
    assert seen is None or seen in str(found)
    assert has_seen(model, asked, "test") is None
    assert len(notes_on(model, model.snapshot, asked, "all")) == (seen is not None)


def test_differences_of_the_model_have_their_intervals() -> None:
    draw = np.random.default_rng(1)
    gold = Gold(draw.random(60), np.repeat(np.arange(6), 10), tuple("abcdef"))
    columns = {name: gold.scores + draw.normal(0, noise, 60) for name, noise in (("m", 0.1), ("x", 0.2))}
    columns |= {"y": draw.random(60), "z": draw.random(60)}
    drawn = Sampling(50).draws(gold)
    found = differences(columns, gold, "spearman", "m", ["z"], drawn)
    assert sum("m" in (each.first, each.second) for each in found) == 2
    for each in found:
        ends = difference_interval(
            columns[each.first], columns[each.second], gold.scores, gold.topic, drawn, "spearman"
        )
        of_model = "m" in (each.first, each.second)
        assert (each.low, each.high) == ((ends.low, ends.high) if of_model else (None, None))


def test_floors() -> None:
    values = features(40)
    report = reported(drawn_pairs(values[:, ESA]), values, values[:, ESA])
    assert shortfalls(report, {"pearson": 0.99, "spearman": None}) == []
    (line,) = shortfalls(report, {"pearson": None, "spearman": 1.01})
    assert line == "the Spearman correlation of toy is 1.0000, below 1.01."
    undefined = reported(drawn_pairs(np.zeros(40)), values, values[:, ESA])
    assert "undefined" in shortfalls(undefined, {"pearson": -1.0})[0]


def test_a_term_weighs_what_the_file_says() -> None:
    (term,) = toy_model().coefficients
    assert (term.feature, term.transform) == ("ESA", "identity")
    assert term.weight == pytest.approx(1.0)
