"""The gate, and the model in force judged without the pairs that it learnt from."""

from __future__ import annotations

import msgspec
import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from features.catalogue import SIGNATURES
from measures.arrays import Floats
from models.linear import LinearModel
from models.protocol import CLIP, Coefficient, RelatednessModel, TrainingSet
from training.design import PLAIN
from training.fit import design_matrix, fit
from training.retraining.comparison import Comparison, compared, higher, lower
from training.retraining.folds import Folds
from training.retraining.gate import Gate, Verdict, decide, refused
from training.retraining.held_out import ReadPairs, held_out
from training.statistics.bootstrap import draws
from training.statistics.significance import Clusters, compare

GATE = Gate()
NAMES = ("new", "old")


def predictions(seed: int, n: int, noise: float) -> tuple[Floats, Floats]:
    """Scores, and predictions of them that are off by ``noise``."""
    draw = np.random.default_rng(seed)
    scores = draw.random(n)
    return scores, np.clip(scores + draw.normal(0, noise, n), 0, 1)


def side_by_side(n: int = 400, new: float = 0.1, old: float = 0.3, shift: float = 0.0) -> Comparison:
    scores, first = predictions(1, n, new)
    second = np.clip(scores + np.random.default_rng(2).normal(0, old, n), 0, 1)
    return compared("own", NAMES, first + shift, second, scores)


def failed(verdict: Verdict) -> list[str]:
    return [check.name for check in verdict.checks if not check.passed]


def test_a_better_candidate_passes_and_is_told_why() -> None:
    verdict = decide(GATE, side_by_side(), (), 400, 400)
    assert verdict.passed
    assert verdict.reason.startswith("new is better than old: Pearson 0.9")
    assert verdict.reason.endswith(
        "over 400 pairs, and the gate takes +0.005 at p < 0.05 and an interval above 0."
    )


@pytest.mark.parametrize(
    ("comparison", "gate", "resolved", "expected"),
    [
        (side_by_side(n=99), GATE, 400, ["pairs"]),
        (side_by_side(), GATE, 399, ["coverage"]),
        (side_by_side(), Gate(coverage=1), 399, []),
        (side_by_side(), Gate(margin=0.9), 400, ["better"]),
        (side_by_side(), Gate(p=1e-300), 400, ["better"]),
        (side_by_side(new=0.3, old=0.1), GATE, 400, ["better", "ranks", "error"]),
        (side_by_side(shift=0.5), GATE, 400, ["error"]),
    ],
)
def test_each_condition_refuses_for_itself(
    comparison: Comparison, gate: Gate, resolved: int, expected: list[str]
) -> None:
    verdict = decide(gate, comparison, (), resolved, 400)
    assert failed(verdict) == expected
    assert verdict.passed == (not expected)
    if expected:
        assert verdict.reason.startswith("new does not take the place of old: ")


def test_what_is_lost_on_a_base_set_refuses() -> None:
    worse = msgspec.structs.replace(side_by_side(new=0.3, old=0.1), part="base")
    assert failed(decide(GATE, side_by_side(), [worse], 400, 400)) == ["base"]
    assert decide(Gate(base_loss=2.0), side_by_side(), [worse], 400, 400).passed


def test_what_is_forgotten_of_what_was_learnt_before_refuses() -> None:
    worse = msgspec.structs.replace(side_by_side(new=0.3, old=0.1), part="learnt")
    verdict = decide(GATE, side_by_side(), [worse], 400, 400)
    assert failed(verdict) == ["learnt"]
    assert verdict.reason.endswith("over 400 pairs that old learnt from.")


def test_where_nothing_tells_what_would_be_lost_a_base_set_must() -> None:
    why = "the rows that old learnt from are not known"
    verdict = decide(GATE, side_by_side(), (), 400, 400, why)
    assert failed(verdict) == ["elsewhere"]
    assert verdict.reason.startswith(f"new does not take the place of old: {why}, and no base set")
    assert "--with-benchmark" in verdict.reason
    assert "--promote" in verdict.reason
    base = msgspec.structs.replace(side_by_side(), part="base")
    assert decide(GATE, side_by_side(), [base], 400, 400, why).passed
    few = msgspec.structs.replace(side_by_side(n=99), part="base")
    assert failed(decide(GATE, side_by_side(), [few], 400, 400, why)) == ["elsewhere"]


def test_a_gain_that_one_topic_makes_does_not_pass() -> None:
    """On nine topics of ten the candidate is a little worse; Steiger's Z over all pairs is sure of it."""
    draw = np.random.default_rng(5)
    scores, topic, noise = draw.random(400), np.repeat(np.arange(10), 40), draw.normal(size=400)
    first = scores + 0.2 * noise
    second = np.where(topic == 0, 1.5, scores + 0.19 * noise)
    alone = compared("own", NAMES, first, second, scores)
    together = compared("own", NAMES, first, second, scores, topic)
    assert (alone.groups, together.groups) == (400, 10)
    pearson = together.differences["pearson"]
    assert pearson.p == alone.differences["pearson"].p
    assert pearson.p is not None
    assert pearson.p < 0.001
    assert pearson.low is not None
    assert pearson.low < 0
    assert "better" not in failed(decide(GATE, alone, (), 400, 400))
    assert "better" in failed(decide(GATE, together, (), 400, 400))


def test_of_models_that_are_equally_good_few_pass_though_pairs_go_together() -> None:
    """The false alarms of Steiger's Z on twenty topics of twenty pairs, and those of the gate."""
    draw = np.random.default_rng(1)
    topic, worlds = np.repeat(np.arange(20), 20), 300
    clusters = Clusters(topic, draws(20, 200, 1))
    by_steiger, by_the_gate = 0, 0
    for _ in range(worlds):
        scores = draw.normal(size=400)
        first, second = (
            scores + np.sqrt(0.5) * (draw.normal(size=20)[topic] + draw.normal(size=400)) for _ in range(2)
        )
        found = compare(first, second, scores, clusters=clusters)
        by_steiger += bool(found.significant)
        by_the_gate += higher(found, 0.05) or lower(found, 0.05)
    assert by_steiger > 0.2 * worlds
    assert by_the_gate < 0.12 * worlds


def test_the_coverage_of_the_interval_goes_with_the_level_of_the_gate() -> None:
    scores, first = predictions(1, 200, 0.2)
    second = np.clip(scores + np.random.default_rng(2).normal(0, 0.25, 200), 0, 1)
    wide, narrow = (
        compared("own", NAMES, first, second, scores, level=level).differences["pearson"]
        for level in (0.999, 0.5)
    )
    assert wide.low is not None
    assert narrow.low is not None
    assert wide.low < narrow.low


def test_nothing_to_compare_by_refuses() -> None:
    scores, first = predictions(1, 400, 0.1)
    constant = compared("own", NAMES, first, np.full(400, 0.5), scores)
    assert failed(decide(GATE, constant, (), 400, 400)) == ["better"]
    few = compared("own", NAMES, first[:3], first[:3] ** 2, scores[:3])
    assert failed(decide(Gate(least_pairs=1), few, (), 400, 400)) == ["better"]
    assert not refused("new", "old", "it is gone").passed


@given(
    st.integers(0, 10_000),
    st.integers(4, 300),
    st.floats(0.01, 1.0),
    st.floats(0.01, 1.0),
    st.floats(0.0, 0.2),
)
def test_whatever_passes_is_better(seed: int, n: int, new: float, old: float, margin: float) -> None:
    scores, first = predictions(seed, n, new)
    second = np.clip(scores + np.random.default_rng(seed + 1).normal(0, old, n), 0, 1)
    gate = Gate(margin=margin, least_pairs=4)

    def of(first: Floats, second: Floats) -> Comparison:
        return compared("own", NAMES, first, second, scores, resamples=50)

    there, back = (decide(gate, of(*pair), (), n, n) for pair in ((first, second), (second, first)))
    assert not (there.passed and back.passed)
    assert not decide(gate, of(first, first), (), n, n).passed
    if there.passed:
        gained = np.corrcoef(first, scores)[0, 1] - np.corrcoef(second, scores)[0, 1]
        assert gained >= margin - 1e-12
        assert np.abs(first - scores).mean() <= np.abs(second - scores).mean() + gate.error
    # A gate that asks for less lets through whatever this one does.
    looser = decide(Gate(margin=0.0, p=0.5, least_pairs=4), of(first, second), (), n, n)
    ranks_apart = "ranks" in failed(looser)
    assert looser.passed or ranks_apart or not there.passed


def fitted(learnt: ReadPairs) -> RelatednessModel:
    """The model of the plain design that was fitted to all of ``learnt``."""
    regression = fit(design_matrix(learnt.values, PLAIN), learnt.scores, PLAIN.method)
    return LinearModel(
        name="old",
        features=SIGNATURES[: len(PLAIN.addends)],
        coefficients=tuple(
            Coefficient(name, "identity", weight)
            for (name, _), weight in zip(PLAIN.addends, regression.weights.tolist(), strict=True)
        ),
        intercept=regression.intercept,
        trained_on=TrainingSet("made up", "00", 0, 0, 0),
        snapshot="made up",
        metrics={},
        cross_validation=(),
        created="2001-01-15T00:00:00+00:00",
        code_version="0",
    )


def world(seed: int, m: int = 80, n: int = 40) -> tuple[ReadPairs, ReadPairs, Folds]:
    """What a model learnt from, pairs to predict (some of them the same), and their five folds."""
    draw = np.random.default_rng(seed)
    ids = np.array([(left, right) for left in range(12) for right in range(12, 24)])
    values = draw.random((len(ids), 16))
    scores = np.clip(values @ draw.random(16) / 10 + draw.normal(0, 0.1, len(ids)), 0, 1)

    def taken(size: int, topics: str) -> ReadPairs:
        rows = draw.choice(len(ids), size, replace=False)
        names = tuple(str(name) for name in draw.choice(list(topics), size))
        # Sides swapped at random: a pair is the same in either order.
        ends = np.where(draw.random(size)[:, None] < 0.5, ids[rows], ids[rows][:, ::-1])
        return ReadPairs(ends[:, 0], ends[:, 1], values[rows], scores[rows], names)

    learnt, asked = taken(m, "abcx"), taken(n, "abcde")
    number = np.array(["abcde".index(str(topic)) for topic in asked.topics], np.int64)
    return learnt, asked, Folds("topics", number, 5, 0, number)


def predicted(
    model: RelatednessModel, learnt: ReadPairs | None, asked: ReadPairs, folds: Folds
) -> tuple[Floats, int, str]:
    found = held_out(model, learnt, asked, folds)
    return found.values, found.refits, found.how


@given(st.integers(0, 10_000))
def test_each_fold_is_predicted_without_its_pairs_and_topics(seed: int) -> None:
    learnt, asked, folds = world(seed)
    model = fitted(learnt)
    # One without a weight below 0 is taken to have been held there.
    assume(min(term.weight for term in model.coefficients) < 0)
    values, refits, how = predicted(model, learnt, asked, folds)
    assert how == "held out"
    seen = [frozenset(ends) for ends in zip(learnt.left.tolist(), learnt.right.tolist(), strict=True)]
    expected, made = np.empty(len(values)), 0
    for fold in range(folds.count):
        test = [place for place, number in enumerate(folds.number) if number == fold]
        out = {frozenset((int(asked.left[place]), int(asked.right[place]))) for place in test}
        topics = {asked.topics[place] for place in test}
        kept = [row for row, pair in enumerate(seen) if pair not in out and learnt.topics[row] not in topics]
        # The oracle solves the normal equations' least squares directly.
        matrix = np.column_stack([np.ones(len(kept)), learnt.values[kept]])
        solution = np.linalg.lstsq(matrix, learnt.scores[kept], rcond=None)[0]
        expected[test] = np.clip(solution[0] + asked.values[test] @ solution[1:], *CLIP)
        made += len(kept) < len(seen)
    assert values == pytest.approx(expected, abs=1e-7)
    assert refits == made


def test_scores_of_a_fold_do_not_reach_its_predictions() -> None:
    _, asked, folds = world(3)
    same = ReadPairs(asked.left, asked.right, asked.values, asked.scores, asked.topics)
    values, _, how = predicted(fitted(same), same, asked, folds)
    assert how == "held out"
    changed = np.where(folds.number == 2, 1 - asked.scores, asked.scores)
    other = ReadPairs(asked.left, asked.right, asked.values, changed, asked.topics)
    values_changed, _, _ = predicted(fitted(other), other, asked, folds)
    untouched = folds.number == 2
    assert values_changed[untouched] == pytest.approx(values[untouched], abs=1e-12)
    assert np.abs(values_changed[~untouched] - values[~untouched]).max() > 0.01


def test_a_model_whose_rows_are_unknown_or_wrong_stands_as_it_is() -> None:
    learnt, asked, folds = world(4)
    model = fitted(learnt)
    wrong = ReadPairs(learnt.left, learnt.right, learnt.values, 1 - learnt.scores, learnt.topics)
    for rows in (None, wrong):
        values, refits, how = predicted(model, rows, asked, folds)
        assert (refits, how) == (0, "as it is")
        assert np.array_equal(values, model.score(asked.values))


def test_a_fold_that_holds_all_the_rows_of_a_model_is_not_compared() -> None:
    _, asked, folds = world(3)
    test = folds.number == 2
    # Enough rows to be fitted to, of one fold only.
    rows = np.resize(np.flatnonzero(test), 30)
    ends = np.arange(100, 130)
    learnt = ReadPairs(ends, ends + 100, world(5)[0].values[:30], world(5)[0].scores[:30], ("c",) * 30)
    model = fitted(learnt)
    assert {asked.topics[row] for row in rows} == {"c"}
    found = held_out(model, learnt, asked, folds)
    assert np.array_equal(np.isnan(found.values), test)
    assert np.array_equal(found.values[~test], model.score(asked.values)[~test])
    assert (found.how, found.refits) == ("held out", 0)
    assert f"their {test.sum()} pairs are not compared" in found.note
