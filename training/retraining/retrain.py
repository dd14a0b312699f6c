"""A model retrained on a user's judgements, and judged beside the one in force before it serves anybody."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

import numpy as np
from msgspec.structs import replace

from features.extract import extract
from measures.arrays import Floats, Ints
from models.model import Model
from snapshots.resolver import Resolver
from snapshots.snapshot import Snapshot
from training.benchmarks.judgements import Benchmark
from training.coverage import CoveredPairs, topics_of
from training.design import DESIGNS, Design
from training.evaluation.evaluate import Judged as JudgedPairs
from training.evaluation.evaluate import judge
from training.evaluation.report import Report
from training.fit import design_matrix, out_of_fold
from training.retraining.agreement import Agreement, agreements
from training.retraining.before import Before, Candidate, before
from training.retraining.comparison import Comparison, Part, compared
from training.retraining.folds import MEANING, Folds, folds_of
from training.retraining.gate import Gate, Verdict, decide, refused
from training.retraining.in_force import InForce, LearntRow, Rival, predict
from training.retraining.report import Against, CrossValidation, RetrainReport
from training.retraining.validate import (
    LEAST_PAIRS,
    JudgedSet,
    Validated,
    check_enough,
    check_folds,
    validate,
)
from training.train import train


class Steps(Protocol):
    """Whom a retraining tells what it does."""

    def begin(self, label: str, unit: str = "") -> None:
        """The next step has begun."""

    def advance_to(self, done: int, total: int | None) -> None:
        """How far it is."""


@dataclass(frozen=True, slots=True)
class Job:
    """What to retrain on and how: the sets of judgements, the snapshot, the name of the model, the gate.

    ``data_dir``: where declared benchmarks lie, one of which the model in force may have learnt from.
    """

    sets: Sequence[JudgedSet]
    snapshot: Snapshot
    resolver: Resolver
    name: str
    design: Design = DESIGNS["default"]
    gate: Gate = field(default_factory=Gate)
    resamples: int = 1000
    data_dir: Path | None = None
    least_pairs: int = LEAST_PAIRS


@dataclass(frozen=True, slots=True)
class Retrained:
    """A candidate that has been fitted and predicted, not yet compared.

    ``values``: the features of its distinct pairs, float64[n, k]; ``predicted``: what the folds say of them,
    float64[n]; ``topics``: as of covered pairs; ``report``: of the training alone.
    """

    job: Job
    validated: Validated
    folds: Folds
    values: Floats
    predicted: Floats
    topics: tuple[str, ...]
    model: Model
    report: Report

    @property
    def topic(self) -> Ints:
        """The number of each pair's topic in ``topics``, or of what else it goes together with: int64[n]."""
        return self.folds.group


def retrain(job: Job, steps: Steps) -> Retrained:
    """The candidate: its data validated, cross-validated, judged and fitted.

    Raises:
        TrainingError: the judgements cannot be used, or are too few.
    """
    steps.begin("finding the concepts", "titles")
    validated = validate(job.sets, job.resolver, steps.advance_to)
    judged = validated.judged
    check_enough(judged, job.least_pairs)
    topics = [row.topic for row in judged.rows]
    folds = folds_of(judged.left, judged.right, topics)
    check_folds(folds.count)
    steps.begin("computing the features")
    values = extract(job.snapshot, judged.left, judged.right)
    steps.begin("leaving one fold out", "folds")
    predicted = out_of_fold(
        design_matrix(values, job.design), judged.scores, folds.number, steps.advance_to, job.design.positive
    )
    steps.begin("judging features and model", "measures")
    _, names = topics_of(topics)
    pairs = CoveredPairs(judged.left, judged.right, judged.scores, folds.group, names)
    benchmark = joined(job.sets)
    report = judge(
        JudgedPairs(benchmark, "train", pairs, validated.coverage, values, predicted),
        model=job.name,
        snapshot=job.snapshot.id,
        predictions="out-of-fold",
        resamples=job.resamples,
        progress=steps.advance_to,
    )
    model = train(benchmark, pairs, values, job.design, report)
    # Pairs without a topic are grouped otherwise, and these groups are no topics.
    parts = tuple(each.benchmark.checksum for each in job.sets) if len(job.sets) > 1 else ()
    model = replace(model, trained_on=replace(model.trained_on, topics=len(names), parts=parts))
    return Retrained(job, validated, folds, values, predicted, names, model, report)


def compare_with(retrained: Retrained, in_force: InForce, steps: Steps) -> RetrainReport:
    """The candidate beside the model in force: what the comparison says, and the gate's verdict.

    ``steps``: told of the folds.
    """
    steps.begin("comparing with the model in force", "folds")
    job = retrained.job
    rival = predict(in_force, job.sets, retrained.validated, retrained.folds, job.data_dir, steps.advance_to)
    comparisons = _comparisons(retrained, in_force, rival)
    known = _before(retrained, in_force, rival, steps)
    if known is not None and known.comparison is not None:
        comparisons["learnt"] = known.comparison
    judged = retrained.validated.judged
    learnt = known.scores if known is not None else np.full(len(judged.scores), np.nan)
    agree = tuple(agreements(judged.scores, judged.own, judged.base, learnt, rival.itself))
    own = comparisons.get("own")
    if own is None:
        verdict = refused(job.name, in_force.name, "there is no pair that both can be judged on")
    else:
        others = [comparison for part, comparison in comparisons.items() if part != "own"]
        resolved = retrained.validated.coverage.resolved
        unknown = _unknown(in_force, known)
        verdict = decide(job.gate, own, others, resolved, rival.resolved, unknown, agree)
    predicted = rival.predicted
    against = Against(
        in_force.name, in_force.release, in_force.snapshot.id, predicted.how, predicted.refits, predicted.note
    )
    return _report(retrained, against, tuple(comparisons.values()), agree, verdict)


def not_compared(retrained: Retrained, name: str, release: int, snapshot: str, why: str) -> RetrainReport:
    """The report where the model in force cannot be used, so that nothing passes the gate."""
    against = Against(name, release, snapshot, "none", 0, why)
    return _report(retrained, against, (), (), refused(retrained.job.name, name, why.rstrip(".")))


def _report(
    retrained: Retrained,
    against: Against,
    comparisons: tuple[Comparison, ...],
    agree: tuple[Agreement, ...],
    verdict: Verdict,
) -> RetrainReport:
    job, folds, validated = retrained.job, retrained.folds, retrained.validated
    training = {name: getattr(retrained.report, name) for name in retrained.report.__struct_fields__}
    cross_validation = CrossValidation(folds.kind, MEANING[folds.kind], folds.count, folds.shared)
    found = [f"{each.count:,} {each.name}: {each.treatment}." for each in validated.validation.findings]
    if validated.validation.other_split:
        found.append(f"{validated.validation.other_split:,} rows are marked Test and were not read.")
    if validated.validation.absent:
        found.append(f"{validated.validation.absent:,} rows have a side that their file says has no article.")
    held = (
        f"{folds.count} folds: {cross_validation.meaning}. {folds.shared:,} pairs have a concept that a pair "
        "of another fold has too."
    )
    training["notes"] = (*retrained.report.notes, verdict.reason, against.note, held, *found)
    return RetrainReport(
        **training,
        validation=validated.validation,
        cross_validation=cross_validation,
        against=against,
        comparisons=comparisons,
        agreements=agree,
        gate=job.gate,
        verdict=verdict,
        learnt=tuple(
            LearntRow(row.left, row.right, row.score, row.topic, row.own) for row in validated.judged.rows
        ),
    )


def joined(sets: Sequence[JudgedSet]) -> Benchmark:
    """The sets as one benchmark, named after all; the checksum of several is a digest of theirs."""
    first = sets[0].benchmark
    if len(sets) == 1:
        return first
    checksums = "\n".join(each.benchmark.checksum for each in sets)
    return Benchmark(
        name=" + ".join(each.benchmark.name for each in sets),
        checksum=hashlib.blake2b(checksums.encode(), digest_size=32).hexdigest(),
        judgements=tuple(pair for each in sets for pair in each.benchmark.judgements),
        other_split=sum(each.benchmark.other_split for each in sets),
        absent=sum(each.benchmark.absent for each in sets),
    )


def _comparisons(retrained: Retrained, in_force: InForce, rival: Rival) -> dict[Part, Comparison]:
    """The comparison on the user's own pairs and on the base sets', where there are any that both resolve.

    A base set's pair that a user judged too has its own score in either: the user's do not alter the other's.
    """
    judged = retrained.validated.judged
    predicted = np.full(len(judged.rows), np.nan)
    predicted[rival.common] = rival.predicted.values
    parts: dict[Part, Floats] = {"own": np.where(judged.own, judged.scores, np.nan), "base": judged.base}
    names = (retrained.job.name, in_force.name)
    return {
        part: compared(
            part,
            names,
            retrained.predicted[chosen],
            predicted[chosen],
            scores[chosen],
            retrained.folds.group[chosen],
            1 - retrained.job.gate.p,
        )
        for part, scores, chosen in (
            (part, scores, ~np.isnan(scores) & rival.common) for part, scores in parts.items()
        )
        if chosen.any()
    }


def _before(retrained: Retrained, in_force: InForce, rival: Rival, steps: Steps) -> Before | None:
    """Both models on what the one in force learnt from; None where that is not known."""
    if rival.known is None:
        return None
    job = retrained.job
    candidate = Candidate(
        job.name, retrained.model, job.snapshot, job.resolver, retrained.validated.judged, retrained.values
    )
    return before(candidate, in_force, rival.known, 1 - job.gate.p, steps.advance_to)


def _unknown(in_force: InForce, known: Before | None) -> str | None:
    """Why nothing tells what the candidate has forgotten; None where something does."""
    if known is None:
        return f"the rows that {in_force.name} learnt from are not known"
    if known.comparison is None:
        return f"of the rows that {in_force.name} learnt from there is none that both can be judged on"
    return None
