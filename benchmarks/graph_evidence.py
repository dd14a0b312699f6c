"""The table of docs/graph-evidence.md: what measures of the link graph add to a model.

``python -m benchmarks.graph_evidence SNAPSHOT PAIRS [COSINES]`` prints it as Markdown, from a file of
judgements with topics: each measure alone, and what it adds, itself and its logarithm, to the design
``default`` and to that with a sentence encoder's cosines. ``COSINES`` is a CSV file with the columns left,
right, topic, title, cross and lead: a row for each pair of ``PAIRS``, the pair's titles and topic as there,
and three cosines of the encoder. Every prediction is out of fold, one topic left out; no weight is below 0.
"""

from __future__ import annotations

import csv
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from benchmarks.measured_features import RESAMPLES, SEED, shown, table
from features.extract import extract
from measures.arrays import Bools, Floats
from models.additive import TRANSFORMS
from papers.graph.evidence import graph_measures
from snapshots.naming.resolver import Resolver
from snapshots.snapshot import Snapshot
from training.benchmarks.read import read_benchmark
from training.coverage import CoveredPairs, Resolves, cover
from training.design import DESIGNS
from training.errors import NotABenchmark
from training.fit import design_matrix, out_of_fold
from training.statistics import bootstrap
from training.statistics.correlation import CORRELATIONS
from training.statistics.significance import Clusters, compare, shown_p

COSINES = ("title", "cross", "lead")

WORTH = 0.0005
"""A gain below this is none, whatever its interval."""


def cosines_of(path: Path, pairs: CoveredPairs, resolver: Resolves) -> Floats:
    """The encoder's cosines of each pair, and the squares of those above 0: float64[n, 6].

    Raises:
        NotABenchmark: the file has none of some pair, or lacks a column.
    """
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    missing = {"left", "right", "topic", *COSINES} - set(rows[0] if rows else ())
    if missing:
        raise NotABenchmark(f"{path} has no column {', '.join(sorted(missing))}.")
    ids = [
        [found.concept for found in resolver.resolve_many([row[side] for row in rows])]
        for side in ("left", "right")
    ]
    known = {
        (*key, row["topic"]): [float(row[name]) for name in COSINES]
        for key, row in zip(zip(*ids, strict=True), rows, strict=True)
    }
    asked = [
        (a, b, pairs.topics[topic])
        for a, b, topic in zip(pairs.left.tolist(), pairs.right.tolist(), pairs.topic.tolist(), strict=True)
    ]
    unknown = sum(key not in known for key in asked)
    if unknown:
        raise NotABenchmark(f"{path} has no cosines of {unknown:,} pairs. Make it of the same file of pairs.")
    values = np.array([known[key] for key in asked])
    return np.column_stack([values, np.maximum(values, 0.0) ** 2])


def added(
    values: Floats, designs: Sequence[Floats], without: Sequence[Floats], pairs: CoveredPairs, chosen: Bools
) -> Iterator[str]:
    """The cells of a measure: alone, then what it adds to each design, as Pearson and Spearman.

    A gain that reaches ``WORTH`` has its interval, whole topics resampled, and the p of Steiger's Z.
    """
    yield " / ".join(shown(of(values, pairs.scores)) for of in CORRELATIONS.values())
    clusters = Clusters(pairs.topic, bootstrap.draws(len(pairs.topics), RESAMPLES, SEED))
    for design, before in zip(designs, without, strict=True):
        wider = np.column_stack([design, values, TRANSFORMS["log1p20"].apply(values)])
        after = out_of_fold(wider, pairs.scores, pairs.topic, "non-negative", chosen=chosen)
        for kind in CORRELATIONS:
            gained = CORRELATIONS[kind](after, pairs.scores) - CORRELATIONS[kind](before, pairs.scores)
            gain = shown(gained, signed=True)
            if gained < WORTH:
                yield gain
                continue
            found = compare(after, before, pairs.scores, kind, clusters=clusters)
            ends = f"{shown(found.low, signed=True)} to {shown(found.high, signed=True)}"
            yield f"{gain} ({ends}; {shown_p(found.log10_p)})"


def main(folder: Path, judgements: Path, cosines: Path | None = None) -> None:
    """Print the table."""
    snapshot = Snapshot.open(folder)
    resolver = Resolver.open(snapshot)
    pairs, coverage = cover(read_benchmark(judgements, "train"), resolver)
    chosen = ~pairs.identical
    designs = {"default": design_matrix(extract(snapshot, pairs.left, pairs.right), DESIGNS["default"])}
    if cosines is not None:
        designs["with cosines"] = np.column_stack([designs["default"], cosines_of(cosines, pairs, resolver)])
    without = [
        out_of_fold(design, pairs.scores, pairs.topic, "non-negative", chosen=chosen)
        for design in designs.values()
    ]
    print(f"{snapshot.id}: {len(pairs.scores):,} of {coverage.pairs:,} pairs, {len(pairs.topics)} topics\n")
    for name, before in zip(designs, without, strict=True):
        figures = " / ".join(shown(of(before, pairs.scores)) for of in CORRELATIONS.values())
        print(f"- {name}: {figures}")
    head = ("measure", "alone", *(f"{kind}, to {name}" for name in designs for kind in ("r", "ρ")))
    rows = (
        (name, *added(values, list(designs.values()), without, pairs, chosen))
        for name, values in graph_measures(snapshot, pairs.left, pairs.right)
    )
    print("\n" + table(head, iter(())))
    for row in rows:
        print(f"| {' | '.join(row)} |", flush=True)


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
