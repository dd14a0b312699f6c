"""One benchmark in detail: its report with the sections that were asked for, and what plots need."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Protocol

import msgspec
import numpy as np

from features.terms.catalogue import TERM_FEATURES
from measures.arrays import Floats, Ints
from models.protocol import RelatednessModel
from snapshots.snapshot import Snapshot
from training.design import DESIGNS, design_of
from training.evaluation.ablation import Ablation, ablate
from training.evaluation.answers import ABSENT, Answers, Judges
from training.evaluation.columns import KINDS, Gold, Sampling, defined, judge_columns
from training.evaluation.deciles import Decile, by_decile, pair_popularity
from training.evaluation.evaluate import Judged, judge, notes_on
from training.evaluation.learners import LearnerResult, compare_learners
from training.evaluation.rankings import row_of
from training.evaluation.rejected import not_measured, rejected_measures
from training.evaluation.report import Measure, Predictions, Report
from training.statistics import bootstrap
from training.statistics.significance import Difference, Kind, compare, compare_all

LEAST_TOPICS = 2
"""To leave one out and have one to learn from."""


class Steps(Protocol):
    """Who is told what is done and how far it is."""

    def begin(self, label: str, unit: str = "") -> None:
        """The next step has begun."""

    def advance_to(self, done: int, total: int | None) -> None:
        """How far it is."""


@dataclass(frozen=True, slots=True)
class Sections:
    """The parts of a report that take longer than the rest, and are made where asked for."""

    rejected: bool = False
    ablation: bool = False
    learners: bool = False
    all_differences: bool = False


def of_terms(answers: Answers) -> bool:
    """Whether the report is on the term model: on benchmarks of terms and documents, where there is one."""
    return answers.benchmark.kind in {"terms", "documents"} and answers.term_model is not None


def detailed(
    answers: Answers, judges: Judges, sampling: Sampling, sections: Sections, steps: Steps
) -> tuple[Report, Predictions]:
    """The report on a benchmark of pairs, and the predictions that it is of.

    Raises:
        TooFewPairs: fewer than two pairs are covered.
    """
    termed = of_terms(answers)
    judged, model = _terms(answers, judges) if termed else _concepts(answers, judges)
    steps.begin("judging features and model", "measures")
    report = judge(
        judged,
        model=model.name,
        snapshot=judges.snapshot.id,
        predictions="model",
        notes=notes_on(model, judges.snapshot.id, answers.benchmark, answers.split),
        resamples=sampling.resamples,
        seed=sampling.seed,
        progress=steps.advance_to,
    )
    gold = Gold(judged.pairs.scores, judged.pairs.topic, judged.pairs.topics)
    columns = dict(zip((feature.name for feature in judged.features), judged.values.T, strict=True))
    chosen = np.ones_like(answers.covered) if termed else answers.covered
    columns |= {name: values[chosen] for name, values in answers.baselines.items()}
    found: dict[str, Floats] = {}
    if sections.rejected and not termed:
        steps.begin("measures that the paper rejected")
        found = rejected_measures(judges.snapshot, answers.pairs.left, answers.pairs.right)
        columns |= found
    ablation, learners = ((), ()) if termed else fitted_anew(answers, judges.model, sections, steps)
    steps.begin("tests of differences")
    named = model.name if model.name not in columns else f"model {model.name}"
    columns[named] = judged.predicted
    best = (margin.best for margin in report.margins.values() if margin.best is not None)
    rivals = (*best, *answers.baselines)
    report = msgspec.structs.replace(
        report,
        row=row_of(answers, judges, sampling),
        rejected=measures(found, gold, sampling),
        differences=tuple(
            difference
            for kind in KINDS
            for difference in differences(columns, gold, kind, named, rivals, sampling.draws(gold))
        ),
        all_differences=every_difference(columns, gold) if sections.all_differences else (),
        deciles=() if termed else deciles(columns, judges.snapshot, answers),
        ablation=ablation,
        learners=learners,
    )
    return msgspec.structs.replace(
        report,
        notes=(
            *report.notes,
            *other_language(answers, judges),
            *_omitted(answers, judges.snapshot, sections, termed),
        ),
    ), Predictions(gold.scores, judged.predicted, gold.topic, gold.topics)


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
    kind: Kind,
    model: str,
    rivals: Iterable[str],
    drawn: Ints,
) -> list[Difference]:
    """Tests of ``kind`` between measures that are next to each other in their order, the best first.

    And of the ``model``, a name among ``columns``, against each of the ``rivals`` that is not next to it.
    The model's differences have their intervals; ``drawn``: as from ``Sampling.draws``.
    """
    correlation, resample = KINDS[kind]
    found = {name: correlation(values, gold.scores) for name, values in columns.items()}
    order = sorted((name for name in found if not np.isnan(found[name])), key=lambda name: -found[name])
    pairs = list(pairwise(order))
    for rival in dict.fromkeys(rivals):
        if {rival, model} <= set(order) and rival != model:
            first, second = sorted((model, rival), key=order.index)
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


def every_difference(columns: Mapping[str, Floats], gold: Gold) -> tuple[Difference, ...]:
    """Tests of both kinds between every two measures, each float64[n], the better one first."""
    return tuple(difference for kind in KINDS for difference in compare_all(columns, gold.scores, kind))


def other_language(answers: Answers, judges: Judges) -> tuple[str, ...]:
    """What a reader must know where a benchmark is not in the snapshot's language."""
    language, wiki = answers.benchmark.language, judges.snapshot.manifest.language
    if language in {None, wiki}:
        return ()
    return (
        f"{answers.benchmark.name} is in {language}, and the snapshot in {wiki}: they have in common what is "
        "spelt alike.",
    )


def deciles(columns: Mapping[str, Floats], snapshot: Snapshot, answers: Answers) -> tuple[Decile, ...]:
    """The measures on each decile of the covered pairs, by the in-links of the less linked concept."""
    pairs = answers.pairs
    return by_decile(columns, pairs.scores, pair_popularity(snapshot, pairs.left, pairs.right))


def fitted_anew(
    answers: Answers, model: RelatednessModel, sections: Sections, steps: Steps
) -> tuple[tuple[Ablation, ...], tuple[LearnerResult, ...]]:
    """Ablation and other learners on the covered pairs, by the model's design, leaving one topic out.

    Both empty where the pairs are of fewer than two topics.
    """
    pairs, design = answers.pairs, design_of(model) or DESIGNS["default"]
    ablation: tuple[Ablation, ...] = ()
    learners: tuple[LearnerResult, ...] = ()
    asked = (answers.values, pairs.scores, pairs.topic, design, steps.advance_to, pairs.identical)
    if sections.ablation and len(pairs.topics) >= LEAST_TOPICS:
        steps.begin("leaving out each feature", "models")
        ablation = ablate(*asked)
    if sections.learners and len(pairs.topics) >= LEAST_TOPICS:
        steps.begin("other learners", "folds")
        learners, _ = compare_learners(*asked)
    return ablation, learners


def _concepts(answers: Answers, judges: Judges) -> tuple[Judged, RelatednessModel]:
    judged = Judged(
        answers.benchmark, answers.split, answers.pairs, answers.coverage, answers.values, answers.predicted
    )
    return judged, judges.model


def _terms(answers: Answers, judges: Judges) -> tuple[Judged, RelatednessModel]:
    if answers.term_model is None or judges.terms is None or judges.terms.model is None:
        raise ValueError("there is no term model to report on")
    values = np.stack(list(answers.terms.values()), axis=1)
    judged = Judged(
        answers.benchmark,
        answers.split,
        answers.gold,
        judges.terms.coverage(answers.benchmark),
        values,
        answers.term_model,
        TERM_FEATURES,
    )
    return judged, judges.terms.model


def _omitted(answers: Answers, snapshot: Snapshot, sections: Sections, termed: bool) -> list[str]:
    """Why sections that were asked for are not there."""
    asked = [name for name in ("rejected", "ablation", "learners") if getattr(sections, name)]
    if termed and asked:
        return [f"{', '.join(asked).capitalize()}: of concept features; this report is on a model of terms."]
    omitted = []
    if sections.rejected and (why := not_measured(snapshot)) is not None:
        omitted.append(why)
    if (sections.ablation or sections.learners) and len(answers.pairs.topics) < LEAST_TOPICS:
        omitted.append(
            "Ablation and other learners are judged by leaving one topic out, and the covered pairs have "
            f"{len(answers.pairs.topics)} topics."
        )
    return omitted
