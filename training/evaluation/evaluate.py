"""The judgement of features and of a model on covered pairs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version

import numpy as np

from features.catalogue import FEATURE_NAMES, FEATURES
from features.feature import AnyFeature
from measures.arrays import Bools, Floats, Ints
from models.expectation import IntervalBands
from models.protocol import FoldResult, RelatednessModel, evidence_in
from models.storage.times import now
from training.benchmarks.judgements import Benchmark, Split
from training.coverage import Coverage, CoveredPairs
from training.errors import TooFewPairs
from training.evaluation.certainty import certainty
from training.evaluation.columns import Gold, Sampling, judge_columns
from training.evaluation.report import COVERED, FEWEST, PAPER_MARGIN, Margin, Measure, Report, too_few
from training.evaluation.seen import has_seen
from training.progress import Progress
from training.statistics.correlation import CORRELATIONS, pearson_spearman
from training.statistics.thresholds import Wanted


@dataclass(frozen=True, slots=True)
class JudgedPairs:
    """What is judged: n pairs, their features, float64[n, k], and a model's predictions, float64[n].

    ``pairs``: the covered ones where concepts are judged, the gold of all where terms are. ``features``: what
    the columns of ``values`` are. ``by_evidence``: the names of those that the model reads, where its
    intervals go by how many of them have evidence; else None. ``known``: as of ``evidence_in``.
    """

    benchmark: Benchmark
    split: Split
    pairs: CoveredPairs | Gold
    coverage: Coverage
    values: Floats
    predicted: Floats
    features: Sequence[AnyFeature] = FEATURES
    by_evidence: Sequence[str] | None = None
    known: Bools | None = None

    @property
    def read(self) -> Ints | None:
        """How many features that the model reads have evidence: int64[n]; None where intervals do without."""
        if self.by_evidence is None:
            return None
        chosen = [feature.name in self.by_evidence for feature in self.features]
        return evidence_in(self.values[:, chosen], self.known)


def model_predictions(model: RelatednessModel, pairs: CoveredPairs, values: Floats) -> Floats:
    """What the model says of each pair: float64[n]; 1 for identical concepts, whatever the model.

    ``values``: every feature of the pairs, of which the model takes those it reads.
    """
    return np.where(pairs.identical, 1.0, model.score(model.read_from(values, FEATURE_NAMES)))


def judge(
    judged: JudgedPairs,
    *,
    model: str,
    snapshot: str,
    predictions: str,
    notes: tuple[str, ...] = (),
    sampling: Sampling = Sampling(),  # noqa: B008 - frozen
    progress: Progress | None = None,
    bands: IntervalBands | None = None,
    wanted: Wanted = Wanted(),  # noqa: B008 - frozen
) -> Report:
    """The report on each feature and the model; ``progress`` counts the measures.

    ``bands``: those of the model, where the predictions are its own; ``wanted``: what thresholds are to do.

    Raises:
        TooFewPairs: fewer than two pairs are covered.
    """
    pairs = judged.pairs
    if len(pairs.scores) < 2:
        raise TooFewPairs(
            f"{judged.coverage.resolved} of {judged.coverage.pairs} pairs have both concepts in the "
            "snapshot, and a correlation takes two. Is it a snapshot of the right wiki?"
        )
    gold = Gold(pairs.scores, pairs.topic, pairs.topics)
    columns = list(judged.values.T)
    has = [values != feature.absent for feature, values in zip(judged.features, columns, strict=True)]
    names = [*(feature.name for feature in judged.features), model]
    correlations = judge_columns([*columns, judged.predicted], gold, sampling, progress)
    measures = [
        Measure(name, counted, **kinds)
        for name, counted, kinds in zip(
            names, [*(int(of_feature.sum()) for of_feature in has), None], correlations, strict=True
        )
    ]
    of_concepts = judged.features is FEATURES
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
        margins={kind: _margin(kind, measures) for kind in CORRELATIONS},
        folds=folds_of(pairs, judged.predicted),
        resampling=sampling.of(gold),
        notes=(
            *too_few({judged.benchmark.name: len(pairs.scores)}, COVERED if of_concepts else "pairs"),
            *notes,
        ),
        created=now(),
        code_version=version("wort-server"),
        kind=judged.benchmark.kind,
        of="concepts" if of_concepts else "terms",
        certainty=certainty(
            gold,
            judged.predicted,
            np.sum(has, axis=0, dtype=np.int64),
            sampling.draws(gold),
            bands,
            predictions != "model",
            wanted,
            judged.read,
        ),
    )


def folds_of(pairs: CoveredPairs | Gold, predicted: Floats) -> tuple[FoldResult, ...]:
    """The predictions of each topic against people's scores, in the order of the topics."""
    of_topic = [pairs.topic == number for number in range(len(pairs.topics))]
    return tuple(
        FoldResult(name, int(own.sum()), *pearson_spearman(predicted[own], pairs.scores[own]))
        for name, own in zip(pairs.topics, of_topic, strict=True)
    )


def notes_on(model: RelatednessModel, snapshot: str, benchmark: Benchmark, split: Split) -> tuple[str, ...]:
    """What makes the model's figures on a benchmark less than they seem, in sentences."""
    notes = []
    if warning := model.check_snapshot(snapshot):
        notes.append(warning)
    if how := has_seen(model, benchmark, split):
        notes.append(
            f"The model was trained {how}: the figures of {model.name} are of pairs that it has seen. Those "
            "of the report of its training are of pairs left out."
        )
    return tuple(notes)


def shortfalls(report: Report, floors: Mapping[str, float | None]) -> list[str]:
    """Where the model's pooled correlation is below what was asked, or undefined; one sentence each.

    No floor is reached over so few pairs that they say nothing.
    """
    below = []
    for kind, floor in floors.items():
        if floor is not None and report.says_nothing:
            below.append(
                f"{report.model} meets no floor of {kind.capitalize()}: {FEWEST} pairs are needed, "
                f"and it was judged by {report.pairs}."
            )
            continue
        value = getattr(report.of_model, kind).pooled.value
        if floor is not None and (value is None or value < floor):
            shown = "undefined" if value is None else f"{value:.4f}"
            below.append(f"the {kind.capitalize()} correlation of {report.model} is {shown}, below {floor}.")
    return below


def _margin(kind: str, measures: list[Measure]) -> Margin:
    *features, model = ((getattr(measure, kind).pooled.value, measure.name) for measure in measures)
    known = [(value, name) for value, name in features if value is not None]
    best, name = max(known, default=(0.0, None))
    value = model[0] / best - 1.0 if best > 0 and model[0] is not None else None
    return Margin(name, value, PAPER_MARGIN[kind])
