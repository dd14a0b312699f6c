"""The tables of docs/training.md: designs beside one another, with weights of 0 or above and of either sign.

``python -m benchmarks.designs PAIRS SNAPSHOT...`` prints them as Markdown. Figures are out of fold, one topic
left out; the scores of single pairs are those of a model of all pairs.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

from features.extract import extract
from snapshots.naming.resolver import Resolver
from snapshots.snapshot import Snapshot
from training.benchmarks.read import read_benchmark
from training.coverage import cover
from training.design import DESIGNS, PLAIN, Addends, Design
from training.fit import compare_designs, design_matrix, fit
from training.statistics.correlation import pearson, spearman
from training.train import left_out_predictions

SHOWN = (
    ("Europe", "United States"),
    ("China", "India"),
    ("England", "London"),
    ("Christianity", "Islam"),
    ("London", "Paris"),
    ("Atheism", "Pope"),
)
"""Pairs that weights below 0 made unrelated."""


def curved(transform: str, *features: str) -> Addends:
    """The same transform of some features."""
    return tuple((feature, transform) for feature in features)


BESIDE: dict[str, Addends] = {
    "the features as they are": PLAIN.addends,
    "and log1p20 of TFIDF-CS and ESA": (*PLAIN.addends, *curved("log1p20", "TFIDF-CS", "ESA")),
    "**and of PMI2\\_C (`default`)**": DESIGNS["default"].addends,
    "and of NPMI1\\_C and COND-PROB": (
        *DESIGNS["default"].addends,
        *curved("log1p20", "NPMI1_C", "COND-PROB"),
    ),
    "the second row, and the square roots of the three cosines": (
        *PLAIN.addends,
        *curved("log1p20", "TFIDF-CS", "ESA"),
        *curved("sqrt", "PMI2_C", "TFIDF-CS", "ESA"),
    ),
}
"""Sets of addends, each by what a reader is told of it."""


def tables(judgements: Path, folder: Path) -> None:
    """Print both tables of one snapshot."""
    snapshot = Snapshot.open(folder)
    resolver = Resolver.open(snapshot)
    pairs, _ = cover(read_benchmark(judgements, "train"), resolver)
    values = extract(snapshot, pairs.left, pairs.right)
    learnt = ~pairs.identical
    known, scores, topic = values[learnt], pairs.scores[learnt], pairs.topic[learnt]
    ends = [[resolver.resolve(title).concept for title in pair] for pair in SHOWN]
    left, right = np.array(ends, np.int64).T
    beside = extract(snapshot, np.ascontiguousarray(left), np.ascontiguousarray(right))
    print(f"## {snapshot.id}\n")
    print("| design | r / ρ | intercept | weights | weights of 0 |", " | ".join(map(", ".join, SHOWN)), "|")
    for name, design in DESIGNS.items():
        predicted = left_out_predictions(pairs, values, design)
        both = f"{pearson(predicted, pairs.scores):.4f} / {spearman(predicted, pairs.scores):.4f}"
        fitted = fit(design_matrix(known, design), scores, design.method)
        none = int((fitted.weights == 0).sum())
        single = " | ".join(f"{score:.2f}" for score in fitted.predict(design_matrix(beside, design)))
        print(f"| `{name}` | {both} | {fitted.intercept:.3f} | {len(fitted.weights)} | {none} | {single} |")
    print("\n| addends | weights of 0 or above | of either sign |")
    for told, addends in BESIDE.items():
        free_or_not = Design(addends), Design(addends, "least-squares")
        found = compare_designs(known, scores, topic, free_or_not)
        print(f"| {told} |", " | ".join(f"{r:.4f} / {rho:.4f}" for r, rho in found), "|")
    print()


if __name__ == "__main__":
    for each in sys.argv[2:]:
        tables(Path(sys.argv[1]), Path(each))
