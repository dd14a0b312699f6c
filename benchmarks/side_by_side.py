"""What one model takes beside another: in process, and over HTTP, in one run.

    python -m benchmarks.side_by_side SNAPSHOT --model MODEL --model OTHER [--json FILE]

The models take turns, round by round, so that whatever else the machine does meets all of them; servers of
all run at once, and each is asked in its turn. Times are of the processor: of this thread in process, of the
server over HTTP.
"""

from __future__ import annotations

from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Annotated

import numpy as np
import typer

from app.scoring.concepts import Scorer
from benchmarks.http_load import KINDS, drawn
from benchmarks.report import Cell, Table, new_report, publish
from benchmarks.scale_serving import BATCH
from benchmarks.scoring import core_seconds, draws, scorer
from benchmarks.server import asking, processor_seconds, running
from features.catalogue import SIGNATURES
from models.files import load
from models.protocol import RelatednessModel
from snapshots.snapshot import Snapshot

LONG, SHORT = 20, 1_000
"""Requests of a thousand pairs, and of one, in a round."""


def in_process(snapshot: Snapshot, models: list[RelatednessModel], pairs: int, rounds: int) -> Table:
    """Pairs a second of each model and each kind of pairs, and the share of what the first one does."""
    scorers = [scorer(snapshot, model.weighed) for model in models]  # as a server scores
    rates: list[list[float]] = [[] for _ in models]
    kinds = draws(snapshot, pairs)
    for _, left, right in kinds:
        taken = core_seconds(rounds, *(partial(score, left, right) for score in scorers))
        for of_model, seconds in zip(rates, taken, strict=True):
            of_model.append(pairs / seconds)
    return Table(
        "process",
        "Pairs a second in process, on one core",
        ("model", *(cell for name, *_ in kinds for cell in (name, "of the first"))),
        [_shares(model.name, of_model, rates[0]) for model, of_model in zip(models, rates, strict=True)],
        f"{pairs:,} pairs a call, medians of {rounds} rounds.",
    )


def over_http(snapshot: Path, files: list[Path], models: list[RelatednessModel], rounds: int) -> Table:
    """Pairs a second of the server's processor, in long requests and in short ones."""
    of_snapshot = drawn(Scorer.open(snapshot, files[0]))
    long, short = of_snapshot.bodies(KINDS[3])[:LONG], of_snapshot.bodies(KINDS[0])[:SHORT]
    asked = ((long, LONG * BATCH), (short, SHORT))
    with ExitStack() as stack:
        servers = [stack.enter_context(running(snapshot, file)) for file in files]
        asks = [stack.enter_context(asking(server)) for server in servers]
        taken = np.empty((rounds + 1, len(files), len(asked)))
        for of_round in taken:
            for server, ask, of_server in zip(servers, asks, of_round, strict=True):
                for place, (bodies, _) in enumerate(asked):
                    before = processor_seconds(server.process)
                    for body in bodies:
                        ask(body)
                    of_server[place] = processor_seconds(server.process) - before
    # The first round does not count: rows are read from the disk.
    rates = (np.array([pairs for _, pairs in asked]) / np.median(taken[1:], axis=0)).tolist()
    names = f"{BATCH:,} pairs a request", "one pair a request"
    return Table(
        "http",
        "Pairs a second of the server's processor, over HTTP",
        ("model", *(cell for name in names for cell in (name, "of the first"))),
        [_shares(model.name, each, rates[0]) for model, each in zip(models, rates, strict=True)],
        f"{LONG} requests of {BATCH:,} pairs of titles a round, and {SHORT:,} of one; medians of {rounds} "
        "rounds.",
    )


def _shares(name: str, rates: list[float], first: list[float]) -> tuple[Cell, ...]:
    both = ((rate, rate / of_first) for rate, of_first in zip(rates, first, strict=True))
    return (name, *(cell for pair in both for cell in pair))


def main(
    snapshot_folder: Annotated[Path, typer.Argument(metavar="SNAPSHOT", help="A snapshot's folder.")],
    model: Annotated[list[Path], typer.Option(help="A model file; the first is what others stand beside.")],
    pairs: Annotated[int, typer.Option(help="Pairs of each kind.")] = 20_000,
    rounds: Annotated[int, typer.Option(help="Rounds, of which medians are taken.")] = 7,
    json: Annotated[Path | None, typer.Option(help="Write the report there, too.")] = None,
) -> None:
    """Print pairs a second of each model, in process and over HTTP."""
    snapshot, models = Snapshot.open(snapshot_folder), [load(file, SIGNATURES) for file in model]
    tables = [
        in_process(snapshot, models, pairs, rounds),
        over_http(snapshot_folder, model, models, rounds),
    ]
    publish(new_report("side_by_side", f"{snapshot.id}, {snapshot.concepts:,} concepts", tables), json)


if __name__ == "__main__":
    typer.run(main)
