"""How long the evidence behind a pair takes to gather, and its percentiles to find.

``python -m benchmarks.evidence SNAPSHOT MODEL`` takes pairs drawn evenly, pairs of which one article links to
the other, and all pairs of the sixty concepts with the most in-links. It prints as JSON the microseconds of
processor time a pair of ``pair_evidence`` (median, 99th percentile, the most), beside those of scoring the
pair alone; the seconds until the samples behind the percentiles are scored; and the microseconds that 1,000
percentiles take.
"""

from __future__ import annotations

import json
import os
import platform
import sys
import time
from collections.abc import Callable
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np

from app.scoring.percentiles import SAMPLE, PercentileScale, linked_pairs, random_pairs
from app.scoring.reasons import pair_evidence
from benchmarks.scoring import seconds
from features.catalogue import SIGNATURES
from features.extract import extract
from models.model import Model
from tables.snapshot import Snapshot

PAIRS = 2000
HUBS = 60


def microseconds(work: Callable[[int, int], object], pairs: list[tuple[int, int]]) -> dict[str, int]:
    """What each pair takes, the second time it is worked on."""
    times = []
    for pair in pairs:
        work(*pair)
    for pair in pairs:
        start = time.thread_time()
        work(*pair)
        times.append((time.thread_time() - start) * 1e6)
    median, late, most = np.percentile(times, [50, 99, 100])
    return {"median": round(median), "p99": round(late), "most": round(most)}


def main(folder: str, model_file: str) -> None:
    """Print the figures."""
    snapshot = Snapshot.open(folder)
    model = Model.load(Path(model_file), SIGNATURES)
    extract(snapshot, [], [])  # compiles
    in_links = snapshot.csr("in_links").sizes(np.arange(snapshot.concepts))
    hubs = np.argsort(-in_links, kind="stable")[:HUBS].tolist()
    drawn = {
        name: list(zip(*(side.tolist() for side in pairs), strict=True))
        for name, pairs in (
            ("random", random_pairs(snapshot.concepts, PAIRS)),
            ("linked", linked_pairs(snapshot, PAIRS)),
        )
    } | {"hubs": list(combinations(hubs, 2))}
    figures: dict[str, Any] = {
        name: {
            "evidence": microseconds(lambda a, b: pair_evidence(snapshot, a, b), pairs),
            "score": microseconds(lambda a, b: model.score(extract(snapshot, [a], [b])), pairs),
        }
        for name, pairs in drawn.items()
    }
    scale = PercentileScale(snapshot, model)
    scores = np.random.default_rng(1).random(1000)
    first = time.perf_counter()
    scale.of(scores)
    first = time.perf_counter() - first
    print(
        json.dumps(
            {
                "snapshot": snapshot.id,
                "machine": f"{platform.machine()}, {os.cpu_count()} cores, one used",
                "load": os.getloadavg()[0],
                "most in-links": int(in_links[hubs[0]]),
                "microseconds a pair": figures,
                "percentiles": {
                    "pairs of each sample": SAMPLE,
                    "seconds until the first": round(first, 2),
                    "microseconds for 1,000": round(seconds(lambda: scale.of(scores)) * 1e6),
                },
            },
            indent=2,
        )
    )


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(sys.argv[1], sys.argv[2])
