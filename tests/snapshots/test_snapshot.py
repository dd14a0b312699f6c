"""Snapshots: written whole or not at all, opened by mapping, damage named."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from building.arrays import save_csr
from building.sparse_files import csr_from_dataset
from building.writer import SnapshotWriter
from features.extract import extract
from snapshots.arrays import map_csr
from snapshots.csr import CSR
from snapshots.errors import DamagedSnapshot, NotASnapshot, SnapshotError, WrongFormat
from snapshots.layout import TABLES
from snapshots.manifest import MANIFEST
from snapshots.snapshot import Snapshot, verify
from snapshots.strings import StringTable
from tests.support import manifests
from tests.support.csr import csr_of_mappings, csr_of_sets
from tests.wikis.toy import toy_snapshot

FIELDS: dict[str, Any] = {
    "id": "toywiki-0",
    "wiki": "toywiki",
    "language": "en",
    "dump_date": "2017-09-01",
    "siteinfo": {},
    "sources": [],
    "settings": {},
    "counts": {"concepts": 3, "universe": 3, "sentences": 5, "paragraphs": 4, "words": 2},
    "licence": "CC BY-SA",
    "attribution": "by its contributors",
}


def write(target: Path) -> Snapshot:
    writer = SnapshotWriter(target)
    writer.csr("out_links", csr_of_sets([{1, 2}, set(), {0}], 3))
    writer.csr("esa", csr_of_mappings([{0: 0.6, 2: 0.8}, {}, {2: 1.0}], 3))
    writer.array("page_ids", np.array([10, 20, 30]))
    writer.strings("concept_titles", ["Ångström", "", "東京"])
    return writer.finish(lambda digest: FIELDS | {"id": f"toywiki-{digest}"})


def test_what_is_written_is_read(tmp_path: Path) -> None:
    written = write(tmp_path / "toy")
    snapshot = Snapshot.open(tmp_path / "toy")
    assert snapshot.id == written.id
    assert snapshot.csr("out_links").row(0).tolist() == [1, 2]
    assert snapshot.csr("out_links").row(1).tolist() == []
    assert snapshot.csr("esa").row_values(0) == pytest.approx([0.6, 0.8])
    assert snapshot.array("page_ids").tolist() == [10, 20, 30]
    assert [snapshot.concept_titles[i] for i in range(3)] == ["Ångström", "", "東京"]
    assert verify(tmp_path / "toy") == []


def test_tables_are_mapped_not_read(tmp_path: Path) -> None:
    write(tmp_path / "toy")
    indices = Snapshot.open(tmp_path / "toy").csr("out_links").indices
    assert isinstance(indices.base, np.memmap)
    assert not indices.flags.writeable


def test_of_large_tables_nothing_is_read_on(tmp_path: Path) -> None:
    def flags(snapshot: Snapshot) -> str:
        assert snapshot.csr("esa").entries
        smaps = Path("/proc/self/smaps")
        if not smaps.exists():
            pytest.skip("only Linux says how a file is mapped")
        of_file = smaps.read_text().partition(f"{snapshot.folder}/esa.values.npy")[2]
        return of_file.partition("VmFlags:")[2].partition("\n")[0]

    write(tmp_path / "toy")
    usual = Snapshot.open(tmp_path / "toy")
    assert "rr" not in flags(usual).split()
    del usual
    assert "rr" in flags(Snapshot.open(tmp_path / "toy", large=0)).split()


def test_the_same_tables_give_the_same_id(tmp_path: Path) -> None:
    assert write(tmp_path / "one").id == write(tmp_path / "two").id


def test_a_table_left_out_is_empty(tmp_path: Path) -> None:
    snapshot = write(tmp_path / "toy")
    for table in TABLES:
        if table.scaled:
            assert not snapshot.scaled(table.name).vectors.any()
        elif table.columns is None:
            assert not snapshot.array(table.name).any() or table.name == "page_ids"
        elif table.name not in ("out_links", "esa"):
            assert snapshot.csr(table.name).entries == 0


def test_nothing_stands_there_before_it_is_whole(tmp_path: Path) -> None:
    writer = SnapshotWriter(tmp_path / "toy")
    writer.array("page_ids", np.arange(3))
    assert not (tmp_path / "toy").exists()
    with pytest.raises(NotASnapshot, match="wort build"):
        Snapshot.open(writer.folder)
    write(tmp_path / "toy")  # a second try clears the first
    assert verify(tmp_path / "toy") == []


def test_a_snapshot_is_not_overwritten(tmp_path: Path) -> None:
    write(tmp_path / "toy")
    with pytest.raises(SnapshotError, match="never overwritten"):
        SnapshotWriter(tmp_path / "toy")


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    write(tmp_path / "toy")
    (tmp_path / "toy" / "esa.values.npy").unlink()
    with pytest.raises(DamagedSnapshot, match=r"esa\.values\.npy is missing.*wort verify"):
        Snapshot.open(tmp_path / "toy")
    assert verify(tmp_path / "toy") == ["esa.values.npy is missing"]


def test_a_cut_file_is_named(tmp_path: Path) -> None:
    write(tmp_path / "toy")
    path = tmp_path / "toy" / "page_ids.npy"
    path.write_bytes(path.read_bytes()[:-8])
    with pytest.raises(DamagedSnapshot, match=r"page_ids\.npy has 144 bytes where 152 belong"):
        Snapshot.open(tmp_path / "toy")


def test_an_altered_file_is_found_by_verify(tmp_path: Path) -> None:
    write(tmp_path / "toy")
    path = tmp_path / "toy" / "page_ids.npy"
    path.write_bytes(path.read_bytes()[:-8] + b"\x63" + path.read_bytes()[-7:])
    assert verify(tmp_path / "toy") == ["page_ids.npy was altered: its checksum is not the manifest's"]


def test_a_stray_file_is_found_by_verify(tmp_path: Path) -> None:
    write(tmp_path / "toy")
    (tmp_path / "toy" / "notes.txt").write_text("mine")
    assert verify(tmp_path / "toy") == ["notes.txt does not belong to the snapshot"]


def test_another_format_is_refused(tmp_path: Path) -> None:
    write(tmp_path / "toy")
    manifests.rewrite(tmp_path / "toy", format=99)
    with pytest.raises(WrongFormat, match="format 99"):
        Snapshot.open(tmp_path / "toy")


@given(st.binary(max_size=200))
def test_any_manifest_is_refused_clearly(tmp_path: Path, content: bytes) -> None:
    (tmp_path / MANIFEST).write_bytes(content)
    with pytest.raises(SnapshotError):
        Snapshot.open(tmp_path)


@given(st.data())
def test_any_altered_manifest_is_refused_clearly_or_opens(tmp_path: Path, data: st.DataObject) -> None:
    """A valid manifest with a value, anywhere in it, taken out or replaced, and the right checksum."""
    folder = tmp_path / "toy"
    if not folder.exists():
        write(folder)
        (tmp_path / "valid").write_bytes((folder / MANIFEST).read_bytes())
    manifest = within = json.loads((tmp_path / "valid").read_text())
    key = data.draw(st.sampled_from(sorted(within)))
    while isinstance(within[key], dict) and within[key] and data.draw(st.booleans()):
        within = within[key]
        key = data.draw(st.sampled_from(sorted(within)))
    if data.draw(st.booleans()):
        del within[key]
    else:
        scalars = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=3)
        within[key] = data.draw(
            scalars | st.lists(scalars, max_size=2) | st.dictionaries(st.text(max_size=3), scalars)
        )
    (folder / MANIFEST).write_bytes(manifests.signed(manifest))
    try:
        opened = Snapshot.open(folder)
    except SnapshotError as error:
        assert str(folder) in str(error)  # either outcome is right
    else:
        assert opened.concepts == manifest["counts"]["concepts"]


@pytest.mark.parametrize("count", ["concepts", "universe", "sentences", "paragraphs"])
def test_a_missing_count_is_named(tmp_path: Path, count: str) -> None:
    write(tmp_path / "toy")
    counts = manifests.read(tmp_path / "toy")["counts"]
    del counts[count]
    manifests.rewrite(tmp_path / "toy", counts=counts)
    with pytest.raises(NotASnapshot, match=f"no count of '{count}'"):
        Snapshot.open(tmp_path / "toy")


def test_no_folder_is_no_snapshot(tmp_path: Path) -> None:
    with pytest.raises(NotASnapshot, match="wort build"):
        Snapshot.open(tmp_path / "nowhere")


@given(st.lists(st.text(st.characters(exclude_categories=["Cs"]))))
def test_string_tables_hold_any_strings(strings: list[str]) -> None:
    table = StringTable.of(strings)
    assert [table[i] for i in range(len(table))] == strings
    backwards = range(len(table))[::-1]
    assert table.many(backwards) == [table[i] for i in backwards]
    for outside in (-1, len(strings)):
        with pytest.raises(IndexError):
            table[outside]


@given(st.lists(st.dictionaries(st.integers(0, 9), st.floats(0.5, 2, width=32)), max_size=6))
def test_sparse_tables_survive_the_disk(tmp_path: Path, rows: list[dict[int, float]]) -> None:
    save_csr(tmp_path, "esa", csr_of_mappings(rows, 10))
    table = map_csr(tmp_path, "esa")
    assert (table.rows, table.columns) == (len(rows), 10)
    for number, row in enumerate(rows):
        assert table.row(number).tolist() == sorted(row)
        assert table.row_values(number).tolist() == [row[column] for column in sorted(row)]


@given(st.lists(st.sets(st.integers(0, 9)), max_size=6))
def test_columns_are_counted_a_part_at_a_time(rows: list[set[int]]) -> None:
    table = csr_of_mappings([dict.fromkeys(row, 1.0) for row in rows], 10)
    expected = [sum(column in row for row in rows) for column in range(10)]
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("snapshots.csr._COUNTED_AT_ONCE", 3)
        assert table.column_sizes().tolist() == expected
    for column in (-1, 10):
        with pytest.raises(DamagedSnapshot, match="not among its 10"):
            CSR(np.array([0, 1]), np.array([column], np.int32), None, 10).column_sizes()


def test_a_data_set_becomes_a_table(tmp_path: Path) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    columns = {"row": [0, 0, 2], "column": [1, 3, 0], "value": [0.5, 0.25, 1.0]}
    (tmp_path / "in").mkdir()
    pq.write_table(pa.table(columns), tmp_path / "in" / "part-0.parquet")
    csr_from_dataset(tmp_path / "in", tmp_path, "esa", (4, 4), np.float32)
    table = map_csr(tmp_path, "esa")
    assert table.indptr.tolist() == [0, 2, 2, 3, 3]
    assert table.indices.tolist() == [1, 3, 0]
    assert table.weights.tolist() == [0.5, 0.25, 1.0]
    pq.write_table(pa.table(columns | {"row": [1, 0, 2]}), tmp_path / "in" / "part-0.parquet")
    with pytest.raises(ValueError, match="not ordered"):
        csr_from_dataset(tmp_path / "in", tmp_path, "esa", (4, 4), np.float32)


def test_an_altered_id_is_found_by_verify(tmp_path: Path) -> None:
    write(tmp_path / "toy")
    manifests.rewrite(tmp_path / "toy", id="toywiki-00000000")
    assert verify(tmp_path / "toy") == ["manifest.json was altered: its id is not that of what it describes"]


def test_tables_may_have_more_entries_than_32_bits_count(tmp_path: Path) -> None:
    """Every table of the toy wiki behind two thousand million entries that no row has."""
    expected, snapshot = toy_snapshot(tmp_path / "plain"), toy_snapshot(tmp_path / "large")
    before = 2**31 + 7

    def moved(array: Any, file: Path) -> Any:
        if array is None:
            return None
        # A file with a hole takes no room.
        with file.open("wb") as written:
            written.seek(before * array.itemsize)
            written.write(array.tobytes())
        return np.asarray(np.memmap(file, array.dtype, "r"))

    for table in TABLES:
        if table.rows == "concepts" and table.columns is not None:
            csr, file = snapshot.csr(table.name), tmp_path / table.name
            indices, values = moved(csr.indices, file), moved(csr.values, file.with_suffix(".values"))
            indptr = csr.indptr + before
            snapshot._opened[table.name] = CSR(indptr, indices, values, csr.columns, csr.scale)
    left, right = np.triu_indices(snapshot.concepts, 1)
    assert (extract(snapshot, left, right) == extract(expected, left, right)).all()
