"""Held to other libraries where these are installed; the project does without them."""

from __future__ import annotations

import numpy as np
import pytest

from datasets.agreement.bradley_terry import bradley_terry
from datasets.agreement.judgements import Judgements
from datasets.agreement.kappa import Weights, category_counts, cohen_kappa, confusions, fleiss_kappa


@pytest.mark.parametrize("seed", range(5))
def test_kappas_of_statsmodels(seed: int) -> None:
    theirs = pytest.importorskip("statsmodels.stats.inter_rater")
    said = np.random.default_rng(seed).integers(0, 4, (40, 2)).astype(np.float64)
    judgements = Judgements.of_matrix(said)
    counts = category_counts(judgements)
    assert fleiss_kappa(counts) == pytest.approx(theirs.fleiss_kappa(counts))
    confusion = confusions(judgements)
    kinds: tuple[tuple[Weights, str | None], ...] = (
        ("none", None),
        ("linear", "linear"),
        ("quadratic", "quadratic"),
    )
    for ours, name in kinds:
        found = theirs.cohens_kappa(confusion[:, :, 0, 1], wt=name, return_results=False)
        assert cohen_kappa(confusion, ours)[0, 1] == pytest.approx(found)


@pytest.mark.parametrize("penalty", [0.01, 0.1, 1.0])
def test_strengths_of_choix(penalty: float) -> None:
    choix = pytest.importorskip("choix")
    rng = np.random.default_rng(1)
    won, lost = np.array([rng.choice(20, 2, replace=False) for _ in range(300)]).T
    # Its penalty is of the whole sum of squares, ours of half.
    theirs = choix.opt_pairwise(20, list(zip(won, lost, strict=True)), alpha=penalty / 2)
    assert bradley_terry(won, lost, 20, penalty) == pytest.approx(theirs - theirs.mean(), abs=1e-5)
