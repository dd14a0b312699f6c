"""A challenger beside the champion: compared on all that is known, and let through the gate or not."""

from __future__ import annotations

from itertools import compress

import numpy as np
from msgspec.structs import asdict

from measures.arrays import Floats, Ints
from training.progress import Progress, Steps
from training.retraining.agreement import Agreement, agreements
from training.retraining.challenger import Challenger
from training.retraining.champion import Champion, LearntFrom, LearntRow, read_by, what_it_learnt_from
from training.retraining.comparison import Comparison, Part, compared_where_known
from training.retraining.folds import MEANING, folds_of
from training.retraining.gate import Verdict, decide, refused
from training.retraining.held_out import ReadPairs, as_it_is, held_out, pair_keys
from training.retraining.report import Against, CrossValidation, RetrainReport
from training.retraining.validate import merge, resolve


def compare_with(challenger: Challenger, champion: Champion, steps: Steps) -> RetrainReport:
    """The challenger beside the champion: what the comparison says, and the gate's verdict.

    A base set's pair that a user judged too has its own score in either comparison: the user's do not alter
    the other's. ``steps``: told of the folds.
    """
    steps.begin("comparing with the model in force", "folds")
    job, validated, folds = challenger.job, challenger.validated, challenger.folds
    judged, spellings = validated.judged, validated.benchmark.spellings
    learnt_from = what_it_learnt_from(champion, job.sets, spellings, job.data_dir)
    asked, common = champion.read(judged.rows, spellings)
    learnt = learnt_from.pairs if learnt_from is not None else None
    predicted = held_out(champion.model, learnt, asked, folds.of(common), steps.advance_to)
    itself, old = np.full((2, len(common)), np.nan)
    itself[common], old[common] = as_it_is(champion.model, asked), predicted.values
    names = job.name, champion.name
    new = challenger.predictions.predicted
    parts: dict[Part, Floats] = {"own": np.where(judged.own, judged.scores, np.nan), "base": judged.base}
    own, *others = (
        compared_where_known(part, names, new, old, scores, folds.group, 1 - job.gate.p)
        for part, scores in parts.items()
    )
    before = np.full(len(common), np.nan)
    unknown = None
    if learnt_from is None:
        unknown = f"the rows that {champion.name} learnt from are not known"
    else:
        before, on_learnt = _on_learnt_pairs(challenger, champion, learnt_from, steps.advance_to)
        others.append(on_learnt)
        if on_learnt is None:
            unknown = f"of the rows that {champion.name} learnt from there is none that both can be judged on"
    agree = tuple(agreements(judged.scores, judged.own, judged.base, before, itself))
    comparisons = [comparison for comparison in others if comparison is not None]
    if own is None:
        verdict = refused(*names, "there is no pair that both can be judged on")
    else:
        resolved = validated.coverage.resolved
        by_champion = resolve(validated.rows, spellings, champion.resolver).coverage.resolved
        verdict = decide(job.gate, own, comparisons, resolved, by_champion, unknown, agree)
        comparisons.insert(0, own)
    against = Against(
        champion.name, champion.release, champion.snapshot.id, predicted.how, predicted.refits, predicted.note
    )
    return _report(challenger, against, tuple(comparisons), agree, verdict)


def _on_learnt_pairs(
    challenger: Challenger, champion: Champion, learnt_from: LearntFrom, progress: Progress
) -> tuple[Floats, Comparison | None]:
    """The scores that were known before, and both models on the pairs that the champion learnt from.

    A model that is better on a user's pairs may have forgotten everything else, or have been taught the
    contrary. So both are judged on all that the champion learnt from, each held out from the other rows of
    their topics. A pair that the challenger's judgements judge again keeps the score that it had: what guards
    a model against judgements cannot be altered by them.

    The scores are of the challenger's pairs, float64[n], NaN where there is none. The comparison is None
    where there is nothing that both can be judged on. ``progress`` counts folds.
    """
    job, judged = challenger.job, challenger.pairs
    known, _ = merge(resolve(learnt_from.rows, learnt_from.spellings, job.resolver))
    keys, sought = pair_keys(known.left, known.right), pair_keys(judged.left, judged.right)
    _, here, there = np.intersect1d(sought, keys, assume_unique=True, return_indices=True)
    before = np.full(len(sought), np.nan)
    before[here] = known.scores[there]
    theirs, common = champion.read(known.rows, learnt_from.spellings)
    if not common.any():
        return before, None
    left, right = known.left[common], known.right[common]
    rows = list(compress(known.rows, common))
    ours = read_by(challenger.model, job.snapshot, left, right, theirs.scores, rows)
    folds = folds_of(left, right, theirs.topics, together=_either(theirs, ours))
    old = held_out(champion.model, learnt_from.pairs, theirs, folds, progress).values
    new = held_out(challenger.model, judged, ours, folds).values
    names = job.name, champion.name
    level = 1 - job.gate.p
    return before, compared_where_known("learnt", names, new, old, theirs.scores, folds.group, level)


def _either(*read: ReadPairs) -> Ints | None:
    """Which topics an encoder has together; both snapshots' vectors are of one encoder, or one is unknown."""
    known = [each.together for each in read if each.together is not None]
    return np.max(known, axis=0) if known else None


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
