"""How fast pairs are scored in process, beside a loop that only reads the same rows.

``python -m benchmarks.scoring SNAPSHOT MODEL`` scores typical pairs (drawn evenly), popular ones (from
the tenth of the concepts with the most in-links) and pairs drawn by in-links, on one core. It prints the
median of some rounds as JSON: pairs a second of the features and the model, and how many times longer
that takes than reading every entry of the two concepts' rows once.
"""

from __future__ import annotations

import json
import os
import platform
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from features.catalogue import SIGNATURES
from features.extract import extract
from models.model import Model
from tables.compiled import compiled
from tables.csr import CSR
from tables.layout import TABLES
from tables.snapshot import Snapshot

PAIRS = 20_000
ROUNDS = 5
READ = tuple(table.name for table in TABLES if table.rows == "concepts" and table.columns is not None)


@compiled
def read_rows(indptr: NDArray[Any], indices: NDArray[Any], rows: NDArray[Any]) -> int:
    """The sum of every entry of some rows: the least that looking at them can cost."""
    total = 0
    for row in rows:
        for place in range(indptr[row], indptr[row + 1]):
            total += indices[place]
    return total


def floor(tables: list[CSR], left: NDArray[np.int64], right: NDArray[np.int64]) -> int:
    """Read the rows of both concepts of each pair in every sparse table of concepts."""
    return sum(read_rows(t.indptr, t.indices, rows) for t in tables for rows in (left, right))


def seconds(call: Callable[[], object]) -> float:
    """The median wall time of some calls, after one that does not count."""
    call()
    times = []
    for _ in range(ROUNDS):
        start = time.perf_counter()
        call()
        times.append(time.perf_counter() - start)
    return statistics.median(times)


def main(snapshot_folder: str, model_file: str) -> None:
    """Print the figures."""
    snapshot = Snapshot.open(snapshot_folder)
    model = Model.load(Path(model_file), SIGNATURES)
    tables = [snapshot.csr(name) for name in READ]
    in_links = snapshot.csr("in_links").sizes(np.arange(snapshot.concepts)).astype(np.float64)
    popular = np.argsort(-in_links)[: snapshot.concepts // 10]
    chance = np.random.default_rng(1)
    draws: dict[str, Callable[[], NDArray[np.int64]]] = {
        "typical": lambda: chance.integers(0, snapshot.concepts, PAIRS),
        "popular": lambda: chance.choice(popular, PAIRS),
        "by in-links": lambda: chance.choice(snapshot.concepts, PAIRS, p=in_links / in_links.sum()),
    }
    figures: dict[str, Any] = {}
    for name, draw in draws.items():
        left, right = draw(), draw()

        def score(left: NDArray[np.int64] = left, right: NDArray[np.int64] = right) -> object:
            return model.score(extract(snapshot, left, right))

        scoring = seconds(score)
        reading = seconds(lambda left=left, right=right: floor(tables, left, right))  # type: ignore[misc]
        figures[name] = {
            "pairs_a_second": round(PAIRS / scoring),
            "times_reading": round(scoring / reading, 1),
        }
    print(
        json.dumps(
            {
                "snapshot": snapshot.id,
                "machine": f"{platform.machine()}, {os.cpu_count()} cores, one used",
                "load": os.getloadavg()[0],
                "figures": figures,
            },
            indent=2,
        )
    )


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(sys.argv[1], sys.argv[2])
