"""No damage of a snapshot's files ends a process or goes unnoticed: ``tests.support.corruption``."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from app.errors import AppError
from app.scoring.concepts import Scorer
from app.serving.starter import model_path, snapshot_path
from building.arrays import save_array
from building.writer import SnapshotWriter
from features.extract import extract
from snapshots.arrays import map_array
from snapshots.errors import DamagedSnapshot, NotASnapshot, NotMapped, SnapshotError, TableError
from snapshots.manifest import MANIFEST
from snapshots.naming.resolver import Resolver
from snapshots.snapshot import Snapshot, verify
from tests.conftest import ROOT
from tests.support import manifests
from tests.support.csr import csr_of_sets
from tests.support.served import served_snapshot, toy_files

DIGITS = "0123456789abcdef"


def corrupt(folder: Path, first: int, count: int) -> list[tuple[dict[str, Any], dict[str, Any]]]:
    """What some corruptions of the starter snapshot led to, each with what it was."""
    shutil.copytree(snapshot_path(), folder)
    command = [sys.executable, "-m", "tests.support.corruption", str(folder), str(first), str(count)]
    ran = subprocess.run(command, check=False, capture_output=True, text=True, cwd=ROOT)
    lines = [json.loads(line) for line in ran.stdout.splitlines()]
    assert ran.returncode == 0, (ran.returncode, lines[-1:], ran.stderr[-2000:])
    assert "Traceback" not in ran.stderr
    assert len(lines) == 2 * count
    return list(zip(lines[::2], lines[1::2], strict=True))


def judge(led: list[tuple[dict[str, Any], dict[str, Any]]]) -> None:
    for what, came in led:
        if not came["changed"]:
            assert came["led_to"] == "same", what
            assert came["verify"] == [], what
            continue
        assert came["verify"] == [f"{what['file']} was altered: its checksum is not the manifest's"], what
        if came["led_to"] == "told":
            assert what["file"].split(".")[0] in came["said"] or "give no number" in came["said"], came


@pytest.mark.slow
def test_no_corruption_ends_a_process_or_goes_unnoticed(tmp_path: Path) -> None:
    judge(corrupt(tmp_path / "starter", 0, 60))


@pytest.mark.slow
@pytest.mark.parametrize("part", range(4))
def test_many_corruptions(part: int, tmp_path: Path) -> None:
    judge(corrupt(tmp_path / "starter", 1000 + 100 * part, 100))


def leaves(record: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Where the values of a manifest are that hold no others."""
    within = record.items() if isinstance(record, dict) else enumerate(record)
    for key, value in within:
        if isinstance(value, (dict, list)) and value:
            yield from leaves(value, (*path, key))
        else:
            yield (*path, key)


def other(value: Any) -> Any:
    if isinstance(value, str):
        return value[:-1] + DIGITS[(DIGITS.find(value[-1:]) + 1) % 16]
    return 1 if value in (None, [], {}) else value + 1


def test_each_edit_of_a_manifest_is_noticed(tmp_path: Path) -> None:
    folder = served_snapshot(tmp_path / "toy")
    assert verify(folder) == []
    written = (folder / MANIFEST).read_bytes()
    for path in leaves(json.loads(written)):
        record = within = json.loads(written)
        for key in path[:-1]:
            within = within[key]
        within[path[-1]] = other(within[path[-1]])
        # As it was written but for the edit.
        (folder / MANIFEST).write_text(json.dumps(record, indent=2, ensure_ascii=False) + "\n")
        with pytest.raises(SnapshotError):
            Snapshot.open(folder)
    for edit in (
        (b'"sentences": 5', b'"sentences": 5,\n    "sentences": 5'),
        (b'"counts": {', b'"counts": { '),
        (b'\n  "id"', b'\n  "checksum": "00",\n  "id"'),
        (b"}\n", b"} \n"),
    ):
        altered = written.replace(*edit, 1)
        if altered == written:
            continue
        (folder / MANIFEST).write_bytes(altered)
        with pytest.raises(SnapshotError):
            Snapshot.open(folder)
    (folder / MANIFEST).write_bytes(written)
    assert Snapshot.open(folder).concepts


def test_the_manifest_of_the_toy_is_written_as_the_test_of_edits_writes_it(tmp_path: Path) -> None:
    folder = served_snapshot(tmp_path / "toy")
    written = (folder / MANIFEST).read_text()
    (folder / MANIFEST).write_text(json.dumps(json.loads(written), indent=2, ensure_ascii=False) + "\n")
    assert Snapshot.open(folder).concepts


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"counts": {"concepts": -1, "universe": 3, "sentences": 5, "paragraphs": 4}}, "counts -1 concepts"),
        ({"tables": {"esa": {"columns": -1, "scale": 1.0}}}, "-1 columns"),
        ({"tables": {"esa": {"columns": 3, "scale": 0.0}}}, "the scale 0.0"),
        ({"format": 1}, "format 1, and this version of wort reads format 2. Build it again"),
    ],
)
def test_numbers_that_no_manifest_has_are_told(fields: dict[str, Any], said: str, tmp_path: Path) -> None:
    folder = served_snapshot(tmp_path / "toy")
    manifests.rewrite(folder, **fields)
    with pytest.raises(SnapshotError, match=said):
        Snapshot.open(folder)


def test_a_manifest_without_a_bottom_or_an_end_is_told(tmp_path: Path) -> None:
    folder = served_snapshot(tmp_path / "toy")
    depth = 100_000
    deep = b'{"format": 2, "siteinfo": ' + b"[" * depth + b"]" * depth + b"}"
    (folder / MANIFEST).write_bytes(deep)
    with pytest.raises(NotASnapshot, match="is not a snapshot's manifest"):
        Snapshot.open(folder)
    (folder / MANIFEST).unlink()
    os.mkfifo(folder / MANIFEST)
    with pytest.raises(NotASnapshot, match="has no manifest"):
        Snapshot.open(folder)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"{}", "it says no format"),
        (b"[1]", "it says no format"),
        (b"7", "it says no format"),
        (b'{"format"', "Input data was truncated"),
        (b"Cat", "JSON is malformed: invalid character (byte 0)"),
    ],
)
def test_of_what_is_no_manifest_it_is_said_what_to_do(content: bytes, said: str, tmp_path: Path) -> None:
    (tmp_path / MANIFEST).write_bytes(content)
    with pytest.raises(NotASnapshot) as refused:
        Snapshot.open(tmp_path)
    assert str(refused.value) == (
        f"{tmp_path / MANIFEST} is not a snapshot's manifest: {said}. Copy the snapshot again or build it "
        "again, or name another folder."
    )


def test_the_id_covers_what_scores_rest_on_and_nothing_else(tmp_path: Path) -> None:
    def written(name: str, **fields: Any) -> str:
        writer = SnapshotWriter(tmp_path / name)
        writer.csr("out_links", csr_of_sets([{1}, {0}], 2))
        facts: dict[str, Any] = {
            "wiki": "toywiki",
            "language": "en",
            "dump_date": "",
            "siteinfo": {},
            "sources": [],
            "settings": {"mention_words": 6},
            "counts": {"concepts": 2, "universe": 2, "sentences": 5, "paragraphs": 4},
            "licence": "",
            "attribution": "",
        }
        return writer.finish(lambda digest: facts | fields | {"id": digest}).id

    plain = written("plain")
    assert written("again") == plain
    assert written("attributed", attribution="somebody", sources=[]) == plain
    counts = {"concepts": 2, "universe": 2, "sentences": 6, "paragraphs": 4}
    others = {
        written("sentences", counts=counts),
        written("settings", settings={"mention_words": 5}),
        written("siteinfo", siteinfo={"case": "first-letter"}),
        written("language", language="de"),
    }
    assert len(others | {plain}) == 5


def starter(tmp_path: Path, name: str, array: np.ndarray[Any, Any]) -> Path:
    """The starter snapshot with another array, of which the manifest says that it belongs."""
    folder = tmp_path / "starter"
    shutil.copytree(snapshot_path(), folder)
    save_array(folder / f"{name}.npy", array)
    return folder


@pytest.mark.parametrize(
    ("name", "place", "number", "said"),
    [
        ("in_links.indptr", 0, 8, "rows run from 8"),
        ("in_links.indptr", 1_000, -8, "ends before it begins"),
        ("title_words.indptr", slice(1, -1), 0, "more than the 256 entries"),
        ("esa.indptr", -1, 2**62, "its rows run from 0 to"),
        ("title_words.indices", slice(None), 65_535, "words of titles are not in the vocabulary"),
        ("concept_titles.offsets", 7, 2**40, "row 7 ends before it begins"),
    ],
)
def test_what_kernels_go_by_is_checked(name: str, place: Any, number: int, said: str, tmp_path: Path) -> None:
    array = map_array(snapshot_path() / f"{name}.npy").copy()
    array[place] = number
    folder = starter(tmp_path, name, array)
    snapshot = Snapshot.open(folder)
    with pytest.raises(DamagedSnapshot, match=said) as raised:
        Resolver.open(snapshot)
        extract(snapshot, np.arange(100), np.arange(1, 101))
    assert str(folder / name.split(".", maxsplit=1)[0]) in str(raised.value)
    assert "wort verify" in str(raised.value)


def test_a_trie_is_not_mapped_before_its_bytes_are_known(tmp_path: Path) -> None:
    folder = tmp_path / "starter"
    shutil.copytree(snapshot_path(), folder)
    for name in ("titles", "words", "mentions"):
        file = folder / f"{name}.marisa"
        content = bytearray(file.read_bytes())
        content[len(content) // 2] ^= 255
        file.write_bytes(content)
    snapshot = Snapshot.open(folder)
    with pytest.raises(DamagedSnapshot, match=r"titles\.marisa is damaged: its checksum"):
        Resolver.open(snapshot)
    with pytest.raises(DamagedSnapshot, match=r"words\.marisa is damaged: its checksum"):
        snapshot.trie("words", "<I")


def test_a_column_twice_in_a_row_leads_no_kernel_astray(tmp_path: Path) -> None:
    """The blocks of two rows then have other numbers of columns in common, each seen from the other."""
    indices = map_array(snapshot_path() / "esa.indices.npy").copy()
    indices[:] = 7
    snapshot = Snapshot.open(starter(tmp_path, "esa.indices", indices))
    try:
        extract(snapshot, np.arange(0, 2_000), np.arange(2_000, 4_000))
    except TableError as error:
        assert "esa" in str(error).lower()


def test_a_table_that_cannot_be_mapped_is_told(tmp_path: Path) -> None:
    """In a process of its own, whose address space ends soon after what it has taken."""
    script = f"""
import resource
from pathlib import Path
from building.arrays import create_array
from snapshots.arrays import map_array
file = Path({str(tmp_path)!r}, "large.npy")
create_array(file, "<i4", (1 << 26,))
taken = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (taken + (64 << 20), -1))
map_array(file)
"""
    ran = subprocess.run(
        [sys.executable, "-c", script], check=False, capture_output=True, text=True, cwd=ROOT
    )
    assert f"{NotMapped.__name__}: {tmp_path}/large.npy cannot be mapped" in ran.stderr
    assert "ulimit -v" in ran.stderr


def test_names_that_are_damaged_are_told(tmp_path: Path) -> None:
    folder, model = toy_files(tmp_path)
    file = folder / "concepts.sqlite"
    content = bytearray(file.read_bytes())
    content[4096:] = bytes(len(content) - 4096)
    file.write_bytes(content)
    with pytest.raises((TableError, AppError), match=r"concepts\.sqlite is damaged"):
        Scorer.open(folder, model).score([("Ct", "Dog")])


def test_a_scorer_of_damaged_tables_is_not_opened(tmp_path: Path) -> None:
    pointers = map_array(snapshot_path() / "in_links.indptr.npy").copy()
    pointers[5] = 2**40
    with pytest.raises(DamagedSnapshot, match="in_links is damaged: row 5 ends before it begins"):
        Scorer.open(starter(tmp_path, "in_links.indptr", pointers), model_path())


def test_the_model_of_the_starter_is_that_of_its_snapshot() -> None:
    assert Scorer.open(snapshot_path(), model_path()).model_info.warning is None
