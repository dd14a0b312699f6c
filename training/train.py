"""From judgements to a model: leave-one-topic-out for its figures, all pairs for its weights."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np
from msgspec import UNSET

from features.catalogue import FEATURE_NAMES
from features.extract import extract
from measures.arrays import Bools, Floats
from models.additive import AdditiveModel
from models.protocol import Coefficient, TrainingSet
from snapshots.naming.resolver import Resolver
from snapshots.snapshot import Snapshot
from training.benchmarks.judgements import Benchmark
from training.coverage import CoveredPairs, cover
from training.design import DESIGNS, KINDS, Design
from training.errors import BadRow, NotABenchmark, TooFewPairs
from training.evaluation.certainty import expectation
from training.evaluation.columns import Gold, Sampling
from training.evaluation.evaluate import JudgedPairs, judge
from training.evaluation.report import Predictions, Report
from training.fit import design_matrix, fit, out_of_fold
from training.left_out import LeftOutCosines, keys_of, replaced
from training.progress import NoProgress, Progress, Steps
from training.statistics.thresholds import Wanted

SCARCE = "Warning: this is too little to learn from"
"""How the note begins on a model of too few pairs or topics."""

PAIRS_A_WEIGHT = 10
"""Fewer pairs than this for each weight that is fitted, and a regression follows chance: a rule of thumb."""

LEAST_TOPICS = 5
"""With fewer topics, a fold is most of the data, and an interval over topics is of a handful of draws."""


class Trained(NamedTuple):
    """A model, the report on predictions of pairs that were left out, and those predictions."""

    model: AdditiveModel
    report: Report
    predictions: Predictions


def train_concept_model(
    benchmark: Benchmark,
    snapshot: Snapshot,
    design: Design = DESIGNS["default"],
    name: str = "concepts",
    sampling: Sampling = Sampling(),  # noqa: B008 - frozen
    steps: Steps = NoProgress(),  # noqa: B008 - without state
    wanted: Wanted = Wanted(),  # noqa: B008 - frozen
    cosines: LeftOutCosines | None = None,
) -> Trained:
    """A model of concepts, fitted to all covered pairs, and the report on its predictions of left-out topics.

    ``wanted``: what the thresholds that the report chooses are to do. ``cosines``: where the
    features are of an encoder that was tuned on these pairs, those of encoders that had not seen them; its
    folds of topics are then left out, whole.

    Raises:
        TrainingError: the judgements cannot be learnt from.
    """
    if benchmark.kind != "concepts":
        raise NotABenchmark(
            f"{benchmark.name} is a benchmark of {benchmark.kind}, and a model of concepts learns from pairs "
            "of concepts. With --terms a model of terms is trained, on terms, documents or concepts."
        )
    check_trainable(benchmark)
    steps.begin("finding the concepts", "titles")
    covered, coverage = cover(benchmark, Resolver.open(snapshot), steps.advance_to)
    steps.begin("computing the features")
    values = extract(snapshot, covered.left, covered.right)
    fold = covered.topic
    if cosines is not None:
        keys = keys_of(covered.judgements)
        values, fold = replaced(values, FEATURE_NAMES, keys, cosines), cosines.folds(keys)
    steps.begin("leaving one topic out" if cosines is None else "leaving one fold of topics out", "folds")
    predicted = left_out_predictions(replace(covered, topic=fold), values, design, steps.advance_to)
    steps.begin("judging features and model", "measures")
    judged = JudgedPairs(benchmark, "train", covered, coverage, values, predicted)
    report = judge(
        judged,
        model=name,
        snapshot=snapshot.id,
        predictions="out-of-fold" if cosines is None else "topic-folds",
        notes=scarce(int((~covered.identical).sum()), len(design.addends) + 1, len(covered.topics)),
        sampling=sampling,
        progress=steps.advance_to,
        wanted=wanted,
    )
    return trained(judged, design, ~covered.identical, report)


def check_trainable(benchmark: Benchmark) -> None:
    """Refuse judgements that a model cannot learn from, before anything is computed.

    Raises:
        TooFewPairs: a pair has no topic.
        BadRow: a score is not between 0 and 1.
    """
    for pair in benchmark.judgements:
        if pair.topic is None:
            raise TooFewPairs(
                f"{benchmark.name}: line {pair.line} has no topic, and training leaves out one topic at a "
                "time. Name the column that holds the topics, or add one."
            )
        if not 0.0 <= pair.score <= 1.0:
            raise BadRow(
                f"{benchmark.name}: line {pair.line}: the score {pair.score:g} is not between 0 and 1, as a "
                "model's are. Divide the scores by the highest of their scale."
            )


def scarce(pairs: int, weights: int, topics: int) -> tuple[str, ...]:
    """Why figures of a model of so many ``weights``, fitted to so few pairs or topics, mean little.

    One sentence, or none where there are pairs and topics enough. ``topics`` is 0 where there are none.
    """
    reasons = []
    if pairs < PAIRS_A_WEIGHT * weights:
        least = PAIRS_A_WEIGHT * weights
        reasons.append(f"{pairs:,} pairs for {weights} weights, which want {least:,}")
    if 0 < topics < LEAST_TOPICS:
        reasons.append(f"{topics} topics, and {LEAST_TOPICS} are the least")
    if not reasons:
        return ()
    return (
        f"{SCARCE}: {'; '.join(reasons)}. Its weights and figures may come about by chance. Judge more pairs "
        "before you use the model.",
    )


def left_out_predictions(
    pairs: CoveredPairs, values: Floats, design: Design, progress: Progress | None = None
) -> Floats:
    """The prediction of each pair without its topic: float64[n]; 1 for identical concepts.

    ``values``: the pairs' features, float64[n, k]. ``progress`` counts the folds.

    Raises:
        TooFewPairs: the pairs are of fewer than two topics.
    """
    matrix = design_matrix(values, design)
    return out_of_fold(matrix, pairs.scores, pairs.topic, design.method, progress, ~pairs.identical)


def trained(judged: JudgedPairs, design: Design, learnt: Bools, report: Report) -> Trained:
    """The model of a ``design`` that is fitted to those pairs which are ``learnt``, bool[n].

    ``report``: the report on predictions of pairs left out, whose figures the model carries, and what may be
    expected of its scores.
    """
    pairs, benchmark = judged.pairs, judged.benchmark
    matrix = design_matrix(judged.values[learnt], design, [feature.name for feature in judged.features])
    fitted = fit(matrix, pairs.scores[learnt], design.method)
    read = {feature for feature, _ in design.addends}
    gold = Gold(pairs.scores, pairs.topic, pairs.topics)
    drawn = Sampling(report.resampling.resamples, report.resampling.seed).draws(gold)
    bands, points, calibrated = expectation(gold, judged.predicted, drawn, judged.read)
    model = KINDS[design.method](
        name=report.model,
        features=tuple(feature.signature for feature in judged.features if feature.name in read),
        coefficients=tuple(
            Coefficient(feature, transform, weight)
            for (feature, transform), weight in zip(design.addends, fitted.weights.tolist(), strict=True)
        ),
        intercept=fitted.intercept,
        trained_on=TrainingSet(
            benchmark.name,
            benchmark.checksum,
            pairs=len(benchmark.judgements),
            fitted=len(matrix),
            topics=len(np.unique(pairs.topic[learnt])) if pairs.topics else 0,
        ),
        snapshot=report.snapshot,
        metrics=report.metrics,
        cross_validation=report.folds,
        created=report.created,
        code_version=report.code_version,
        interval_bands=UNSET if bands is None else bands,
        operating_points=UNSET if points is None else points,
        calibration=UNSET if calibrated is None else calibrated,
    )
    return Trained(model, report, Predictions(pairs.scores, judged.predicted, pairs.topic, pairs.topics))
