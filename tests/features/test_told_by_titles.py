"""Titles tell of senses that are compared: beside Microsoft, "Windows" is Microsoft Windows."""

from __future__ import annotations

import numpy as np
import pytest

from app.scoring.concepts import Scorer
from app.serving.starter import open_scorer
from features.senses.choosing import CandidateSenses
from features.senses.titled import TOLD_BY_TITLE, told_by_titles

WINDOWS = CandidateSenses.likeliest([(1, 0.8, 0), (2, 0.2, 0)])
OTHER = CandidateSenses.known(7)
TITLES = [{"window"}, {"microsoft", "windows"}]


def test_a_sense_whose_title_has_the_words_of_the_other_is_likelier() -> None:
    left, right = told_by_titles((WINDOWS, OTHER), (TITLES, [{"microsoft"}]))
    assert left.priors.tolist() == pytest.approx([0.8 / TOLD_BY_TITLE, 0.2])
    assert right is OTHER
    right, left = told_by_titles((OTHER, WINDOWS), ([{"microsoft"}], TITLES))
    assert left.priors.tolist() == pytest.approx([0.8 / TOLD_BY_TITLE, 0.2])
    assert WINDOWS.priors.tolist() == [0.8, 0.2]


@pytest.mark.parametrize("beside", [{"linux"}, {"microsoft", "windows"}, {"microsoft", "office"}, set()])
def test_others_stay_as_they_are(beside: set[str]) -> None:
    assert told_by_titles((WINDOWS, OTHER), (TITLES, [beside]))[0] is WINDOWS


def test_nothing_is_told_by_a_side_that_may_mean_several() -> None:
    pair = (WINDOWS, WINDOWS)
    assert told_by_titles(pair, (TITLES, TITLES)) == pair


@pytest.fixture(scope="module")
def scorer() -> Scorer:
    return open_scorer(None, None)


@pytest.mark.parametrize(
    ("name", "beside", "meant"),
    [
        ("Windows", "Microsoft", "Microsoft Windows"),
        ("windows", "Glass", "Window"),
        ("Windows", "Linux", "Microsoft Windows"),
        # By links, which programs placed, a programming language is nearer.
        ("Mercury", "Thermometer", "Mercury (element)"),
        ("Mercury", "Prolog", "Mercury (programming language)"),
    ],
)
def test_senses_of_the_starter(scorer: Scorer, name: str, beside: str, meant: str) -> None:
    there, back = scorer.score([(name, beside), (beside, name)], ambiguous="resolve")
    assert (there.resolved.left.title, back.resolved.right.title) == (meant, meant)
    assert there.resolved.left.prior == back.resolved.right.prior
    priors = [there.resolved.left.prior, *(each.prior for each in there.resolved.left.alternatives)]
    assert np.isclose(sum(filter(None, priors)), 1.0), "what is told are the priors of the name itself"
