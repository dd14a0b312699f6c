"""How many pairs a second ``wort.open`` scores in the process that asks, on one core.

    python -m benchmarks.in_process [SNAPSHOT] [--model MODEL]

Pairs come as columns, drawn evenly. Times are of the processor, of the thread that asks.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Annotated

import numpy as np
import typer

import wort
from app.serving.starter import snapshot_path
from benchmarks.report import Cell, Table, new_report, publish
from snapshots.snapshot import Snapshot

ROUNDS = 7


def main(
    snapshot: Annotated[Path | None, typer.Argument(help="A snapshot's folder, else the starter.")] = None,
    model: Annotated[Path | None, typer.Option(help="A model's file or name.")] = None,
    pairs: Annotated[int, typer.Option(help="Pairs of a call.")] = 100_000,
    json: Annotated[Path | None, typer.Option(help="Write the report there, too.")] = None,
) -> None:
    """Print pairs a second, by what the pairs are named by."""
    opened = Snapshot.open(snapshot or snapshot_path())
    with wort.open(snapshot, model) as asked:
        draw = np.random.default_rng(1)
        by_id = opened.array("page_ids")[: opened.concepts - opened.page_ids.invented]
        ids = draw.choice(by_id, (2, pairs))
        concepts = draw.integers(0, opened.concepts, (2, pairs))
        titles = [opened.concept_titles.many(side.tolist()) for side in concepts]
        calls: dict[str, Callable[[], object]] = {
            "score, by page ids": partial(asked.score, *ids),
            "features, by page ids": partial(asked.features, *ids),
            "score, by titles": partial(asked.score, *titles),
            "score, by titles as an array": partial(asked.score, *map(np.array, titles)),
        }
        rows: list[tuple[Cell, ...]] = [(name, round(pairs / _least(call))) for name, call in calls.items()]
        scored_by = asked.model.name
    table = Table(
        "in_process",
        f"{pairs:,} pairs a call, by {scored_by}",
        ("", "pairs/s"),
        rows,
        f"The best of {ROUNDS} rounds, processor time of one thread.",
    )
    publish(new_report("in_process", f"{opened.id}, {opened.concepts:,} concepts", [table]), json)


def _least(call: Callable[[], object]) -> float:
    """The least processor time of a call, in seconds, once it has been called."""
    call()
    times = []
    for _ in range(ROUNDS):
        start = time.thread_time()
        call()
        times.append(time.thread_time() - start)
    return min(times)


if __name__ == "__main__":
    typer.run(main)
