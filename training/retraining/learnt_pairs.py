"""What the challenger is worth on the rows that the champion learnt from, by the scores of these.

A model that is better on a user's pairs may have forgotten everything else, or have been taught the contrary.
Where the rows of the champion are known, both models are judged on all of them, each held out from the other
rows of their topics. A pair that the challenger's judgements judge again keeps the score that it had: what
guards a model against judgements cannot be altered by them.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from measures.arrays import Floats
from training.progress import Progress
from training.retraining.challenger import Challenger
from training.retraining.champion import Champion, LearntFrom
from training.retraining.comparison import Comparison, compared
from training.retraining.folds import folds_of
from training.retraining.held_out import Learnt, held_out, pair_keys, values_read
from training.retraining.validate import DistinctPairs, merge, resolve


@dataclass(frozen=True, slots=True)
class LearntPairs:
    """What was known before: ``scores``, of the challenger's pairs, float64[n], NaN where there is none.

    ``comparison``: of both models on all that was known; None where there is nothing that both can be judged
    on.
    """

    scores: Floats
    comparison: Comparison | None


def on_learnt_pairs(
    challenger: Challenger, champion: Champion, learnt_from: LearntFrom, progress: Progress | None = None
) -> LearntPairs:
    """Both models on the pairs that the champion learnt from; ``progress`` counts folds."""
    job, judged = challenger.job, challenger.validated.judged
    resolved = resolve(learnt_from.rows, learnt_from.spellings, job.resolver)
    pairs, _ = merge(resolved.rows, resolved.pairs)
    scores = _scores_of(judged, pairs)
    theirs, _, rows, common = resolve(pairs.rows, learnt_from.spellings, champion.resolver)
    if not rows:
        return LearntPairs(scores, None)
    left, right = pairs.left[common], pairs.right[common]
    topics = tuple(row.topic for row in rows)
    folds = folds_of(left, right, topics)
    values = values_read(champion.model, champion.snapshot, theirs.left, theirs.right)
    old = held_out(
        champion.model, learnt_from.learnt, theirs.left, theirs.right, values, topics, folds, progress
    )
    own = Learnt(
        judged.left, judged.right, challenger.values, judged.scores, tuple(row.topic for row in judged.rows)
    )
    values = values_read(challenger.model, job.snapshot, left, right)
    new = held_out(challenger.model, own, left, right, values, topics, folds)
    predicted = new.values, np.where(theirs.identical, 1.0, old.values)
    chosen = ~np.isnan(predicted).any(axis=0)
    if not chosen.any():
        return LearntPairs(scores, None)
    comparison = compared(
        "learnt",
        (job.name, champion.name),
        predicted[0][chosen],
        predicted[1][chosen],
        theirs.scores[chosen],
        folds.group[chosen],
        1 - job.gate.p,
    )
    return LearntPairs(scores, comparison)


def _scores_of(judged: DistinctPairs, known: DistinctPairs) -> Floats:
    """The known score of each judged pair, float64[n]; NaN where there is none."""
    keys, sought = pair_keys(known.left, known.right), pair_keys(judged.left, judged.right)
    _, here, there = np.intersect1d(sought, keys, assume_unique=True, return_indices=True)
    scores = np.full(len(sought), np.nan)
    scores[here] = known.scores[there]
    return scores
