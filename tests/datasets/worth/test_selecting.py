"""Pairs worth a person's time: as many as asked, with weights that stand for all, each strategy its own."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from datasets.selection.errors import SelectionError
from datasets.selection.selection import as_csv
from datasets.worth.selecting import ADDED, Predicted, Strategy, WorthSettings, select_by_worth

STRATEGIES: tuple[Strategy, ...] = ("spread", "unsure", "disagreement", "evenly")


def predicted(n: int, seed: int = 0) -> Predicted:
    """Of n pairs most are hardly related; one in ten has no score."""
    rng = np.random.default_rng(seed)
    score = rng.beta(0.4, 2.0, n)
    low, high = np.maximum(score - 0.2, 0), np.minimum(score + rng.random(n) * 0.4, 1)
    texts, links = rng.random(n), rng.random(n)
    for column in (score, low, high, texts, links):
        column[::10] = np.nan
    return Predicted(score, low, high, texts, links)


def chosen(said: Predicted, settings: WorthSettings, seed: int = 1) -> list[dict[str, str]]:
    rows = [(f"left {place}", f"right {place}") for place in range(len(said.score))]
    selection = select_by_worth(("left", "right"), rows, said, settings, seed, {})
    return [dict(zip(selection.pairs.columns, map(str, row), strict=True)) for row in selection.pairs.rows]


@given(st.integers(20, 80), st.sampled_from(STRATEGIES), st.integers(0, 9))
def test_each_strategy_draws_as_many_as_asked_once_each(number: int, strategy: Strategy, seed: int) -> None:
    said = predicted(200, seed)
    found = chosen(said, WorthSettings(strategy, number))
    places = [int(row["left"].removeprefix("left ")) for row in found]
    assert len(found) == number
    assert places == sorted(set(places)), "none twice, in the order of the file"
    assert not np.isnan(said.score[places]).any(), "and none that has no prediction"
    assert [float(row["predicted"]) for row in found] == pytest.approx(said.score[places].tolist(), rel=1e-5)
    assert min(float(row["weight"]) for row in found) >= 1


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_weights_stand_for_all_pairs(strategy: Strategy) -> None:
    """Over many draws the weighted mean is that of all pairs, though the chosen ones are others."""
    said = predicted(400)
    means = []
    for seed in range(200):
        found = chosen(said, WorthSettings(strategy, 60), seed)
        weights = np.array([float(row["weight"]) for row in found])
        means.append(weights @ np.array([float(row["predicted"]) for row in found]) / weights.sum())
    error = np.std(means) / np.sqrt(len(means))
    assert abs(np.mean(means) - np.nanmean(said.score)) < 4 * error


def test_what_is_wanted_is_what_is_found() -> None:
    said = predicted(1000)

    def mean(strategy: Strategy, value: np.ndarray) -> float:
        found = chosen(said, WorthSettings(strategy, 100, evenly=0.1))
        return float(np.mean([value[int(row["left"].removeprefix("left "))] for row in found]))

    width = said.high - said.low
    assert mean("unsure", width) > mean("evenly", width) + 0.03
    apart = np.abs(said.texts - said.links)
    assert mean("disagreement", apart) > mean("evenly", apart) + 0.1
    assert mean("spread", said.score) > mean("evenly", said.score) + 0.1


def test_the_same_seed_gives_the_same_bytes() -> None:
    rows = [(f"left {place}", f"right {place}") for place in range(200)]
    fifty = WorthSettings(number=50)
    made = [
        select_by_worth(("left", "right"), rows, predicted(200), fifty, seed, {"model": "m"})
        for seed in (1, 1, 2)
    ]
    one, again, other = (as_csv(each.pairs) for each in made)
    assert one == again != other
    provenance = made[0].provenance({})
    assert provenance["counts"] == {"pairs": 50, "candidates": 200, "without_a_prediction": 20}
    assert made[0].pairs.columns == ("left", "right", *ADDED)


def test_what_cannot_be_chosen_is_said() -> None:
    said = predicted(100)
    with pytest.raises(SelectionError, match=r"from 90 with a predicted score. Choose fewer with --number"):
        chosen(said, WorthSettings(number=91))
    with pytest.raises(SelectionError, match="evenly is above 0"):
        chosen(said, WorthSettings(number=10, evenly=0))
    nothing = np.full(100, np.nan)
    without = Predicted(said.score, nothing, nothing, np.zeros(100), said.links)
    with pytest.raises(SelectionError, match="no intervals"):
        chosen(without, WorthSettings("unsure", 10))
    with pytest.raises(SelectionError, match="does not weigh texts"):
        chosen(without, WorthSettings("disagreement", 10))
