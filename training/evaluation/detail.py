"""One benchmark in detail: its report with the sections that were asked for, and what plots need."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from itertools import pairwise

import msgspec
import numpy as np

from features.catalogue import FEATURES
from measures.arrays import Bools, Floats, Ints
from models.protocol import RelatednessModel
from snapshots.snapshot import Snapshot
from training.design import DESIGNS, Design, design_of
from training.evaluation.ablation import Ablation, ablate
from training.evaluation.columns import Gold, Sampling, judge_columns
from training.evaluation.deciles import by_decile, pair_popularity
from training.evaluation.evaluate import JudgedPairs, judge, notes_on
from training.evaluation.judges import ABSENT, JudgePredictions, Judges
from training.evaluation.rankings import row_of
from training.evaluation.report import LearnerResult, Measure, Predictions, Report
from training.progress import NoProgress, Progress, Steps
from training.statistics import bootstrap
from training.statistics.correlation import CORRELATIONS, CorrelationKind, defined
from training.statistics.significance import Difference, compare, compare_all
from training.statistics.thresholds import Wanted

LEAST_TOPICS = 2
"""To leave one out and have one to learn from."""


Rejected = Callable[[Snapshot, Ints, Ints], tuple[Mapping[str, Floats], str | None]]
"""Measures that no model has, of pairs of concepts (two ids, int64[n] each): float64[n] by name, and what a
reader must know of those that are missing."""

Learners = Callable[[Floats, Floats, Ints, Design, Progress, Bools], tuple[tuple[LearnerResult, ...], object]]
"""Learners compared, and more that a report has no use for: features, scores, topics, the model's design,
progress by folds, and which pairs are of identical concepts, as ``ablate`` takes them."""


@dataclass(frozen=True, slots=True)
class Sections:
    """The parts of a report that take longer than the rest, and are made where asked for.

    ``rejected`` and ``learners``: what makes the section, None where it is not asked for.
    """

    rejected: Rejected | None = None
    ablation: bool = False
    learners: Learners | None = None
    all_differences: bool = False


def detailed(
    predictions: JudgePredictions,
    judges: Judges,
    sections: Sections = Sections(),
    sampling: Sampling = Sampling(),  # noqa: B008 - frozen
    steps: Steps = NoProgress(),  # noqa: B008 - without state
    wanted: Wanted = Wanted(),  # noqa: B008 - frozen
) -> tuple[Report, Predictions]:
    """The report on a benchmark of pairs, and the predictions that it is of; ``wanted``: of thresholds.

    Raises:
        TooFewPairs: fewer than two pairs are covered.
    """
    judged, model = _judged(predictions, judges)
    termed = judged.features is not FEATURES
    pairs = predictions.pairs
    steps.begin("judging features and model", "measures")
    report = judge(
        judged,
        model=model.name,
        snapshot=judges.snapshot.id,
        predictions="model",
        notes=notes_on(model, judges.snapshot.id, predictions.benchmark, predictions.split),
        sampling=sampling,
        progress=steps.advance_to,
        bands=model.interval_bands or None,
        wanted=wanted,
    )
    gold = Gold(judged.pairs.scores, judged.pairs.topic, judged.pairs.topics)
    columns = dict(zip((feature.name for feature in judged.features), judged.values.T, strict=True))
    chosen = np.ones_like(predictions.covered) if termed else predictions.covered
    columns |= {name: values[chosen] for name, values in predictions.baselines.items()}
    rejected: Mapping[str, Floats] = {}
    missing = None
    if sections.rejected is not None and not termed:
        steps.begin("measures that the paper rejected")
        rejected, missing = sections.rejected(
            judges.snapshot, predictions.pairs.left, predictions.pairs.right
        )
        columns |= rejected
    ablation, learners = ((), ()) if termed else fitted_anew(predictions, judges.model, sections, steps)
    steps.begin("tests of differences")
    named = model.name if model.name not in columns else f"model {model.name}"
    columns[named] = judged.predicted
    best = (margin.best for margin in report.margins.values() if margin.best is not None)
    others = (*best, *predictions.baselines)
    notes = (
        *report.notes,
        *other_language(predictions, judges),
        *(judges.warnings if termed else ()),
        *([] if missing is None else [missing]),
        *_omitted(predictions, sections, termed),
    )
    report = msgspec.structs.replace(
        report,
        notes=notes,
        row=row_of(predictions, judges, sampling),
        rejected=measures(rejected, gold, sampling),
        differences=tuple(
            difference
            for kind in CORRELATIONS
            for difference in differences(columns, gold, kind, named, others, sampling.draws(gold))
        ),
        all_differences=tuple(
            each
            for kind in CORRELATIONS
            if sections.all_differences
            for each in compare_all(columns, gold.scores, kind)
        ),
        deciles=()
        if termed
        else by_decile(columns, pairs.scores, pair_popularity(judges.snapshot, pairs.left, pairs.right)),
        ablation=ablation,
        learners=learners,
    )
    return report, Predictions(gold.scores, judged.predicted, gold.topic, gold.topics)


def measures(columns: Mapping[str, Floats], gold: Gold, sampling: Sampling) -> tuple[Measure, ...]:
    """Columns, each float64[n], judged as features are; 0 is their value without evidence."""
    judged = judge_columns(list(columns.values()), gold, sampling)
    return tuple(
        Measure(name, int((values != ABSENT).sum()), **kinds)
        for (name, values), kinds in zip(columns.items(), judged, strict=True)
    )


def differences(
    columns: Mapping[str, Floats],
    gold: Gold,
    kind: CorrelationKind,
    model: str,
    others: Iterable[str],
    drawn: Ints,
) -> list[Difference]:
    """Tests of ``kind`` between measures that are next to each other in their order, the best first.

    And of the ``model``, a name among ``columns``, against each of the ``others`` that is not next to it.
    The model's differences have their intervals; ``drawn``: as from ``Sampling.draws``.
    """
    correlation, resample = CORRELATIONS[kind], bootstrap.RESAMPLED[kind]
    r = {name: correlation(values, gold.scores) for name, values in columns.items()}
    order = sorted((name for name in r if not np.isnan(r[name])), key=lambda name: -r[name])
    pairs = list(pairwise(order))
    for other in dict.fromkeys(others):
        if {other, model} <= set(order) and other != model:
            first, second = sorted((model, other), key=order.index)
            pairs.append((first, second))
    resampled: dict[str, Floats] = {}

    def tested(first: str, second: str) -> Difference:
        difference = compare(columns[first], columns[second], gold.scores, kind, (first, second))
        if model not in (first, second):
            return difference
        for name in (first, second):
            if name not in resampled:
                resampled[name] = resample(columns[name], gold.scores, gold.topic, drawn)
        ends = bootstrap.interval(resampled[first] - resampled[second])
        return msgspec.structs.replace(difference, low=defined(ends.low), high=defined(ends.high))

    return [tested(first, second) for first, second in dict.fromkeys(pairs)]


def other_language(predictions: JudgePredictions, judges: Judges) -> tuple[str, ...]:
    """What a reader must know where a benchmark is not in the snapshot's language."""
    language, wiki = predictions.benchmark.language, judges.snapshot.manifest.language
    if language in {None, wiki}:
        return ()
    return (
        f"{predictions.benchmark.name} is in {language}, and the snapshot in {wiki}: they have in common "
        "what is spelt alike.",
    )


def fitted_anew(
    predictions: JudgePredictions, model: RelatednessModel, sections: Sections, steps: Steps
) -> tuple[tuple[Ablation, ...], tuple[LearnerResult, ...]]:
    """Ablation and other learners on the covered pairs, by the model's design, leaving one topic out.

    Both empty where the pairs are of fewer than two topics.
    """
    pairs, design = predictions.pairs, design_of(model) or DESIGNS["default"]
    ablation: tuple[Ablation, ...] = ()
    learners: tuple[LearnerResult, ...] = ()
    asked = (predictions.values, pairs.scores, pairs.topic, design, steps.advance_to, pairs.identical)
    if sections.ablation and len(pairs.topics) >= LEAST_TOPICS:
        steps.begin("leaving out each feature", "models")
        ablation = ablate(*asked)
    if sections.learners is not None and len(pairs.topics) >= LEAST_TOPICS:
        steps.begin("other learners", "folds")
        learners, _ = sections.learners(*asked)
    return ablation, learners


def _judged(predictions: JudgePredictions, judges: Judges) -> tuple[JudgedPairs, RelatednessModel]:
    """What the report is on: of terms and documents the model of terms, if there is one, else of concepts."""
    benchmark, split, terms = predictions.benchmark, predictions.split, judges.terms
    scores = predictions.term_model if benchmark.kind in {"terms", "documents"} else None
    if scores is None or terms is None or terms.model is None:
        pairs, coverage = predictions.pairs, predictions.coverage
        judged = JudgedPairs(benchmark, split, pairs, coverage, predictions.values, predictions.predicted)
        return judged, judges.model
    values = np.stack(list(predictions.terms.values()), axis=1)
    coverage = terms.coverage(benchmark)
    return JudgedPairs(
        benchmark, split, predictions.gold, coverage, values, scores, terms.features, terms.model.reads
    ), terms.model


def _omitted(predictions: JudgePredictions, sections: Sections, termed: bool) -> list[str]:
    """Why sections that were asked for are not there."""
    asked = [name for name in ("rejected", "ablation", "learners") if getattr(sections, name)]
    if termed and asked:
        return [f"{', '.join(asked).capitalize()}: of concept features; this report is on a model of terms."]
    if not {"ablation", "learners"} & set(asked) or len(predictions.pairs.topics) >= LEAST_TOPICS:
        return []
    return [
        "Ablation and other learners are judged by leaving one topic out, and the covered pairs have "
        f"{len(predictions.pairs.topics)} topics."
    ]
