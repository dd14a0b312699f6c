"""What the scale of a score costs in Pearson's correlation, on scores whose scale is known to be another."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks.scales import Scores, learnt, row
from training.benchmarks.judgements import Benchmark, Judgement
from training.statistics.correlation import pearson_spearman


def judged_by(scores: Scores, degrees: Scores) -> dict[str, str]:
    judgements = tuple(Judgement("a", "b", of, None, 0) for of in degrees.tolist())
    benchmark = Benchmark("made-up", "", judgements)
    names = ("benchmark", "pairs", "spearman", "score", "root", "log-odds", "fit")
    return dict(zip(names, map(str, row(benchmark, scores)), strict=True))


def test_degrees_that_are_the_root_of_shares_are_told_by_the_root() -> None:
    scores = np.random.default_rng(1).random(500) ** 4
    found = judged_by(scores, np.sqrt(scores))
    assert (found["benchmark"], found["pairs"]) == ("`made-up`", "500")
    assert (found["spearman"], found["root"]) == ("1.000", "1.000")
    assert float(found["fit"]) > 0.99
    assert float(found["score"]) < 0.96


def test_a_fit_sees_no_judgement_that_it_is_asked_for() -> None:
    chance = np.random.default_rng(2)
    scores, degrees = chance.random(400), chance.random(400)
    pearson, _ = pearson_spearman(learnt(scores, degrees), degrees)
    assert pearson == pytest.approx(0.0, abs=0.15)
