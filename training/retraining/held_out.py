"""A model that exists already, predicting pairs as fairly as a new one: without the pairs it learnt from.

A new model is judged by predictions of pairs that its fold left out. The model in force may have learnt
from those very pairs, and its own predictions of them would flatter it. Where the rows that it was fitted to
are known, it is therefore fitted again for each fold, by its own design, to its own rows without those of the
fold.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from measures.arrays import Floats, Ints
from models.model import Model
from training.design import design_of
from training.fit import Progress, design_matrix, fit
from training.retraining.folds import Folds

How = Literal["held out", "as it is"]

REPRODUCED = 1e-6
"""A refit on all its rows may differ by this in a prediction; beyond it the rows are not those it learnt."""


@dataclass(frozen=True, slots=True)
class Learnt:
    """What a model was fitted to.

    ``left``, ``right``: concept ids, int64[m]; ``values``: features, float64[m, k]; ``scores``: float64[m];
    ``topics``: m names or None.
    """

    left: Ints
    right: Ints
    values: Floats
    scores: Floats
    topics: tuple[str | None, ...]


@dataclass(frozen=True, slots=True)
class Predicted:
    """A model's predictions, float64[n], and how they came about.

    ``refits``: folds with a model of their own, the others having none of the model's rows. A prediction is
    NaN where the fold leaves the model too little to be fitted to. ``note``: what a reader must know.
    """

    values: Floats
    how: How
    refits: int
    note: str


def as_it_is(model: Model, values: Floats, note: str) -> Predicted:
    """What the model itself says of each pair."""
    return Predicted(model.score(values), "as it is", 0, note)


def held_out(
    model: Model,
    learnt: Learnt | None,
    left: Ints,
    right: Ints,
    values: Floats,
    topics: tuple[str | None, ...],
    folds: Folds,
    progress: Progress | None = None,
) -> Predicted:
    """The model's prediction of each pair, fitted without the pairs and the topics of the pair's fold.

    ``left``, ``right``: int64[n], ``values``: float64[n, k], ``topics``: n names or None; ids and values are
    those of the snapshot that the model scores with. ``learnt``: None where its rows are not known; its own
    predictions then stand, which favour the model if it has learnt from the pairs. ``progress`` counts folds.
    """
    if learnt is None:
        return as_it_is(
            model,
            values,
            f"The rows that {model.name} learnt from are not known. If pairs here are among them, its "
            "figures are better than on new pairs, and the comparison favours it.",
        )
    design = design_of(model)
    matrix, own = design_matrix(values, design), design_matrix(learnt.values, design)
    if not _reproduced(model, own, learnt.scores, matrix, values, design.positive):
        return as_it_is(
            model,
            values,
            f"{model.name} fitted again to the rows it names predicts otherwise than it does itself, so they "
            "are not the rows it learnt from. If pairs here are, the comparison favours it.",
        )
    pairs, seen = pair_keys(left, right), pair_keys(learnt.left, learnt.right)
    predicted = model.score(values)
    refits, emptied = 0, 0
    for number in range(folds.count):
        test = folds.number == number
        named = {topics[place] for place in np.flatnonzero(test).tolist()} - {None}
        out = np.isin(seen, pairs[test]) | np.array([topic in named for topic in learnt.topics], np.bool_)
        if out.any() and (~out).sum() <= own.shape[1]:
            # No more rows than weights: any scores would be met, and what it predicts is worth nothing. Its
            # own predictions would be of pairs that it has seen.
            predicted[test] = np.nan
            emptied += 1
        elif out.any():
            refitted = fit(own[~out], learnt.scores[~out], design.positive)
            predicted[test] = refitted.predict(matrix[test])
            refits += 1
        if progress is not None:
            progress(number + 1, folds.count)
    note = (
        f"{model.name} was fitted again for {refits} of {folds.count} folds, to the rows that it learnt from "
        "without those of the fold; where it was not, the fold has none of them."
    )
    if emptied:
        note += (
            f" {emptied} folds hold so many of them that the rest would not do to fit it: their "
            f"{int(np.isnan(predicted).sum()):,} pairs are not compared."
        )
    return Predicted(predicted, "held out", refits, note)


def reproduced(model: Model, learnt: Learnt) -> bool:
    """Whether the model's design, fitted to these rows, predicts them as the model itself does."""
    design = design_of(model)
    matrix = design_matrix(learnt.values, design)
    return _reproduced(model, matrix, learnt.scores, matrix, learnt.values, design.positive)


def _reproduced(
    model: Model, own: Floats, scores: Floats, matrix: Floats, values: Floats, positive: bool
) -> bool:
    """Whether the model's design, fitted to all its rows, predicts the pairs as the model itself does."""
    if len(own) < 2:
        return False
    apart = np.abs(fit(own, scores, positive).predict(matrix) - model.score(values))
    return bool(apart.max(initial=0.0) <= REPRODUCED)


def pair_keys(left: Ints, right: Ints) -> Ints:
    """One number for each unordered pair of ids below 2^31."""
    return np.minimum(left, right) * (1 << 31) + np.maximum(left, right)
