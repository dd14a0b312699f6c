"""What a build costs beside its floors and its peers, and how much memory it holds beside ``--memory``.

The floors go through the dump with as many processes as the build and keep nothing: decompress; decompress
and parse the XML; decompress, parse and read the wikitext. The peers do a part of the build, so that part is
run alone beside them: wikipedia2vec's dump database, dictionary and link graph, and gensim's tf-idf. The
complete build runs as ``wort build`` does, once for each ``--memory``, and its processes are watched.
"""

from __future__ import annotations

import json
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import Annotated, NamedTuple

import typer

from app.cli.build import parse_size
from benchmarks.confined import confined
from benchmarks.memory import PeakMemory
from benchmarks.report import Table, new_report, publish
from building.build import work_folder
from building.dataset import read_batches
from snapshots.manifest import Manifest, read_manifest
from wiki.chunk import Chunk
from wiki.dump import Dump, read_pages
from wiki.siteinfo import Siteinfo
from wiki.titles import title_rules
from wiki.wikitext import parse

LINKS = ("pages", "concepts", "links", "categories")
"""The stages that read titles, links and categories."""

TFIDF = ("words", "tfidf")

VECTORS = ("word2vec", "encoder")
"""The stages that take longer than all others together, timed apart."""

PEER = ("build-dump-db", "build-dictionary", "build-link-graph")
"""wikipedia2vec's commands up to the one that trains."""


class Complete(NamedTuple):
    """A complete build: wall time, the tree's memory meanwhile, and what the snapshot says of itself.

    ``confined``: whether the kernel held it to its ``--memory``, page cache and mapped files included.
    """

    seconds: float
    memory: PeakMemory
    manifest: Manifest
    confined: bool


class Part(NamedTuple):
    """A part of the build, its median seconds in some rounds, and a peer that does the same."""

    name: str
    seconds: float
    rounds: int
    peer: str
    peer_seconds: float | None


def decompress(chunk: Chunk, siteinfo: Siteinfo) -> int:
    """The bytes of XML in a chunk."""
    return sum(len(piece) for _, piece in chunk.pieces())


def read_xml(chunk: Chunk, siteinfo: Siteinfo) -> int:
    """The characters of text in a chunk's pages."""
    return sum(len(page.text) for page in read_pages(chunk, siteinfo))


def extract(chunk: Chunk, siteinfo: Siteinfo) -> int:
    """The links in a chunk's pages."""
    rules = title_rules(siteinfo)
    pages = (page for page in read_pages(chunk, siteinfo) if page.redirect is None)
    return sum(len(parse(page.text, rules).links) for page in pages)


FLOORS = {
    "decompress": decompress,
    "decompress, parse the XML": read_xml,
    "decompress, parse the XML, read the wikitext": extract,
}


def median_floors(dump: Dump, workers: int, rounds: int) -> tuple[dict[str, float], int]:
    """The median seconds of each floor, and the bytes of XML. The rounds of the floors alternate."""
    chunks = list(dump.chunks())
    seconds: dict[str, list[float]] = {name: [] for name in FLOORS}
    size = 0
    with ProcessPoolExecutor(workers, get_context("spawn")) as pool:
        list(pool.map(partial(extract, siteinfo=dump.siteinfo), chunks[:workers]))  # starts the processes
        for _ in range(rounds):
            for name, floor in FLOORS.items():
                start = time.perf_counter()
                found = sum(pool.map(partial(floor, siteinfo=dump.siteinfo), chunks))
                seconds[name].append(time.perf_counter() - start)
                size = found if floor is decompress else size
    return {name: statistics.median(taken) for name, taken in seconds.items()}, size


def build_part(dump: Path, folder: Path, workers: int, memory: int, stages: tuple[str, ...]) -> list[float]:
    """Run some stages in an empty folder; the seconds of each, the first with the command's start and end."""
    shutil.rmtree(folder, ignore_errors=True)
    command = [sys.executable, "-m", "benchmarks.build_part", dump, folder, workers, memory, *stages]
    start = time.perf_counter()
    run = subprocess.run([str(word) for word in command], check=True, stdout=subprocess.PIPE, text=True)
    together = time.perf_counter() - start
    _, *rest = (float(seconds) for seconds in json.loads(run.stdout))
    return [together - sum(rest), *rest]


def wikipedia2vec(python: Path, dump: Path, folder: Path, workers: int) -> float:
    """The wall time of the peer's three commands."""
    pages, dictionary, links = (str(folder / name) for name in PEER)
    arguments = ([str(dump), pages], [pages, dictionary], [pages, dictionary, links])
    start = time.perf_counter()
    for command, files in zip(PEER, arguments, strict=True):
        peer = [str(python.with_name("wikipedia2vec")), command, *files, "--pool-size", str(workers)]
        subprocess.run(peer, check=True, capture_output=True)
    return time.perf_counter() - start


def gensim_tfidf(cut: Path) -> float:
    """The time of gensim, in one process, for the tf-idf of articles that are cut into words already."""
    from gensim.corpora import Dictionary  # noqa: PLC0415 it takes 70 MB, and the tree is watched later
    from gensim.models import TfidfModel  # noqa: PLC0415 as above

    def articles() -> Iterator[list[str]]:
        for batch in read_batches(cut, ["vocabulary", "words"], 50):
            for words, places in zip(*(column.to_pylist() for column in batch.columns), strict=True):
                yield [words[place] for place in places]

    start = time.perf_counter()
    dictionary = Dictionary(articles())
    dictionary.filter_extremes(no_below=2, no_above=1.0, keep_n=None)
    model = TfidfModel(dictionary=dictionary)
    for article in articles():
        model[dictionary.doc2bow(article)]
    return time.perf_counter() - start


def complete(dump: Path, target: Path, memory: str, workers: int, *, vectors: bool = False) -> Complete:
    """Run ``wort build``, or go on with what an earlier run left; keep what it leaves."""
    shutil.rmtree(target, ignore_errors=True)
    options = ["--output", target, "--memory", memory, "--workers", workers, "--keep-work", "--quiet"]
    options += [] if vectors else ["--without", "word2vec", "--encoder", "none"]
    command = [sys.executable, "-m", "app.cli", "build", *map(str, [dump, *options])]
    with confined(parse_size(memory)) as within:
        start = time.perf_counter()
        process = subprocess.Popen([*(within or ()), *command], stdout=subprocess.DEVNULL)
        with PeakMemory(process.pid) as held:
            status = process.wait()
        seconds = time.perf_counter() - start
    if status:
        raise SystemExit(f"wort build ended with {status}; what it says is above.")
    return Complete(seconds, held, read_manifest(target), within is not None)


def floors_table(floors: dict[str, float], size: int, rounds: int) -> Table:
    """The floors."""
    least = floors["decompress"]
    rows = [(name, taken, size / taken / 1e6, taken / least, rounds) for name, taken in floors.items()]
    columns = ("step", "seconds", "MB of XML/s", "times decompressing", "rounds")
    return Table("floors", "Going through the dump, keeping nothing", columns, list(rows))


def peers_table(parts: list[Part]) -> Table:
    """Parts of the build beside peers."""
    rows = [(*part, part.peer_seconds and part.peer_seconds / part.seconds) for part in parts]
    columns = ("part", "seconds", "rounds", "peer", "peer's seconds", "times faster")
    note = (
        f"wikipedia2vec: {', '.join(PEER)}; its dictionary counts words too, as the second row does. gensim: "
        "Dictionary and TfidfModel, once, given articles that are cut into words already, in one process."
    )
    return Table("peers", "Parts of the build beside peers", columns, list(rows), note)


def stages_table(build: Complete, floor: float, trained: Complete | None) -> Table:
    """Seconds and share of each stage of the complete build; those of ``VECTORS`` apart."""
    columns = ("stage", "seconds", "share", "largest process, MB")
    rows: list[tuple[str | float | int | None, ...]] = [
        (stage.name, stage.seconds, f"{stage.share:.0%}", stage.peak_bytes // 1_000_000)
        for stage in build.manifest.stages
    ]
    known = sum(stage.seconds for stage in build.manifest.stages)
    rows.append(("starting, checking the dump, gathering the tables", build.seconds - known, None, None))
    rows.append(
        (f"together, without {' and '.join(VECTORS)}", build.seconds, None, build.memory.bytes // 1_000_000)
    )
    rows.append(("times the floor (decompress, parse, read)", build.seconds / floor, None, None))
    if trained is not None:
        rows += [
            (stage.name, stage.seconds, None, stage.peak_bytes // 1_000_000)
            for stage in trained.manifest.stages
            if stage.name in VECTORS
        ]
    note = "One run. Where all stages are meant, the memory is that of all processes together."
    return Table("stages", "The complete snapshot", columns, rows, note)


def memory_table(builds: dict[str, Complete]) -> Table:
    """The memory of all processes together beside what was allowed."""
    rows = [
        (
            memory,
            build.memory.bytes // 1_000_000,
            build.memory.bytes / parse_size(memory),
            build.memory.anonymous // 1_000_000,
            build.memory.anonymous / parse_size(memory),
            "the kernel" if build.confined else "the build alone",
            build.seconds,
        )
        for memory, build in builds.items()
    ]
    columns = (
        *("--memory", "peak, MB", "of it", "without mapped files, MB", "of it, without"),
        *("held to it by", "seconds"),
    )
    note = (
        "Proportional set size of all processes together, sampled ten times a second, one run each, without "
        f"{' and '.join(VECTORS)}. Mapped files are the tables and libraries, which the system drops where "
        "memory is short. Where the kernel holds a build to its --memory, page cache included, it kills one "
        "that needs more."
    )
    return Table("memory", "Peak memory of a build", columns, list(rows), note)


def complete_tables(
    dump: Path, folder: Path, allowed: list[str], workers: int, floor: float, *, vectors: bool
) -> list[Table]:
    """Complete builds within each of the sizes of ``allowed``, and the stages ``VECTORS`` after the last."""
    builds: dict[str, Complete] = {}
    for setting in allowed:
        builds[setting] = complete(dump, folder / "snapshot", setting, workers)
        if setting != allowed[-1]:
            shutil.rmtree(work_folder(folder / "snapshot"))
    trained = None
    if vectors:
        trained = complete(dump, folder / "snapshot", allowed[-1], workers, vectors=True)
    return [stages_table(builds[allowed[0]], floor, trained), memory_table(builds)]


def main(
    dump: Annotated[Path, typer.Argument(help="A dump, as wort build takes it.", exists=True)],
    memory: Annotated[
        list[str] | None, typer.Option(help="What wort build may use; repeatable, 4GB by default.")
    ] = None,
    workers: Annotated[int, typer.Option(help="Processes of every step.", min=1)] = 2,
    peer_python: Annotated[
        Path | None, typer.Option(help="The Python that wikipedia2vec 2.0 is installed for.")
    ] = None,
    gensim: Annotated[bool, typer.Option(help="Run gensim's tf-idf.")] = True,
    vectors: Annotated[
        bool, typer.Option(help="Train word vectors and encode titles and leads in the end.")
    ] = True,
    rounds: Annotated[int, typer.Option(help="Rounds of floors and parts: the medians count.", min=1)] = 3,
    whole: Annotated[bool, typer.Option(help="Run complete builds.")] = True,
    report: Annotated[Path | None, typer.Option("--json", help="Write the report to this file.")] = None,
) -> None:
    """Measure builds of a dump beside floors and peers, in one run."""
    opened, allowed, notes = Dump.open(dump), memory or ["4GB"], []
    with tempfile.TemporaryDirectory(dir=Path.cwd(), prefix="build-benchmark-") as place:
        folder = Path(place)
        floors, size = median_floors(opened, workers, rounds)

        work, size_allowed = folder / "part", parse_size(allowed[0])
        has_peer = peer_python is not None and peer_python.with_name("wikipedia2vec").exists()
        if not has_peer:
            notes.append("wikipedia2vec is left out: pip install wikipedia2vec==2.0.0, then --peer-python.")
        built: list[list[float]] = []
        peers: list[float] = []
        for _ in range(rounds):  # in turns, so that what else the machine does slows both
            built.append(build_part(dump, work, workers, size_allowed, (*LINKS, *TFIDF)))
            if peer_python is not None and has_peer:
                peers.append(wikipedia2vec(peer_python, dump, folder, workers))
        links, words, tfidf = (
            statistics.median(sum(part[first:end]) for part in built)
            for first, end in ((0, len(LINKS)), (len(LINKS), -1), (-1, None))
        )
        by_peer = statistics.median(peers) if peers else None
        by_gensim = gensim_tfidf(work / "words" / "cut") if gensim else None
        peer = "wikipedia2vec 2.0"
        compared = [
            Part("titles, links, categories", links, rounds, peer, by_peer),
            Part("titles, links, categories, words", links + words, rounds, peer, by_peer),
            Part("words, tf-idf", words + tfidf, rounds, "gensim", by_gensim),
        ]
        shutil.rmtree(work)
        tables = [floors_table(floors, size, rounds), peers_table(compared)]
        if whole:
            floor = floors["decompress, parse the XML, read the wikitext"]
            tables += complete_tables(dump, folder, allowed, workers, floor, vectors=vectors)
    publish(new_report("build", f"{dump.name}, {dump.stat().st_size / 1e6:,.0f} MB", tables, notes), report)


if __name__ == "__main__":
    typer.run(main)
