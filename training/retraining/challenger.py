"""A challenger: a model fitted to a user's judgements, and its predictions of pairs that were left out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from msgspec.structs import replace

from features.catalogue import FEATURE_NAMES
from models.additive import AdditiveModel
from snapshots.naming.resolver import Resolver
from snapshots.snapshot import Snapshot
from training.coverage import topics_of
from training.design import DESIGNS, Design
from training.evaluation.columns import Gold, Sampling
from training.evaluation.evaluate import JudgedPairs, judge
from training.evaluation.report import Predictions, Report
from training.fit import design_matrix, out_of_fold
from training.left_out import encoder_behind, weighs_cosines
from training.progress import Steps
from training.retraining.folds import Folds, folds_of
from training.retraining.gate import GATE, Gate
from training.retraining.held_out import ReadPairs
from training.retraining.unseen import unseen_values
from training.retraining.validate import (
    JudgedSet,
    Validated,
    check_enough,
    check_folds,
    validate,
)
from training.train import trained


@dataclass(frozen=True, slots=True)
class ChallengerJob:
    """What to learn from and how: the sets of judgements, the snapshot, the name of the model, the gate.

    ``data_dir``: where declared benchmarks lie, one of which the champion may have learnt from.
    """

    sets: Sequence[JudgedSet]
    snapshot: Snapshot
    resolver: Resolver
    name: str
    design: Design = DESIGNS["default"]
    gate: Gate = GATE
    resamples: int = 1000
    data_dir: Path | None = None


@dataclass(frozen=True, slots=True)
class Challenger:
    """A model that has been fitted and predicted, not yet compared.

    ``pairs``: its distinct pairs, as it reads them; ``predictions``: what the folds say of them, beside
    people's scores; ``report``: of the training alone.
    """

    job: ChallengerJob
    validated: Validated
    folds: Folds
    pairs: ReadPairs
    model: AdditiveModel
    report: Report
    predictions: Predictions


def fit_challenger(job: ChallengerJob, steps: Steps) -> Challenger:
    """The challenger: its data validated, cross-validated, judged and fitted.

    Raises:
        TrainingError: the judgements cannot be used, or are too few.
    """
    steps.begin("finding the concepts", "titles")
    validated = validate(job.sets, job.resolver, steps.advance_to)
    judged = validated.judged
    check_enough(judged)
    topics = tuple(row.topic for row in judged.rows)
    steps.begin("computing the features")
    unseen = unseen_values(job.snapshot, judged.left, judged.right, judged.rows)
    values = unseen.values
    together = unseen.fold if weighs_cosines(job.design) else None
    folds = folds_of(judged.left, judged.right, topics, together=together)
    check_folds(folds.count)
    steps.begin("leaving one fold out", "folds")
    predicted = out_of_fold(
        design_matrix(values, job.design),
        judged.scores,
        folds.number,
        job.design.method,
        steps.advance_to,
    )
    steps.begin("judging features and model", "measures")
    # Pairs without a topic are grouped otherwise, and these groups are no topics.
    gold = Gold(judged.scores, folds.group, topics_of(topics)[1])
    pairs = JudgedPairs(validated.benchmark, "train", gold, validated.coverage, values, predicted)
    report = judge(
        pairs,
        model=job.name,
        snapshot=job.snapshot.id,
        notes=_of_cosines(job, unseen.replaced),
        predictions="out-of-fold" if folds.kind != "encoder-folds" else "topic-folds",
        sampling=Sampling(job.resamples),
        progress=steps.advance_to,
    )
    model, _, predictions = trained(pairs, job.design, np.ones(len(values), np.bool_), report)
    parts = tuple(each.benchmark.checksum for each in job.sets) if len(job.sets) > 1 else ()
    model = replace(model, trained_on=replace(model.trained_on, parts=parts))
    read = ReadPairs(
        judged.left, judged.right, model.read_from(values, FEATURE_NAMES), judged.scores, topics, together
    )
    return Challenger(job, validated, folds, read, model, report, predictions)


def _of_cosines(job: ChallengerJob, replaced: int) -> tuple[str, ...]:
    """What a reader must know of an encoder's cosines; ``replaced``: how many pairs have left-out ones."""
    if not weighs_cosines(job.design):
        return ()
    if replaced:
        return (
            f"The snapshot's encoder was tuned on {replaced:,} of the pairs. Their cosines are those of "
            "encoders that had not seen their topics, and these topics are left out together.",
        )
    named = job.snapshot.manifest.settings.get("encoder")
    if named is not None and encoder_behind(job.snapshot) is None:
        return (
            f"Nothing says which pairs the snapshot's encoder {named['name']} was tuned on. If pairs here "
            "are among them, the model trusts its cosines too much.",
        )
    return ()
