"""Pairs chosen with unequal chances: what is drawn, what it stands for, and what that saves."""

from __future__ import annotations

import math
import re
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.serving.starter import snapshot_path
from datasets.worth.choosing import chances, choose, weighted_mean, weighted_pearson
from datasets.worth.simulation import RANDOM, Known, SimulationSizes, learn, simulate
from datasets.worth.strategies import disagreement, spread, unsure
from features.catalogue import FEATURE_NAMES
from features.extract import extract
from snapshots.naming.resolver import Resolver
from snapshots.snapshot import Snapshot
from tests.conftest import ROOT
from training.benchmarks.read import read_benchmark
from training.coverage import cover

WORTH = st.lists(st.floats(0, 100), min_size=1, max_size=30).map(np.array)


@given(WORTH, st.data(), st.floats(0.01, 1))
def test_chances_add_up_and_follow_the_worth(worth: np.ndarray, data: st.DataObject, evenly: float) -> None:
    number = data.draw(st.integers(1, len(worth)))
    chance = chances(worth, number, evenly)
    assert chance.sum() == pytest.approx(number)
    assert (chance > 0).all()
    assert (chance <= 1).all()
    order = np.argsort(worth)
    assert (np.diff(chance[order]) >= -1e-9).all()
    if (chance < 1).all():
        assert chance.min() >= evenly * number / len(worth) - 1e-9


@given(WORTH, st.data(), st.integers(0, 99))
def test_as_many_are_drawn_as_were_asked_for_and_each_once(
    worth: np.ndarray, data: st.DataObject, seed: int
) -> None:
    number = data.draw(st.integers(1, len(worth)))
    chance = chances(worth, number)
    places, weights = choose(chance, np.random.default_rng(seed))
    assert len(places) == number
    assert (np.diff(places) > 0).all()
    assert set(np.flatnonzero(chance == 1)) <= set(places.tolist())
    assert weights == pytest.approx(1 / chance[places])


def test_pairs_come_as_often_as_their_chance_says() -> None:
    chance = chances(np.array([0.0, 1, 2, 4, 40, 3, 0, 1]), 4)
    rng = np.random.default_rng(0)
    drawn = np.mean([np.isin(np.arange(8), choose(chance, rng).places) for _ in range(8000)], axis=0)
    assert drawn == pytest.approx(chance, abs=0.02)


def test_weights_make_up_for_the_chances() -> None:
    rng = np.random.default_rng(1)
    x = rng.uniform(size=400)
    y = np.clip(x + rng.normal(0, 0.3, 400), 0, 1)
    chance = chances(x**3, 60)
    estimates = []
    for _ in range(800):
        places, weights = choose(chance, rng)
        estimates.append(
            (
                float(weights.sum()),
                weighted_mean(y[places], weights),
                weighted_pearson(x[places], y[places], weights),
                float(np.corrcoef(x[places], y[places])[0, 1]),
            )
        )
    total, mean, r, unweighted = np.mean(estimates, axis=0)
    true = np.corrcoef(x, y)[0, 1]
    assert total == pytest.approx(400, rel=0.01)
    assert mean == pytest.approx(y.mean(), abs=0.005)
    assert r == pytest.approx(true, abs=0.01)
    assert abs(unweighted - true) > 2 * abs(r - true)


def test_with_even_weights_it_is_pearson() -> None:
    x, y = np.random.default_rng(0).normal(size=(2, 20))
    assert weighted_pearson(x, y, np.full(20, 3.0)) == pytest.approx(np.corrcoef(x, y)[0, 1])
    assert math.isnan(weighted_pearson(np.ones(3), y[:3], np.ones(3)))


@pytest.mark.parametrize(
    ("worth", "number", "evenly", "says"),
    [([1, 1], 3, 0.5, "cannot be drawn"), ([1, 1], 1, 0, "above 0"), ([1, -1], 1, 0.5, "at least 0")],
)
def test_what_cannot_be_drawn_is_said(worth: list[float], number: int, evenly: float, says: str) -> None:
    with pytest.raises(ValueError, match=says):
        chances(np.array(worth, np.float64), number, evenly)


@given(st.lists(st.floats(0, 1), min_size=1, max_size=50).map(np.array))
def test_a_spread_draw_is_worth_as_much_in_every_bin(predicted: np.ndarray) -> None:
    worth = spread(predicted, 4)
    place = np.minimum((predicted * 4).astype(int), 3)
    for each in set(place.tolist()):
        assert worth[place == each].sum() == pytest.approx(1)


def test_an_unsure_pair_and_one_in_dispute_are_worth_more() -> None:
    assert unsure(np.array([0.2, 0.5]), np.array([0.3, 0.4])).tolist() == pytest.approx([0.1, 0])
    assert disagreement(np.array([0.9, 0.5]), np.array([0.1, 0.5])).tolist() == pytest.approx([0.8, 0])


@pytest.fixture(scope="module")
def word(data_dir: Path) -> Known:
    """The pairs of WORD's train topics that the starter has, by the features that no encoder gives."""
    path, folder = data_dir / "word" / "word_train.csv", snapshot_path()
    if not path.is_file() or not folder.is_dir():
        pytest.skip("WORD's train split or the starter is absent")
    snapshot = Snapshot.open(folder)
    covered, _ = cover(read_benchmark(path, "train"), Resolver.open(snapshot))
    own = [place for place, name in enumerate(FEATURE_NAMES) if not name.startswith("ENC-")]
    texts = {"PMI1", "W2V", "NPMI1_C", "PMI1_C", "PMI2_C", "TFIDF-CS", "ESA"}
    seen = [FEATURE_NAMES[place] in texts for place in own]
    kept = ~covered.identical
    values = extract(snapshot, covered.left[kept], covered.right[kept])[:, own]
    views = np.flatnonzero(seen), np.flatnonzero(np.logical_not(seen))
    return Known(values, covered.scores[kept], covered.topic[kept], views)


@pytest.mark.slow
def test_what_choosing_saves_on_words_train_topics(word: Known) -> None:
    """As docs/agreement.md has it."""
    found = simulate(word, SimulationSizes())
    page = (ROOT / "docs" / "agreement.md").read_text().partition("| further pairs |")[0]
    for strategy, saved in found.items():
        (said,) = re.findall(rf"^\| {strategy} \|(.*)\|$", page, re.MULTILINE)
        error, bias, unweighted, fewer = (cell.strip() for cell in said.split("|"))
        assert float(error) == pytest.approx(saved.error, abs=5.1e-4), strategy
        assert float(bias.replace("−", "-")) == pytest.approx(saved.bias, abs=5.1e-4), strategy
        assert float(unweighted.replace("−", "-")) == pytest.approx(saved.unweighted, abs=5.1e-4), strategy
        if strategy != RANDOM:
            assert int(fewer.removesuffix(" %")) == pytest.approx(100 * saved.fewer, abs=0.51), strategy
        assert abs(saved.bias) < 0.005
    assert found["spread"].fewer > 0.3


@pytest.mark.slow
def test_what_a_model_learns_of_chosen_pairs(word: Known) -> None:
    """As docs/agreement.md has it."""
    sizes = (50, 100, 200, 400, 800)
    found = learn(word, SimulationSizes(topics=25, learnt=100, models=40), sizes)
    page = (ROOT / "docs" / "agreement.md").read_text().partition("| further pairs |")[2]
    for strategy, r in found.items():
        (said,) = re.findall(rf"^\| {strategy} \|(.*)\|$", page, re.MULTILINE)
        assert [float(cell) for cell in said.split("|")] == pytest.approx(r, abs=5.1e-4), strategy


def test_the_example_of_the_page(capsys: pytest.CaptureFixture[str]) -> None:
    page = (ROOT / "docs" / "agreement.md").read_text()
    (code,) = re.findall(r"^```python\n(import numpy.*?)^```$", page, re.MULTILINE | re.DOTALL)
    exec(code, {})
    assert capsys.readouterr().out.strip() == code.rpartition("  # ")[2].strip()
