"""What the candidate is worth on the rows that the model in force learnt from and it did not.

A model that is better on a user's pairs may have forgotten everything else. Where the rows of the model in
force are known, both models are judged on those that are not among the candidate's own, each held out from
the other rows of their topics.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from features.extract import extract
from models.model import Model
from tables.resolver import Resolver
from tables.snapshot import Snapshot
from training.coverage import Progress, cover
from training.retraining.comparison import Comparison, compared
from training.retraining.folds import folds_of
from training.retraining.held_out import Learnt, held_out, pair_keys
from training.retraining.in_force import InForce, Known, in_its_snapshot
from training.retraining.validate import Judged, as_benchmark, merge, resolved_rows

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Candidate:
    """A candidate on its snapshot, and what it was fitted to: pairs and their features, float64[n, 16]."""

    name: str
    model: Model
    snapshot: Snapshot
    resolver: Resolver
    judged: Judged
    values: Floats


@dataclass(frozen=True, slots=True)
class Elsewhere:
    """``seen``: pairs of the model in force that are the candidate's too; ``comparison``: on the others.

    None where there are no others that both snapshots resolve.
    """

    seen: int
    comparison: Comparison | None


def elsewhere(
    candidate: Candidate, in_force: InForce, known: Known, level: float, progress: Progress | None = None
) -> Elsewhere:
    """Both models on the pairs of the model in force that the candidate did not learn from.

    ``level``: the coverage of intervals; ``progress`` counts folds.
    """
    covered, coverage = cover(as_benchmark(known.rows, known.spellings), candidate.resolver)
    kept = resolved_rows(known.rows, coverage)
    found = [row for row, is_kept in zip(known.rows, kept.tolist(), strict=True) if is_kept]
    pairs, _ = merge(found, covered)
    judged = candidate.judged
    seen = np.isin(pair_keys(pairs.left, pairs.right), pair_keys(judged.left, judged.right))
    others = [row for row, is_seen in zip(pairs.rows, seen.tolist(), strict=True) if not is_seen]
    theirs, rows, common = in_its_snapshot(in_force, others, known.spellings)
    if not rows:
        return Elsewhere(int(seen.sum()), None)
    left, right = pairs.left[~seen][common], pairs.right[~seen][common]
    topics = tuple(row.topic for row in rows)
    folds = folds_of(left, right, topics)
    values = extract(in_force.snapshot, theirs.left, theirs.right)
    before = held_out(
        in_force.model, known.learnt, theirs.left, theirs.right, values, topics, folds, progress
    )
    own = Learnt(
        judged.left, judged.right, candidate.values, judged.scores, tuple(row.topic for row in judged.rows)
    )
    values = extract(candidate.snapshot, left, right)
    after = held_out(candidate.model, own, left, right, values, topics, folds)
    predicted = after.values, np.where(theirs.identical, 1.0, before.values)
    chosen = ~np.isnan(predicted).any(axis=0)
    if not chosen.any():
        return Elsewhere(int(seen.sum()), None)
    comparison = compared(
        "learnt",
        (candidate.name, in_force.name),
        predicted[0][chosen],
        predicted[1][chosen],
        theirs.scores[chosen],
        folds.group[chosen],
        level,
    )
    return Elsewhere(int(seen.sum()), comparison)
