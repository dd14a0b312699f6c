"""Correlations, halves, best and worst, strengths, transitivity: against slow oracles and what must hold."""

from __future__ import annotations

import math
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from datasets.agreement.best_worst import BestWorst, Choice, split_half
from datasets.agreement.bradley_terry import as_scores, bradley_terry
from datasets.agreement.correlation import between_annotators, fisher_mean, with_the_rest, with_themselves
from datasets.agreement.deviation import by_group, empty_band, one_of_each, spread
from datasets.agreement.enough import further_needed, judgements_needed, reliability_curve
from datasets.agreement.judgements import Item, Judged, Judgements
from datasets.agreement.kappa import pairwise
from datasets.agreement.split_half import (
    all_splits,
    factor_needed,
    random_ranks,
    random_splits,
    same_panel,
    spearman_brown,
)
from datasets.agreement.transitivity import Edge, transitivity
from measures.arrays import Floats
from tests.datasets.agreement.judged import matrices, panel
from tests.oracles import agreement as oracle


def pearson(x: Floats, y: Floats) -> float:
    if len(x) < 3 or np.ptp(x) == 0 or np.ptp(y) == 0:
        return math.nan
    return float(stats.pearsonr(x, y).statistic)


@given(matrices(5))
def test_correlations_of_every_two_annotators(said: Floats) -> None:
    r = between_annotators(Judgements.of_matrix(said))
    for one in range(said.shape[1]):
        for other in range(said.shape[1]):
            both = ~np.isnan(said[:, one]) & ~np.isnan(said[:, other])
            expected = math.nan if one == other else pearson(said[both, one], said[both, other])
            assert r[one, other] == pytest.approx(expected, nan_ok=True, abs=1e-9)


@given(matrices(5))
def test_correlations_with_the_rest(said: Floats) -> None:
    r = with_the_rest(Judgements.of_matrix(said))
    for one in range(said.shape[1]):
        rest = np.delete(said, one, axis=1)
        both = ~np.isnan(said[:, one]) & ~np.isnan(rest).all(1)
        means = np.array([row[~np.isnan(row)].mean() for row in rest[both]])
        if len(means) and np.ptp(means) > 1e-9:
            assert r[one] == pytest.approx(pearson(said[both, one], means), nan_ok=True, abs=1e-9)


def test_agreement_with_oneself_is_of_the_first_and_the_second_time() -> None:
    items = [Item(str(place)) for place in range(6)]
    first, again = [0.0, 1, 2, 3, 4, 1], {4: 4.0, 0: 1.0, 2: 2.0, 1: 0.0}
    rows = [Judged("Ann", item, value) for item, value in zip(items, first, strict=True)]
    rows += [Judged("Bob", item, 1) for item in items]
    rows += [Judged("Ann", items[place], value) for place, value in again.items()]
    rows += [Judged("Ann", items[0], 4)]
    judgements = Judgements.of(rows)
    expected = pearson(np.array([first[place] for place in again]), np.array(list(again.values())))
    assert with_themselves(judgements)[0] == pytest.approx(expected)
    assert math.isnan(with_themselves(judgements)[1])
    assert judgements.turn.max() == 2
    assert len(judgements.first) == 12
    np.testing.assert_array_equal(judgements.matrix()[:, 0], first)


@given(st.lists(st.floats(-0.99, 0.99), min_size=1, max_size=10))
def test_fishers_mean_lies_between_and_is_odd(values: list[float]) -> None:
    r = np.array(values)
    mean = fisher_mean(r)
    assert r.min() - 1e-9 <= mean <= r.max() + 1e-9
    assert fisher_mean(-r) == pytest.approx(-mean, abs=1e-9)
    assert fisher_mean(np.array([*values, np.nan])) == mean
    assert math.isnan(fisher_mean(np.array([np.nan])))
    assert fisher_mean(np.ones(3)) == pytest.approx(0.999)


@pytest.mark.parametrize("annotators", [2, 5, 6])
def test_all_splits_are_every_split_once(annotators: int) -> None:
    values = panel(1, items=40, annotators=annotators).matrix()
    found = all_splits(values)
    half = annotators // 2
    everyone = frozenset(range(annotators))
    splits = {frozenset((frozenset(part), everyone - set(part))) for part in combinations(everyone, half)}
    r = [pearson(*(values[:, sorted(part)].mean(1) for part in split)) for split in splits]
    assert found.splits == len(splits)
    assert found.mean == pytest.approx(np.mean(r))
    assert found.deviation == pytest.approx(np.std(r))


def test_random_splits_come_near_all_splits() -> None:
    judgements = panel(2, items=400, annotators=10)
    every, some = all_splits(judgements.matrix()), random_splits(judgements, 200)
    assert some.mean == pytest.approx(every.mean, abs=0.01)
    assert some.judgements == every.judgements == 5
    assert some == random_splits(judgements, 200), "the seed decides"
    assert some.corrected > some.mean


def test_what_is_judged_once_is_in_no_half() -> None:
    said = np.full((6, 4), np.nan)
    said[:4] = panel(0, 4, 4).matrix()
    said[4, 0] = 1
    assert random_splits(Judgements.of_matrix(said), 5).items == 4
    assert math.isnan(random_splits(Judgements.of_matrix(said[3:]), 5).mean)


@given(st.lists(st.integers(0, 5), min_size=1, max_size=40), st.integers(0, 99))
def test_random_ranks_are_each_place_of_a_group_once(groups: list[int], seed: int) -> None:
    group = np.array(groups)
    rank = random_ranks(group, np.random.default_rng(seed))
    for one in set(groups):
        assert sorted(rank[group == one].tolist()) == list(range(groups.count(one)))


def test_the_largest_panel() -> None:
    said = np.full((9, 4), np.nan)
    said[:4, :2] = said[4:7, 1:] = said[7:] = 1
    who, what = same_panel(Judgements.of_matrix(said))
    assert who.tolist() == [True, True, False, False]
    assert what.tolist() == [True] * 4 + [False] * 5
    who, what = same_panel(Judgements.of_matrix(said), 3)
    assert what.tolist() == [False] * 4 + [True] * 3 + [False] * 2
    assert not same_panel(Judgements.of_matrix(said[:, :1]))[1].any()


@given(st.floats(0.01, 0.99), st.floats(0.1, 20))
def test_spearman_brown_and_its_inverse(reliability: float, factor: float) -> None:
    longer = spearman_brown(reliability, factor)
    assert 0 < longer < 1
    assert (longer > reliability) == (factor > 1) or factor == 1
    assert factor_needed(reliability, longer) == pytest.approx(factor, rel=1e-6)


def answers_of(seed: int, items: int = 30, tuples: int = 60, annotators: int = 6) -> tuple[BestWorst, Floats]:
    """Answers by annotators who see strengths through noise, and these strengths in the answers' order."""
    rng = np.random.default_rng(seed)
    strength = rng.normal(size=items)
    choices = []
    for _ in range(tuples):
        shown = rng.choice(items, 4, replace=False)
        for annotator in range(annotators):
            seen = strength[shown] + rng.gumbel(size=4) / 2
            names = tuple(Item(str(place)) for place in shown)
            choices.append(Choice(str(annotator), names, int(seen.argmax()), int(seen.argmin())))
    found = BestWorst.of(choices)
    return found, np.array([strength[int(item.name)] for item in found.items])


def test_counting_is_the_share_of_best_less_that_of_worst() -> None:
    answers, strength = answers_of(0)
    for place, item in enumerate(answers.items):
        shown = [row for row in range(len(answers)) if place in answers.tuples[answers.shown[row]].tolist()]
        best, worst = (sum(of[row] == place for row in shown) for of in (answers.best, answers.worst))
        assert answers.scores()[place] == pytest.approx(((best - worst) / len(shown) + 1) / 2), item
    assert stats.spearmanr(answers.scores(), strength).statistic > 0.8


def test_comparisons_are_those_that_an_answer_says() -> None:
    names = tuple(map(Item, "abcd"))
    won, lost = BestWorst.of([Choice("Ann", names, 1, 3)]).comparisons()
    assert sorted(zip(won.tolist(), lost.tolist(), strict=True)) == [(0, 3), (1, 0), (1, 2), (1, 3), (2, 3)]


def test_halves_of_best_worst_answers() -> None:
    answers, _ = answers_of(1)
    found = split_half(answers, 50)
    assert found.items == len(answers.items)
    assert found.judgements == 3
    assert 0.8 < found.mean < found.corrected < 1
    assert found == split_half(answers, 50)
    backwards = BestWorst.of(
        Choice(str(row), tuple(map(Item, "abcd")), row % 4, (row + 1) % 4) for row in range(8)
    )
    assert split_half(backwards, 20).items == 4


def test_tuples_are_of_one_size() -> None:
    with pytest.raises(ValueError, match="different sizes"):
        BestWorst.of([Choice("", tuple(map(Item, "abc")), 0, 1), Choice("", tuple(map(Item, "abcd")), 0, 1)])
    with pytest.raises(ValueError, match="one item"):
        BestWorst.of([Choice("", tuple(map(Item, "abc")), 0, 0)])


@pytest.mark.parametrize("penalty", [0.05, 0.5])
def test_strengths_are_the_most_likely_ones(penalty: float) -> None:
    rng = np.random.default_rng(4)
    won, lost = (rng.permuted(np.tile(np.arange(5), (40, 1)), axis=1)[:, :2]).T
    swapped = rng.random(40) < np.where(won < lost, 0.3, 0.0)
    won, lost = np.where(swapped, lost, won), np.where(swapped, won, lost)
    found = bradley_terry(won, lost, 6, penalty)
    assert found == pytest.approx(oracle.bradley_terry(won.tolist(), lost.tolist(), 6, penalty), abs=1e-4)


def test_strengths_of_two_are_the_odds() -> None:
    won, lost = np.array([0, 0, 0, 1]), np.array([1, 1, 1, 0])
    one, other = bradley_terry(won, lost, 2, 1e-9)
    assert one - other == pytest.approx(math.log(3), abs=1e-4)
    assert as_scores(np.array([one - other]))[0] == pytest.approx(0.75, abs=1e-4)
    with pytest.raises(ValueError, match="prior"):
        bradley_terry(won, lost, 2, 0)


@given(
    st.dictionaries(
        st.tuples(st.sampled_from("abcdef"), st.sampled_from("abcdef")).filter(
            lambda pair: pair[0] < pair[1]
        ),
        st.integers(0, 10).map(lambda tenths: tenths / 10),
        max_size=15,
    )
)
def test_transitivity_is_that_of_every_three_terms(scores: dict[tuple[str, str], float]) -> None:
    found = transitivity([Edge(*pair, score) for pair, score in scores.items()])
    expected = oracle.transitivity(scores)
    assert found.triangles * 3 == sum(map(len, expected.values())) == found.differences.sum()
    assert found.level.tolist() == sorted(expected)
    assert found.mean == pytest.approx([np.mean(expected[level]) for level in sorted(expected)])


def test_triangles_are_within_topics_and_of_three_terms() -> None:
    sides = [("a", "b"), ("b", "c"), ("a", "c")]
    assert transitivity([Edge(*side, 0.5, topic) for topic, side in enumerate(sides)]).triangles == 0
    assert transitivity([Edge("a", "a", 1.0), Edge("a", "b", 1.0)]).triangles == 0
    twice = [*(Edge(*side, 0.5) for side in sides), Edge("c", "a", 1.0)]
    assert transitivity(twice).level.tolist() == pytest.approx([0.5, 0.8])
    assert transitivity(twice, repeated="last").level.tolist() == pytest.approx([0.5, 1.0])


def test_spread_by_group_and_its_empty_band() -> None:
    said = np.array([[0, 0, 1, 0], [4, 4, 3, 4], [0, 4, 0, 4], [4, 3, 4, 4], [1, np.nan, np.nan, np.nan]])
    found = spread(Judgements.of_matrix(said))
    assert found.mean.tolist() == [0.25, 3.75, 2, 3.75, 1]
    assert found.deviation[:4] == pytest.approx([np.std(row, ddof=1) for row in said[:4]])
    assert math.isnan(found.deviation[4])
    assert empty_band(found) == (0.25, 3.75)
    nouns, verbs = by_group(found, ["NN", "NN", "VV", "NN", None])
    assert (nouns.group, nouns.items, verbs.items) == ("NN", 3, 1)
    assert nouns.mean == pytest.approx(7.75 / 3)
    assert nouns.disagreement < verbs.disagreement
    pairs = [("source", "text"), ("car", "bus"), ("source", "text"), ("car", "bus"), ("logic", "June")]
    assert one_of_each(found, pairs, most=True) == [1, 2, 4]
    assert one_of_each(found, pairs, most=False) == [0, 1, 4]


def test_what_more_judgements_would_bring_is_what_they_bring() -> None:
    curve = reliability_curve(panel(5, items=1500, annotators=20), (20, 40), resamples=10)
    by_size = {one.judgements: one for one in curve}
    few = reliability_curve(panel(5, items=1500, annotators=6), (10,), resamples=10)
    (predicted,) = [one.predicted for one in few if one.judgements == 10]
    assert predicted == pytest.approx(by_size[10].measured, abs=0.02)
    assert [one.measured for one in curve][:10] == sorted(one.measured or 0 for one in curve[:10])
    assert by_size[40].measured is None
    needed = judgements_needed(curve, 0.9)
    assert needed is not None
    at_least, below = (spearman_brown(by_size[10].measured or 0, size / 10) for size in (needed, needed - 1))
    assert below < 0.9 <= at_least


def test_nothing_is_predicted_from_one_judgement_each() -> None:
    assert reliability_curve(panel(0, items=20, annotators=1)) == []
    assert judgements_needed([]) is None
    assert math.isnan(factor_needed(0, 0.9))


def test_items_need_more_where_their_interval_is_wide() -> None:
    further = further_needed(
        np.array([0.0, 0.2, 0.4]), np.array([1.0, 0.7, 0.5]), np.array([10, 10, 10]), 0.5
    )
    assert further.tolist() == [30, 0, 0]


@given(matrices())
def test_a_matrix_comes_back_as_it_was(said: Floats) -> None:
    judgements = Judgements.of_matrix(said)
    np.testing.assert_array_equal(judgements.matrix(), said)
    assert judgements.common().diagonal().tolist() == (~np.isnan(said)).sum(0).tolist()
    kept = np.arange(said.shape[1]) % 2 == 0
    np.testing.assert_array_equal(judgements.only(kept).matrix(), said[:, kept])
    odd = np.arange(said.shape[0]) % 2 == 1
    np.testing.assert_array_equal(judgements.only(items=odd).matrix(), said[odd])
    assert pairwise(np.full((3, 3), 0.5)).tolist() == [0.5] * 3
