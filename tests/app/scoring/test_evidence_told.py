"""What is said of a concept's evidence is so: a feature that has none has nothing to say in any pair."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from app.scoring.details import known_tables, suffices
from building.excerpt import ExcerptSettings, write_excerpt
from features.catalogue import FEATURES
from features.extract import extract
from snapshots.snapshot import Snapshot
from tests.app.cli.test_cli import wort
from tests.support.served import served_snapshot
from tests.support.shipped import SHIPPED

ASKED = 15
"""Concepts a feature, of those that are said to lack its evidence, that are paired with all others."""

MANY = 100
"""Where there is more time."""


def check(snapshot: Snapshot, most: int) -> None:
    """Hold that a feature is 0 in every pair of each concept that is said to lack its evidence.

    ``most``: of so many of these, spread evenly over the ids, for each feature.
    """
    known = [known_tables(snapshot, concept) for concept in range(snapshot.concepts)]
    lacking = [
        np.flatnonzero([not suffices(tables, feature.tables) for tables in known]) for feature in FEATURES
    ]
    asked = [some[np.linspace(0, len(some) - 1, most).astype(int)] for some in lacking if len(some)]
    everyone = np.arange(snapshot.concepts)
    for concept in np.unique(asked):
        others = everyone[everyone != concept]
        values = extract(snapshot, np.full(len(others), concept), others)
        for column, feature in enumerate(FEATURES):
            if not suffices(known[concept], feature.tables):
                found = np.flatnonzero(values[:, column] != feature.absent)
                title = snapshot.concept_titles[int(concept)]
                assert not len(found), f"{title}: said to lack {feature.name}, which {len(found)} pairs have"


@pytest.mark.slow
@pytest.mark.parametrize("folder", SHIPPED, ids=lambda folder: folder.name)
def test_of_a_shipped_snapshot(folder: Path) -> None:
    check(Snapshot.open(folder), ASKED)


@pytest.mark.slow
@pytest.mark.parametrize("folder", SHIPPED, ids=lambda folder: folder.name)
def test_of_many_concepts_of_a_shipped_snapshot(folder: Path) -> None:
    check(Snapshot.open(folder), MANY)


@pytest.fixture(scope="module")
def toy(tmp_path_factory: pytest.TempPathFactory) -> Snapshot:
    return Snapshot.open(served_snapshot(tmp_path_factory.mktemp("told") / "toy"))


def test_of_the_toy(toy: Snapshot) -> None:
    check(toy, toy.concepts)


@pytest.mark.parametrize("pairs", [1, 10**6], ids=["pairs", "no-pairs"])
@pytest.mark.parametrize("step", [1, 2], ids=["all", "half"])
def test_of_excerpts_of_the_toy(toy: Snapshot, tmp_path: Path, step: int, pairs: int) -> None:
    """Also of one without any pair of words: a word still meets itself in another title."""
    settings = ExcerptSettings(minimum_comentions=1, minimum_word_pairs=pairs)
    small = write_excerpt(toy, tmp_path / "small", np.arange(0, toy.concepts, step), settings)
    assert (small.csr("word_pairs").entries == 0) == (pairs > 1)
    check(small, small.concepts)


def test_of_terms_to_whose_score_nothing_adds_this_is_said(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    nothing = "Nothing that is known of them here adds to the score: it is where every pair begins."
    for left, right, is_said in (("remote work", "loneliness", True), ("religions", "religion", False)):
        assert wort(monkeypatch, ("compare", "--terms", left, right, "--text")) == 0
        assert (nothing in capfd.readouterr().out.splitlines()) == is_said
