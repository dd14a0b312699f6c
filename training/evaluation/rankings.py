"""Ranked lists of concepts, as KORE has them: the mean Spearman correlation over the seeds.

For each seed concept people ranked others by relatedness (Hoffart et al. 2012). A measure scores each of them
beside the seed, and its order is correlated with theirs; the figure is the mean over the seeds.
"""

from __future__ import annotations

import numpy as np

from measures.arrays import Bools, Floats, Ints
from training.evaluation.columns import Gold, Sampling, figure, of_topics
from training.evaluation.judges import JudgePredictions, Judges
from training.evaluation.leaderboard import OF_PAIRS, Criterion, contenders, single_features, standing
from training.evaluation.report import Figure, LeaderboardRow
from training.statistics import bootstrap


def seeds(values: Floats, gold: Gold) -> Floats:
    """Spearman's ρ of each seed: float64[seeds]; 0 where a measure says the same of all its concepts.

    Such a measure ranks nothing there, which is no reason to leave the seed out of its mean.
    """
    of_seeds = of_topics("spearman", values, gold)
    return np.where(np.isnan(of_seeds), 0.0, of_seeds)


def judgeable(predictions: JudgePredictions) -> Bools:
    """Which covered pairs are of a seed with two covered concepts at least, so that there is an order."""
    counts = np.bincount(predictions.gold.topic[predictions.covered], minlength=len(predictions.gold.topics))
    return predictions.covered & (counts[predictions.gold.topic] >= 2)


def _mean(values: Floats, gold: Gold) -> float:
    return float(seeds(values, gold).mean())


def _figures(values: Floats, gold: Gold, drawn: Ints) -> tuple[None, Figure]:
    of_seeds = seeds(values, gold)
    return None, figure(float(of_seeds.mean()), bootstrap.resampled_mean(of_seeds, drawn))


OF_SEEDS = Criterion(_mean, _figures)
"""The mean Spearman correlation over the seeds; intervals draw whole seeds."""


def row_of(predictions: JudgePredictions, judges: Judges, sampling: Sampling) -> LeaderboardRow:
    """The row of a benchmark, of pairs or of rankings, on the leaderboard."""
    benchmark, gold, covered = predictions.benchmark, predictions.gold, predictions.covered
    criterion = OF_PAIRS
    if benchmark.kind == "rankings":
        criterion, covered = OF_SEEDS, judgeable(predictions)
    entered, features = contenders(predictions, judges.names), single_features(predictions)
    on_covered, on_all = (
        standing(entered, features, gold, chosen, sampling, criterion, judges.each_feature)
        for chosen in (covered, np.ones_like(covered))
    )
    return LeaderboardRow(
        benchmark=benchmark.name,
        title=benchmark.title,
        kind=benchmark.kind,
        checksum=benchmark.checksum,
        split=predictions.split,
        pairs=len(gold.scores),
        topics=len(gold.topics),
        unresolved=predictions.coverage.unresolved,
        absent=benchmark.absent,
        covered=on_covered,
        all_pairs=on_all,
        seen=judges.seen(predictions),
    )
