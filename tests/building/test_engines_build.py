"""A small dump built by both engines: every table on the way the same, the snapshots the same to the byte."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pyarrow.dataset as ds
import pytest

from building.build import STAGES, build_snapshot, work_folder
from building.dataset import row_count, rows
from building.engines.local import LocalRunner
from building.engines.runner import Runner
from snapshots.snapshot import Snapshot, verify
from tests.building.test_build import SETTINGS, small_wiki
from tests.support.dumps import write_dump
from tests.support.encoders import write_encoder
from tests.support.spark import spark_runner
from wiki.dump import Dump
from wiki.page import RawPage

pytestmark = pytest.mark.slow


def wiki() -> list[RawPage]:
    """The small wiki with everything beside that a query of some stage asks for."""
    pages = small_wiki(60)
    titles = [page.title for page in pages[:60]]
    several = "\n".join(f"* [[{title}|{title[0]}]] and [[{titles[9]}]]" for title in titles[:3])
    odd = f"“Quotes” and \U0001f600: [[{titles[1]}|it's]] [[{titles[2]}| \U0001f600\U0001f600 two]]."
    redirects = {
        "Chain": "Alias 1",
        "Loop": "Loop again",
        "Loop again": "Loop",
        "Nowhere": "No such page",
        "Aside": "Category:Kind 1",
        "Either": "Several",
    }
    more = [
        ("Several", f"May be:\n{several}\n{{{{disambiguation}}}}"),
        ("By template", f"* [[{titles[4]}]]\n{{{{many senses}}}}"),
        ("Template:Many senses", "__DISAMBIG__"),
        ("It's “odd”", f"{odd}\n\n[[Category:Kept out]] [[Category:Articles with dead links]]"),
        ("\U0001f600", f"{odd}\n\n[[Category:Kept out]] [[Category:日本]]"),
        ("Category:Kept out", "__HIDDENCAT__"),
        ("Category:Kind 1", "A kind."),
    ]
    namespaces = {"Template": 10, "Category": 14}
    for number, (title, text) in enumerate(more, 3000):
        pages.append(RawPage(number, namespaces.get(title.partition(":")[0], 0), title, None, text))
    for number, (title, target) in enumerate(redirects.items(), 4000):
        pages.append(RawPage(number, 0, title, target, f"#REDIRECT [[{target}]]"))
    pages += [*pages[:2], RawPage(5, 0, "Moved meanwhile", None, pages[4].text)]
    pages.append(RawPage(6000, 0, titles[3], None, "The same title."))
    return pages


@dataclass(frozen=True)
class Built:
    """A snapshot and the folder of what was made on the way."""

    snapshot: Snapshot
    work: Path


def build(dump: Path, target: Path, runner: Runner, encoder: Path) -> Built:
    runner.workers = 1  # word vectors are the same to the last bit on one thread alone
    snapshot = build_snapshot(Dump.open(dump), target, runner, SETTINGS, keep_work=True, encoded_by=encoder)
    return Built(snapshot, work_folder(target))


@pytest.fixture(scope="module")
def builds(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Built, Built]]:
    folder = tmp_path_factory.mktemp("builds")
    name = "toywiki-20200203-pages-articles-multistream.xml.bz2"
    dump = write_dump(folder / name, wiki(), multistream=True, pages_per_stream=20)
    encoder = folder / "encoder"
    write_encoder(encoder)
    with (
        spark_runner(folder / "scratch") as spark,
        LocalRunner(2, 1_000_000_000, folder / "scratch") as local,
    ):
        yield build(dump, folder / "local", local, encoder), build(dump, folder / "spark", spark, encoder)


def test_the_snapshots_are_one(builds: tuple[Built, Built]) -> None:
    local, spark = builds
    assert spark.snapshot.manifest.counts == local.snapshot.manifest.counts
    assert spark.snapshot.manifest.files == local.snapshot.manifest.files
    assert spark.snapshot.id == local.snapshot.id
    assert verify(spark.snapshot.folder) == []
    assert {"title_vectors.npy", "lead_vectors.npy"} < set(spark.snapshot.manifest.files)
    assert all(entry.peak_bytes > 50_000_000 for entry in spark.snapshot.manifest.stages)


def test_every_table_on_the_way_is_the_same(builds: tuple[Built, Built]) -> None:
    local, spark = builds
    made = {path.parent.relative_to(local.work) for path in local.work.rglob("*.parquet")}
    assert len(made) > 40
    assert {path.parent.relative_to(spark.work) for path in spark.work.rglob("*.parquet")} == made
    for dataset in sorted(made):
        ours, theirs = (ds.dataset(work / dataset).to_table() for work in (local.work, spark.work))
        assert [(f.name, f.type) for f in theirs.schema] == [(f.name, f.type) for f in ours.schema], dataset
        assert sorted(map(repr, theirs.to_pylist())) == sorted(map(repr, ours.to_pylist())), dataset


def test_every_array_on_the_way_is_the_same(builds: tuple[Built, Built]) -> None:
    local, spark = builds
    for stage in STAGES:
        files = {path.name for path in (local.work / stage.name).glob("*.*") if path.is_file()}
        for name in files:
            ours, theirs = (work / stage.name / name for work in (local.work, spark.work))
            assert theirs.read_bytes() == ours.read_bytes(), f"{stage.name}/{name}"


def test_nothing_is_left_beside(builds: tuple[Built, Built]) -> None:
    left = [
        path.name for path in builds[1].work.rglob("*") if ".partial" in path.name or "pieces" in path.name
    ]
    assert left == []
    assert [path for path in builds[1].work.rglob("*") if path.name[0] in "._"] == []


def test_the_wiki_has_something_for_every_query(builds: tuple[Built, Built]) -> None:
    """Two empty tables are equal, too."""
    work = builds[0].work
    empty = [path for path in work.rglob("*.parquet") if not row_count(path.parent)]
    assert empty == []
    leads_to = {row["leads_to"] for row in rows(work / "concepts" / "redirects")}
    assert leads_to == {"article", "loop", "dangling", "disambiguation", "other namespace"}
    assert {row["hidden"] for row in rows(work / "categories" / "titles")} == {True, False}
    assert {row["problem"][-5:] for row in rows(work / "concepts" / "problems")} == {
        "title",
        "me id",
        "llows",
    }
