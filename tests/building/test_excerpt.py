"""Excerpts: fewer concepts, the statistics of the whole, nearly the same features."""

from __future__ import annotations

from pathlib import Path

import msgspec
import numpy as np
import pytest

from building.excerpt import ExcerptSettings, most_linked, write_excerpt
from features.catalogue import FEATURE_NAMES
from features.extract import extract
from snapshots.resolver import Resolver
from snapshots.snapshot import Snapshot, verify
from tests.conftest import ROOT
from tests.support.served import toy_files
from tests.wikis.toy import TITLES

CHOSEN = np.array([7, 0, 1, 4, 5])
WHOLE = ExcerptSettings(minimum_comentions=1, minimum_word_pairs=1)


@pytest.fixture(scope="module")
def parent(tmp_path_factory: pytest.TempPathFactory) -> Snapshot:
    snapshot, _ = toy_files(tmp_path_factory.mktemp("parent"))
    return Snapshot.open(snapshot)


@pytest.fixture(scope="module")
def excerpt(parent: Snapshot, tmp_path_factory: pytest.TempPathFactory) -> Snapshot:
    return write_excerpt(parent, tmp_path_factory.mktemp("excerpt") / "small", CHOSEN, WHOLE)


def test_it_is_a_whole_snapshot_that_names_its_parent(parent: Snapshot, excerpt: Snapshot) -> None:
    assert verify(excerpt.folder) == []
    assert excerpt.manifest.parent == parent.id
    assert (excerpt.concepts, excerpt.universe) == (len(CHOSEN), parent.universe)


def test_whose_choice_it_is_is_named_beside_its_sources(parent: Snapshot, tmp_path: Path) -> None:
    chosen = write_excerpt(parent, tmp_path / "chosen", CHOSEN, WHOLE, "Ann")
    assert chosen.manifest.attribution == f"{parent.manifest.attribution} The concepts were chosen by Ann."


def test_it_knows_the_chosen_concepts_alone(excerpt: Snapshot) -> None:
    resolver = Resolver.open(excerpt)
    for concept, title in enumerate(TITLES):
        assert (resolver.resolve(title).status == "ok") == (concept in CHOSEN)
    assert [excerpt.concept_titles[i] for i in range(5)] == [TITLES[i] for i in sorted(CHOSEN)]


def test_features_that_only_count_are_the_same(parent: Snapshot, excerpt: Snapshot) -> None:
    old = np.sort(CHOSEN)
    left, right = (grid.ravel() for grid in np.meshgrid(np.arange(5), np.arange(5)))
    small, large = extract(excerpt, left, right), extract(parent, old[left], old[right])
    for column, name in enumerate(FEATURE_NAMES):
        weighted = name in ("W2V", "PMI2_C", "TFIDF-CS", "ESA")
        apart = (left != right) if weighted or "_C" in name else np.ones(len(left), bool)
        tolerance = 0.05 if weighted else 1e-12
        np.testing.assert_allclose(
            small[apart, column], large[apart, column], atol=tolerance, rtol=0, err_msg=name
        )


def test_rows_are_cut_to_their_heaviest_entries(parent: Snapshot, tmp_path: Path) -> None:
    tight = ExcerptSettings(esa_concepts=1, minimum_comentions=10**6)
    small = write_excerpt(parent, tmp_path / "small", np.arange(parent.concepts), tight)
    assert small.csr("esa").sizes(np.arange(small.concepts)).max() <= 1
    assert small.csr("comentions").entries == 0


def test_the_cuts_stand_in_the_documents() -> None:
    page = (ROOT / "docs" / "starter.md").read_text()
    for name, value in msgspec.to_builtins(ExcerptSettings()).items():
        assert f"| `{name}` | {value} |" in page


def test_the_most_linked_come_first(parent: Snapshot) -> None:
    in_links = parent.csr("in_links").sizes(np.arange(parent.concepts))
    chosen = most_linked(parent, 4)
    assert in_links[chosen].tolist() == sorted(in_links, reverse=True)[:4]
