"""From judgements to a model: leave-one-topic-out for its figures, all pairs for its weights."""

from __future__ import annotations

import numpy as np

from features.catalogue import SIGNATURES
from measures.arrays import Floats
from models.model import Model, TrainingSet
from training.benchmarks.judgements import Benchmark
from training.coverage import CoveredPairs
from training.design import Design
from training.errors import BadRow, TooFewPairs
from training.evaluation.report import Report
from training.fit import Progress, design_matrix, fit, out_of_fold, weighted

PAIRS_A_WEIGHT = 10
"""Fewer pairs than this for each weight that is fitted, and a regression follows chance: a rule of thumb."""

LEAST_TOPICS = 5
"""With fewer topics, a fold is most of the data, and an interval over topics is of a handful of draws."""


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
        reasons.append(
            f"{pairs:,} pairs for {weights} weights, where {PAIRS_A_WEIGHT} pairs a weight are the least"
        )
    if 0 < topics < LEAST_TOPICS:
        reasons.append(f"{topics} topics, where {LEAST_TOPICS} are the least")
    if not reasons:
        return ()
    return (
        f"Warning: the model has learnt from {' and '.join(reasons)} to tell how good it is. The figures may "
        "come about by chance, and the weights too. Judge more pairs before you use it.",
    )


def left_out_predictions(
    pairs: CoveredPairs, values: Floats, design: Design, progress: Progress | None = None
) -> Floats:
    """The prediction of each pair without its topic: float64[n]; 1 for identical concepts.

    ``values``: the pairs' features, float64[n, k]. ``progress`` counts the folds.

    Raises:
        TooFewPairs: the pairs are of fewer than two topics.
    """
    learnt = ~pairs.identical
    predicted = np.ones(len(pairs.scores))
    matrix = design_matrix(values[learnt], design)
    predicted[learnt] = out_of_fold(
        matrix, pairs.scores[learnt], pairs.topic[learnt], progress, design.positive
    )
    return predicted


def train(benchmark: Benchmark, pairs: CoveredPairs, values: Floats, design: Design, report: Report) -> Model:
    """The model fitted to all covered pairs but identical ones, which have score 1 without a model.

    ``report``: the report on ``left_out_predictions``, whose figures the model carries.
    """
    learnt = ~pairs.identical
    fitted = fit(design_matrix(values[learnt], design), pairs.scores[learnt], design.positive)
    return Model(
        name=report.model,
        features=SIGNATURES,
        terms=weighted(design, fitted),
        intercept=fitted.intercept,
        trained_on=TrainingSet(
            benchmark.name,
            benchmark.checksum,
            pairs=len(benchmark.judgements),
            fitted=int(learnt.sum()),
            topics=len(np.unique(pairs.topic[learnt])),
        ),
        snapshot=report.snapshot,
        metrics=report.metrics,
        cross_validation=report.folds,
        created=report.created,
        code_version=report.code_version,
    )
