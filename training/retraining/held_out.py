"""A model that exists already, predicting pairs as fairly as a new one: without the pairs it learnt from.

A new model is judged by predictions of pairs that its fold left out. The champion may have learnt
from those very pairs, and its own predictions of them would flatter it. Where the rows that it was fitted to
are known, it is therefore fitted again for each fold, by its own design, to its own rows without those of the
fold.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import compress
from typing import Literal

import numpy as np

from measures.arrays import Bools, Floats, Ints
from models.protocol import RelatednessModel
from training.cross_validation import cross_predict
from training.design import Design, design_of
from training.fit import design_matrix, fit
from training.progress import Progress
from training.retraining.folds import Folds

How = Literal["held out", "as it is"]

REPRODUCED = 1e-6
"""A refit on all its rows may differ by this in a prediction; beyond it the rows are not those it learnt."""


@dataclass(frozen=True, slots=True)
class ReadPairs:
    """Judged pairs of concepts as a model reads them.

    ``left``, ``right``: concept ids, int64[n]; ``values``: the features that the model reads, float64[n,
    features], of the snapshot that it scores with, as the ids are; ``scores``: float64[n]; ``topics``: n
    names or None; ``together``: int64[n], what topics are left out together by, -1 for alone; None if all
    are.
    """

    left: Ints
    right: Ints
    values: Floats
    scores: Floats
    topics: tuple[str | None, ...]
    together: Ints | None = None

    @property
    def identical(self) -> Bools:
        """Which pairs are of one concept with itself; their score is 1 and no model is asked."""
        return np.equal(self.left, self.right)

    def of(self, chosen: Bools) -> ReadPairs:
        """The ``chosen`` pairs alone, bool[n]."""
        return ReadPairs(
            self.left[chosen],
            self.right[chosen],
            self.values[chosen],
            self.scores[chosen],
            tuple(compress(self.topics, chosen)),
            None if self.together is None else self.together[chosen],
        )


@dataclass(frozen=True, slots=True)
class HeldOutPredictions:
    """A model's predictions, float64[n], and how they came about.

    ``refits``: folds with a model of their own, the others having none of the model's rows. A prediction is
    NaN where the fold leaves the model too little to be fitted to. ``note``: what a reader must know.
    """

    values: Floats
    how: How
    refits: int
    note: str


def as_it_is(model: RelatednessModel, pairs: ReadPairs) -> Floats:
    """What a model says itself of each pair that it reads: float64[n]; 1 for identical concepts."""
    return np.where(pairs.identical, 1.0, model.score(pairs.values))


def held_out(
    model: RelatednessModel,
    learnt: ReadPairs | None,
    asked: ReadPairs,
    folds: Folds,
    progress: Progress | None = None,
) -> HeldOutPredictions:
    """The model's prediction of each pair, fitted without the pairs and the topics of the pair's fold.

    ``asked``: the pairs, of which no score is looked at; ``learnt``: those that the model was fitted to, None
    where they are not known; its own predictions then stand, which favour the model if it has learnt from the
    pairs. ``progress`` counts folds.
    """
    design = design_of(model)
    if learnt is None:
        note = (
            f"The rows that {model.name} learnt from are not known. If pairs here are among them, its "
            "figures are better than on new pairs, and the comparison favours it."
        )
    elif design is None:
        note = (
            f"{model.name} is of type {model.type}, and additive models alone can be fitted again. If pairs "
            "here are among those that it learnt from, the comparison favours it."
        )
    elif not reproduced(model, learnt, asked.values):
        note = (
            f"{model.name} fitted again to the rows it names predicts otherwise than it does itself, so they "
            "are not the rows it learnt from. If pairs here are, the comparison favours it."
        )
    else:
        return _refitted(model, design, learnt, asked, folds, progress)
    return HeldOutPredictions(as_it_is(model, asked), "as it is", 0, note)


def _refitted(
    model: RelatednessModel,
    design: Design,
    learnt: ReadPairs,
    asked: ReadPairs,
    folds: Folds,
    progress: Progress | None,
) -> HeldOutPredictions:
    """As ``held_out`` says, of a model of a ``design`` that can be fitted again to what it has ``learnt``."""
    itself = model.score(asked.values)
    matrix, own = (design_matrix(each.values, design, model.reads) for each in (asked, learnt))
    pairs, seen = (pair_keys(each.left, each.right) for each in (asked, learnt))

    def apart(of_fold: Bools) -> Bools:
        """Which of the rows learnt from are of none of the pairs and the topics of a fold: bool[m]."""
        topics = {asked.topics[place] for place in np.flatnonzero(of_fold).tolist()} - {None}
        of_topics = np.array([topic in topics for topic in learnt.topics], np.bool_)
        return ~(np.isin(seen, pairs[of_fold]) | of_topics)

    left_out = [folds.number == number for number in range(folds.count)]
    kept = [apart(of_fold) for of_fold in left_out]

    def predictor(rows: Bools) -> Callable[[Bools], Floats]:
        """What predicts the pairs of the fold without which the ``rows`` are left."""
        if rows.all():
            return lambda of_fold: itself[of_fold]
        if rows.sum() <= own.shape[1]:
            # No more rows than weights: any scores would be met, and what it predicts is worth nothing. Its
            # own predictions would be of pairs that it has seen.
            return lambda of_fold: np.full(int(of_fold.sum()), np.nan)
        refitted = fit(own[rows], learnt.scores[rows], design.method)
        return lambda of_fold: refitted.predict(matrix[of_fold])

    predicted = cross_predict(
        len(itself),
        zip(kept, left_out, strict=True),
        predictor,
        lambda predict, of_fold: predict(of_fold),
        progress,
    )
    emptied = sum(bool(np.isnan(predicted[of_fold]).any()) for of_fold in left_out)
    refits = sum(not rows.all() for rows in kept) - emptied
    note = (
        f"{model.name} was fitted again for {refits} of {folds.count} folds, to the rows that it learnt from "
        "without those of the fold; where it was not, the fold has none of them."
    )
    if emptied:
        note += (
            f" {emptied} folds hold so many of them that the rest would not do to fit it: their "
            f"{int(np.isnan(predicted).sum()):,} pairs are not compared."
        )
    return HeldOutPredictions(np.where(asked.identical, 1.0, predicted), "held out", refits, note)


def reproduced(model: RelatednessModel, learnt: ReadPairs, values: Floats) -> bool:
    """Whether the model's design, fitted to what it has ``learnt``, predicts as the model itself does.

    ``values``: the features of the pairs that both predict, float64[n, features].
    """
    design = design_of(model)
    if design is None or len(learnt.scores) < 2:
        return False
    matrix, own = (design_matrix(each, design, model.reads) for each in (values, learnt.values))
    apart = np.abs(fit(own, learnt.scores, design.method).predict(matrix) - model.score(values))
    return bool(apart.max(initial=0.0) <= REPRODUCED)


def pair_keys(left: Ints, right: Ints) -> Ints:
    """One number for each unordered pair of ids below 2^31."""
    return np.minimum(left, right) * (1 << 31) + np.maximum(left, right)
