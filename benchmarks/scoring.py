"""How fast pairs of concepts are scored in process: all features and the model, on one core.

Pairs are typical (drawn evenly), popular (from the tenth of the concepts with the most in-links) or drawn by
degree (by in-links), which makes many hubs of them. Beside each stands, in the same run, a loop that does
nothing but read the rows that scoring compares; and beside the typical ones, what peers take for the same
pairs, most of them for less than all features.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Annotated, NamedTuple

import numpy as np
import typer

from benchmarks import peers
from benchmarks.report import Cell, Table, new_report, publish
from features.catalogue import FEATURES, SIGNATURES, named
from features.extract import extract
from features.feature import ConceptFeature
from jit.compiled import compiled
from measures.arrays import Array, Floats, Ints
from measures.ranks import greatest
from models.files import load
from models.protocol import RelatednessModel
from snapshots.csr import CSR
from snapshots.layout import TABLES
from snapshots.snapshot import Snapshot

ALONE = 1000
"""Pairs that are scored one at a time."""

REPEATS = 64
"""How often a pair stands in a call that tells what it costs by itself."""

READ = tuple(
    table.name
    for table in TABLES
    if table.rows == "concepts" and table.columns is not None and table.name != "comentions"
)
"""The tables whose rows are compared; in that of co-mentions a pair is one search."""


class Draw(NamedTuple):
    """Pairs of one kind, int64[n] each."""

    name: str
    left: Ints
    right: Ints


@compiled
def read_rows(indptr: Ints, entries: Array, rows: Ints) -> int:
    """The sum of every entry of some rows, as integers: the least that looking at them can cost."""
    total = 0
    for row in rows:
        for place in range(indptr[row], indptr[row + 1]):
            total += entries[place]
    return total


def floor(tables: list[CSR], left: Ints, right: Ints) -> int:
    """Read the rows of both concepts of each pair, columns and values, in some tables."""
    total = 0
    for table in tables:
        # The bits of a value, whatever it is: integers are added some at once.
        bits = [] if table.values is None else [table.values.view(f"i{table.values.itemsize}")]
        total += sum(
            read_rows(table.indptr, entries, rows)
            for entries in (table.indices, *bits)
            for rows in (left, right)
        )
    return total


def draws(snapshot: Snapshot, count: int) -> list[Draw]:
    """The three kinds of pairs, ``count`` of each, always the same."""
    chance = np.random.default_rng(1)
    degrees = snapshot.csr("in_links").sizes(np.arange(snapshot.concepts)).astype(np.float64)
    popular = greatest(degrees, max(1, snapshot.concepts // 10))
    return [
        Draw("typical", *chance.integers(0, snapshot.concepts, (2, count))),
        Draw("popular", *chance.choice(popular, (2, count))),
        Draw("by degree", *chance.choice(snapshot.concepts, (2, count), p=degrees / degrees.sum())),
    ]


def core_seconds(rounds: int, *calls: Callable[[], object]) -> list[float]:
    """The median processor time of each call. In a round each is called once, so that all meet the same."""
    for call in calls:
        call()
    times = np.empty((rounds, len(calls)))
    for of_round in times:
        for place, call in enumerate(calls):
            start = time.thread_time()
            call()
            of_round[place] = time.thread_time() - start
    medians: list[float] = np.median(times, axis=0).tolist()
    return medians


def scorer(snapshot: Snapshot, model: RelatednessModel) -> Callable[[Ints, Ints], Floats]:
    """What is measured: pairs in, scores out. It is compiled already."""
    read = named(model.reads)
    extract(snapshot, [], [], read)
    return lambda left, right: model.score(extract(snapshot, left, right, read))


def pairs_table(snapshot: Snapshot, model: RelatednessModel, drawn: list[Draw], rounds: int) -> Table:
    """Pairs a second, and how that stands to reading."""
    score, tables = scorer(snapshot, model), [snapshot.csr(name) for name in READ]
    rows: list[tuple[Cell, ...]] = []
    for name, left, right in drawn:
        scoring, reading = core_seconds(
            rounds, partial(score, left, right), partial(floor, tables, left, right)
        )
        entries = np.mean([table.sizes(side).mean() for table in tables for side in (left, right)])
        rows.append(
            (
                name,
                len(left) / scoring,
                scoring / len(left) * 1e6,
                round(float(entries) * 2 * len(tables)),
                reading / len(left) * 1e6,
                scoring / reading,
            )
        )
    return Table(
        "pairs",
        "Scoring in process, on one core",
        ("pairs", "pairs/s", "µs a pair", "entries a pair", "µs to read them", "times reading"),
        rows,
        f"{len(drawn[0].left):,} pairs a call, medians of {rounds} rounds, processor time. Reading adds up "
        "every entry, column and value, of the same rows; scoring may take less, as it searches long rows, "
        "and asks for the next ones in advance.",
    )


def alone_table(snapshot: Snapshot, model: RelatednessModel, drawn: list[Draw]) -> Table:
    """What single pairs take: each as a call of its own, and by itself."""
    score = scorer(snapshot, model)
    rows: list[tuple[Cell, ...]] = []
    for name, left, right in drawn:
        calls, costs = [], []
        for a, b in zip(left[:ALONE], right[:ALONE], strict=True):
            one, many = (np.array([a]), np.array([b])), (np.full(REPEATS, a), np.full(REPEATS, b))
            call, copies = core_seconds(3, partial(score, *one), partial(score, *many))
            calls.append(call)
            costs.append(copies / REPEATS)
        figures = [np.percentile(times, [50, 99, 100]) * 1e6 for times in (calls, costs)]
        rows.append((name, *(float(figure) for both in figures for figure in both)))
    return Table(
        "alone",
        "One pair at a time, µs",
        ("pairs", "a call", "its p99", "its most", "a pair itself", "pair p99", "pair most"),
        rows,
        f"{ALONE:,} pairs, the median of three calls of each, processor time. A call with one pair takes "
        f"what any call takes; a pair itself is one of {REPEATS} copies in a call, its rows in the cache.",
    )


def parts_table(snapshot: Snapshot, model: RelatednessModel, drawn: list[Draw], rounds: int) -> Table:
    """What each group of features takes by itself, and the model."""
    groups: dict[str, list[ConceptFeature]] = {}
    for feature in FEATURES:
        groups.setdefault(feature.group, []).append(feature)
    columns = []
    for _, left, right in drawn:
        parts = [partial(extract, snapshot, left, right, of_group) for of_group in groups.values()]
        values = extract(snapshot, left, right)
        times = np.array(core_seconds(rounds, *parts, partial(model.score, values)))
        columns.append((times / times.sum() * 100).round(1).tolist())
    return Table(
        "parts",
        "Where the time goes, %",
        ("evidence", *(name for name, _, _ in drawn)),
        list(zip([*groups, "model"], *columns, strict=True)),
        "Each group of features extracted by itself, and the model on all of them, of their sum.",
    )


def start_table(snapshot_folder: Path) -> Table:
    """How soon the kernels are there, in a process of its own: before any has compiled them, and after."""
    script = f"""if True:
        import time
        start = time.perf_counter()
        from features.extract import extract
        from snapshots.snapshot import Snapshot
        imported = time.perf_counter()
        extract(Snapshot.open({str(snapshot_folder)!r}), [], [])
        print(imported - start, time.perf_counter() - imported)"""
    rows: list[tuple[Cell, ...]] = []
    with tempfile.TemporaryDirectory() as cache:
        for name in ("nothing compiled yet", "compiled by another process"):
            environment = {**os.environ, "NUMBA_CACHE_DIR": cache}
            run = subprocess.run(
                [sys.executable, "-c", script], env=environment, capture_output=True, text=True, check=True
            )
            rows.append((name, *map(float, run.stdout.split())))
    return Table(
        "start",
        "Until the first pair can be scored, s",
        ("", "to import", "to have the kernels"),
        rows,
        "Wall time of a process of its own, one run each.",
    )


def main(
    snapshot_folder: Annotated[Path, typer.Argument(metavar="SNAPSHOT", help="A snapshot's folder.")],
    model_file: Annotated[Path, typer.Argument(metavar="MODEL", help="A model file.")],
    pairs: Annotated[int, typer.Option(help="Pairs of each kind.")] = 20_000,
    rounds: Annotated[int, typer.Option(help="Rounds, of which medians are taken.")] = 7,
    peer_python: Annotated[
        list[Path] | None,
        typer.Option(help="A Python that has wikipedia2vec or sentence-transformers. Repeatable."),
    ] = None,
    encoder: Annotated[Path | None, typer.Option(help="A folder with a sentence encoder.")] = None,
    json: Annotated[Path | None, typer.Option(help="Write the report there, too.")] = None,
) -> None:
    """Print pairs a second, beside reading the same rows, and beside what peers take."""
    snapshot = Snapshot.open(snapshot_folder)
    model = load(model_file, SIGNATURES)
    drawn = draws(snapshot, pairs)
    _, left, right = drawn[0]
    of_peers, notes = peers.table(
        snapshot, scorer(snapshot, model), model, left, right, peer_python or [], encoder
    )
    publish(
        new_report(
            "scoring",
            f"{snapshot.id}, {snapshot.concepts:,} concepts; {len(FEATURES)} features",
            [
                pairs_table(snapshot, model, drawn, rounds),
                alone_table(snapshot, model, drawn),
                parts_table(snapshot, model, drawn, rounds),
                of_peers,
                start_table(snapshot_folder),
            ],
            notes,
        ),
        json,
    )


if __name__ == "__main__":
    typer.run(main)
