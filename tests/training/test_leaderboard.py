"""The leaderboard: what stands in a row, over which pairs, judged how; rankings by seeds."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from app.scoring.concepts import Scorer
from features.catalogue import FEATURE_NAMES
from measures.arrays import Floats
from tests.support.served import toy_scorer
from training.benchmarks.judgements import Benchmark, BenchmarkKind, Judgement
from training.benchmarks.rankings import read_kore
from training.coverage import Coverage, UnresolvedTitle
from training.evaluation.columns import Gold, Sampling, judge_columns, of_topics
from training.evaluation.judges import Baseline, Judges, covered_pairs, gold_of, predict, spread
from training.evaluation.judging import leaderboard
from training.evaluation.leaderboard import (
    BEST,
    CONCEPTS,
    MILNE_WITTEN,
    TERMS,
    Contender,
    best_feature,
    single_features,
    standing,
)
from training.evaluation.rankings import judgeable, row_of, seeds
from training.evaluation.report import Leaderboard, LeftOut
from training.evaluation.term_judge import TermJudge

SAMPLING = Sampling(resamples=20)


def gold(scores: Sequence[float], topics: Sequence[str] = ()) -> Gold:
    names = tuple(dict.fromkeys(topics))
    topic = [names.index(name) for name in topics] if topics else range(len(scores))
    return Gold(np.array(scores, np.float64), np.array(topic, np.int64), names)


def benchmark(
    *pairs: tuple[str, str, float], kind: BenchmarkKind = "concepts", topic: str | None = None
) -> Benchmark:
    judgements = tuple(
        Judgement(left, right, score, topic, line) for line, (left, right, score) in enumerate(pairs, start=2)
    )
    return Benchmark("toy", "00ff", judgements, kind=kind, title="A toy")


PAIRS = (
    ("Cat", "Dog", 0.9),
    ("Cat", "Unicorn", 0.8),
    ("Computer", "Computer mouse", 0.7),
    ("Cat", "Felis catus", 1.0),
    ("Griffin", "Unicorn", 0.6),
    ("Piano", "Noun", 0.1),
    ("Cat", "Piano", 0.0),
)


@pytest.fixture(scope="module")
def scorer(tmp_path_factory: pytest.TempPathFactory) -> Scorer:
    return toy_scorer(tmp_path_factory.mktemp("leaderboard"))


def judges(scorer: Scorer, terms: TermJudge | None = None, everywhere: bool = False) -> Judges:
    lengths = Baseline("lengths", lambda texts: np.array([len(left + right) for left, right in texts], float))
    return Judges(scorer.snapshot, scorer.resolver, scorer.model, terms, everywhere, (lengths,))


# What the measures say


def test_values_of_covered_pairs_stand_in_their_places() -> None:
    covered = np.array([True, False, False, True])
    assert spread(np.array([0.25, 0.5]), covered).tolist() == [0.25, 0.0, 0.0, 0.5]
    assert spread(np.empty(0), np.zeros(2, np.bool_)).tolist() == [0.0, 0.0]


def test_a_pair_is_covered_if_both_its_titles_are() -> None:
    coverage = Coverage(
        7, 4, 1, 0, (UnresolvedTitle("Unicorn", "unknown", 2), UnresolvedTitle("Griffin", "unknown", 1))
    )
    assert covered_pairs(benchmark(*PAIRS), coverage).tolist() == [True, False, True, True, False, True, True]


def test_every_measure_answers_every_pair(scorer: Scorer) -> None:
    predictions = predict(judges(scorer), benchmark(*PAIRS), "all")
    assert predictions.covered.tolist() == [True, False, True, True, False, True, True]
    assert predictions.coverage.resolved == 5
    assert list(predictions.features) == list(FEATURE_NAMES)
    scored = scorer.score([(left, right) for left, right, _ in PAIRS])
    # The service has no score where the leaderboard counts 0, and 1 for one concept with itself.
    assert predictions.model.tolist() == [0.0 if result.score is None else result.score for result in scored]
    assert predictions.model[3] == 1.0
    assert (predictions.features["MW"][~predictions.covered] == 0).all()
    assert predictions.baselines["lengths"].tolist() == [len(left + right) for left, right, _ in PAIRS]
    assert (predictions.terms, predictions.term_model) == ({}, None)


def test_no_score_reaches_what_an_uncovered_pair_is_given(scorer: Scorer) -> None:
    turned = tuple((left, right, 1.0 - score) for left, right, score in PAIRS)
    first, second = (predict(judges(scorer), benchmark(*pairs), "all") for pairs in (PAIRS, turned))
    np.testing.assert_array_equal(first.model, second.model)
    for name, values in first.features.items():
        np.testing.assert_array_equal(values, second.features[name])


def test_documents_are_no_titles(scorer: Scorer) -> None:
    documents = benchmark(("Cat", "Dog", 0.5), ("Dog", "Pet", 0.75), ("Cat", "Pet", 0.1), kind="documents")
    predictions = predict(judges(scorer), documents, "all")
    assert not predictions.covered.any()
    found = row_of(predictions, judges(scorer), SAMPLING)
    assert found.covered.pairs == 0
    assert [entry.role for entry in found.all_pairs.entries] == ["lengths"]


def test_terms_are_judged_by_all_their_pairs(scorer: Scorer) -> None:
    terms = TermJudge.open(scorer.snapshot, scorer.resolver, None)
    of_terms = benchmark(*PAIRS, kind="terms")
    assert predict(judges(scorer, terms), benchmark(*PAIRS), "all").terms == {}
    assert set(predict(judges(scorer, terms, True), benchmark(*PAIRS), "all").terms) == set(terms.names)
    predictions = predict(judges(scorer, terms), of_terms, "all")
    assert set(predictions.terms) == set(terms.names)
    assert all(values.shape == (7,) for values in predictions.terms.values())
    assert terms.scores(of_terms, np.empty((7, 0))) is None
    both = set(single_features(predictions))
    assert {"MW", "ESA", "ESA of terms"} <= both
    assert len(both) == len(FEATURE_NAMES) + len(terms.names)
    known = terms.coverage(of_terms)
    assert {entry.title: entry.pairs for entry in known.unresolved}["Unicorn"] == 2
    assert known.pairs == 7
    assert known.resolved < 7


# Rows


def test_a_row_by_hand() -> None:
    gold_ = gold([0.1, 0.2, 0.3, 0.4])
    covered = np.array([True, True, True, False])
    model = Contender(CONCEPTS, "m", np.array([1.0, 3.0, 2.0, 0.0]))
    chance = Contender("random", "random", np.array([4.0, 3.0, 2.0, 1.0]))
    features = {
        "rising": np.array([1.0, 2.0, 3.0, 0.0]),
        "flat": np.zeros(4),
        "late": np.array([0.0, 0, 1, 1]),
    }
    found = standing([model, chance], features, gold_, covered, SAMPLING)
    assert found.pairs == 3
    assert [(entry.role, entry.name) for entry in found.entries] == [
        (CONCEPTS, "m"),
        (BEST, "rising"),
        ("random", "random"),
    ]
    assert [entry.spearman.value for entry in found.entries] == pytest.approx([0.5, 1.0, -1.0])
    over_all = standing([model, chance], features, gold_, np.ones(4, np.bool_), SAMPLING)
    # On all pairs another feature is the best: what rises only where it covers loses the last pair.
    best = over_all.of(BEST)
    assert best is not None
    assert best.name == "late"
    assert best.pearson is not None
    assert best.pearson.value == pytest.approx(np.corrcoef([0, 0, 1, 1], gold_.scores)[0, 1])
    assert over_all.of("encoder") is None


def test_the_best_feature_is_chosen_for_each_correlation() -> None:
    gold_ = gold([1.0, 2.0, 3.0, 10.0])
    features = {"ranks": np.array([1.0, 9.0, 9.5, 10.0]), "values": np.array([2.0, 1.0, 3.0, 10.0])}
    best = standing([], features, gold_, np.ones(4, np.bool_), SAMPLING).of(BEST)
    assert best is not None and best.pearson is not None
    assert (best.name, best.by_pearson, best.names) == ("ranks", "values", "values (r), ranks (ρ)")
    assert best.spearman.value == pytest.approx(1.0)
    assert best.pearson.value == pytest.approx(np.corrcoef(features["values"], gold_.scores)[0, 1])
    alone = standing([], {"ranks": features["ranks"]}, gold_, np.ones(4, np.bool_), SAMPLING).of(BEST)
    assert alone is not None
    assert (alone.by_pearson, alone.names) == (None, "ranks")


def test_without_pairs_there_are_no_entries() -> None:
    found = standing([], {"a": np.zeros(2)}, gold([0.0, 1.0]), np.zeros(2, np.bool_), SAMPLING)
    assert (found.pairs, found.entries) == (0, ())


def test_a_feature_that_nowhere_varies_is_not_the_best() -> None:
    scores = gold([0.0, 0.5, 1.0])
    assert best_feature({"flat": np.ones(3), "falling": np.array([3.0, 2.0, 1.0])}, scores) == "falling"
    assert best_feature({"flat": np.ones(3)}, scores) is None


def test_the_row_of_the_toy(scorer: Scorer) -> None:
    terms = TermJudge.open(scorer.snapshot, scorer.resolver, None)
    asked = judges(scorer, terms)
    found = row_of(predict(asked, benchmark(*PAIRS, kind="terms"), "all"), asked, SAMPLING)
    assert (found.pairs, found.covered.pairs, found.all_pairs.pairs) == (7, 5, 7)
    assert [entry.role for entry in found.covered.entries] == [CONCEPTS, BEST, MILNE_WITTEN, "lengths"]
    assert found.covered.of(TERMS) is None
    assert {entry.title for entry in found.unresolved} == {"Unicorn", "Griffin"}
    assert found.seen == ()


def test_a_model_that_has_seen_the_file_is_marked(scorer: Scorer) -> None:
    asked = judges(scorer)
    own = Benchmark("own", scorer.model.trained_on.checksum, benchmark(*PAIRS).judgements)
    assert row_of(predict(asked, own, "all"), asked, SAMPLING).seen == (scorer.model.name,)
    assert row_of(predict(asked, own, "test"), asked, SAMPLING).seen == ()


def test_a_leaderboard_goes_to_json_and_back(scorer: Scorer) -> None:
    asked = judges(scorer)
    predictions = predict(asked, benchmark(*PAIRS), "all")
    found = leaderboard(asked, [predictions], [LeftOut("other", "not found")], SAMPLING)
    assert found.rows == (row_of(predictions, asked, SAMPLING),)
    assert msgspec.json.decode(found.json(), type=Leaderboard) == found
    assert (found.model, found.term_model) == (scorer.model.name, None)


# Gold


def test_the_gold_of_some_pairs_keeps_their_topics() -> None:
    chosen = gold([0.1, 0.2, 0.3, 0.4], ["a", "b", "c", "c"]).of(np.array([True, False, True, True]))
    assert chosen.scores.tolist() == [0.1, 0.3, 0.4]
    assert [chosen.topics[number] for number in chosen.topic] == ["a", "c", "c"]
    assert chosen.units == 2
    assert gold([0.1, 0.2]).of(np.array([False, True])).units == 1


def test_gold_is_of_all_pairs_whether_covered_or_not() -> None:
    found = gold_of(benchmark(*PAIRS, topic="pets"))
    assert found.scores.tolist() == [score for *_, score in PAIRS]
    assert found.topics == ("pets",)


@given(st.lists(st.tuples(st.integers(0, 3), st.floats(0, 1), st.floats(-1, 1)), min_size=3, max_size=30))
def test_each_column_is_judged_as_if_alone(pairs: list[tuple[int, float, float]]) -> None:
    number, scores, values = (np.array(column) for column in zip(*pairs, strict=True))
    names, topic = np.unique(number, return_inverse=True)
    people = Gold(scores, topic.astype(np.int64), tuple(map(str, names)))
    together = judge_columns([values, scores], people, SAMPLING)
    apart = [judge_columns([column], people, SAMPLING)[0] for column in (values, scores)]
    assert together == apart
    if len(np.unique(scores)) > 1:
        assert together[1]["spearman"].pooled.value == pytest.approx(1.0)


# Rankings

LISTS = """
Cat
\tDog
\tPet
\tHouse mouse
\tNoun
Computer
\tComputer mouse
\tUnicorn
\tGriffin
Unicorn
\tCat
\tDog
Piano
\tMusic
\tUnicorn
\tNoun
"""
KORE = Benchmark("lists", "beef", read_kore(LISTS), kind="rankings")


def test_a_list_becomes_pairs_that_count_down() -> None:
    pairs = KORE.judgements
    assert [(pair.left, pair.right, pair.score) for pair in pairs[:4]] == [
        ("Cat", "Dog", 4.0),
        ("Cat", "Pet", 3.0),
        ("Cat", "House mouse", 2.0),
        ("Cat", "Noun", 1.0),
    ]
    assert len(pairs) == 12
    assert all(pair.topic == pair.left for pair in pairs)


def ranked(score: Callable[[str, str], float]) -> Floats:
    return np.array([score(pair.left, pair.right) for pair in KORE.judgements])


def test_the_mean_over_seeds_by_hand() -> None:
    people = gold_of(KORE)
    # By the length of the name; those of the third list are equally long.
    values = ranked(lambda _, concept: len(concept))
    plainly = [
        stats.spearmanr([3, 3, 11, 4], [4, 3, 2, 1]).statistic,
        stats.spearmanr([14, 7, 7], [3, 2, 1]).statistic,
        0.0,
        stats.spearmanr([5, 7, 4], [3, 2, 1]).statistic,
    ]
    assert seeds(values, people) == pytest.approx(plainly)
    assert np.isnan(of_topics("spearman", values, people)).tolist() == [False, False, True, False]


def test_a_seed_is_judged_by_its_covered_concepts(scorer: Scorer) -> None:
    asked = judges(scorer)
    predictions = predict(asked, KORE, "all")
    # Of Computer's list one concept is covered: there is no order to judge.
    assert np.flatnonzero(judgeable(predictions)).tolist() == [0, 1, 2, 3, 9, 11]
    found = row_of(predictions, asked, SAMPLING)
    assert (found.kind, found.topics, found.covered.pairs, found.all_pairs.pairs) == ("rankings", 4, 6, 12)
    model = found.covered.of(CONCEPTS)
    assert model is not None
    assert model.pearson is None
    scores = predictions.model
    expected = [
        stats.spearmanr(scores[:4], [4, 3, 2, 1]).statistic,
        math.copysign(1.0, scores[9] - scores[11]),
    ]
    assert model.spearman.value == pytest.approx(np.mean(expected))
    over_all = found.all_pairs.of(CONCEPTS)
    assert over_all is not None
    of_all = [
        expected[0],
        stats.spearmanr(scores[4:7], [3, 2, 1]).statistic,
        0.0,  # the seed itself is unknown: all its concepts get the same
        stats.spearmanr(scores[9:], [3, 2, 1]).statistic,
    ]
    assert over_all.spearman.value == pytest.approx(np.mean(of_all))


def test_intervals_of_rankings_draw_seeds(scorer: Scorer) -> None:
    asked = judges(scorer)
    found = row_of(predict(asked, KORE, "all"), asked, Sampling(resamples=200))
    figure = next(entry.spearman for entry in found.all_pairs.entries if entry.role == "lengths")
    values = ranked(lambda seed, concept: len(seed + concept))
    of_seeds = seeds(values, gold_of(KORE))
    assert figure.value is not None
    assert figure.value == pytest.approx(of_seeds.mean())
    assert figure.low is not None
    assert figure.high is not None
    assert of_seeds.min() <= figure.low < figure.value < figure.high <= of_seeds.max()
