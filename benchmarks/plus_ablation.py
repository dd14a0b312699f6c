"""What each feature is worth to ``wort-plus``: the model fitted anew without it, and the loss tested.

    python -m benchmarks.plus_ablation SNAPSHOT PAIRS --json benchmarks/results/plus_ablation.json

A feature is left out with all its addends; the encoder's cosines also two at a time, and all together.
Predictions are of topics that were left out. Where the encoder was tuned on the pairs, its cosines are those
of encoders that had not seen the pair's topic, and their folds of topics are left out, whole, as in training.
docs/measured-features.md shows the table.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from itertools import combinations
from pathlib import Path
from typing import NamedTuple

import numpy as np

from benchmarks.measured_features import RESAMPLES, SEED, shown
from benchmarks.report import Cell, Table, new_report, publish
from encoders.shipped import shipped_encoder
from features.catalogue import FEATURE_NAMES, FEATURES
from features.extract import extract
from measures.arrays import Floats, Ints
from snapshots.naming.resolver import Resolver
from snapshots.snapshot import Snapshot
from training.benchmarks.judgements import Benchmark
from training.benchmarks.read import read_benchmark
from training.coverage import CoveredPairs, cover
from training.design import DESIGNS, ENCODER, Design
from training.evaluation.ablation import ALL, Refits
from training.fit import design_matrix
from training.left_out import LeftOutCosines, check_encoder, keys_of, left_out_of, replaced
from training.statistics import bootstrap
from training.statistics.correlation import CORRELATIONS
from training.statistics.significance import Clusters, Difference, compare, shown_p

DESIGN = DESIGNS["plus"]
COLUMNS = ("left out", "addends", "without", "drop", "95 %, Pearson", "95 %, Spearman", "p")
VISIBLE = 1e-4
"""The least difference of scores that four digits show. Of models that differ by less a test says nothing."""


class Sample(NamedTuple):
    """Covered pairs, their features, float64[n, k], and which fold each is left out with, int64[n]."""

    pairs: CoveredPairs
    values: Floats
    fold: Ints


class Loss(NamedTuple):
    """What the whole model has over one fitted without the features ``left_out``, so many ``addends``.

    ``tests``: by Pearson and by Spearman, the whole model first. ``same``: no score differs visibly.
    """

    left_out: str
    addends: int
    tests: tuple[Difference, ...]
    same: bool


def sample_of(snapshot: Snapshot, benchmark: Benchmark, cosines: LeftOutCosines | None) -> Sample:
    """The covered pairs of a benchmark with topics. ``cosines``: as of ``train_concept_model``."""
    pairs, _ = cover(benchmark, Resolver.open(snapshot))
    values = extract(snapshot, pairs.left, pairs.right)
    if cosines is None:
        return Sample(pairs, values, pairs.topic)
    keys = keys_of(pairs.judgements)
    return Sample(pairs, replaced(values, FEATURE_NAMES, keys, cosines), cosines.folds(keys))


def sets_of(design: Design) -> list[tuple[str, ...]]:
    """What is left out of a design at a time: each of its features, and any of the encoder's together."""
    read = {feature for feature, _ in design.addends}
    cosines = [name for name in ENCODER if name in read]
    together = (set_ for size in range(2, len(cosines) + 1) for set_ in combinations(cosines, size))
    return [*((feature.name,) for feature in FEATURES if feature.name in read), *together]


def losses(sample: Sample, design: Design, drawn: Ints) -> Iterator[Loss]:
    """What each set of features is worth to a log-logistic design, in the order of ``sets_of``.

    ``drawn``: how often each topic is in each resample, as from ``training.statistics.bootstrap.draws``.

    Raises:
        TooFewPairs: the pairs are of fewer than two folds.
    """
    pairs, learnt = sample.pairs, ~sample.pairs.identical
    folds = Refits(design_matrix(sample.values[learnt], design), pairs.scores[learnt], sample.fold[learnt])
    clusters = Clusters(pairs.topic, drawn)

    def predicted(columns: Sequence[int]) -> Floats:
        scores = np.ones(len(pairs.scores))
        scores[learnt] = folds.predict(columns)
        return scores

    whole = predicted(range(len(design.addends)))
    for features in sets_of(design):
        kept = [place for place, (feature, _) in enumerate(design.addends) if feature not in features]
        without, name = predicted(kept), ", ".join(features)
        tests = tuple(
            compare(whole, without, pairs.scores, kind, (ALL, name), clusters) for kind in CORRELATIONS
        )
        same = bool(np.abs(whole - without).max() < VISIBLE)
        yield Loss(name, len(design.addends) - len(kept), tests, same)


def loss_row(loss: Loss) -> tuple[Cell, ...]:
    """A row of the table."""
    return (
        loss.left_out,
        loss.addends,
        " / ".join(shown(test.r_second) for test in loss.tests),
        " / ".join(drop(test) for test in loss.tests),
        *map(ends, loss.tests),
        "–" if loss.same else " / ".join(shown_p(test.log10_p) for test in loss.tests),
    )


def ends(test: Difference) -> str:
    """The interval of the difference; "–" where that is undefined."""
    if test.low is None or test.high is None:
        return "–"
    return f"{shown(test.low, signed=True)} to {shown(test.high, signed=True)}"


def drop(test: Difference) -> str:
    """By how much the whole model correlates better; "–" where that is undefined."""
    if test.r_first is None or test.r_second is None:
        return "–"
    return shown(test.r_first - test.r_second, signed=True)


def losses_table(found: Sequence[Loss], design: Design) -> Table:
    """A row for the whole model, and one for each set of features that was left out of it."""
    figures = " / ".join(shown(test.r_first) for test in found[0].tests)
    whole: tuple[Cell, ...] = ("nothing", len(design.addends), figures, "–", "–", "–", "–")
    return Table("losses", "wort-plus without a feature", COLUMNS, [whole, *map(loss_row, found)])


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("snapshot", type=Path)
    parser.add_argument("pairs", type=Path)
    parser.add_argument("--encoder", type=Path, default=shipped_encoder())
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    snapshot, benchmark = Snapshot.open(options.snapshot), read_benchmark(options.pairs, "train")
    check_encoder(snapshot, DESIGN, options.encoder)
    cosines = None if options.encoder is None else left_out_of(options.encoder, benchmark)
    sample = sample_of(snapshot, benchmark, cosines)
    topics = len(sample.pairs.topics)
    found = losses(sample, DESIGN, bootstrap.draws(topics, RESAMPLES, SEED))
    table = losses_table(list(found), DESIGN)
    count = f"{len(sample.pairs.scores):,} pairs, {topics} topics, {len(np.unique(sample.fold))} folds"
    publish(new_report("plus_ablation", snapshot.id, [table], [count]), options.json)


if __name__ == "__main__":
    main()
