"""Scores with intervals, and the file that training and evaluation read."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from datasets.agreement.best_worst import BestWorst, Choice
from datasets.agreement.judgements import Item, Judgements
from datasets.agreement.score_file import Scored, write_scores
from datasets.agreement.scores import best_worst_scores, binary_scores, graded_scores
from measures.arrays import Floats
from tests.datasets.agreement.judged import matrices
from training.benchmarks.check import check
from training.benchmarks.declared import load
from training.benchmarks.read import read_benchmark, read_declared
from training.errors import NotABenchmark


@given(st.integers(1, 60).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))), st.floats(0.5, 0.99))
def test_binary_intervals_are_wilsons(counts: tuple[int, int], level: float) -> None:
    yes, asked = counts
    said = (np.arange(asked) < yes).astype(np.float64)[np.newaxis]
    found = binary_scores(Judgements.of_matrix(said), level)
    theirs = stats.binomtest(yes, asked).proportion_ci(level, method="wilson")
    assert found.score[0] == pytest.approx(yes / asked)
    assert (found.low[0], found.high[0]) == pytest.approx((theirs.low, theirs.high), abs=1e-9)


@given(matrices(5))
def test_intervals_hold_their_scores_and_stay_on_the_scale(said: Floats) -> None:
    judgements = Judgements.of_matrix(said)
    graded = graded_scores(judgements, 0, 4)
    known = ~np.isnan(graded.score)
    assert (known == ~np.isnan(said).all(1)).all()
    for of, low, high in ((graded, 0, 4),):
        assert (of.low[known] <= of.score[known]).all()
        assert (of.score[known] <= of.high[known]).all()
        assert (of.low[known] >= low).all()
        assert (of.high[known] <= high).all()
    assert np.isnan(graded.low[~known]).all()


def test_graded_intervals_hold_as_often_as_they_say() -> None:
    rng = np.random.default_rng(0)
    truth = rng.uniform(1, 3, size=2000)
    said = truth[:, np.newaxis] + rng.normal(0, 0.3, size=(2000, 6))
    found = graded_scores(Judgements.of_matrix(said), -10, 10)
    assert ((found.low <= truth) & (truth <= found.high)).mean() == pytest.approx(0.95, abs=0.02)


def test_three_who_agree_do_not_make_a_score_certain() -> None:
    said = np.array([[2, 2, 2.0], [0, 2, 4], [1, 3, 2]])
    found = graded_scores(Judgements.of_matrix(said), 0, 4)
    assert found.deviation[0] == 0
    assert found.high[0] - found.low[0] > 0.5


def test_best_worst_intervals() -> None:
    rng = np.random.default_rng(1)
    truth = np.linspace(-1.5, 1.5, 40)

    def answers(seen_by: int) -> BestWorst:
        choices = []
        for annotator in range(seen_by):
            order = rng.permutation(40).reshape(10, 4)
            for shown in order:
                seen = truth[shown] + rng.gumbel(size=4)
                items = tuple(Item(f"{place:02}") for place in shown)
                choices.append(Choice(str(annotator), items, int(seen.argmax()), int(seen.argmin())))
        return BestWorst.of(choices)

    many = answers(3000)
    limit = dict(zip((item.name for item in many.items), many.scores(), strict=True))
    few = answers(12)
    found = best_worst_scores(few)
    expected = np.array([limit[item.name] for item in few.items])
    assert ((found.low <= expected) & (expected <= found.high)).mean() >= 0.9
    assert ((found.low <= found.score) & (found.score <= found.high)).all()
    assert (found.judgements == 12).all()


ITEMS = (
    Item("1", "Apple, red", "Pear", "Fruit", None),
    Item("2", "Apfel", "Übung", "Fruit", None),
    Item("3", "never", "judged", None, None),
)


@pytest.mark.parametrize("name", ["my scores.csv", "scores.tsv"])
def test_a_score_file_is_read_as_it_is(tmp_path: Path, name: str) -> None:
    said = np.array([[1, 1, 0], [0, 0, np.nan], [np.nan] * 3])
    scores = binary_scores(Judgements.of_matrix(said, ITEMS))
    path = tmp_path / name
    toml = write_scores(Scored(ITEMS, scores, 0.0, 1.0, "terms", "en"), path)
    declaration = load(toml)
    checked = check(declaration, path)
    assert (checked.problems, checked.notes, checked.rows) == ((), (), 2)
    assert (declaration.kind, declaration.language) == ("terms", "en")
    read = read_declared(declaration, path)
    first, second = read.judgements
    assert (first.left, first.right, first.topic) == ("Apple, red", "Pear", "Fruit")
    assert first.score == pytest.approx(2 / 3, abs=1e-6)
    assert (second.left, second.score) == ("Apfel", 0)
    assert read_benchmark(path, "all").judgements == read.judgements, "and without its declaration"


def test_what_cannot_be_a_benchmark_is_said(tmp_path: Path) -> None:
    said = Judgements.of_matrix(np.array([[1.0, 1], [0, 1]]))
    scores = binary_scores(said)
    with pytest.raises(NotABenchmark, match="both sides"):
        write_scores(Scored(said.items, scores, 0, 1), tmp_path / "scores.csv")
    with pytest.raises(NotABenchmark, match=r"\.csv or \.tsv"):
        write_scores(Scored(ITEMS[:2], scores, 0, 1), tmp_path / "scores.xlsx")
    nobody = binary_scores(Judgements.of_matrix(np.full((2, 2), np.nan)))
    with pytest.raises(NotABenchmark, match="No item has a score"):
        write_scores(Scored(ITEMS[:2], nobody, 0, 1), tmp_path / "scores.csv")
