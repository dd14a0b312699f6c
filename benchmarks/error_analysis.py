"""On which kinds of pairs models err, out of fold over topics.

``python -m benchmarks.error_analysis SNAPSHOT PAIRS [--encoder FOLDER] [--json FILE]`` trains ``wort`` (the
design ``default``) and, where the snapshot has an encoder's vectors, ``wort-plus`` (``plus``) as ``wort
train`` does, and judges their predictions of topics left out kind by kind (``benchmarks.pair_kinds``).
``--encoder``: the folder of that encoder; with it the model of terms (``plus``) is trained, too, and
judged on all pairs, by which sides are known. docs/error-analysis.md shows what
``--json benchmarks/results/error_analysis.json`` keeps, once ``python -m benchmarks.pages`` has run.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from pathlib import Path

import numpy as np

from app.scoring.offered import WORT, WORT_PLUS
from benchmarks.pair_kinds import KINDS, PairTraits
from benchmarks.report import Cell, Table, new_report, publish
from encoders.encoder import open_encoder
from measures.arrays import Bools, Floats
from snapshots.naming.resolver import Resolver
from snapshots.snapshot import Snapshot
from training.benchmarks.judgements import Benchmark
from training.benchmarks.read import read_benchmark
from training.coverage import CoveredPairs, cover
from training.design import DESIGNS
from training.evaluation.columns import Sampling
from training.left_out import check_encoder, left_out_of
from training.statistics.correlation import pearson, spearman
from training.terms.design import TERM_DESIGNS
from training.terms.train import train_term_model
from training.train import train_concept_model

TERMS = "terms-plus"

FEWEST = 10
"""Of fewer pairs no correlation is shown."""

WORST = 20


def out_of_fold_scores(
    snapshot: Snapshot, judgements: Path, encoder: Path | None
) -> tuple[CoveredPairs, dict[str, Floats]]:
    """The covered pairs, and what each model says of those whose topic it did not see: float64[n] by name."""
    benchmark = read_benchmark(judgements, "train")
    designs = {WORT: "default"} | ({WORT_PLUS: "plus"} if snapshot.has("title_vectors") else {})
    predicted = {}
    for name, design in designs.items():
        check_encoder(snapshot, DESIGNS[design], encoder)
        # The report of a training is not shown, so its intervals need not be good ones.
        trained = train_concept_model(
            benchmark,
            snapshot,
            DESIGNS[design],
            name,
            Sampling(resamples=2),
            cosines=None if encoder is None or name == WORT else left_out_of(encoder, benchmark),
        )
        predicted[name] = trained.predictions.predicted
    pairs, _ = cover(benchmark, Resolver.open(snapshot))
    return pairs, predicted


def kinds_table(
    kinds: Mapping[str, Bools],
    gold: Floats,
    predicted: Mapping[str, Floats],
    name: str = "kinds",
    title: str = "By kind of pair",
) -> Table:
    """A row for each kind, bool[n]."""
    rows: list[tuple[Cell, ...]] = []
    for kind, chosen in kinds.items():
        if not chosen.any():
            rows.append((kind, 0, *("–" for _ in range(1 + 3 * len(predicted)))))
            continue
        figures = (cell for scores in predicted.values() for cell in errors(gold[chosen], scores[chosen]))
        rows.append((kind, int(chosen.sum()), f"{gold[chosen].mean():.3f}", *figures))
    heads = (f"{figure}, {name}" for name in predicted for figure in ("bias", "RMSE", "r / ρ"))
    return Table(name, title, ("kind", "pairs", "mean judged", *heads), rows)


def errors(gold: Floats, predicted: Floats) -> tuple[str, str, str]:
    """Bias, root mean squared error and correlations of predictions, as a table writes them."""
    off = predicted - gold
    both = [each(predicted, gold) if len(gold) >= FEWEST else np.nan for each in (pearson, spearman)]
    return (
        f"{off.mean():+.3f}".replace("-", "−"),
        f"{np.sqrt(np.mean(off**2)):.3f}",
        "–" if np.isnan(both).any() else " / ".join(f"{each:.3f}" for each in both).replace("-", "−"),
    )


def terms_out_of_fold(snapshot: Snapshot, judgements: Path, encoder: Path) -> tuple[Benchmark, Floats]:
    """All pairs, and what a model of terms that did not see their topic says of them: float64[n]."""
    benchmark = read_benchmark(judgements, "train")
    trained = train_term_model(
        benchmark,
        snapshot,
        TERM_DESIGNS["plus"],
        TERMS,
        Sampling(resamples=2),
        cosines=left_out_of(encoder, benchmark),
        encoder=open_encoder(encoder),
    )
    return benchmark, trained.predictions.predicted


def terms_table(snapshot: Snapshot, judgements: Path, encoder: Path) -> Table:
    """The errors of the model of terms on all pairs, by what is known of them."""
    benchmark, predicted = terms_out_of_fold(snapshot, judgements, encoder)
    _, coverage = cover(benchmark, Resolver.open(snapshot))
    gold = np.array([pair.score for pair in benchmark.judgements])
    kinds = known_sides(benchmark, {title.title for title in coverage.unresolved})
    return kinds_table(kinds, gold, {TERMS: predicted}, "terms", "All pairs, by what is known of them")


def known_sides(benchmark: Benchmark, unknown: set[str]) -> dict[str, Bools]:
    """All pairs by how many sides have an article, and those whose sides no other topic has: bool[n].

    ``unknown``: the titles without one.
    """
    pairs = benchmark.judgements
    topics: dict[str, set[str | None]] = {}
    for pair in pairs:
        for side in (pair.left, pair.right):
            topics.setdefault(side, set()).add(pair.topic)
    articles = np.array([2 - len({pair.left, pair.right} & unknown) for pair in pairs])
    unseen = np.array([len(topics[pair.left] | topics[pair.right]) == 1 for pair in pairs])
    return {
        "all": np.ones(len(pairs), np.bool_),
        "both sides have an article": articles == 2,
        "one has": articles == 1,
        "neither has": articles == 0,
        "both unseen": unseen,
        "both unseen, and an article is missing": unseen & (articles < 2),
    }


def worst_table(traits: PairTraits, kinds: Mapping[str, Bools], predicted: Mapping[str, Floats]) -> Table:
    """The pairs on which the last of the models errs most, and by how much each does."""
    gold = traits.pairs.scores
    off = {name: scores - gold for name, scores in predicted.items()}
    *_, last = off
    of_all = kinds["all"]
    order = [place for place in np.argsort(-np.abs(off[last]), kind="stable").tolist() if of_all[place]]
    rows: list[tuple[Cell, ...]] = []
    for place in order[:WORST]:
        own = ", ".join(kind for kind, chosen in kinds.items() if chosen[place] and kind != "all")
        signed = (f"{each[place]:+.2f}".replace("-", "−") for each in off.values())
        rows.append((" – ".join(traits.titles[place]), own, *signed))
    title = f"The {WORST} pairs on which {last} errs most: predicted minus judged"
    return Table("worst", title, ("pair", "kinds", *off), rows)


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("snapshot", type=Path)
    parser.add_argument("pairs", type=Path)
    parser.add_argument("--encoder", type=Path)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    snapshot = Snapshot.open(options.snapshot)
    pairs, predicted = out_of_fold_scores(snapshot, options.pairs, options.encoder)
    traits = PairTraits(snapshot, pairs)
    kinds = {kind: rule(traits) & ~pairs.identical for kind, rule in KINDS.items()}
    tables = [kinds_table(kinds, pairs.scores, predicted), worst_table(traits, kinds, predicted)]
    if options.encoder is not None:
        tables.append(terms_table(snapshot, options.pairs, options.encoder))
    publish(new_report("error_analysis", snapshot.id, tables), options.json)


if __name__ == "__main__":
    main()
