"""The tables of docs/measured-features.md: what the features are worth on a file of judgements with topics.

``python -m benchmarks.measured_features SNAPSHOT PAIRS`` prints them as Markdown: features and the model in
order, each tested against the next; the best feature of each group against the others of it; ablation;
other learners; the rejected measures, judged and added to each design; deciles. Every prediction is out of
fold, one topic left out.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise, product
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from features.catalogue import FEATURES
from features.extract import extract
from measures.arrays import Floats
from papers.word.learners import compare_learners
from papers.word.rejected import rejected_measures
from snapshots.naming.resolver import Resolver
from snapshots.snapshot import Snapshot
from training.benchmarks.read import read_benchmark
from training.coverage import CoveredPairs, cover
from training.design import DESIGNS
from training.evaluation.ablation import Ablation, ablate
from training.evaluation.baselines import random_baseline
from training.evaluation.deciles import by_decile, pair_popularity
from training.fit import design_matrix, out_of_fold
from training.statistics import bootstrap
from training.statistics.correlation import CORRELATIONS, CorrelationKind, pearson
from training.statistics.significance import Difference, compare, difference_interval, shown_p
from training.train import left_out_predictions

DESIGN = DESIGNS["default"]
MODEL = "model"
RESAMPLES, SEED = 1000, 20180507
BESIDE = ("PMI1", "W2V", "TFIDF-CS", "J-OUT")
IN_DECILES = (MODEL, "ESA", "TFIDF-CS", "W2V", "NPMI1_C", "INLINK-PMI", "MW")


@dataclass(frozen=True)
class Sample:
    """Covered pairs, the features as columns and the model's predictions among them."""

    pairs: CoveredPairs
    values: Floats
    columns: Mapping[str, Floats]
    drawn: NDArray[np.int64]

    def difference(
        self, first: str, second: str, kind: CorrelationKind
    ) -> tuple[Difference, bootstrap.ConfidenceInterval]:
        """The test of two columns, and the interval of their difference by topics."""
        x, z, gold = self.columns[first], self.columns[second], self.pairs.scores
        return (
            compare(x, z, gold, kind, (first, second)),
            difference_interval(x, z, gold, self.pairs.topic, self.drawn, kind),
        )


def table(head: Sequence[str], rows: Iterator[Sequence[str]]) -> str:
    """A table in Markdown, its first column to the left."""
    lines = [head, ["---", *["--:"] * (len(head) - 1)], *rows]
    return "\n".join(f"| {' | '.join(cell.replace('_', chr(92) + '_') for cell in line)} |" for line in lines)


def shown(figure: float | None, signed: bool = False) -> str:
    """A figure to four digits, three where it has a sign."""
    if figure is None:
        return "–"
    return f"{figure:+.4f}".replace("-", "−") if signed else f"{figure:.4f}".replace("-", "−")


TESTED = ("passes", "by", "95 %, by topics", "r between", "MRDS", "Z", "p")


def tested(
    sample: Sample, pairs: Sequence[tuple[str, str]], kind: CorrelationKind
) -> Iterator[Sequence[str]]:
    """A row for each two measures: by how much one passes the other, and how sure that is."""
    for first, second in pairs:
        found, ends = sample.difference(first, second, kind)
        difference = (
            None if found.r_first is None or found.r_second is None else found.r_first - found.r_second
        )
        yield (
            f"{first} {shown(found.r_first)}",
            f"{second} {shown(found.r_second)}",
            shown(difference, signed=True),
            f"{shown(ends.low, signed=True)} to {shown(ends.high, signed=True)}",
            "–" if found.r_between is None else f"{found.r_between:.2f}".replace("-", "−"),
            "–" if found.mrds_05 is None else f"{found.mrds_05:.4f}",
            "–" if found.z is None else f"{found.z:.2f}",
            shown_p(found.log10_p),
        )


def in_order(sample: Sample, kind: CorrelationKind) -> list[tuple[str, str]]:
    """Each measure and the one that follows it, the best first."""
    correlation = CORRELATIONS[kind]
    figures = {name: correlation(values, sample.pairs.scores) for name, values in sample.columns.items()}
    return list(pairwise(sorted(figures, key=lambda name: -figures[name])))


def in_groups(sample: Sample, kind: CorrelationKind) -> Iterator[tuple[str, str]]:
    """The best feature of each group and each other of it."""
    correlation = CORRELATIONS[kind]
    for group in dict.fromkeys(feature.group for feature in FEATURES):
        own = [feature.name for feature in FEATURES if feature.group == group]
        best, *others = sorted(own, key=lambda name: -correlation(sample.columns[name], sample.pairs.scores))
        yield from ((best, other) for other in others)


def ablation(rows: Sequence[Ablation]) -> Iterator[Sequence[str]]:
    """A row for each feature or group."""
    for row in rows:
        yield (
            row.feature,
            str(row.addends),
            f"{shown(row.alone.pearson)} / {shown(row.alone.spearman)}",
            "–" if row.without is None else f"{shown(row.without.pearson)} / {shown(row.without.spearman)}",
            "–"
            if row.drop is None
            else f"{shown(row.drop.pearson, signed=True)} / {shown(row.drop.spearman, signed=True)}",
        )


def learners(sample: Sample) -> Iterator[Sequence[str]]:
    """A row for each learner, tested against the linear regression."""
    pairs = sample.pairs
    results, predictions = compare_learners(
        sample.values, pairs.scores, pairs.topic, DESIGN, identical=pairs.identical
    )
    for result in results:
        tests = [
            compare(predictions[result.learner], predictions["linear"], pairs.scores, kind)
            for kind in CORRELATIONS
        ]
        yield (
            result.learner,
            f"{shown(result.pearson)} / {shown(result.spearman)}",
            f"{shown(result.pearson_mean)} / {shown(result.spearman_mean)}",
            " / ".join("–" if test.z is None else f"{test.z:+.2f}".replace("-", "−") for test in tests),
            " / ".join(shown_p(test.log10_p) for test in tests),
        )


def added(sample: Sample, extra: Mapping[str, Floats]) -> Iterator[Sequence[str]]:
    """A row for each design with each measure added as one more addend."""
    pairs = sample.pairs
    for (title, design), name in product(DESIGNS.items(), extra):
        without = left_out_predictions(pairs, sample.values, design)
        wider = np.column_stack([design_matrix(sample.values, design), extra[name]])
        predicted = out_of_fold(wider, pairs.scores, pairs.topic, design.method, chosen=~pairs.identical)
        tests = [compare(predicted, without, pairs.scores, kind) for kind in CORRELATIONS]
        yield (
            f"`{title}` and {name}",
            " / ".join(shown(test.r_first) for test in tests),
            " / ".join(shown(test.r_second) for test in tests),
            " / ".join(shown_p(test.log10_p) for test in tests),
            *(f"{pearson(extra[name], sample.columns[other]):.2f}" for other in BESIDE),
        )


def deciles(sample: Sample, popularity: NDArray[np.int64]) -> Iterator[Sequence[str]]:
    """A row for each decile, Pearson / Spearman of some measures."""
    columns = {name: sample.columns[name] for name in IN_DECILES}
    for part in by_decile(columns, sample.pairs.scores, popularity):
        figures = [
            " / ".join(
                "–" if r is None else f"{r:.2f}".replace("-", "−")
                for r in (part.pearson[name], part.spearman[name])
            )
            for name in IN_DECILES
        ]
        yield f"{part.number}", f"{part.low:,} to {part.high:,}", f"{part.pairs}", *figures


def main(folder: Path, judgements: Path) -> None:
    """Print the tables."""
    snapshot = Snapshot.open(folder)
    pairs, coverage = cover(read_benchmark(judgements, "train"), Resolver.open(snapshot))
    values = extract(snapshot, pairs.left, pairs.right)
    extra = rejected_measures(snapshot, pairs.left, pairs.right)
    columns = dict(zip((feature.name for feature in FEATURES), values.T, strict=True))
    columns |= extra
    columns["random"] = random_baseline(len(pairs.scores), SEED)
    columns[MODEL] = left_out_predictions(pairs, values, DESIGN)
    sample = Sample(pairs, values, columns, bootstrap.draws(len(pairs.topics), RESAMPLES, SEED))
    print(f"{snapshot.id}: {len(pairs.scores):,} of {coverage.pairs:,} pairs, {len(pairs.topics)} topics\n")
    for kind in CORRELATIONS:
        print(f"## {kind}, each against the next\n")
        print(table(("measure", *TESTED), tested(sample, in_order(sample, kind), kind)), end="\n\n")
        print(f"## {kind}, the best of each group against the others\n")
        print(table(("measure", *TESTED), tested(sample, list(in_groups(sample, kind)), kind)), end="\n\n")
    given = (values, pairs.scores, pairs.topic, DESIGN)
    for title, rows in (
        ("features", ablate(*given, identical=pairs.identical)),
        ("groups", ablate(*given, identical=pairs.identical, groups=True)),
    ):
        print(f"## ablation of {title}\n")
        print(table(("", "addends", "alone", "without", "drop"), ablation(rows)), end="\n\n")
    print("## learners\n")
    print(
        table(("learner", "pooled", "mean over topics", "Z against linear", "p"), learners(sample)),
        end="\n\n",
    )
    print("## rejected measures added\n")
    print(
        table(("", "with it", "without", "p", *(f"r with {name}" for name in BESIDE)), added(sample, extra)),
        end="\n\n",
    )
    print("## deciles\n")
    popularity = pair_popularity(snapshot, pairs.left, pairs.right)
    print(table(("decile", "in-links", "pairs", *IN_DECILES), deciles(sample, popularity)))


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
