"""How well an encoder agrees with people: on pairs it was kept from, and on sets it was not tuned for."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from measures.arrays import Floats
from training.benchmarks.judgements import Benchmark
from training.statistics.correlation import pearson_spearman
from training.tuning.cosines import cosines
from training.tuning.encoder import Encoder
from training.tuning.examples import JudgedTexts
from training.tuning.tune import Tuned

Correlations = dict[str, float]
"""Pearson and Spearman, by the cosine's name."""


def out_of_fold(tuned: Tuned) -> Correlations:
    """Correlations of the pairs' cosines by encoders that did not see their topics; none without folds."""
    if tuned.left_out is None:
        return {}
    correlations: Correlations = {}
    for name in ("title", "cross", "lead"):
        correlations |= _correlations(name, getattr(tuned.left_out, name), tuned.pairs.shares)
    return correlations


def on(encoder: Encoder, benchmarks: Sequence[Benchmark]) -> dict[str, Correlations]:
    """Correlations of the cosine of the two texts alone, by benchmark: all its pairs, whatever they are."""
    by_benchmark = {}
    for benchmark in benchmarks:
        pairs = _of_any(benchmark)
        by_benchmark[benchmark.name] = _correlations("title", cosines(encoder, pairs).title, pairs.shares)
    return by_benchmark


def _correlations(name: str, values: Floats, shares: Floats) -> Correlations:
    pearson, spearman = pearson_spearman(values, shares)
    return {f"{name}_pearson": round(pearson or 0.0, 4), f"{name}_spearman": round(spearman or 0.0, 4)}


def _of_any(benchmark: Benchmark) -> JudgedTexts:
    judgements = benchmark.judgements
    return JudgedTexts(
        tuple(judgement.left for judgement in judgements),
        tuple(judgement.right for judgement in judgements),
        np.array([judgement.score for judgement in judgements]),
        np.arange(len(judgements)),
        (),
        {},
    )
