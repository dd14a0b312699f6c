"""Whole builds of a small dump: the same however it is stored, resumed after any stop, never half taken."""

from __future__ import annotations

import os
import random
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from typer.testing import CliRunner

from app.cli import command_line
from building.build import STAGES, build_snapshot, left_out_with, work_folder
from building.engines.local import LEAST_MEMORY, LocalRunner
from building.stage import Build
from building.stages import pages
from snapshots.errors import BuildError, SnapshotError
from snapshots.layout import TABLES
from snapshots.settings import BuildSettings
from snapshots.snapshot import Snapshot, verify
from tests.conftest import ROOT
from tests.support.building import ROOM
from tests.support.dumps import write_dump
from wiki.dump import Dump
from wiki.errors import TruncatedDump
from wiki.page import RawPage

SETTINGS = BuildSettings(word2vec_dimensions=8, word2vec_epochs=1, word2vec_minimum_count=2)
LEFT_OUT = frozenset({"word2vec"})  # the one stage that is not the same to the last bit on two workers


def small_wiki(articles: int = 120) -> list[RawPage]:
    """Articles about made-up things that link to each other, with some redirects and a category each."""
    chosen = random.Random(7)
    words = [
        f"{a}{b}" for a in ("ban", "cor", "dul", "fen", "gor", "hal") for b in ("ak", "el", "ir", "os", "um")
    ]
    titles = [f"{chosen.choice(words).title()} {number}" for number in range(articles)]
    written = []
    for number, title in enumerate(titles):
        paragraphs = []
        for _ in range(4):
            links = [f"[[{other}]]" for other in chosen.sample(titles, 3)]
            prose = [chosen.choice(words) for _ in range(30)]
            for link in links:
                prose.insert(chosen.randrange(len(prose)), link)
            paragraphs.append(" ".join(prose) + ".")
        if number == 0:
            paragraphs[0] = f"'''Nickname''' {paragraphs[0]}"
        text = "\n\n".join(paragraphs) + f"\n\n[[Category:Kind {number % 5}]]"
        written.append(RawPage(number + 1, 0, title, None, text))
    written += [RawPage(1000 + n, 0, f"Alias {n}", titles[n], f"#REDIRECT [[{titles[n]}]]") for n in range(9)]
    written.append(RawPage(2000, 0, "Broken|title", None, "no such title can be"))
    return written


def build(
    dump: Path,
    target: Path,
    settings: BuildSettings = SETTINGS,
    keep_work: bool = False,
    without: frozenset[str] = LEFT_OUT,
    memory: int = ROOM,
) -> Snapshot:
    with LocalRunner(1, memory, work_folder(target) / "scratch") as runner:
        opened = Dump.open(dump)
        return build_snapshot(opened, target, runner, settings, without=without, keep_work=keep_work)


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_dump(tmp_path_factory.mktemp("dump") / "toywiki-20200203-pages-articles.xml", small_wiki())


@pytest.fixture(scope="module")
def whole(plain: Path, tmp_path_factory: pytest.TempPathFactory) -> Snapshot:
    return build(plain, tmp_path_factory.mktemp("whole") / "toy")


def test_a_build_leaves_a_whole_snapshot(whole: Snapshot) -> None:
    assert verify(whole.folder) == []
    assert not work_folder(whole.folder).exists()
    assert whole.manifest.dump_date == "2020-02-03"
    assert whole.id.startswith("enwiki-20200203-")
    assert whole.manifest.counts["concepts"] == 120
    assert [stage.name for stage in whole.manifest.stages][:3] == ["pages", "concepts", "links"]
    problems = pq.read_table(whole.folder / "parquet" / "problems.parquet")
    assert problems.num_rows == 1
    assert problems["title"].to_pylist() == ["Broken|title"]
    counts = {"problems": 1, "redirects": 9, "redirect_loops": 0, "redirects_dangling": 0}
    assert counts.items() <= whole.manifest.counts.items()
    assert all(stage.peak_bytes > 50_000_000 for stage in whole.manifest.stages)
    assert sum(stage.share for stage in whole.manifest.stages) == pytest.approx(1, abs=0.001)


def test_every_table_is_there(whole: Snapshot) -> None:
    for table in TABLES:
        if table.name == "word_vectors" or table.stage == "encoder":
            continue
        filled = whole.array(table.name).any() if table.columns is None else whole.csr(table.name).entries
        assert filled, table.name


@pytest.mark.parametrize("name", ["toywiki-20200203-pages-articles.xml.bz2", "toy-multistream.xml.bz2"])
def test_however_the_dump_is_stored(whole: Snapshot, tmp_path: Path, name: str) -> None:
    dump = write_dump(tmp_path / name, small_wiki(), multistream="multistream" in name, pages_per_stream=20)
    files = build(dump, tmp_path / "toy").manifest.files
    assert files == whole.manifest.files


def test_a_killed_build_goes_on_where_it_was(plain: Path, whole: Snapshot, tmp_path: Path) -> None:
    script = f"""
import sys
from pathlib import Path
from tests.building.test_build import build
if __name__ == "__main__":
    build(Path({str(plain)!r}), Path({str(tmp_path / "toy")!r}))
"""
    (tmp_path / "script.py").write_text(script)
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    killed = 0
    for stage in ("concepts", "tfidf", "anchors"):
        process = subprocess.Popen(
            [sys.executable, tmp_path / "script.py"], env=environment, start_new_session=True
        )
        begun = work_folder(tmp_path / "toy") / stage / "key"
        while process.poll() is None and not begun.exists():
            time.sleep(0.01)
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
            killed += 1
        process.wait()
        assert not (tmp_path / "toy").exists()
    assert killed == 3
    done = work_folder(tmp_path / "toy") / "pages" / "done"
    finished = done.stat().st_mtime_ns
    assert build(plain, tmp_path / "toy", keep_work=True).id == whole.id
    assert done.stat().st_mtime_ns == finished


def test_a_truncated_dump_stops_and_its_repair_resumes(tmp_path: Path) -> None:
    dump = write_dump(tmp_path / "toy.xml", small_wiki(5000))
    complete = dump.read_bytes()
    assert len(complete) > 5_000_000
    dump.write_bytes(complete[:-300_000])
    with pytest.raises(TruncatedDump):
        build(dump, tmp_path / "toy")
    assert not (tmp_path / "toy").exists()
    pieces = {
        p: p.stat().st_mtime_ns for p in (work_folder(tmp_path / "toy") / "pages/pages").glob("*.parquet")
    }
    assert pieces
    dump.write_bytes(complete)
    with LocalRunner(1, ROOM, tmp_path / "scratch") as runner:
        pages.run(Build(Dump.open(dump), work_folder(tmp_path / "toy"), runner, SETTINGS))
    assert all(piece.stat().st_mtime_ns == written for piece, written in pieces.items())


def test_a_snapshot_in_the_way_is_not_touched(plain: Path, tmp_path: Path) -> None:
    (tmp_path / "toy").mkdir()
    with pytest.raises(SnapshotError, match="never overwritten"):
        build(plain, tmp_path / "toy")


def test_another_setting_repeats_only_what_depends_on_it(plain: Path, tmp_path: Path) -> None:
    first = build(plain, tmp_path / "first", keep_work=True)
    work_folder(tmp_path / "first").rename(work_folder(tmp_path / "second"))
    before = {p.parent.name: p.stat().st_mtime_ns for p in work_folder(tmp_path / "second").glob("*/done")}
    second = build(plain, tmp_path / "second", BuildSettings(esa_concepts=3), keep_work=True)
    after = {p.parent.name: p.stat().st_mtime_ns for p in work_folder(tmp_path / "second").glob("*/done")}
    assert {stage for stage in before if before[stage] != after[stage]} == {"esa"}
    assert second.csr("esa").entries < first.csr("esa").entries


MENTIONS = frozenset({"anchors", "annotations", "comentions"})


def test_what_an_earlier_build_left_is_not_taken(plain: Path, tmp_path: Path) -> None:
    """A work folder holds the finished stages of every build of its target."""
    build(plain, tmp_path / "first", keep_work=True)
    assert (work_folder(tmp_path / "first") / "anchors" / "mentions.marisa").exists()
    work_folder(tmp_path / "first").rename(work_folder(tmp_path / "second"))
    second = build(plain, tmp_path / "second", without=LEFT_OUT | MENTIONS)
    assert not [name for name in second.manifest.files if name.startswith("mentions.")]
    assert second.manifest.counts["mentions"] == 0
    assert second.csr("comentions").entries == 0
    assert verify(second.folder) == []


@pytest.mark.parametrize(
    "name", ["pages", "concepts", "links", "categories", "words", "names", "anchors", "?"]
)
def test_a_stage_that_is_needed_is_not_left_out(plain: Path, tmp_path: Path, name: str) -> None:
    with pytest.raises(BuildError, match=rf"{re.escape(name)} cannot be left out.*word2vec"):
        build(plain, tmp_path / "toy", without=frozenset({name}))
    assert list(tmp_path.iterdir()) == []


def test_whatever_may_be_left_out_can_be(plain: Path, tmp_path: Path) -> None:
    possible = left_out_with()
    assert possible["annotations"] == {"comentions"}
    assert possible["anchors"] == {"annotations", "comentions"}
    assert possible["esa"] == frozenset()
    assert all(readers <= possible.keys() for readers in possible.values())
    least = build(plain, tmp_path / "toy", without=frozenset(possible))
    assert least.concepts == 120
    assert {entry.name for entry in least.manifest.stages} == {s.name for s in STAGES} - possible.keys()


def test_two_builds_of_one_snapshot_do_not_meet(plain: Path, tmp_path: Path) -> None:
    def second_begins(label: str, unit: str) -> None:
        if label == "Reading pages":
            with pytest.raises(BuildError, match="Another build is at work"):
                build(plain, tmp_path / "toy")
            begun.append(label)

    begun: list[str] = []
    with LocalRunner(1, ROOM, work_folder(tmp_path / "toy") / "scratch") as runner:
        build_snapshot(Dump.open(plain), tmp_path / "toy", runner, without=LEFT_OUT, announce=second_begins)
    assert begun
    assert verify(tmp_path / "toy") == []


def test_every_step_is_announced_with_its_progress(plain: Path, tmp_path: Path) -> None:
    steps: list[str] = []
    sizes: dict[str, tuple[int, int | None]] = {}
    with LocalRunner(1, ROOM, work_folder(tmp_path / "toy") / "scratch") as runner:
        build_snapshot(
            Dump.open(plain),
            tmp_path / "toy",
            runner,
            without=LEFT_OUT,
            announce=lambda label, unit: steps.append(label),
            progress=lambda done, total: sizes.update({steps[-1]: (done, total)}),
        )
    assert steps == [
        "Checking the dump",
        *(stage.label for stage in STAGES if stage.name not in {*LEFT_OUT, "encoder"}),
        "Gathering the tables",
    ]
    assert sizes["Checking the dump"] == (plain.stat().st_size, plain.stat().st_size)


def test_a_page_that_comes_twice_counts_once(plain: Path, whole: Snapshot, tmp_path: Path) -> None:
    pages = small_wiki()
    moved = RawPage(5, 0, "Moved meanwhile", None, pages[4].text)
    again = build(write_dump(tmp_path / plain.name, [*pages, *pages[:3], moved]), tmp_path / "toy")
    problems = pq.read_table(again.folder / "parquet" / "problems.parquet")["page_id"].to_pylist()
    assert problems == [1, 2, 3, 5, 2000]
    same = {name: entry for name, entry in whole.manifest.files.items() if "problems" not in name}
    found = {name: entry for name, entry in again.manifest.files.items() if "problems" not in name}
    assert found == same


@pytest.mark.parametrize("memory", ["0", "0GB", "499MB"])
def test_too_little_memory_is_refused(plain: Path, tmp_path: Path, memory: str) -> None:
    command = ["build", str(plain), "-o", str(tmp_path / "toy"), "--memory", memory]
    refused = CliRunner().invoke(command_line(["build"]), command)
    assert refused.exit_code == 2
    assert "500MB" in refused.stderr
    assert list(tmp_path.iterdir()) == []


def test_the_command_line_refuses_what_cannot_be_left_out(plain: Path, tmp_path: Path) -> None:
    command = ["build", str(plain), "-o", str(tmp_path / "toy"), "--without", "links"]
    refused = CliRunner().invoke(command_line(["build"]), command)
    assert refused.exit_code == 2
    assert "what is kept needs it" in " ".join(refused.stderr.replace("│", "").split())


@pytest.mark.parametrize("pages", [[], [RawPage(1, 0, "A", "B", "#REDIRECT [[B]]")]])
def test_a_dump_without_articles_is_refused(tmp_path: Path, pages: list[RawPage]) -> None:
    dump = write_dump(tmp_path / "toy.xml", pages)
    with pytest.raises(BuildError, match="has no article"):
        build(dump, tmp_path / "toy")


@pytest.mark.parametrize("memory", [pytest.param(LEAST_MEMORY, marks=pytest.mark.slow), ROOM])
def test_articles_that_say_nothing_are_built(tmp_path: Path, memory: int) -> None:
    dump = write_dump(tmp_path / "toy.xml", [RawPage(n, 0, f"Page {n}", None, "") for n in (1, 2)])
    assert build(dump, tmp_path / "toy", memory=memory).concepts == 2


@pytest.mark.slow
def test_a_full_disk_stops_clearly_and_room_resumes(plain: Path, whole: Snapshot, tmp_path: Path) -> None:
    disk = tmp_path / "disk"
    disk.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=200k", "tmpfs", disk], check=False, capture_output=True
    )
    if mounted.returncode:
        pytest.skip("mounting a small disk takes rights that this user has not")
    command = [sys.executable, "-m", "app.cli", "build", str(plain), "-o", str(disk / "toy")]
    command += ["--quiet", "--workers", "1", "--without", "word2vec", "--encoder", "none"]
    try:
        # Full while pages are read, arrays are filled, a look-up is written, and the snapshot is gathered.
        for size in ("200k", "500k", "900k", "1350k"):
            subprocess.run(["mount", "-o", f"remount,size={size}", disk], check=True)
            with (tmp_path / "said").open(
                "w+"
            ) as said:  # a pipe would wait for the workers of a killed build
                full = subprocess.run(command, check=False, stdout=said, stderr=said)
            assert full.returncode == 4, size
            assert "Make room" in (tmp_path / "said").read_text()
            assert "Traceback" not in (tmp_path / "said").read_text()
            assert not (disk / "toy").exists()
        subprocess.run(["mount", "-o", "remount,size=60m", disk], check=True)
        subprocess.run(command, check=True, capture_output=True)
        assert Snapshot.open(disk / "toy").manifest.files == whole.manifest.files
    finally:
        subprocess.run(["umount", disk], check=True)
