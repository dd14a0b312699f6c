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
    ("name", "meant"),
    [
        ("Galileo", ["Galileo Galilei"]),
        ("Rock", ["Rock music"]),
        # Bass guitar is known under the whole name, and Mercury(II) fulminate and Atlas Mountains are little.
        ("Bass", []),
        ("Mercury", []),
        ("Atlas", []),
        # Nobody shares the name, or the article is about several words of its title.
        ("Flash", []),
        ("Cell", []),
        ("Zzz", []),
    ],
)
def test_what_is_called_so_in_short_is_offered(scorer: Scorer, name: str, meant: list[str]) -> None:
    found = scorer.resolver.resolve(name, suggest=False)
    known = [scorer.resolver.article(title) for title in found.candidates]
    called = [scorer.snapshot.concept_titles[each] for each in scorer.resolver.called_in_short(name, known)]
    assert called == meant
    offered = scorer.pairs.one(name).candidates
    assert set(called) <= set(offered)
    assert set(found.candidates) <= set(offered)


@pytest.mark.parametrize(
    ("name", "beside", "meant"),
    [
        ("Windows", "Microsoft", "Microsoft Windows"),
        ("windows", "Glass", "Window"),
        ("Windows", "Linux", "Microsoft Windows"),
        # By links, which programs placed, a programming language is nearer.
        ("Mercury", "Thermometer", "Mercury (element)"),
        ("Mercury", "Prolog", "Mercury (programming language)"),
        # What only their articles call so.
        ("Rock", "Guitar", "Rock music"),
        ("Rock", "Volcano", "Rock (geology)"),
        ("Galileo", "Inquisition", "Galileo Galilei"),
        ("Galileo", "Jupiter", "Galileo (spacecraft)"),
    ],
)
def test_senses_of_the_starter(scorer: Scorer, name: str, beside: str, meant: str) -> None:
    there, back = scorer.score([(name, beside), (beside, name)], ambiguous="resolve")
    assert (there.resolved.left.title, back.resolved.right.title) == (meant, meant)
    assert there.resolved.left.prior == back.resolved.right.prior
    priors = [there.resolved.left.prior, *(each.prior for each in there.resolved.left.alternatives)]
    assert np.isclose(sum(filter(None, priors)), 1.0), "what is told are the priors of the name itself"
