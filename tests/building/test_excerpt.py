"""Excerpts: fewer concepts, the statistics of the whole, nearly the same features."""

from __future__ import annotations

from pathlib import Path

import msgspec
import numpy as np
import pytest
from typer.testing import CliRunner, Result

from app.cli import command_line
from building.excerpt import ExcerptSettings, most_linked, write_excerpt
from features.catalogue import FEATURE_NAMES
from features.extract import extract
from snapshots.naming.resolver import Resolver
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


def test_links_are_read_from_those_in_and_out(parent: Snapshot, excerpt: Snapshot) -> None:
    assert not [name for name in excerpt.manifest.files if name.startswith("links.")]
    both = excerpt.csr("links")
    assert (both.rows, both.columns) == (len(CHOSEN), parent.universe)
    assert both.indices.dtype == np.dtype(np.uint16)
    for concept in range(len(CHOSEN)):
        parts = (excerpt.csr(part).row(concept).tolist() for part in ("in_links", "out_links"))
        assert both.row(concept).tolist() == sorted(set().union(*parts))
    assert both.entries
    assert excerpt.has("links")


def test_rows_are_cut_to_their_heaviest_entries(parent: Snapshot, tmp_path: Path) -> None:
    tight = ExcerptSettings(esa_concepts=1, minimum_comentions=10**6)
    small = write_excerpt(parent, tmp_path / "small", np.arange(parent.concepts), tight)
    assert small.csr("esa").sizes(np.arange(small.concepts)).max() <= 1
    assert small.csr("comentions").entries == 0


def test_titles_and_leads_are_cut_along_the_same_axes(parent: Snapshot, tmp_path: Path) -> None:
    small = write_excerpt(parent, tmp_path / "small", CHOSEN, ExcerptSettings(encoder_dimensions=2))
    opened = Snapshot.open(small.folder)
    titles, leads = opened.scaled("title_vectors"), opened.scaled("lead_vectors")
    assert (titles.dimensions, leads.dimensions) == (2, 2)
    assert titles.axes is not None
    assert leads.axes is not None
    np.testing.assert_array_equal(titles.axes, leads.axes)
    assert verify(small.folder) == []
    # Between both tables, too, the axes keep what they can.
    whole = parent.scaled("title_vectors").rows(np.sort(CHOSEN)).floats()
    along = titles.along(whole)
    lengths = np.linalg.norm(along, axis=1, keepdims=True)
    np.testing.assert_allclose(titles.floats(), along / np.where(lengths > 0, lengths, 1), atol=0.01)


def test_rare_words_are_left_out_before_rows_are_cut(parent: Snapshot, tmp_path: Path) -> None:
    of_titles = len(np.unique(parent.csr("title_words").indices))
    spelt, weights = parent.strings("words"), parent.csr("tfidf")
    for most in (1, of_titles + 2):
        settings = ExcerptSettings(words=most, tfidf_words=3)
        small = write_excerpt(parent, tmp_path / f"of-{most}", np.arange(parent.concepts), settings)
        words, found = small.strings("words"), small.csr("tfidf")
        kept = {words[word] for word in range(len(words))}
        assert of_titles <= len(kept) <= max(most, of_titles)
        for concept in range(parent.concepts):
            row = zip(weights.row_values(concept).tolist(), weights.row(concept).tolist(), strict=True)
            known = sorted((-weight, word) for weight, word in row if spelt[word] in kept)
            assert {words[int(word)] for word in found.row(concept)} == {spelt[w] for _, w in known[:3]}


def wort(arguments: list[str]) -> Result:
    return CliRunner().invoke(command_line(["excerpt"]), arguments)


def test_the_command_cuts_by_the_settings_that_it_is_told(parent: Snapshot, tmp_path: Path) -> None:
    cut = ["--set", "esa_concepts=2", "--set", "minimum_link_probability=0.5"]
    done = wort(["excerpt", str(parent.folder), "-o", str(tmp_path / "small"), "-n", "3", *cut])
    assert done.exit_code == 0, done.output
    made = Snapshot.open(tmp_path / "small")
    assert made.csr("esa").sizes(np.arange(made.concepts)).max() == 2
    told = msgspec.to_builtins(ExcerptSettings(esa_concepts=2, minimum_link_probability=0.5))
    assert made.manifest.settings["excerpt"] == told


@pytest.mark.parametrize("cut", ["esa=2", "esa_concepts"])
def test_a_setting_that_there_is_not_is_refused_with_those_there_are(cut: str, tmp_path: Path) -> None:
    done = wort(["excerpt", "absent", "-o", str(tmp_path / "small"), "--set", cut])
    assert done.exit_code == 2
    assert "minimum_comentions" in done.stderr


@pytest.mark.parametrize("number", ["many", "0", "1.5"])
def test_what_a_setting_cannot_be_is_refused_with_what_it_is_by_default(number: str, tmp_path: Path) -> None:
    done = wort(["excerpt", "absent", "-o", str(tmp_path / "small"), "--set", f"esa_concepts={number}"])
    assert done.exit_code == 2
    assert f"esa_concepts cannot be '{number}'" in done.stderr
    assert str(ExcerptSettings().esa_concepts) in done.stderr


def test_the_cuts_stand_in_the_documents() -> None:
    page = (ROOT / "docs" / "starter.md").read_text()
    for name, value in msgspec.to_builtins(ExcerptSettings()).items():
        assert f"| `{name}` | {value} |" in page


def test_the_most_linked_come_first(parent: Snapshot) -> None:
    in_links = parent.csr("in_links").sizes(np.arange(parent.concepts))
    chosen = most_linked(parent, 4)
    assert in_links[chosen].tolist() == sorted(in_links, reverse=True)[:4]
