"""How a build grows with the wiki: time, memory and size at several sizes, on synthetic dumps.

    python -m benchmarks.scale_build --articles 30000 --articles 100000 --links-only 1000000

Dumps are made by ``benchmarks.synthetic`` and kept in ``--folder`` for the next run. Each size is built in a
process of its own, stage by stage, in ``--rounds`` that go through all sizes in turn; the seconds are medians
of them, stage by stage, and the memory is the most. word2vec is left out unless ``--word2vec`` asks for it,
and is then no part of the sums. With ``--links-only`` a wiki of short texts and all its links goes through
the stages of pages, concepts, links, categories and names alone, and its titles are written as a snapshot has
them.
"""

from __future__ import annotations

import math
import shutil
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import get_context
from pathlib import Path
from statistics import median
from typing import Annotated

import msgspec
import typer
from rich.console import Console
from rich.progress import Progress

from app.cli.build import parse_size
from app.cli.progress import steps
from benchmarks.memory import PeakMemory
from benchmarks.report import Cell, Table, new_report, publish
from benchmarks.synthetic.dump import write_dump
from benchmarks.synthetic.pages import SyntheticWiki
from building.assembly import assemble
from building.build import STAGES, build_snapshot, work_folder
from building.dataset import row_count
from building.engines.local import LocalRunner
from building.stage import Build, run_stages
from building.writer import SnapshotWriter
from snapshots.manifest import checksum
from snapshots.settings import BuildSettings
from wiki.dump import Dump

WITHOUT_TEXT = ("pages", "concepts", "links", "categories", "names")
"""The stages of links and titles alone."""

APART = "word2vec"
LAST = "gathering"
"""What comes behind the stages: titles, and for a whole snapshot the checksums."""

_SHORT = 0.02
"""How long texts are where only links count, of the usual length."""


class Part(msgspec.Struct, frozen=True):
    """What a stage cost. ``peak``: the most bytes that all processes held; ``mapped``: with mapped files."""

    name: str
    seconds: float
    peak: int
    mapped: int


class Cost(msgspec.Struct, frozen=True):
    """What the build of one wiki cost, and the bytes of each table of what it made."""

    articles: int
    pages: int
    dump_bytes: int
    parts: list[Part]
    tables: dict[str, int]

    @property
    def counted(self) -> list[Part]:
        """The parts that count towards the sums."""
        return [part for part in self.parts if part.name != APART]

    @property
    def seconds(self) -> float:
        """How long the build took."""
        return sum(part.seconds for part in self.counted)

    def part(self, name: str) -> Part | None:
        """The part of that name, if the build had it."""
        return next((part for part in self.parts if part.name == name), None)


def measured_build(dump: Path, articles: int, stages: tuple[str, ...], memory: int, workers: int) -> Cost:
    """Build a snapshot of ``dump`` beside it with some of the stages, measure it, and remove it."""
    target = dump.with_name(f"{dump.name.split('-')[0]}.snapshot")
    work = work_folder(target)
    for folder in (target, work):
        shutil.rmtree(folder, ignore_errors=True)
    work.mkdir(parents=True)
    parts: list[Part] = []
    opened = Dump.open(dump)
    chosen = [stage for stage in STAGES if stage.name in stages]
    left_out = frozenset(stage.name for stage in STAGES) - set(stages)
    with LocalRunner(workers, memory, work / "scratch") as runner, steps() as shown:
        build = Build(opened, work, runner, BuildSettings(), shown.advance_to)
        source = checksum(dump)
        for place, stage in enumerate(chosen):
            build.entries.clear()  # what is finished is found again, and entered again
            with _measured(parts, stage.name):
                run_stages(build, chosen[: place + 1], source, shown.begin)
        shown.begin(LAST)
        with _measured(parts, LAST):
            if "words" in stages:
                build_snapshot(opened, target, runner, without=left_out, keep_work=True)
                written = target
            else:
                writer = SnapshotWriter(target)
                assemble(build, writer)
                written = writer.folder
    tables: Counter[str] = Counter()
    for path in written.rglob("*"):
        if path.is_file():
            name = "parquet" if path.parent != written else path.name.split(".")[0]
            tables[name] += path.stat().st_size
    pages = row_count(work / "pages" / "pages")
    for folder in (written, work):
        shutil.rmtree(folder)
    return Cost(articles, pages, opened.size, parts, dict(tables.most_common()))


def combined(costs: Sequence[Cost]) -> Cost:
    """What several builds of one wiki cost: the median seconds of each part, and its largest memory."""
    parts = [
        Part(
            same[0].name,
            median(part.seconds for part in same),
            max(part.peak for part in same),
            max(part.mapped for part in same),
        )
        for same in zip(*(cost.parts for cost in costs), strict=True)
    ]
    return msgspec.structs.replace(costs[0], parts=parts)


@contextmanager
def _measured(parts: list[Part], name: str) -> Iterator[None]:
    """Add what the ``with`` block costs."""
    start = time.perf_counter()
    with PeakMemory() as peak:
        yield
    parts.append(Part(name, time.perf_counter() - start, peak.anonymous, peak.bytes))


def exponent(articles: tuple[int, int], figures: tuple[float | None, float | None]) -> float | None:
    """The power of the number of articles that a figure grows with between two sizes; 1 is linear."""
    if not figures[0] or not figures[1]:
        return None
    return math.log(figures[1] / figures[0]) / math.log(articles[1] / articles[0])


def sizes_table(costs: list[Cost], rounds: int) -> Table:
    """A row a build: what it cost in all."""
    rows: list[tuple[Cell, ...]] = []
    for cost in costs:
        snapshot = sum(cost.tables.values())
        apart = cost.part(APART)
        rows.append(
            (
                cost.articles,
                cost.pages,
                cost.dump_bytes / 1e6,
                cost.seconds,
                apart.seconds if apart else None,
                cost.seconds / cost.articles * 1e6 / 3600,
                cost.pages / cost.seconds,
                cost.dump_bytes / 1e6 / cost.seconds,
                max(part.peak for part in cost.counted) / 1e9,
                max(part.mapped for part in cost.counted) / 1e9,
                snapshot / 1e6,
                snapshot / cost.articles / 1e3,
            )
        )
    columns = (
        *("articles", "pages", "dump, MB", "build, s", "word2vec, s", "hours a million articles"),
        *("pages/s", "MB of dump/s", "memory, GB", "with mapped files, GB", "snapshot, MB", "KB an article"),
    )
    times = "of one build" if rounds == 1 else f"the sum of each stage's median of {rounds} builds, in turns"
    note = (
        f"build: {times}. memory: the most that all processes held at a time (PSS); mapped files may be "
        "dropped by the system at any time."
    )
    return Table("sizes", "Builds of synthetic wikis", columns, rows, note)


def growth_table(
    name: str, title: str, costs: list[Cost], rows: list[str], figure: Callable[[Cost, str], float | None]
) -> Table:
    """A row for each of ``rows``, a column a size, and the exponent from the first size to the last."""
    columns = ["", *(f"{cost.articles:,}" for cost in costs)]
    made: list[tuple[Cell, ...]] = [(row, *(figure(cost, row) for cost in costs)) for row in rows]
    if len(costs) > 1:
        columns.append("exponent")
        ends = costs[0].articles, costs[-1].articles
        made = [
            (*cells, exponent(ends, (figure(costs[0], row), figure(costs[-1], row))))
            for row, cells in zip(rows, made, strict=True)
        ]
    return Table(name, title, tuple(columns), made)


def tables_of(costs: list[Cost], rounds: int = 1, prefix: str = "") -> list[Table]:
    """What full builds, or those of links alone, cost in all, by stage and by table."""
    parts = [part.name for part in costs[-1].parts]
    tables = list(costs[-1].tables)

    def seconds(cost: Cost, name: str) -> float | None:
        part = cost.part(name)
        return part.seconds if part else None

    def memory(cost: Cost, name: str) -> float | None:
        part = cost.part(name)
        return part.peak / 1e6 if part else None

    def size(cost: Cost, name: str) -> float | None:
        return cost.tables.get(name, 0) / 1e6

    growth = [
        growth_table("seconds", "Seconds by stage", costs, parts, seconds),
        growth_table("memory", "Peak memory by stage, MB", costs, parts, memory),
        growth_table("tables", "Size of the snapshot by table, MB", costs, tables, size),
    ]
    found = [sizes_table(costs, rounds), *growth]
    return [msgspec.structs.replace(table, name=prefix + table.name) for table in found]


def dump_of(wiki: SyntheticWiki, folder: Path, workers: int) -> Path:
    """The dump of a wiki, made if it is not there."""
    name = f"synthetic{wiki.articles}" + ("" if wiki.text == 1 else f"text{wiki.text}")
    path = folder / f"{name}-pages-articles-multistream.xml.bz2"
    if path.exists():
        return path
    start = time.perf_counter()
    with Progress(transient=True) as shown:
        task = shown.add_task(f"Writing {path.name}", total=wiki.streams)
        write_dump(wiki, folder, name, workers, lambda done, _: shown.update(task, completed=done))
    Console(stderr=True).print(f"{path.name}: made in {time.perf_counter() - start:.0f} s")
    return path


def main(
    articles: Annotated[list[int] | None, typer.Option(help="A size to build in full. Repeatable.")] = None,
    links_only: Annotated[
        list[int] | None, typer.Option(help="A size to build links and titles alone of. Repeatable.")
    ] = None,
    memory: Annotated[str, typer.Option(help="What the builds may use.")] = "4GB",
    workers: Annotated[int, typer.Option(help="Processes.", min=1)] = 2,
    rounds: Annotated[int, typer.Option(help="Builds of each size: the medians count.", min=1)] = 3,
    word2vec: Annotated[bool, typer.Option("--word2vec", help="Train word vectors too.")] = False,
    folder: Annotated[Path, typer.Option(help="For dumps and builds.")] = Path("synthetic"),
    json: Annotated[Path | None, typer.Option(help="Write the report there.")] = None,
) -> None:
    """Show how the time, the memory and the size of builds grow with the wiki."""
    full = tuple(stage.name for stage in STAGES if word2vec or stage.name != APART)
    wanted = [(SyntheticWiki(size), full) for size in sorted(articles or [])]
    wanted += [(SyntheticWiki(size, text=_SHORT), WITHOUT_TEXT) for size in sorted(links_only or [])]
    if not wanted:
        raise typer.BadParameter("name a size to build", param_hint="--articles")
    built: list[list[Cost]] = [[] for _ in wanted]
    dumps = [dump_of(wiki, folder, workers) for wiki, _ in wanted]
    for _ in range(rounds):
        for (wiki, stages), dump, costs in zip(wanted, dumps, built, strict=True):
            # A process of its own, so that no build counts what another one left in memory.
            with ProcessPoolExecutor(1, get_context("spawn")) as pool:
                build = pool.submit(measured_build, dump, wiki.articles, stages, parse_size(memory), workers)
                costs.append(build.result())
    tables: list[Table] = []
    for stages, prefix in ((full, ""), (WITHOUT_TEXT, "links-")):
        found = [combined(costs) for (_, of), costs in zip(wanted, built, strict=True) if of == stages]
        if found:
            tables += tables_of(found, rounds, prefix)
    subject = f"synthetic wikis, --memory {memory}, {workers} workers"
    publish(new_report("scale_build", subject, tables), json)


if __name__ == "__main__":
    typer.run(main)
