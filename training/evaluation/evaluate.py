"""The judgement of features and of a model on covered pairs."""

from __future__ import annotations

import datetime
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib.metadata import version

import numpy as np
from numpy.typing import NDArray

from features.catalogue import FEATURES
from models.model import FoldResult, Model
from training import bootstrap
from training.benchmarks.judgements import Benchmark, Split
from training.correlation import pearson, spearman
from training.coverage import Coverage, CoveredPairs
from training.errors import TooFewPairs
from training.report import PAPER_MARGIN, Correlations, Figure, Margin, Measure, Report, Resampling

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Progress = Callable[[int, int | None], None]

RESAMPLES = 1000
SEED = 20180507
"""Any number would do; a fixed one makes reports repeatable."""

_KINDS = {
    "pearson": (pearson, bootstrap.resampled_pearson),
    "spearman": (spearman, bootstrap.resampled_spearman),
}


@dataclass(frozen=True, slots=True)
class Judged:
    """What is judged: covered pairs, their features, float64[n, 16], a model's predictions, float64[n]."""

    benchmark: Benchmark
    split: Split
    pairs: CoveredPairs
    coverage: Coverage
    values: Floats
    predicted: Floats


def model_predictions(model: Model, pairs: CoveredPairs, values: Floats) -> Floats:
    """What the model says of each pair: float64[n]; 1 for identical concepts, whatever the model."""
    return np.where(pairs.identical, 1.0, model.score(values))


def judge(
    judged: Judged,
    *,
    model: str,
    snapshot: str,
    predictions: str,
    notes: tuple[str, ...] = (),
    resamples: int = RESAMPLES,
    seed: int = SEED,
    progress: Progress | None = None,
) -> Report:
    """The report on each feature and the model; ``progress`` counts the measures.

    Raises:
        TooFewPairs: fewer than two pairs are covered.
    """
    pairs = judged.pairs
    if len(pairs.scores) < 2:
        raise TooFewPairs(
            f"{judged.coverage.resolved} of {judged.coverage.pairs} pairs have both concepts in the "
            "snapshot, and a correlation takes two. Is it a snapshot of the right wiki?"
        )
    columns = dict(zip((feature.name for feature in FEATURES), judged.values.T, strict=True))
    # Without topics each pair is drawn for itself.
    units = len(pairs.topics) or len(pairs.scores)
    drawn = bootstrap.draws(units, resamples, seed)
    measures = []
    for done, (name, values) in enumerate([*columns.items(), (model, judged.predicted)], start=1):
        evidence = int((values != FEATURES[done - 1].absent).sum()) if done <= len(FEATURES) else None
        kinds = {kind: _correlations(kind, values, pairs, drawn) for kind in _KINDS}
        measures.append(Measure(name, evidence, **kinds))
        if progress is not None:
            progress(done, len(columns) + 1)
    return Report(
        predictions=predictions,
        model=model,
        snapshot=snapshot,
        benchmark=judged.benchmark.name,
        checksum=judged.benchmark.checksum,
        split=judged.split,
        pairs=len(pairs.scores),
        topics=len(pairs.topics),
        coverage=judged.coverage,
        measures=tuple(measures),
        margins={kind: _margin(kind, measures) for kind in _KINDS},
        folds=folds_of(pairs, judged.predicted),
        resampling=Resampling("topics" if pairs.topics else "pairs", resamples, bootstrap.LEVEL, seed),
        notes=notes,
        created=datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds"),
        code_version=version("wort"),
    )


def folds_of(pairs: CoveredPairs, predicted: Floats) -> tuple[FoldResult, ...]:
    """The predictions of each topic against people's scores, in the order of the topics."""
    of_topic = [pairs.topic == number for number in range(len(pairs.topics))]
    return tuple(
        FoldResult(
            name,
            int(own.sum()),
            _defined(pearson(predicted[own], pairs.scores[own])),
            _defined(spearman(predicted[own], pairs.scores[own])),
        )
        for name, own in zip(pairs.topics, of_topic, strict=True)
    )


def notes_on(model: Model, snapshot: str, benchmark: Benchmark, split: Split) -> tuple[str, ...]:
    """What makes the model's figures on a benchmark less than they seem, in sentences."""
    notes = []
    if warning := model.check_snapshot(snapshot):
        notes.append(warning)
    if model.trained_on.checksum == benchmark.checksum and split != "test":
        notes.append(
            f"The model was trained on rows of this very file: the figures of {model.name} are of pairs that "
            "it has seen. Those of the report of its training are of pairs left out."
        )
    return tuple(notes)


def shortfalls(report: Report, floors: Mapping[str, float | None]) -> list[str]:
    """Where the model's pooled correlation is below what was asked, or undefined; one sentence each."""
    found = []
    for kind, floor in floors.items():
        value = getattr(report.of_model, kind).pooled.value
        if floor is not None and (value is None or value < floor):
            shown = "undefined" if value is None else f"{value:.4f}"
            found.append(f"the {kind.capitalize()} correlation of {report.model} is {shown}, below {floor}.")
    return found


def _correlations(kind: str, values: Floats, pairs: CoveredPairs, drawn: Ints) -> Correlations:
    correlation, resampled = _KINDS[kind]
    scores, topic = pairs.scores, pairs.topic
    pooled = _figure(correlation(values, scores), resampled(values, scores, topic, drawn))
    if not pairs.topics:
        return Correlations(pooled, None, None)
    of_topic = np.array(
        [correlation(values[topic == number], scores[topic == number]) for number in range(len(pairs.topics))]
    )
    undefined = int(np.isnan(of_topic).sum())
    mean = float(np.nanmean(of_topic)) if undefined < len(of_topic) else math.nan
    return Correlations(pooled, _figure(mean, bootstrap.resampled_mean(of_topic, drawn)), undefined)


def _figure(value: float, resampled: Floats) -> Figure:
    if math.isnan(value):
        return Figure(None, None, None)
    ends = bootstrap.interval(resampled)
    return Figure(value, _defined(ends.low), _defined(ends.high))


def _margin(kind: str, measures: list[Measure]) -> Margin:
    *features, model = ((getattr(measure, kind).pooled.value or 0.0, measure.name) for measure in measures)
    best, name = max(features)
    return Margin(name, model[0] / best - 1.0 if best > 0 else None, PAPER_MARGIN[kind])


def _defined(number: float) -> float | None:
    return None if math.isnan(number) else number
