"""What the challenger is worth on the rows that the champion learnt from, by the scores of these.

A model that is better on a user's pairs may have forgotten everything else, or have been taught the contrary.
Where the rows of the champion are known, both models are judged on all of them, each held out from the other
rows of their topics. A pair that the challenger's judgements judge again keeps the score that it had: what
guards a model against judgements cannot be altered by them.
"""

from __future__ import annotations

import numpy as np

from measures.arrays import Floats
from training.progress import Progress
from training.retraining.challenger import Challenger
from training.retraining.champion import Champion, LearntFrom, values_read
from training.retraining.comparison import Comparison, compared_where_known
from training.retraining.folds import folds_of
from training.retraining.held_out import ReadPairs, held_out, pair_keys
from training.retraining.validate import DistinctPairs, merge, resolve


def on_learnt_pairs(
    challenger: Challenger, champion: Champion, learnt_from: LearntFrom, progress: Progress | None = None
) -> tuple[Floats, Comparison | None]:
    """The scores that were known before, and both models on the pairs that the champion learnt from.

    The scores are of the challenger's pairs, float64[n], NaN where there is none. The comparison is None
    where there is nothing that both can be judged on. ``progress`` counts folds.
    """
    job = challenger.job
    pairs, _ = merge(resolve(learnt_from.rows, learnt_from.spellings, job.resolver))
    scores = _scores_of(challenger.pairs, pairs)
    theirs, common = champion.read(pairs.rows, learnt_from.spellings)
    if not common.any():
        return scores, None
    left, right = pairs.left[common], pairs.right[common]
    values = values_read(challenger.model, job.snapshot, left, right)
    ours = ReadPairs(left, right, values, theirs.scores, theirs.topics)
    folds = folds_of(left, right, theirs.topics)
    old = held_out(champion.model, learnt_from.pairs, theirs, folds, progress)
    new = held_out(challenger.model, challenger.pairs, ours, folds)
    return scores, compared_where_known(
        "learnt",
        (job.name, champion.name),
        new.values,
        old.values,
        theirs.scores,
        folds.group,
        1 - job.gate.p,
    )


def _scores_of(judged: ReadPairs, known: DistinctPairs) -> Floats:
    """The known score of each judged pair, float64[n]; NaN where there is none."""
    keys, sought = pair_keys(known.left, known.right), pair_keys(judged.left, judged.right)
    _, here, there = np.intersect1d(sought, keys, assume_unique=True, return_indices=True)
    scores = np.full(len(sought), np.nan)
    scores[here] = known.scores[there]
    return scores
