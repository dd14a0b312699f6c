"""What the candidate is worth on the rows that the model in force learnt from, by the scores of these.

A model that is better on a user's pairs may have forgotten everything else, or have been taught the contrary.
Where the rows of the model in force are known, both models are judged on all of them, each held out from the
other rows of their topics. A pair that the candidate's judgements judge again keeps the score that it had:
what guards a model against judgements cannot be altered by them.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from features.extract import extract
from measures.arrays import Floats
from models.model import Model
from snapshots.resolver import Resolver
from snapshots.snapshot import Snapshot
from training.coverage import Progress, cover
from training.retraining.comparison import Comparison, compared
from training.retraining.folds import folds_of
from training.retraining.held_out import Learnt, held_out, pair_keys
from training.retraining.in_force import InForce, Known, in_its_snapshot
from training.retraining.validate import Judged, as_benchmark, merge, resolved_rows


@dataclass(frozen=True, slots=True)
class Candidate:
    """A candidate on its snapshot, and what it was fitted to: pairs and their features, float64[n, k]."""

    name: str
    model: Model
    snapshot: Snapshot
    resolver: Resolver
    judged: Judged
    values: Floats


@dataclass(frozen=True, slots=True)
class Before:
    """What was known before: ``scores``, those of the candidate's pairs, float64[n], NaN where there is none.

    ``comparison``: of both models on all that was known; None where there is nothing that both can be judged
    on.
    """

    scores: Floats
    comparison: Comparison | None


def before(
    candidate: Candidate, in_force: InForce, known: Known, level: float, progress: Progress | None = None
) -> Before:
    """Both models on the pairs that the model in force learnt from.

    ``level``: the coverage of intervals; ``progress`` counts folds.
    """
    covered, coverage = cover(as_benchmark(known.rows, known.spellings), candidate.resolver)
    kept = resolved_rows(known.rows, coverage)
    found = [row for row, is_kept in zip(known.rows, kept.tolist(), strict=True) if is_kept]
    pairs, _ = merge(found, covered)
    scores = _scores_of(candidate.judged, pairs)
    theirs, rows, common = in_its_snapshot(in_force, pairs.rows, known.spellings)
    if not rows:
        return Before(scores, None)
    judged = candidate.judged
    left, right = pairs.left[common], pairs.right[common]
    topics = tuple(row.topic for row in rows)
    folds = folds_of(left, right, topics)
    values = extract(in_force.snapshot, theirs.left, theirs.right)
    old = held_out(in_force.model, known.learnt, theirs.left, theirs.right, values, topics, folds, progress)
    own = Learnt(
        judged.left, judged.right, candidate.values, judged.scores, tuple(row.topic for row in judged.rows)
    )
    new = held_out(candidate.model, own, left, right, extract(candidate.snapshot, left, right), topics, folds)
    predicted = new.values, np.where(theirs.identical, 1.0, old.values)
    chosen = ~np.isnan(predicted).any(axis=0)
    if not chosen.any():
        return Before(scores, None)
    comparison = compared(
        "learnt",
        (candidate.name, in_force.name),
        predicted[0][chosen],
        predicted[1][chosen],
        theirs.scores[chosen],
        folds.group[chosen],
        level,
    )
    return Before(scores, comparison)


def _scores_of(judged: Judged, known: Judged) -> Floats:
    """The known score of each judged pair, float64[n]; NaN where there is none."""
    keys, sought = pair_keys(known.left, known.right), pair_keys(judged.left, judged.right)
    _, here, there = np.intersect1d(sought, keys, assume_unique=True, return_indices=True)
    scores = np.full(len(sought), np.nan)
    scores[here] = known.scores[there]
    return scores
