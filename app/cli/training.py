"""What ``wort train`` does: a model of concepts, or of terms, and the report on it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from features.extract import extract
from features.terms.extract import TermExtractor
from models.protocol import RelatednessModel
from snapshots.resolver import Resolver
from snapshots.snapshot import Snapshot
from training.benchmarks.judgements import Benchmark
from training.coverage import cover
from training.design import Design
from training.errors import NotABenchmark
from training.evaluation.columns import Sampling
from training.evaluation.evaluate import Judged, judge
from training.evaluation.report import Predictions, Report
from training.terms.report import TermTraining, train_on_terms
from training.train import check_trainable, left_out_predictions, scarce, train

if TYPE_CHECKING:
    from app.cli.progress import Steps


class Trained(NamedTuple):
    """A model, the report on predictions of pairs that were left out, and those predictions."""

    model: RelatednessModel
    report: Report
    predictions: Predictions


def of_concepts(
    benchmark: Benchmark, snapshot: Snapshot, design: Design, name: str, sampling: Sampling, shown: Steps
) -> Trained:
    """A model of concepts, fitted to all covered pairs, and the report on its predictions of left-out topics.

    Raises:
        TrainingError: the judgements cannot be learnt from.
    """
    if benchmark.kind != "concepts":
        raise NotABenchmark(
            f"{benchmark.name} is a benchmark of {benchmark.kind}, and a model of concepts learns from pairs "
            "of concepts. With --terms a model of terms is trained, on terms, documents or concepts."
        )
    check_trainable(benchmark)
    shown.begin("finding the concepts", "titles")
    covered, coverage = cover(benchmark, Resolver.open(snapshot), shown.advance_to)
    shown.begin("computing the features")
    values = extract(snapshot, covered.left, covered.right)
    shown.begin("leaving one topic out", "topics")
    predicted = left_out_predictions(covered, values, design, shown.advance_to)
    shown.begin("judging features and model", "measures")
    report = judge(
        Judged(benchmark, "train", covered, coverage, values, predicted),
        model=name,
        snapshot=snapshot.id,
        predictions="out-of-fold",
        notes=scarce(int((~covered.identical).sum()), len(design.addends) + 1, len(covered.topics)),
        resamples=sampling.resamples,
        seed=sampling.seed,
        progress=shown.advance_to,
    )
    predictions = Predictions(covered.scores, predicted, covered.topic, covered.topics)
    return Trained(train(benchmark, covered, values, design, report), report, predictions)


def of_terms(
    benchmark: Benchmark, snapshot: Snapshot, design: Design, name: str, sampling: Sampling, shown: Steps
) -> Trained:
    """A model of terms, fitted to all pairs that the snapshot knows, and the report on left-out predictions.

    Raises:
        TrainingError: the judgements cannot be learnt from.
    """
    if benchmark.kind == "rankings":
        raise NotABenchmark(f"{benchmark.name} holds rankings, and a model learns from scores.")
    extractor = TermExtractor.open(snapshot, Resolver.open(snapshot))
    shown.begin("leaving folds out", "folds")
    training = TermTraining(benchmark, extractor, design, name)
    return Trained(*train_on_terms(training, sampling, shown.advance_to))
