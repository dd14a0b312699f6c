"""A challenger beside the champion: compared on all that is known, and let through the gate or not."""

from __future__ import annotations

import numpy as np
from msgspec.structs import asdict

from measures.arrays import Floats
from training.progress import Steps
from training.retraining.agreement import Agreement, agreements
from training.retraining.challenger import Challenger
from training.retraining.champion import Champion, ChampionPredictions, LearntRow, champion_predictions
from training.retraining.comparison import Comparison, Part, compared
from training.retraining.folds import MEANING
from training.retraining.gate import Verdict, decide, refused
from training.retraining.learnt_pairs import LearntPairs, on_learnt_pairs
from training.retraining.report import Against, CrossValidation, RetrainReport


def compare_with(challenger: Challenger, champion: Champion, steps: Steps) -> RetrainReport:
    """The challenger beside the champion: what the comparison says, and the gate's verdict.

    ``steps``: told of the folds.
    """
    steps.begin("comparing with the model in force", "folds")
    job, judged = challenger.job, challenger.validated.judged
    predictions = champion_predictions(
        champion, job.sets, challenger.validated, challenger.folds, job.data_dir, steps.advance_to
    )
    comparisons = _comparisons(challenger, champion, predictions)
    learnt = None
    if predictions.learnt_from is not None:
        learnt = on_learnt_pairs(challenger, champion, predictions.learnt_from, steps.advance_to)
        if learnt.comparison is not None:
            comparisons["learnt"] = learnt.comparison
    before = learnt.scores if learnt is not None else np.full(len(judged.scores), np.nan)
    agree = tuple(agreements(judged.scores, judged.own, judged.base, before, predictions.itself))
    own = comparisons.get("own")
    if own is None:
        verdict = refused(job.name, champion.name, "there is no pair that both can be judged on")
    else:
        others = [comparison for part, comparison in comparisons.items() if part != "own"]
        resolved = challenger.validated.coverage.resolved
        unknown = _unknown(champion, learnt)
        verdict = decide(job.gate, own, others, resolved, predictions.resolved, unknown, agree)
    held_out = predictions.predicted
    against = Against(
        champion.name, champion.release, champion.snapshot.id, held_out.how, held_out.refits, held_out.note
    )
    return _report(challenger, against, tuple(comparisons.values()), agree, verdict)


def not_compared(challenger: Challenger, name: str, release: int, snapshot: str, why: str) -> RetrainReport:
    """The report where the champion cannot be used, so that nothing passes the gate."""
    against = Against(name, release, snapshot, "none", 0, why)
    return _report(challenger, against, (), (), refused(challenger.job.name, name, why.rstrip(".")))


def _report(
    challenger: Challenger,
    against: Against,
    comparisons: tuple[Comparison, ...],
    agree: tuple[Agreement, ...],
    verdict: Verdict,
) -> RetrainReport:
    folds, validated = challenger.folds, challenger.validated
    validation = validated.validation
    cross_validation = CrossValidation(folds.kind, MEANING[folds.kind], folds.count, folds.shared)
    counts = [f"{each.count:,} {each.name}: {each.treatment}." for each in validation.findings]
    if validation.other_split:
        counts.append(f"{validation.other_split:,} rows are marked Test and were not read.")
    if validation.absent:
        counts.append(f"{validation.absent:,} rows have a side that their file says has no article.")
    held = (
        f"{folds.count} folds: {cross_validation.meaning}. {folds.shared:,} pairs have a concept that a pair "
        "of another fold has too."
    )
    notes = (*challenger.report.notes, verdict.reason, against.note, held, *counts)
    return RetrainReport(
        **{**asdict(challenger.report), "notes": notes},
        validation=validation,
        cross_validation=cross_validation,
        against=against,
        comparisons=comparisons,
        agreements=agree,
        gate=challenger.job.gate,
        verdict=verdict,
        learnt=tuple(
            LearntRow(row.left, row.right, row.score, row.topic, row.own) for row in validated.judged.rows
        ),
    )


def _comparisons(
    challenger: Challenger, champion: Champion, predictions: ChampionPredictions
) -> dict[Part, Comparison]:
    """The comparison on the user's own pairs and on the base sets', where there are any that both resolve.

    A base set's pair that a user judged too has its own score in either: the user's do not alter the other's.
    """
    judged = challenger.validated.judged
    predicted = np.full(len(judged.rows), np.nan)
    predicted[predictions.common] = predictions.predicted.values
    parts: dict[Part, Floats] = {"own": np.where(judged.own, judged.scores, np.nan), "base": judged.base}
    comparisons: dict[Part, Comparison] = {}
    for part, scores in parts.items():
        chosen = ~np.isnan(scores) & predictions.common
        if chosen.any():
            comparisons[part] = compared(
                part,
                (challenger.job.name, champion.name),
                challenger.predicted[chosen],
                predicted[chosen],
                scores[chosen],
                challenger.folds.group[chosen],
                1 - challenger.job.gate.p,
            )
    return comparisons


def _unknown(champion: Champion, learnt: LearntPairs | None) -> str | None:
    """Why nothing tells what the challenger has forgotten; None where something does."""
    if learnt is None:
        return f"the rows that {champion.name} learnt from are not known"
    if learnt.comparison is None:
        return f"of the rows that {champion.name} learnt from there is none that both can be judged on"
    return None
