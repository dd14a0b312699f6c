"""Kappas, alpha, the filter: against slow oracles, other libraries, and printed examples."""

from __future__ import annotations

import math
import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import cohen_kappa_score

from datasets.agreement.alpha import Scale, krippendorff_alpha
from datasets.agreement.filtering import FilterSettings, word_filter
from datasets.agreement.judgements import Judgements
from datasets.agreement.kappa import (
    Weights,
    category_counts,
    cohen_kappa,
    confusions,
    fleiss_kappa,
    mean_kappas,
    mean_pairwise,
)
from measures.arrays import Floats
from tests.datasets.agreement.judged import matrices, of_items, panel, said_by
from tests.oracles import agreement as oracle

NONE = np.nan

KRIPPENDORFF = np.array(
    [
        [1, 2, 3, 3, 2, 1, 4, 1, 2, NONE, NONE, NONE],
        [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, NONE, 3],
        [NONE, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, NONE],
        [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, NONE],
    ]
).T
"""The example C of Computing Krippendorff's Alpha-Reliability (2011): four observers, twelve units."""

FLEISS = np.array(
    [
        [0, 0, 0, 0, 14],
        [0, 2, 6, 4, 2],
        [0, 0, 3, 5, 6],
        [0, 3, 9, 2, 0],
        [2, 2, 8, 1, 1],
        [7, 7, 0, 0, 0],
        [3, 2, 6, 3, 0],
        [2, 5, 3, 2, 2],
        [6, 5, 2, 1, 0],
        [0, 2, 2, 3, 7],
    ]
)
"""The worked example that the method is taught with: ten items, fourteen annotators, five categories."""


@pytest.mark.parametrize(("scale", "printed"), [("nominal", 0.743), ("ordinal", 0.815), ("interval", 0.849)])
def test_alpha_of_krippendorffs_own_example(scale: Scale, printed: float) -> None:
    assert krippendorff_alpha(Judgements.of_matrix(KRIPPENDORFF), scale) == pytest.approx(printed, abs=5e-4)


def test_fleiss_kappa_of_the_worked_example() -> None:
    assert fleiss_kappa(FLEISS) == pytest.approx(0.210, abs=5e-4)


@given(matrices(), st.sampled_from(["nominal", "ordinal", "interval"]))
def test_alpha_is_that_of_all_pairs_of_values(said: Floats, scale: Scale) -> None:
    judgements = Judgements.of_matrix(said)
    found = krippendorff_alpha(judgements, scale)
    assert found == pytest.approx(oracle.alpha(of_items(judgements), scale), nan_ok=True)


@given(matrices())
def test_fleiss_kappa_is_that_of_all_pairs_within_items(said: Floats) -> None:
    judgements = Judgements.of_matrix(said)
    found = fleiss_kappa(category_counts(judgements))
    assert found == pytest.approx(oracle.fleiss(of_items(judgements)), nan_ok=True)


@pytest.mark.parametrize(("weights", "power"), [("none", 0), ("linear", 1), ("quadratic", 2)])
@given(said=matrices(4))
def test_kappa_of_every_two_annotators(said: Floats, weights: Weights, power: int) -> None:
    judgements = Judgements.of_matrix(said)
    kappa = cohen_kappa(confusions(judgements), weights)
    by_annotator = said_by(judgements)
    categories = judgements.categories.tolist()
    for one, first in enumerate(judgements.annotators):
        for other, second in enumerate(judgements.annotators):
            expected = oracle.cohen(by_annotator[first], by_annotator[second], categories, power)
            if one == other:
                expected = math.nan
            assert kappa[one, other] == pytest.approx(expected, nan_ok=True)


@pytest.mark.parametrize("weights", ["none", "linear", "quadratic"])
def test_kappa_is_that_of_scikit_learn(weights: Weights) -> None:
    said = np.random.default_rng(1).integers(0, 4, size=(60, 4)).astype(np.float64)
    kappa = cohen_kappa(confusions(Judgements.of_matrix(said)), weights)
    for one in range(4):
        for other in range(4):
            if one != other:
                theirs = cohen_kappa_score(
                    said[:, one], said[:, other], weights=None if weights == "none" else weights
                )
                assert kappa[one, other] == pytest.approx(theirs)


@given(matrices())
def test_measures_do_not_know_names_or_order(said: Floats) -> None:
    turned = Judgements.of_matrix(said[::-1, ::-1])
    judgements = Judgements.of_matrix(said)
    for scale in ("nominal", "ordinal", "interval"):
        one, other = (krippendorff_alpha(of, scale) for of in (judgements, turned))
        assert one == pytest.approx(other, nan_ok=True)
    kappa, reverse = (cohen_kappa(confusions(of)) for of in (judgements, turned))
    np.testing.assert_allclose(kappa, reverse[::-1, ::-1])
    np.testing.assert_allclose(kappa, kappa.T)


@given(matrices(2))
def test_alpha_of_two_categories_is_one_on_every_scale(said: Floats) -> None:
    judgements = Judgements.of_matrix(said)
    nominal = krippendorff_alpha(judgements, "nominal")
    for scale in ("ordinal", "interval"):
        assert krippendorff_alpha(judgements, scale) == pytest.approx(nominal, nan_ok=True)


def test_who_agrees_in_all_has_one_and_who_guesses_zero() -> None:
    agreeing = Judgements.of_matrix(np.repeat(np.arange(4.0)[:, np.newaxis], 3, axis=1))
    assert krippendorff_alpha(agreeing, "ordinal") == 1
    assert fleiss_kappa(category_counts(agreeing)) == 1
    assert mean_pairwise(cohen_kappa(confusions(agreeing))) == 1
    guessed = Judgements.of_matrix(np.random.default_rng(0).integers(0, 2, (4000, 4)).astype(np.float64))
    assert krippendorff_alpha(guessed, "nominal") == pytest.approx(0, abs=0.02)
    assert mean_pairwise(cohen_kappa(confusions(guessed))) == pytest.approx(0, abs=0.02)


def test_two_with_too_little_in_common_have_no_kappa() -> None:
    said = panel(0, items=40, annotators=3)
    assert np.isnan(cohen_kappa(confusions(said), overlap=41)).all()
    assert np.isnan(mean_kappas(cohen_kappa(confusions(said), overlap=41))).all()
    assert math.isnan(mean_pairwise(cohen_kappa(confusions(said), overlap=41)))


def test_nothing_warns_where_nothing_is_there() -> None:
    empty = Judgements.of([])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert math.isnan(krippendorff_alpha(empty, "nominal"))
        assert math.isnan(fleiss_kappa(category_counts(empty)))
        assert math.isnan(mean_pairwise(cohen_kappa(confusions(empty))))


@given(
    st.integers(0, 10_000),
    st.floats(0, 0.6),
    st.integers(1, 12),
    st.integers(0, 4),
    st.integers(1, 5),
    st.booleans(),
)
def test_the_filter_is_that_of_the_paper_by_hand(
    seed: int, minimum_kappa: float, common: int, others: int, judgements: int, iterated: bool
) -> None:
    said = panel(seed, items=25, annotators=7, shown=0.6, noise=2.0)
    settings = FilterSettings(
        minimum_kappa=minimum_kappa,
        common=common,
        overlap=common,
        others=others,
        judgements=judgements,
        iterated=iterated,
    )
    found = word_filter(said, settings)
    who, items = oracle.word_filter(said_by(said), minimum_kappa, common, others, judgements, iterated)
    assert set(found.kept.annotators) == who
    assert {item.name for item in found.kept.items} == items
    assert {name for name, why in zip(said.annotators, found.reasons, strict=True) if why == "kept"} == who


def test_who_answers_at_random_is_out_and_says_why() -> None:
    said = panel(3, items=300, annotators=8, noise=0.5).matrix()
    rng = np.random.default_rng(0)
    said[:, 2] = rng.integers(0, 2, 300)
    said[40:, 5] = np.nan
    found = word_filter(Judgements.of_matrix(said))
    assert found.reasons == ("kept", "kept", "kappa", "kept", "kept", "common", "kept", "kept")
    assert found.mean_kappas[2] < 0.25
    assert found.kappa > 0.4
    assert len(found.kept.items) == 0, "six annotators are left, and eight judgements are asked for"
    fewer = word_filter(Judgements.of_matrix(said), FilterSettings(judgements=6))
    assert len(fewer.kept.items) == 300
