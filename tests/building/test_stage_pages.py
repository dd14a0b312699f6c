"""The pages stage: what its pieces are known by, and pages that a dump holds twice."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow.dataset as ds

from building.engines.local import LocalRunner
from building.stage import Build
from building.stages import pages
from snapshots.settings import BuildSettings
from tests.support.building import ROOM
from tests.support.dumps import ENGLISH, write_dump
from wiki.dump import Dump
from wiki.page import RawPage
from wiki.siteinfo import Siteinfo


def extract(
    work: Path, written: Sequence[RawPage], siteinfo: Siteinfo = ENGLISH, version: int = pages.VERSION
) -> Path:
    """Run the stage in ``work`` over a dump of ``written``; its folder."""
    work.mkdir(exist_ok=True)
    name = work / "toy-multistream.xml.bz2"
    dump = Dump.open(write_dump(name, written, siteinfo=siteinfo, multistream=True, pages_per_stream=2))
    with LocalRunner(1, ROOM, work / "scratch") as runner:
        build = Build(dump, work / "build", runner, BuildSettings())
        pages.run(build, version)
    return build.folder("pages")


def rows(dataset: Path, *columns: str) -> list[tuple[Any, ...]]:
    table = ds.dataset(dataset).to_table(list(columns))
    return list(zip(*(table.column(name).to_pylist() for name in columns), strict=True))


def written_at(folder: Path) -> dict[str, int]:
    return {piece.name: piece.stat().st_mtime_ns for piece in (folder / "pages").glob("*.parquet")}


PAGES = [RawPage(number, 0, f"Page {number}", None, f"Text {number}") for number in range(1, 6)]


def test_pieces_are_kept(tmp_path: Path) -> None:
    first = written_at(extract(tmp_path, PAGES))
    assert written_at(extract(tmp_path, PAGES)) == first


def test_a_new_version_of_the_code_reads_the_dump_again(tmp_path: Path) -> None:
    first = written_at(extract(tmp_path, PAGES))
    second = written_at(extract(tmp_path, PAGES, version=pages.VERSION + 1))
    assert second
    assert not second.keys() & first.keys()
    assert len(rows(tmp_path / "build/pages/pages", "page_id")) == len(PAGES)


def test_other_rules_of_the_wiki_read_the_dump_again(tmp_path: Path) -> None:
    written = [RawPage(1, 0, "page 1", None, "Text")]
    assert rows(extract(tmp_path, written) / "pages", "title") == [("Page 1",)]
    namespaces = tuple(replace(namespace, case="case-sensitive") for namespace in ENGLISH.namespaces)
    strict = replace(ENGLISH, case="case-sensitive", namespaces=namespaces)
    assert rows(extract(tmp_path, written, strict) / "pages", "title") == [("page 1",)]


REPEATED = [
    *PAGES,
    PAGES[1],  # the same page again
    RawPage(3, 0, "Page 3, moved", None, "Text 3"),
    RawPage(30, 0, "Page 4", None, "Another text"),
    RawPage(6, 0, "Page 6", None, "Text 6"),
    RawPage(31, 0, "Page 3, moved", None, "this title was not there before"),
    PAGES[1],
]


def test_a_page_is_there_once_by_id_and_by_title(tmp_path: Path) -> None:
    folder = extract(tmp_path, REPEATED)
    kept = rows(folder / "pages", "page_id", "title")
    assert kept == [
        *((page.page_id, page.title) for page in PAGES),
        (6, "Page 6"),
        (31, "Page 3, moved"),
    ]
    assert rows(folder / "repeats", "page_id", "title", "problem") == [
        (2, "Page 2", "an earlier page of the dump has the same id"),
        (3, "Page 3, moved", "an earlier page of the dump has the same id"),
        (30, "Page 4", "an earlier page of the dump has the same title"),
        (2, "Page 2", "an earlier page of the dump has the same id"),
    ]


def test_a_row_that_went_returns_when_its_first_does_not_come_before(tmp_path: Path) -> None:
    extract(tmp_path, REPEATED)
    folder = extract(tmp_path, [RawPage(40, 0, "Page 40", None, "")] * 2 + REPEATED[2:])
    assert sorted(number for (number,) in rows(folder / "pages", "page_id")) == [2, 3, 4, 5, 6, 31, 40]
