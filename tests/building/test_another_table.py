"""A table that is declared, and a stage that writes it, are all that a snapshot with one more table takes."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from benchmarks.synthetic.tables import Shape, write_synthetic_snapshot
from building.arrays import save_array, save_csr
from building.build import STAGES, build_snapshot, left_out_with, work_folder
from building.engines.local import LocalRunner
from building.excerpt import ExcerptSettings, write_excerpt
from building.stage import Build, Stage
from snapshots.arrays import map_array, map_csr
from snapshots.csr import CSR
from snapshots.errors import DamagedSnapshot
from snapshots.layout import TABLES, Table
from snapshots.rows import with_rows
from snapshots.snapshot import Snapshot, verify
from tests.building.test_build import LEFT_OUT, SETTINGS, small_wiki
from tests.support.building import ROOM
from tests.support.csr import csr_of_sets
from tests.support.dumps import write_dump
from training.progress import NoProgress
from wiki.dump import Dump

VECTORS = Table("vectors", "concepts", None, "float32", "", stage="more", excerpt="rows", vector=True)
MAIN_AXES = replace(VECTORS, name="main_axes", excerpt="axes", cut_by="vector_dimensions", unit=True)
LENGTHS = Table("lengths", "concepts", None, "int32", "", stage="more", excerpt="rows")
BOTH_WAYS = Table("both_ways", "concepts", "concepts", "float32", "", stage="more", excerpt="rows")
PLACES = Table("places", "concepts", "words", None, "", stage="more", excerpt="rows")
CUT = Table("cut", "concepts", "universe", "float32", "", "more", "top k", cut_by="esa_concepts", unit=True)
MORE = (VECTORS, MAIN_AXES, LENGTHS, BOTH_WAYS, PLACES, CUT)
DECLARED = (*TABLES, *MORE)


def write_more(build: Build) -> None:
    """Write every table: of the tables of links and words, and of chance."""
    folder, links = build.folder("more"), map_csr(build.folder("links"), "out_links")
    chance = np.random.default_rng(5)
    vectors = chance.standard_normal((links.rows, 5)).astype(np.float32)
    save_array(folder / "vectors.npy", vectors)
    save_array(folder / "main_axes.npy", vectors / np.linalg.norm(vectors, axis=1, keepdims=True))
    save_array(folder / "lengths.npy", links.sizes(np.arange(links.rows)).astype(np.int32))
    weights = chance.random(links.entries).astype(np.float32)
    save_csr(folder, "both_ways", CSR(links.indptr, links.indices, weights, links.columns))
    save_csr(folder, "cut", CSR(links.indptr, links.indices, weights, links.columns))
    words = len(map_array(build.folder("words") / "word_counts.npy"))
    save_csr(folder, "places", csr_of_sets([{row % words} for row in range(links.rows)], words))


STAGE = Stage("more", ("links", "words"), write_more)


OTHERS = frozenset(left_out_with())
"""Every stage that a build can do without."""


def built(folder: Path, stages: tuple[Stage, ...], without: frozenset[str] = LEFT_OUT) -> Snapshot:
    dump = Dump.open(write_dump(folder / "toywiki-20200203-pages-articles.xml", small_wiki()))
    target = folder / "toy"
    with LocalRunner(1, ROOM, work_folder(target) / "scratch") as runner:
        return build_snapshot(dump, target, runner, SETTINGS, without=without, stages=stages, tables=DECLARED)


@pytest.fixture(scope="module")
def snapshot(tmp_path_factory: pytest.TempPathFactory) -> Snapshot:
    folder = built(tmp_path_factory.mktemp("more"), (*STAGES, STAGE)).folder
    return Snapshot.open(folder, DECLARED)


def test_it_is_built_and_read(snapshot: Snapshot) -> None:
    assert verify(snapshot.folder) == []
    links = snapshot.csr("out_links")
    assert snapshot.array("vectors").shape == (snapshot.concepts, 5)
    assert (snapshot.array("lengths") == links.sizes(np.arange(links.rows))).all()
    both_ways = snapshot.table("both_ways")
    assert isinstance(both_ways, CSR)
    assert (both_ways.indices == links.indices).all()


def test_who_does_not_know_of_it_reads_the_rest(snapshot: Snapshot) -> None:
    usual = Snapshot.open(snapshot.folder)
    assert usual.csr("out_links").entries
    with pytest.raises(KeyError):
        usual.array("lengths")


def test_left_out_it_is_read_as_empty(tmp_path: Path) -> None:
    assert left_out_with((*STAGES, STAGE))["more"] == frozenset()
    without = built(tmp_path, (*STAGES, STAGE), OTHERS | {"more"})
    assert not without.array("vectors").any()
    assert without.array("vectors").shape == (without.concepts, 1)
    assert without.array("lengths").tolist() == [0] * without.concepts
    assert without.csr("both_ways").entries == 0


def test_a_stage_that_forgets_its_table_stops_the_build(tmp_path: Path) -> None:
    forgetful = replace(STAGE, run=lambda build: None)
    with pytest.raises(FileNotFoundError, match="no table vectors"):
        built(tmp_path, (*STAGES, forgetful), OTHERS)


def test_it_is_checked_when_it_is_opened(snapshot: Snapshot) -> None:
    for other in (
        replace(VECTORS, vector=False),
        replace(LENGTHS, values="int64"),
        replace(LENGTHS, rows="words"),
    ):
        with pytest.raises(DamagedSnapshot):
            Snapshot.open(snapshot.folder, [other]).array(other.name)
    short = replace(BOTH_WAYS, longest_row=1)
    with pytest.raises(DamagedSnapshot, match="more than the 1 entries"):
        Snapshot.open(snapshot.folder, [short]).csr("both_ways")


def test_an_excerpt_keeps_it_as_declared(snapshot: Snapshot, tmp_path: Path) -> None:
    chosen = np.arange(0, snapshot.concepts, 3)
    settings = ExcerptSettings(vector_dimensions=2, esa_concepts=2)
    excerpt = write_excerpt(snapshot, tmp_path / "small", chosen, settings)
    assert (excerpt.array("vectors") == snapshot.array("vectors")[chosen]).all()
    assert excerpt.array("main_axes").shape == (len(chosen), 2)
    assert (excerpt.array("lengths") == snapshot.array("lengths")[chosen]).all()
    # Of what is over concepts that can be asked for, those are left that can.
    own, parent = excerpt.csr("both_ways"), with_rows(snapshot.csr("both_ways"), chosen)
    for row in range(len(chosen)):
        kept = np.isin(parent.row(row), chosen)
        assert (chosen[own.row(row)] == parent.row(row)[kept]).all()
        assert (own.row_values(row) == parent.row_values(row)[kept]).all()
    assert excerpt.csr("cut").sizes(np.arange(len(chosen))).max() == 2
    # A word that one of its rows has is a word of the excerpt.
    words, known = excerpt.strings("words"), snapshot.strings("words")
    for row, concept in enumerate(chosen.tolist()):
        old = snapshot.csr("places").row(concept)
        assert [words[word] for word in excerpt.csr("places").row(row)] == [known[int(word)] for word in old]


def test_an_excerpt_of_a_table_without_a_rule_is_refused(snapshot: Snapshot, tmp_path: Path) -> None:
    ruleless = Snapshot.open(snapshot.folder, [*TABLES, replace(LENGTHS, excerpt=None)])
    with pytest.raises(ValueError, match="lengths"):
        write_excerpt(ruleless, tmp_path / "small", np.arange(3), ExcerptSettings())
    assert list(tmp_path.iterdir()) == []


def test_made_up_snapshots_have_it(tmp_path: Path) -> None:
    shape = Shape(concepts=120, links=5, tfidf=8, esa=6, contexts=4, comentions=8, words=1000)
    write_synthetic_snapshot(tmp_path / "small", shape, NoProgress(), DECLARED)
    snapshot = Snapshot.open(tmp_path / "small", DECLARED)
    for table in MORE:
        made = snapshot.table(table.name)
        assert made.entries if isinstance(made, CSR) else np.asarray(made).any()
    np.testing.assert_allclose(np.linalg.norm(snapshot.array("main_axes"), axis=1), 1, rtol=1e-6)


def test_every_stage_and_cut_that_is_declared_is_there() -> None:
    assert {table.stage for table in TABLES} <= {stage.name for stage in STAGES}
    for table in TABLES:
        assert table.excerpt is not None
        assert not table.cut_by or hasattr(ExcerptSettings(), table.cut_by)
