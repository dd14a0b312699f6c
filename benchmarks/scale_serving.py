"""How scoring and serving grow with the wiki: one row a snapshot, the rows of the tables beside it.

    python -m benchmarks.scale_serving ENGLISH SYNTHETIC_1M SYNTHETIC_7M --model MODEL

Snapshots of any size come from ``benchmarks.synthetic.tables``. Scoring is measured in a process of its own,
on one core; serving over HTTP on 127.0.0.1, with client and server on the same machine. Cold means that the
kernel was told to forget the snapshot's files before (``posix_fadvise``); what a virtual disk keeps in the
memory of its host stays there.
"""

from __future__ import annotations

import json as jsons
import os
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import Annotated, NamedTuple, TypeVar

import numpy as np
import typer

from app.scoring.concepts import Scorer
from benchmarks.memory import memory_of
from benchmarks.report import Cell, Table, median_seconds, new_report, publish
from benchmarks.scoring import READ, core_seconds, floor
from benchmarks.server import asking, running
from measures.arrays import Ints
from snapshots.snapshot import Snapshot

T = TypeVar("T")

PAIRS = 20_000
"""Pairs that are scored in process, again and again."""

HUBS = 2_000
"""Pairs of concepts drawn by their in-links, which may be hundreds of thousands."""

FIRST = 2_000
"""Pairs that are scored once, when their rows have not been read before."""

BATCH = 1_000
"""Pairs in a request."""

ROUNDS = 5
WORKERS = (1, 2, 4)


class Effort(NamedTuple):
    """How much of serving is measured.

    ``batches``, ``single``: requests with ``BATCH`` pairs, and with one. ``starts``: starts of a server that
    are timed. ``workers``: the servers whose memory is taken, by their workers.
    """

    batches: int = 20
    single: int = 1_000
    starts: int = 5
    workers: tuple[int, ...] = WORKERS


class Known(NamedTuple):
    """What a snapshot is: entries of its text tables a concept, bytes on disk; and titles to ask for."""

    id: str
    concepts: int
    links: int
    entries: dict[str, float]
    bytes: int
    titles: list[str]


class Scored(NamedTuple):
    """Scoring in process; of typical pairs and those by links, pairs a second and how many times reading."""

    open_seconds: float
    first_seconds: float
    typical: tuple[float, float] = (0.0, 0.0)
    by_links: tuple[float, float] = (0.0, 0.0)
    titles_a_second: float = 0.0


class Asked(NamedTuple):
    """Serving: seconds from the start until ready and of the first request, pairs a second, one pair's ms."""

    start_seconds: float
    first_seconds: float
    pairs_a_second: float = 0.0
    p50: float = 0.0
    p99: float = 0.0


class Held(NamedTuple):
    """Megabytes: PSS of the first process, where it is no worker, and of all workers; and of one worker."""

    first: float
    workers: float
    private: float
    anonymous: float


def known(folder: Path, titles: int = 2 * BATCH * Effort().batches) -> Known:
    """What the snapshot in ``folder`` is, with so many ``titles`` to ask for."""
    snapshot = Snapshot.open(folder)
    names = ("tfidf", "esa", "contexts", "comentions")
    entries = {name: snapshot.csr(name).entries / snapshot.concepts for name in names}
    in_bytes = sum(entry.size for entry in snapshot.manifest.files.values())
    drawn = np.random.default_rng(2).integers(0, snapshot.concepts, titles)
    asked = [snapshot.concept_titles[concept] for concept in drawn.tolist()]
    return Known(snapshot.id, snapshot.concepts, snapshot.csr("out_links").entries, entries, in_bytes, asked)


def scored(folder: Path, model: Path, cold: bool) -> Scored:
    """Scoring on one core; of a ``cold`` snapshot only what is read first. To be called in a new process."""
    opened = _seconds(lambda: Scorer.open(folder, model))
    scorer = Scorer.open(folder, model)
    scorer.score([])  # compiles
    snapshot, chance = scorer.snapshot, np.random.default_rng(1)
    left, right = chance.integers(0, snapshot.concepts, (2, PAIRS))
    first = _seconds(lambda: scorer.relatedness(left[:FIRST], right[:FIRST]))
    if cold:
        return Scored(opened, first)
    # A link's target is a concept drawn by its in-links.
    links = snapshot.csr("out_links").indices
    drawn = links[chance.integers(0, len(links), 2 * HUBS)].astype(np.int64)
    # Those of an excerpt may lead beyond its rows.
    hubs = np.resize(drawn[drawn < snapshot.concepts], (2, HUBS))
    titles = [snapshot.concept_titles[row] for row in left.tolist()]
    looked_up = median_seconds(lambda: scorer.resolver.resolve_many(titles))
    typical, by_links = (_rates(scorer, *pairs) for pairs in ((left, right), hubs))
    return Scored(opened, first, typical, by_links, len(titles) / looked_up)


def _rates(scorer: Scorer, left: Ints, right: Ints) -> tuple[float, float]:
    """Pairs a second, and how many times as long they take as reading their rows."""
    tables = [scorer.snapshot.csr(name) for name in READ]
    scoring, reading = core_seconds(
        ROUNDS, lambda: scorer.relatedness(left, right), lambda: floor(tables, left, right)
    )
    return len(left) / scoring, scoring / reading


def served(folder: Path, model: Path, titles: list[str], cold: bool, effort: Effort) -> Asked:
    """Serving with one worker; of a ``cold`` snapshot only the starts and the first request."""
    ends = iter(titles)
    batches = [_request(ends, BATCH) for _ in range(1 if cold else effort.batches)]
    starts = []
    for _ in range(effort.starts):
        if cold:
            forget(folder)
        with running(folder, model) as server:
            starts.append(server.start_seconds)
    start = float(np.median(starts))
    if cold:
        forget(folder)
    with running(folder, model) as server, asking(server) as ask:
        first = _seconds(partial(ask, batches[0]))
        if cold:
            return Asked(start, first)
        # Those of the second round have their rows in memory, and so have the first pairs of it.
        for _ in range(2):
            taken = [_seconds(partial(ask, batch)) for batch in batches]
        again = iter(titles)
        each = [1000 * _seconds(partial(ask, _request(again, 1))) for _ in range(effort.single)]
    p50, p99 = np.percentile(each, [50, 99]).tolist()
    return Asked(start, first, BATCH / float(np.median(taken)), p50, p99)


def held(folder: Path, model: Path, titles: list[str], workers: int) -> Held:
    """The memory of a server whose workers were all asked for the same."""
    batches = [_request(iter(titles), BATCH)] * 10
    with running(folder, model, workers) as server:
        # Whichever worker is free takes a connection: of so many each has some.
        for batch in batches * workers:
            with asking(server) as ask:
                ask(batch)
        each = [memory_of(worker) for worker in server.workers]
        first = memory_of(server.process)["all"] if server.process not in server.workers else 0
    total, private, anonymous = (sum(one[kind] for one in each) for kind in ("all", "private", "anonymous"))
    return Held(first / 1e6, total / 1e6, private / 1e6 / workers, anonymous / 1e6 / workers)


def _request(titles: Iterator[str], pairs: int) -> bytes:
    asked = [{"left": next(titles), "right": next(titles)} for _ in range(pairs)]
    return jsons.dumps({"pairs": asked}).encode()


def _seconds(call: Callable[[], object]) -> float:
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


def forget(folder: Path) -> None:
    """Have the kernel forget the files of a snapshot that no process has mapped."""
    for path in folder.rglob("*"):
        if path.is_file():
            descriptor = os.open(path, os.O_RDONLY)
            os.posix_fadvise(descriptor, 0, 0, os.POSIX_FADV_DONTNEED)
            os.close(descriptor)


def apart(call: Callable[[], T]) -> T:
    """What a call returns, made in a new process, which keeps no file mapped."""
    with ProcessPoolExecutor(1, get_context("spawn")) as pool:
        return pool.submit(call).result()


class Row(NamedTuple):
    """What was measured of one snapshot; memory by the number of workers."""

    known: Known
    cold: Scored
    warm: Scored
    asked_cold: Asked
    asked: Asked
    memory: list[tuple[int, Held]]


def measured(folder: Path, model: Path, effort: Effort = Effort()) -> Row:  # noqa: B008  # it is frozen
    """Measure one snapshot."""
    of = apart(partial(known, folder))
    forget(folder)
    cold = apart(partial(scored, folder, model, cold=True))
    warm = apart(partial(scored, folder, model, cold=False))
    asked = served(folder, model, of.titles, cold=False, effort=effort)
    memory = [(workers, held(folder, model, of.titles, workers)) for workers in effort.workers]
    asked_cold = served(folder, model, of.titles, cold=True, effort=effort)
    return Row(of, cold, warm, asked_cold, asked, memory)


def tables_of(rows: list[Row]) -> list[Table]:
    """The figures, a row a snapshot, named by its size."""

    def table(name: str, title: str, figures: dict[str, Callable[[Row], Cell]], note: str) -> Table:
        lines = [(f"{row.known.concepts:,} concepts", *(of(row) for of in figures.values())) for row in rows]
        return Table(name, title, ("snapshot", *figures), lines, note)

    size = table(
        "size",
        "The snapshots",
        {
            "links": lambda row: row.known.links,
            "entries of tf-idf": lambda row: row.known.entries["tfidf"],
            "of ESA": lambda row: row.known.entries["esa"],
            "of PMI": lambda row: row.known.entries["contexts"],
            "of co-mentions": lambda row: row.known.entries["comentions"],
            "GB on disk": lambda row: row.known.bytes / 1e9,
        },
        "Entries a concept, in the mean.",
    )
    scoring = table(
        "scoring",
        "Scoring in process, one core",
        {
            "open, ms": lambda row: 1000 * row.warm.open_seconds,
            "open cold, ms": lambda row: 1000 * row.cold.open_seconds,
            "typical pairs/s": lambda row: row.warm.typical[0],
            "times reading": lambda row: row.warm.typical[1],
            "pairs/s by in-links": lambda row: row.warm.by_links[0],
            "times reading them": lambda row: row.warm.by_links[1],
            f"first {FIRST:,} pairs cold, s": lambda row: row.cold.first_seconds,
            "titles/s": lambda row: row.warm.titles_a_second,
        },
        f"Processor time, medians of {ROUNDS} rounds of the same {PAIRS:,} pairs; of {HUBS:,} by in-links, "
        "both concepts of which are drawn so. What is cold is timed by the clock.",
    )
    serving = table(
        "serving",
        "One worker over HTTP",
        {
            "start, s": lambda row: row.asked.start_seconds,
            "start cold, s": lambda row: row.asked_cold.start_seconds,
            f"first {BATCH:,} pairs cold, s": lambda row: row.asked_cold.first_seconds,
            f"pairs/s, {BATCH:,} a request": lambda row: row.asked.pairs_a_second,
            "share of in process": lambda row: row.asked.pairs_a_second / row.warm.typical[0],
            "one pair, p50 ms": lambda row: row.asked.p50,
            "p99 ms": lambda row: row.asked.p99,
        },
        f"From the command to the first 200 of /ready, medians of {Effort().starts}. One client, "
        "which asks again when it is answered.",
    )
    memory = Table(
        "memory",
        "Memory of servers, MB",
        ("snapshot", "workers", "all, PSS", "each further worker, PSS", "a worker, private", "anonymous"),
        [line for row in rows for line in _memory(row)],
        f"After {10 * BATCH:,} pairs a worker, the same {BATCH:,} again and again. PSS counts a page that "
        "several processes map once in all; pages of the snapshot are among it. Several workers have a "
        "process that starts them, which is in all.",
    )
    return [size, scoring, serving, memory]


def _memory(row: Row) -> Iterator[tuple[Cell, ...]]:
    fewer: tuple[int, float] | None = None
    for workers, held in row.memory:
        further = None if fewer is None else (held.workers - fewer[1]) / (workers - fewer[0])
        amounts = (held.first + held.workers, further, held.private, held.anonymous)
        yield f"{row.known.concepts:,} concepts", workers, *amounts
        fewer = workers, held.workers


def main(
    snapshots: Annotated[list[Path], typer.Argument(help="Snapshot folders, the smallest first.")],
    model: Annotated[Path, typer.Option(help="The model file to score with.")],
    json: Annotated[Path | None, typer.Option(help="A file to write the report to.")] = None,
) -> None:
    """Measure scoring and serving on snapshots of several sizes."""
    rows = [measured(folder, model) for folder in snapshots]
    subject = ", ".join(row.known.id for row in rows)
    publish(new_report("scale_serving", subject, tables_of(rows)), json)


if __name__ == "__main__":
    typer.run(main)
