"""What the layout declares of tables, in every snapshot: unit length, and under which id a pair stands."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from building.excerpt import ExcerptSettings, write_excerpt
from snapshots.csr import CSR
from snapshots.layout import TABLES, Table
from snapshots.rows import rows_of_entries
from snapshots.snapshot import Snapshot
from tests.support.served import served_snapshot
from tests.support.shipped import SHIPPED

UNIT = [table for table in TABLES if table.unit]
PAIRS = [table for table in TABLES if table.pairs]

FLOAT = 1e-3
"""How far from 1 the length of a row of rounded floats may be."""


def test_the_declarations_are_of_what_they_can_be_of() -> None:
    assert [table.name for table in UNIT] == [
        *("tfidf", "esa", "word_vectors", "contexts", "title_vectors", "lead_vectors")
    ]
    assert {table.name: table.pairs for table in PAIRS} == {"word_pairs": "smaller", "comentions": "both"}


def excerpts(parent: Snapshot, folder: Path) -> list[Snapshot]:
    """Excerpts of a snapshot: of all it has and of a part, of whole rows and of rows that are cut."""
    settings = (
        ExcerptSettings(minimum_comentions=1, minimum_word_pairs=1),
        ExcerptSettings(tfidf_words=2, esa_concepts=2, contexts=1, vector_dimensions=2),
    )
    chosen = (np.arange(parent.concepts), np.arange(0, parent.concepts, 2), np.arange(1, parent.concepts, 3))
    return [
        write_excerpt(parent, folder / f"{place}-{number}", some, kept)
        for place, some in enumerate(chosen)
        for number, kept in enumerate(settings)
    ]


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> list[Snapshot]:
    """The toy, and excerpts of it."""
    folder = tmp_path_factory.mktemp("small")
    served = Snapshot.open(served_snapshot(folder / "toy"))
    return [served, *excerpts(served, folder)]


@pytest.mark.parametrize("folder", SHIPPED, ids=lambda folder: folder.name)
@pytest.mark.parametrize("table", UNIT, ids=lambda table: table.name)
def test_shipped_rows_have_the_declared_unit_length(folder: Path, table: Table) -> None:
    assert_unit(Snapshot.open(folder), table)


@pytest.mark.parametrize("table", UNIT, ids=lambda table: table.name)
def test_rows_of_excerpts_have_the_declared_unit_length(small: list[Snapshot], table: Table) -> None:
    for snapshot in small:
        assert_unit(snapshot, table)


@pytest.mark.parametrize("folder", SHIPPED, ids=lambda folder: folder.name)
@pytest.mark.parametrize("table", PAIRS, ids=lambda table: table.name)
def test_shipped_pairs_stand_where_they_are_declared_to(folder: Path, table: Table) -> None:
    assert_pairs(Snapshot.open(folder), table)


@pytest.mark.parametrize("table", PAIRS, ids=lambda table: table.name)
def test_pairs_of_excerpts_stand_where_they_are_declared_to(small: list[Snapshot], table: Table) -> None:
    assert any(snapshot.csr(table.name).entries for snapshot in small[1:])
    for snapshot in small:
        assert_pairs(snapshot, table)


def assert_unit(snapshot: Snapshot, table: Table) -> None:
    """Hold that every row that is not empty has length 1, but for the rounding of its values."""
    if table.scaled:
        lengths = np.linalg.norm(snapshot.scaled(table.name).floats(), axis=1)
        off: float | NDArray[np.float64] = 1e-6
    elif table.columns is None:
        lengths = np.linalg.norm(snapshot.array(table.name).astype(np.float64), axis=1)
        off = FLOAT
    else:
        rows = snapshot.csr(table.name)
        lengths = _lengths(rows)
        lengths[rows.sizes(np.arange(rows.rows)) == 0] = 0.0
        off = _rounding(rows)
    there = lengths > 0
    wrong = np.flatnonzero(there & (np.abs(lengths - 1) > off))
    assert not len(wrong), (snapshot.id, table.name, len(wrong), lengths[wrong].min(), lengths[wrong].max())


def assert_pairs(snapshot: Snapshot, table: Table) -> None:
    """Hold that a pair stands under both of its ids and is worth the same, or under the smaller alone.

    Of an id beyond the rows of an excerpt there is no row.
    """
    pairs = snapshot.csr(table.name)
    rows, columns = rows_of_entries(pairs), pairs.indices.astype(np.int64)
    if table.pairs == "smaller":
        assert (rows < columns).all()
        return
    own = columns < pairs.rows
    there = np.stack([rows[own], columns[own], pairs.weights[own].astype(np.int64)])
    back = there[[1, 0, 2]]
    np.testing.assert_array_equal(there, back[:, np.lexsort((back[1], back[0]))])


def _lengths(table: CSR) -> NDArray[np.float64]:
    weights = table.weights.astype(np.float64) * table.scale
    return np.sqrt(np.bincount(rows_of_entries(table), weights**2, table.rows))


def _rounding(table: CSR) -> float | NDArray[np.float64]:
    """How far from 1 rounding may bring each row: half a unit an entry, where integers are kept."""
    if np.issubdtype(table.weights.dtype, np.floating):
        return FLOAT
    return np.sqrt(table.sizes(np.arange(table.rows))) * table.scale / 2 + FLOAT
