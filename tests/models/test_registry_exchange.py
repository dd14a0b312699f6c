"""An export holds everything, goes into the other database too, and is taken whole or not at all."""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from models.registry.errors import DamagedExport, DamagedModel, ImportConflict
from models.registry.exchange import Entry, read, write
from models.registry.registry import Registry
from tests.support.databases import (  # noqa: F401
    connected,
    database_fixture,
    postgres_database_fixture,
    postgres_fixture,
    sqlite_fixture,
)
from tests.support.registered import model_file, promote, register


def fill(registry: Registry) -> None:
    """Two models, a retraining that ended and one that did not, a release that was rolled back."""
    registry.begin_run(who="ann", parameters={"pairs": "é.csv", "b": 1, "a": [0.05, None]}, pid=7)
    registry.finish_run(1, outcome="promoted", message="p < 0.01", model="word@1")
    register(registry, report=b'{"a": 1}\n', report_html="<p>caf\u00e9", run=1)
    register(registry, content=model_file(None), note="two\nlines")
    register(registry, "関連度; DROP TABLE wort_models")
    for ref in ("word@1", "word@2"):
        promote(registry, ref)
    registry.rollback(reason="worse", who="ann")
    registry.begin_run(who="bob", parameters={}, pid=None)


def everything(registry: Registry) -> list[Any]:
    """What an export holds of a registry: not what tells processes apart, which means nothing elsewhere."""
    models = registry.versions()
    content = [
        (registry.artifact(m.ref), registry.report(m.ref), registry.report_html(m.ref)) for m in models
    ]
    runs = [msgspec.structs.replace(run, process=None) for run in registry.runs()]
    return [models, content, registry.releases(), runs]


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a filled registry and its export, which are only copied."""
    folder = tmp_path_factory.mktemp("filled")
    with Registry.open(f"sqlite:///{folder / 'first.sqlite'}") as registry:
        fill(registry)
        registry.export(folder / "export.jsonl")
    # An empty one, so that not every file that is refused makes its tables.
    Registry.open(f"sqlite:///{folder / 'target.sqlite'}").close()
    return folder


@pytest.fixture
def exported(filled: Path, tmp_path: Path) -> Path:
    """The export of a filled registry, which is beside it, as is an empty one."""
    shutil.copytree(filled, tmp_path, dirs_exist_ok=True)
    return tmp_path / "export.jsonl"


def test_an_export_goes_into_either_database_and_back(database: str, exported: Path, tmp_path: Path) -> None:
    with Registry.open(f"sqlite:///{tmp_path / 'first.sqlite'}") as first:
        first.finish_run(2, outcome="failed", message="It had not ended when the registry was exported.")
        original = everything(first)
    with Registry.open(database) as second:
        assert second.import_(exported) == 8
        copied = everything(second)
        # When a retraining that was under way last told of itself is not known to have been its end.
        assert [run for run in copied[3] if run.id == 1] == [run for run in original[3] if run.id == 1]
        assert [(run.outcome, run.message) for run in copied[3]] == [
            (run.outcome, run.message) for run in original[3]
        ]
        assert copied[:3] == original[:3]
        assert second.import_(exported) == 0
        assert everything(second) == copied
        back = tmp_path / "back.jsonl"
        assert second.export(back) == 8
        # Numbers go on where they were.
        assert register(second).ref == "word@3"
        assert promote(second, "word").number == 4
        assert second.begin_run(who="w", parameters={}, pid=None).id == 3
    with Registry.open(f"sqlite:///{tmp_path / 'third.sqlite'}") as third:
        assert third.import_(back) == 8
        assert everything(third) == copied
        third.export(exported)
    assert exported.read_bytes() == back.read_bytes()


def test_the_same_registry_gives_the_same_bytes(database: str, tmp_path: Path) -> None:
    with Registry.open(database) as registry:
        fill(registry)
        for name in ("one", "two"):
            assert registry.export(tmp_path / name) == 8
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()
    assert not list(tmp_path.glob("*.partial"))


def test_an_older_export_adds_nothing_and_a_newer_one_what_is_new(database: str, exported: Path) -> None:
    with Registry.open(database) as registry:
        registry.import_(exported)
        register(registry)
        promote(registry, "word@3")
        registry.begin_run(who="w", parameters={}, pid=None)
        now = everything(registry)
        assert registry.import_(exported) == 0
        assert everything(registry) == now
        newer = exported.with_name("newer.jsonl")
        registry.export(newer)
    with Registry.open(f"sqlite:///{exported.parent / 'first.sqlite'}") as first:
        assert first.import_(newer) == 3
        assert everything(first)[:3] == now[:3]
        # It knew that a retraining is still under way, and the export that it had failed.
        assert first.run(2).outcome is None


def test_an_empty_registry_is_exported_too(sqlite: str, tmp_path: Path) -> None:
    with Registry.open(sqlite) as registry:
        assert registry.export(tmp_path / "empty") == 0
        assert registry.import_(tmp_path / "empty") == 0


def conflicting(prepare: Callable[[Registry], object], database: str, exported: Path) -> str:
    """What is said of the export to a registry that ``prepare`` filled; it must stay as it was."""
    with Registry.open(database) as registry:
        prepare(registry)
        before = everything(registry)
        with pytest.raises(ImportConflict, match="Nothing was imported") as raised:
            registry.import_(exported)
        assert everything(registry) == before
    return str(raised.value)


def test_what_contradicts_the_registry_is_listed_and_not_imported(database: str, exported: Path) -> None:
    said = conflicting(lambda registry: register(registry, content=model_file(0.1)), database, exported)
    assert "word@1 has another checksum, metrics" in said


def test_another_log_of_releases_is_a_conflict(database: str, exported: Path) -> None:
    def prepare(registry: Registry) -> None:
        register(registry, "other")
        promote(registry, "other")

    said = conflicting(prepare, database, exported)
    assert "release 1 has another model" in said
    assert "word@1" not in said


def test_another_retraining_is_a_conflict(database: str, exported: Path) -> None:
    said = conflicting(
        lambda registry: registry.begin_run(who="eve", parameters={}, pid=None), database, exported
    )
    assert "retraining 1 has another who" in said


def test_a_registry_with_damaged_models_is_not_exported(database: str, tmp_path: Path) -> None:
    with Registry.open(database) as registry:
        register(registry)
        with connected(database) as connection:
            connection.exec_driver_sql("UPDATE wort_models SET checksum = 'other'")
        (tmp_path / "kept").write_text("an older export")
        with pytest.raises(DamagedModel):
            registry.export(tmp_path / "kept")
    assert (tmp_path / "kept").read_text() == "an older export"
    assert not list(tmp_path.glob("*.partial"))


def test_two_exports_to_one_file_do_not_meet(exported: Path) -> None:
    whole = exported.read_bytes()
    with exported.open("rb") as file:
        entries = list(read(file))

    def with_another_in_between() -> Iterator[Entry]:
        yield from entries[:3]
        assert write(exported, entries) == 8
        assert exported.read_bytes() == whole
        yield from entries[3:]

    assert write(exported, with_another_in_between()) == 8
    assert exported.read_bytes() == whole
    assert not list(exported.parent.glob("*.partial"))


def refused(content: bytes, path: Path) -> str:
    """What is said of a file of this content, which must not change a registry."""
    path.write_bytes(content)
    with Registry.open(f"sqlite:///{path.with_name('target.sqlite')}") as registry:
        with pytest.raises(DamagedExport) as raised:
            registry.import_(path)
        assert everything(registry) == [[], [], [], []]
    return str(raised.value)


@given(data=st.data())
@settings(max_examples=100)
def test_no_flipped_bit_gets_in(exported: Path, data: st.DataObject) -> None:
    content = bytearray(exported.read_bytes())
    place = data.draw(st.integers(0, len(content) - 1))
    content[place] ^= 1 << data.draw(st.integers(0, 7))
    refused(bytes(content), exported.with_name("flipped"))


@given(data=st.data())
@settings(max_examples=40)
def test_no_part_gets_in(exported: Path, data: st.DataObject) -> None:
    content = exported.read_bytes()
    start, end = sorted(data.draw(st.tuples(*[st.integers(0, len(content))] * 2)))
    removed = content[:start] + content[end:]
    for part in (content[:end], content[start:], removed):
        if part != content:
            refused(part, exported.with_name("part"))


def test_no_line_is_lost_doubled_or_moved(exported: Path) -> None:
    lines = exported.read_bytes().splitlines(keepends=True)
    for place in range(len(lines)):
        altered = exported.with_name("altered")
        refused(b"".join(lines[:place] + lines[place + 1 :]), altered)
        refused(b"".join(lines[: place + 1] + lines[place:]), altered)
        if place:
            refused(
                b"".join([*lines[: place - 1], lines[place], lines[place - 1], *lines[place + 1 :]]), altered
            )
    refused(exported.read_bytes() * 2, altered)


def forged(exported: Path, change: Callable[[list[dict[str, Any]]], object]) -> bytes:
    """The export with its records changed, and a checksum that is right."""
    lines = [json.loads(line) for line in exported.read_bytes().splitlines()][:-1]
    change(lines)
    content = b"".join(json.dumps(line, ensure_ascii=False).encode() + b"\n" for line in lines)
    digest = hashlib.blake2b(content, digest_size=32).hexdigest()
    end = {"record": "end", "records": len(lines) - 1, "checksum": digest}
    return content + json.dumps(end).encode() + b"\n"


def test_what_is_forged_is_read_at_all(exported: Path) -> None:
    exported.write_bytes(forged(exported, lambda lines: lines[1].update(who="eve")))
    with Registry.open(f"sqlite:///{exported.with_name('forged.sqlite')}") as registry:
        assert registry.import_(exported) == 8
        assert registry.run(1).who == "eve"


RUN, MODEL, RELEASE = 1, 3, 6
"""Lines of a retraining, a model and a release."""


@pytest.mark.parametrize(
    ("line", "field", "value"),
    [
        (0, "format", "tar"),
        (0, "version", 2),
        (RUN, "id", 0),
        (RUN, "id", 2**63),
        (RUN, "outcome", "great"),
        (RUN, "began", "yesterday"),
        (RUN, "began", "2026-01-01T00:00:00"),
        (RUN, "pid", -1),
        (RUN, "message", "\x1b[2J"),
        (RUN, "parameters", "none"),
        (MODEL, "name", "a@b"),
        (MODEL, "name", "cafe\u0301"),
        (MODEL, "version", 0),
        (MODEL, "snapshot", "s2"),
        (MODEL, "metrics", {"pearson": 0.9}),
        (MODEL, "metrics", {"pearson": "0.7"}),
        (MODEL, "artifact", "e30="),
        (MODEL, "artifact", "!"),
        (MODEL, "report", None),
        (MODEL, "report_html", "e30="),
        (MODEL, "note", "\x00"),
        (MODEL, "extra", 1),
        (MODEL, "record", "__import__('os')"),
        (RELEASE, "number", -1),
        (RELEASE, "model", "word"),
        (RELEASE, "location", "../etc"),
        (RELEASE, "location", "/\x00"),
        (RELEASE, "restores", 9),
        (RELEASE, "at", "2026-01-01T00:00:00+02:00"),
    ],
)
def test_nothing_forged_gets_in(exported: Path, line: int, field: str, value: object) -> None:
    refused(forged(exported, lambda lines: lines[line].update({field: value})), exported.with_name("forged"))


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda lines: lines.pop(RUN), "retraining 2 would follow 0"),
        (lambda lines: lines[MODEL].update(run=9), "comes from retraining 9, which is missing"),
        (lambda lines: lines.pop(MODEL), "version 2 would follow 0"),
        (lambda lines: lines[RELEASE].update(model="word@7"), "is of word@7, which is missing"),
        (lambda lines: lines[RELEASE].update(number=5), "release 5 would follow 0"),
    ],
)
def test_nothing_with_gaps_gets_in(
    database: str, exported: Path, change: Callable[[list[dict[str, Any]]], object], said: str
) -> None:
    exported.write_bytes(forged(exported, change))
    assert said in conflicting(lambda registry: None, database, exported)


def test_other_files_are_no_exports(tmp_path: Path) -> None:
    for content in (
        b"",
        b"\n",
        b"{}\n",
        b"\x00" * 100,
        b"[" * 100_000 + b"\n",
        b"PK\x03\x04",
        b"left,right\na,b\n",
    ):
        refused(content, tmp_path / "file")
    with Registry.open(f"sqlite:///{tmp_path / 'target.sqlite'}") as registry:
        for path in (tmp_path / "absent", tmp_path):
            with pytest.raises(OSError, match=str(path)):
                registry.import_(path)
            with pytest.raises(OSError, match=r"y\..*\.partial"):
                registry.export(path / "x" / "y")
