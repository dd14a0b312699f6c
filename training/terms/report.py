"""The report on a model of terms: its predictions of pairs that it did not learn from, judged."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from features.terms.catalogue import TERM_FEATURES
from features.terms.extract import TermExtractor
from models.protocol import RelatednessModel
from training.benchmarks.judgements import Benchmark
from training.design import Design
from training.evaluation.columns import Gold, Progress, Sampling
from training.evaluation.evaluate import Judged, judge
from training.evaluation.report import Predictions, Report
from training.evaluation.term_judge import known_terms
from training.terms.fit import fitted_terms, fold_terms, judged_terms
from training.train import scarce


@dataclass(frozen=True, slots=True)
class TermTraining:
    """What a model of terms is trained on: judgements, the extractor over a snapshot, a design, a name."""

    benchmark: Benchmark
    extractor: TermExtractor
    design: Design
    name: str


def train_on_terms(
    training: TermTraining, sampling: Sampling, progress: Progress | None = None
) -> tuple[RelatednessModel, Report, Predictions]:
    """The model, the report on predictions out of fold, and these: of the pair's topic, or of ten folds.

    ``progress`` counts the folds.

    Raises:
        BadRow: a score is outside the benchmark's range.
        TooFewPairs: too few pairs are known to the snapshot.
    """
    judged = judged_terms(training.benchmark, training.extractor)
    folded = fold_terms(judged, training.design, progress)
    by_topic = folded.by_topic is not None
    predicted = folded.shuffled if folded.by_topic is None else folded.by_topic
    pairs = len(judged.scores)
    gold = Gold(
        judged.scores, judged.topic if by_topic else np.arange(pairs), judged.topics if by_topic else ()
    )
    report = judge(
        Judged(
            training.benchmark,
            "train",
            gold,
            known_terms(training.benchmark, training.extractor),
            judged.values,
            predicted,
            TERM_FEATURES,
        ),
        model=training.name,
        snapshot=training.extractor.snapshot.id,
        predictions="out-of-fold" if by_topic else "ten-fold",
        notes=scarce(int(judged.learnt.sum()), len(training.design.addends) + 1, len(gold.topics)),
        resamples=sampling.resamples,
        seed=sampling.seed,
    )
    model = fitted_terms(
        training.benchmark, folded, training.design, training.name, training.extractor.snapshot.id
    )
    return model, report, Predictions(judged.scores, predicted, gold.topic, gold.topics)
