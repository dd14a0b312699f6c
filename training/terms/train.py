"""From judgements of terms to a model: left-out folds for its figures, all pairs for its weights."""

from __future__ import annotations

import dataclasses

import numpy as np
from msgspec.structs import replace

from features.terms.encoded import EncodesTexts
from features.terms.extract import TermExtractor
from models.protocol import TextsEncoder
from snapshots.naming.resolver import Resolver
from snapshots.snapshot import Snapshot
from training.benchmarks.judgements import Benchmark
from training.design import Design
from training.errors import NotABenchmark
from training.evaluation.columns import Gold, Sampling
from training.evaluation.evaluate import JudgedPairs, judge
from training.evaluation.term_judge import known_terms
from training.left_out import OF_TERMS, LeftOutCosines, check_text_encoder, keys_of, replaced
from training.progress import NoProgress, Progress, Steps
from training.statistics.correlation import pearson_spearman
from training.statistics.thresholds import Wanted
from training.terms.design import TERM_DESIGNS
from training.terms.fit import judged_terms, left_out_predictions, shuffled_folds, term_matrix
from training.train import Trained, scarce, trained


def train_term_model(
    benchmark: Benchmark,
    snapshot: Snapshot,
    design: Design = TERM_DESIGNS["default"],
    name: str = "terms",
    sampling: Sampling = Sampling(),  # noqa: B008 - frozen
    steps: Steps = NoProgress(),  # noqa: B008 - without state
    wanted: Wanted = Wanted(),  # noqa: B008 - frozen
    cosines: LeftOutCosines | None = None,
    encoder: EncodesTexts | None = None,
) -> Trained:
    """A model of terms, fitted to all pairs that the snapshot knows, and the report on left-out predictions.

    ``encoder``: compares the terms as texts, for designs that weigh that; ``cosines``: where it was tuned on
    these pairs, those of encoders that had not seen them.

    Raises:
        MissingEncoder: the design compares texts, and there is no encoder.
        NotABenchmark: the benchmark holds rankings.
        TrainingError: as ``train_on_terms``.
    """
    if benchmark.kind == "rankings":
        raise NotABenchmark(f"{benchmark.name} holds rankings, and a model learns from scores.")
    check_text_encoder(design, encoder is not None)
    extractor = TermExtractor.open(snapshot, Resolver.open(snapshot), encoder)
    steps.begin("leaving folds out", "folds")
    return train_on_terms(benchmark, extractor, design, name, sampling, steps.advance_to, wanted, cosines)


def train_on_terms(
    benchmark: Benchmark,
    extractor: TermExtractor,
    design: Design,
    name: str,
    sampling: Sampling,
    progress: Progress | None = None,
    wanted: Wanted = Wanted(),  # noqa: B008 - frozen
    cosines: LeftOutCosines | None = None,
) -> Trained:
    """The model, the report on predictions out of fold, and these: of the pair's topic, or of ten folds.

    The model is fitted to all pairs that the snapshot knows, identical terms apart. Its figures are those of
    out-of-fold predictions over all pairs: of folds of whole topics where each pair has one, and of ten
    shuffled folds (``_ten_folds``). ``progress`` counts the folds. ``cosines``: as of
    ``training.train.train_concept_model``.

    Raises:
        BadRow: a score is outside the benchmark's range.
        MissingEncoder: the design compares texts, and the extractor has no encoder.
        TooFewPairs: too few pairs are known to the snapshot.
    """
    judged = judged_terms(benchmark, extractor)
    fold, names = judged.topic, [feature.name for feature in judged.features]
    if cosines is not None:
        keys = keys_of(benchmark.judgements)
        values = replaced(judged.values, names, keys, cosines)
        judged, fold = dataclasses.replace(judged, values=values), cosines.folds(keys)
    matrix = term_matrix(judged.values, design, judged.features)
    folds = shuffled_folds(len(judged.scores))
    shuffled = predicted = left_out_predictions(judged, matrix, folds, design.method, progress)
    gold = Gold(judged.scores, np.arange(len(judged.scores)), ())
    by_topic = len(judged.topics) > 1
    if by_topic:
        predicted = left_out_predictions(judged, matrix, fold, design.method, progress)
        gold = Gold(judged.scores, judged.topic, judged.topics)
    coverage = known_terms(benchmark, extractor)
    read = {feature for feature, _ in design.addends}
    pairs = JudgedPairs(
        benchmark,
        "train",
        gold,
        coverage,
        judged.values,
        predicted,
        judged.features,
        [name for name in names if name in read],
        judged.mostly_known,
    )
    report = judge(
        pairs,
        model=name,
        snapshot=extractor.snapshot.id,
        predictions=_how(by_topic, cosines),
        notes=scarce(int(judged.learnt.sum()), len(design.addends) + 1, len(gold.topics)),
        sampling=sampling,
        wanted=wanted,
    )
    both = "pearson", "spearman"
    ten_folds = pearson_spearman(shuffled, judged.scores)
    metrics = {f"{kind}_ten_folds": figure for kind, figure in zip(both, ten_folds, strict=True)}
    metrics |= {kind: report.metrics[kind] for kind in both if by_topic}
    model, _, predictions = trained(pairs, design, judged.learnt, report)
    trained_on = replace(model.trained_on, topics=len(judged.topics))
    model = replace(model, metrics=metrics, trained_on=trained_on)
    if extractor.encoder is not None and read.intersection(OF_TERMS):
        own = extractor.encoder
        model = replace(model, encoder=TextsEncoder(own.name, own.digest, own.kind))
    return Trained(model, report, predictions)


def _how(by_topic: bool, cosines: LeftOutCosines | None) -> str:
    """How the predictions of the report came about, as it says it."""
    if cosines is not None:
        return "topic-folds"
    return "out-of-fold" if by_topic else "ten-fold"
