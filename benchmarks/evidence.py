"""How long the evidence behind a pair takes to gather, and its percentiles to find.

Pairs are drawn evenly; so that one article links to the other; or all of the sixty concepts with the most
in-links. The evidence is what explanations show, and stands beside scoring the pair alone.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from itertools import combinations
from pathlib import Path
from typing import Annotated

import numpy as np
import typer

from app.scoring.percentiles import SAMPLE, PercentileScale, linked_pairs, random_pairs
from app.scoring.reasons import pair_evidence
from benchmarks.report import Cell, Table, median_seconds, new_report, publish
from features.catalogue import SIGNATURES, named
from features.extract import extract
from measures.ranks import greatest
from models.files import load
from models.protocol import RelatednessModel
from snapshots.snapshot import Snapshot

PAIRS = 2000
HUBS = 60
PERCENTILES = 1000


def microseconds(work: Callable[[int, int], object], pairs: list[tuple[int, int]]) -> list[float]:
    """The processor time that a pair takes, when worked on again: median, 99th percentile, most."""
    times = []
    for pair in pairs:
        work(*pair)
    for pair in pairs:
        start = time.thread_time()
        work(*pair)
        times.append((time.thread_time() - start) * 1e6)
    figures: list[float] = np.percentile(times, [50, 99, 100]).round().tolist()
    return figures


def evidence_table(snapshot: Snapshot, model: RelatednessModel) -> Table:
    """What the evidence of a pair takes, and its score alone."""
    extract(snapshot, [], [])  # compiles
    in_links = snapshot.csr("in_links").sizes(np.arange(snapshot.concepts))
    hubs = greatest(in_links, HUBS).tolist()
    drawn = {
        name: list(zip(*(side.tolist() for side in pairs), strict=True))
        for name, pairs in (
            ("random", random_pairs(snapshot.concepts, PAIRS)),
            ("linked", linked_pairs(snapshot, PAIRS)),
        )
    } | {"hubs": list(combinations(hubs, 2))}
    read = named(model.reads)
    rows: list[tuple[Cell, ...]] = [
        (
            name,
            *microseconds(partial(pair_evidence, snapshot), pairs),
            *microseconds(lambda a, b: model.score(extract(snapshot, [a], [b], read)), pairs),
        )
        for name, pairs in drawn.items()
    ]
    return Table(
        "evidence",
        "The evidence behind a pair, and its score alone, µs",
        ("pairs", "evidence", "p99", "most", "score", "p99", "most"),
        rows,
        f"Processor time of a call with one pair. The most in-links are {int(in_links[hubs[0]]):,}.",
    )


def percentiles_table(snapshot: Snapshot, model: RelatednessModel) -> Table:
    """What percentiles take, the first and the others."""
    scale = PercentileScale(snapshot, model)
    scores = np.random.default_rng(1).random(PERCENTILES)
    start = time.perf_counter()
    scale.of(scores)
    first = time.perf_counter() - start
    later = median_seconds(lambda: scale.of(scores))
    return Table(
        "percentiles",
        f"{PERCENTILES:,} percentiles, s",
        ("", "seconds"),
        [("the first", first), ("later", later)],
        f"The first wait for two samples of {SAMPLE:,} pairs.",
    )


def main(
    snapshot_folder: Annotated[Path, typer.Argument(metavar="SNAPSHOT", help="A snapshot's folder.")],
    model_file: Annotated[Path, typer.Argument(metavar="MODEL", help="A model file.")],
    json: Annotated[Path | None, typer.Option(help="Write the report there, too.")] = None,
) -> None:
    """Print what the evidence behind a pair takes, and its percentiles."""
    snapshot = Snapshot.open(snapshot_folder)
    model = load(model_file, SIGNATURES)
    tables = [evidence_table(snapshot, model), percentiles_table(snapshot, model)]
    publish(new_report("evidence", f"{snapshot.id}, {snapshot.concepts:,} concepts", tables), json)


if __name__ == "__main__":
    typer.run(main)
