"""Made-up snapshots: what must hold of tables holds, and a server answers from them."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import Any

import httpx
import numpy as np
import pytest
from scipy import sparse

from app.scoring.concepts import Scorer
from app.service import create_app
from app.serving.opening import probe
from app.serving.starter import model_path
from app.settings import Settings
from benchmarks.synthetic.sparse import BLOCK, SparseTables
from benchmarks.synthetic.tables import LEFT_OUT, Shape, write_synthetic_snapshot
from snapshots.csr import CSR
from snapshots.layout import TABLES
from snapshots.snapshot import Snapshot, verify
from tests.support.served import serving
from training.progress import NoProgress

SMALL = Shape(concepts=700, links=20, tfidf=30, esa=25, contexts=12, comentions=24, words=1500)


@pytest.fixture(scope="module")
def snapshot(tmp_path_factory: pytest.TempPathFactory) -> Snapshot:
    folder = tmp_path_factory.mktemp("synthetic") / "small"
    write_synthetic_snapshot(folder, SMALL, NoProgress())
    return Snapshot.open(folder)


def matrix(table: CSR) -> Any:
    """The table as scipy has it; membership as ones."""
    values = np.ones(table.entries) if table.values is None else table.values
    return sparse.csr_array((values, table.indices, table.indptr), (table.rows, table.columns))


def test_every_file_is_whole_and_every_table_is_there(snapshot: Snapshot) -> None:
    assert verify(snapshot.folder) == []
    assert not list(snapshot.folder.parent.glob("*.work"))
    for table in TABLES:
        there = f"{table.name}.npy" in snapshot.manifest.files or table.name in snapshot.manifest.tables
        assert there == (table.name not in LEFT_OUT), table.name


def test_rows_are_as_the_layout_has_them(snapshot: Snapshot) -> None:
    counts = snapshot.manifest.counts
    for table in TABLES:
        if table.columns is None or table.name in LEFT_OUT:
            continue
        csr = snapshot.csr(table.name)
        assert (csr.rows, csr.columns) == (counts[table.rows], counts[table.columns])
        assert csr.indptr[0] == 0
        assert csr.indptr[-1] == csr.entries > 0
        for row in range(csr.rows):
            columns = csr.row(row).tolist()
            assert all(a < b for a, b in pairwise([-1, *columns, csr.columns])), (table.name, row)
        if table.values is not None:
            assert csr.weights.dtype == table.values
            assert (csr.weights > 0).all()


def test_links_are_each_others_transposes_and_union(snapshot: Snapshot) -> None:
    outward, inward, both = (snapshot.csr(name) for name in ("out_links", "in_links", "links"))
    assert (matrix(inward) != matrix(outward).T).nnz == 0
    assert (((matrix(outward) + matrix(inward)) > 0) != (matrix(both) > 0)).nnz == 0
    assert not matrix(outward).diagonal().any()


def test_co_mentions_are_symmetric_and_no_more_than_mentions(snapshot: Snapshot) -> None:
    together, counts = matrix(snapshot.csr("comentions")), snapshot.array("concept_counts")
    assert (together != together.T).nnz == 0
    rows, columns = together.nonzero()
    assert (snapshot.csr("comentions").weights <= np.minimum(counts[rows], counts[columns])).all()
    assert counts.max() <= snapshot.paragraphs


def test_pairs_of_words_stand_under_the_smaller_one(snapshot: Snapshot) -> None:
    table, counts = snapshot.csr("word_pairs"), snapshot.array("word_counts")
    rows = np.repeat(np.arange(table.rows), np.diff(table.indptr))
    assert (rows < table.indices).all()
    assert (table.weights <= np.minimum(counts[rows], counts[table.indices])).all()
    assert counts.max() <= snapshot.sentences


@pytest.mark.parametrize("name", ["tfidf", "esa", "contexts"])
def test_weights_have_unit_length(snapshot: Snapshot, name: str) -> None:
    lengths = np.sqrt((matrix(snapshot.csr(name)) ** 2).sum(axis=1))
    sizes = np.diff(snapshot.csr(name).indptr)
    assert lengths[sizes > 0] == pytest.approx(1, abs=1e-5)
    assert sizes.mean() == pytest.approx(getattr(SMALL, name), rel=0.1)


def test_links_are_as_many_as_asked_and_some_concepts_are_hubs(snapshot: Snapshot) -> None:
    outward, inward = (np.diff(snapshot.csr(name).indptr) for name in ("out_links", "in_links"))
    assert outward.mean() == pytest.approx(SMALL.links, rel=0.1)
    assert inward.max() > 10 * np.median(inward)
    assert inward.max() > SMALL.concepts / 4


def test_every_concept_is_found_by_its_title_and_scored(snapshot: Snapshot) -> None:
    scorer = Scorer.open(snapshot.folder, model_path())
    probe(scorer)
    found = [scorer.resolver.resolve(snapshot.concept_titles[row]) for row in range(SMALL.concepts)]
    assert [resolution.concept for resolution in found] == list(range(SMALL.concepts))
    assert np.ptp(scorer.relatedness(np.arange(200), np.arange(200, 400))) > 0.01


def test_a_server_answers_from_it(snapshot: Snapshot) -> None:
    scorer = Scorer.open(snapshot.folder, model_path())
    titles = [snapshot.concept_titles[row] for row in range(20)]
    with serving(create_app(Settings(), scorer)) as address:
        pairs = [{"left": titles[0], "right": title} for title in titles[1:]]
        asked = httpx.post(f"{address}/relatedness", json={"pairs": pairs, "explain": True}, timeout=60)
        assert [result["status"] for result in asked.json()["results"]] == ["ok"] * 19
        page_id = int(snapshot.array("page_ids")[5])
        assert httpx.get(f"{address}/concepts/{page_id}", timeout=60).json()["title"] == titles[5]
        near = httpx.get(f"{address}/concepts/{page_id}/related", timeout=60).json()
        assert len(near["related"]) == 20


def test_the_same_shape_gives_the_same_files_and_another_seed_others(tmp_path: Path) -> None:
    tiny = {"concepts": 120, "links": 5, "tfidf": 8, "esa": 6, "contexts": 4, "comentions": 8, "words": 1000}
    first, second, other = (
        write_synthetic_snapshot(tmp_path / name, Shape(**tiny, seed=seed), NoProgress())
        for name, seed in (("first", 1), ("second", 1), ("other", 2))
    )
    assert first.id == second.id
    same = [name for name, entry in other.manifest.files.items() if entry == first.manifest.files[name]]
    assert not [name for name in same if "indices" in name or "values" in name]


def test_threads_and_blocks_make_no_difference(tmp_path: Path) -> None:
    drawn = np.random.default_rng(1).integers(0, 30, 500)
    tables = []
    for block in (7, BLOCK):
        folder = tmp_path / str(block)
        folder.mkdir()
        maker = SparseTables(folder, 3, NoProgress(), block)
        graph = maker.graph("graph", drawn, 2.46, 309)
        tables.append([graph, maker.transposed("turned", graph), maker.weighted("weights", drawn, 90)])
    for one, other in zip(*tables, strict=True):
        assert (one.indptr == other.indptr).all()
        assert (one.indices == other.indices).all()
        assert one.values is None or (one.weights == other.weights).all()
