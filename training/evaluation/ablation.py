"""What each feature is worth: the model without it, and it alone, judged by leave-one-topic-out.

A fold's least squares need of its pairs the sums of products of their addends alone. They are added up once a
topic, and each set of features takes its rows and columns of them; so a hundred regressions of eighty folds
take seconds. The predictions are those of ``training.fit.out_of_fold``, but for rounding. A log-logistic
model has no such sums, and is fitted anew each time, which takes minutes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, Protocol

import msgspec
import numpy as np
from scipy.optimize import nnls

from features.catalogue import FEATURES
from measures.arrays import Bools, Floats, Ints
from models.protocol import CLIP
from training.cross_validation import cross_predict, leave_one_topic_out
from training.design import Design
from training.fit import design_matrix, out_of_fold
from training.progress import Progress, counting
from training.statistics.correlation import pearson_spearman

ALL = "all"
"""The name of the row of the whole design."""

_NEGLIGIBLE = 1e-12
"""A direction in which the addends vary less than this share of the most is taken not to vary."""


class Scores(msgspec.Struct, frozen=True):
    """The pooled correlations of out-of-fold predictions; None where undefined."""

    pearson: float | None
    spearman: float | None


class Ablation(msgspec.Struct, frozen=True):
    """A feature, or a group of features, taken away and taken alone.

    ``addends``: how many of the design are its. ``alone``: a model of these addends; ``without``: a model of
    all others; ``drop``: by how much the whole model is better than that. The row "all" has the whole model
    as ``alone``, and nothing to take away.
    """

    feature: str
    addends: int
    alone: Scores
    without: Scores | None
    drop: Scores | None


def ablate(
    values: Floats,
    scores: Floats,
    topic: Ints,
    design: Design,
    progress: Progress | None = None,
    identical: Bools | None = None,
    groups: bool = False,
) -> tuple[Ablation, ...]:
    """The whole design, then each of its features, in the order of the catalogue.

    ``values``: the features, float64[n, k]; ``scores``: float64[n]; ``topic``: the topic of each pair,
    int64[n]; ``progress`` counts the models. ``identical``: pairs of a concept with itself, which are scored
    1 and not learnt from, as in training; none if left out. ``groups``: not single features, but each of the
    paper's four groups of them.

    Raises:
        TooFewPairs: the pairs are of fewer than two topics.
    """
    sets: dict[str, list[str]] = {}
    for declared in FEATURES:
        sets.setdefault(declared.group if groups else declared.name, []).append(declared.name)
    learnt = np.ones(len(scores), np.bool_) if identical is None else ~identical
    known = design_matrix(values[learnt], design), scores[learnt], topic[learnt]
    folds: OutOfFold = Refits(*known) if design.method == "log-logistic" else TopicSums(*known, design.method)
    own = {
        name: [i for i, (feature, _) in enumerate(design.addends) if feature in set_]
        for name, set_ in sets.items()
    }
    own = {name: columns for name, columns in own.items() if columns}
    every = range(len(design.addends))
    others = [[i for i in every if i not in columns] for columns in own.values()]

    def judged(columns: Sequence[int]) -> Scores:
        predicted = np.ones(len(scores))
        predicted[learnt] = folds.predict(columns)
        return Scores(*pearson_spearman(predicted, scores))

    whole, *parts = map(judged, counting([every, *own.values(), *others], progress))
    rows = zip(own.items(), parts[: len(own)], parts[len(own) :], strict=True)
    return (
        Ablation(ALL, len(every), whole, None, None),
        *(
            Ablation(name, len(columns), alone, without, _drop(whole, without))
            for (name, columns), alone, without in rows
        ),
    )


class OutOfFold(Protocol):
    """Predictions, leaving one topic out, by models of some columns of one design."""

    def predict(self, columns: Sequence[int]) -> Floats:
        """Each pair's score by a model of ``columns`` that saw no pair of its topic: float64[n]."""


class Refits:
    """Log-logistic models of many sets of columns, each fitted anew in every fold, as no sums would do."""

    def __init__(self, design: Floats, scores: Floats, topic: Ints) -> None:
        """``design``: float64[n, addends]; ``scores``: float64[n]; ``topic``: int64[n]."""
        self._design, self._scores, self._topic = design, scores, topic

    def predict(self, columns: Sequence[int]) -> Floats:
        """As of any; without columns each pair is given what an intercept alone gives.

        Raises:
            TooFewPairs: the pairs are of fewer than two topics.
        """
        chosen = self._design[:, np.asarray(columns, np.int64)]
        return out_of_fold(chosen, self._scores, self._topic, "log-logistic")


class TopicSums:
    """Leave-one-topic-out for many sets of columns of one design."""

    def __init__(
        self,
        design: Floats,
        scores: Floats,
        topic: Ints,
        method: Literal["least-squares", "non-negative"],
    ) -> None:
        """Sum up each topic. ``design``: float64[n, addends]; ``scores``: float64[n]; ``topic``: int64[n].

        ``method``: as of ``training.fit.fit``.

        Raises:
            TooFewPairs: the pairs are of fewer than two topics.
        """
        own = [left_out for _, left_out in leave_one_topic_out(topic)]
        self._design = design
        self._solve = _positive_weights if method == "non-negative" else _least_weights
        # Centred on the whole, so that centring a fold on its own mean costs few digits.
        self._middle, self._score_middle = design.mean(axis=0), float(scores.mean())
        table = np.column_stack([design - self._middle, scores - self._score_middle])
        sizes = np.array([of_topic.sum() for of_topic in own])
        sums = np.stack([table[of_topic].sum(axis=0) for of_topic in own])
        products = np.stack([table[of_topic].T @ table[of_topic] for of_topic in own])
        # Added up over the others, not taken from the whole: a column that is 0 in a fold stays exactly 0.
        others = 1.0 - np.eye(len(own))
        left = others @ sizes
        means = (others @ sums) / left[:, np.newaxis]
        products = np.tensordot(others, products, axes=1)
        products -= left[:, np.newaxis, np.newaxis] * (means[:, :, np.newaxis] * means[:, np.newaxis, :])
        self._folds = list(zip(zip(means, products, strict=True), own, strict=True))

    def predict(self, columns: Sequence[int]) -> Floats:
        """Each pair's score by a regression on ``columns`` that saw no pair of its topic: float64[n].

        Predictions are cut as a model's are. Without columns each pair is given the mean of the other topics.
        """
        chosen = np.asarray(columns, np.int64)

        def fit(sums: tuple[Floats, Floats]) -> tuple[Floats, Floats]:
            means, products = sums
            gram, target = products[np.ix_(chosen, chosen)], products[chosen, -1]
            return means, self._solve(gram, target) if len(chosen) else target

        def predict(fitted: tuple[Floats, Floats], left_out: Bools) -> Floats:
            means, weights = fitted
            centred = self._design[np.ix_(left_out, chosen)] - self._middle[chosen] - means[chosen]
            predicted: Floats = centred @ weights + means[-1] + self._score_middle
            return predicted

        return np.clip(cross_predict(len(self._design), self._folds, fit, predict), *CLIP)


def _least_weights(gram: Floats, target: Floats) -> Floats:
    """Least squares by its normal equations; of fits that are equally good, the one of the least weights."""
    return np.asarray(np.linalg.lstsq(gram, target, rcond=_NEGLIGIBLE)[0], np.float64)


def _positive_weights(gram: Floats, target: Floats) -> Floats:
    """Least squares with no weight below 0, by its normal equations.

    A table of as many rows as columns that has the same sums of products has the same fits. A column that
    does not vary has no weight.
    """
    varied = np.flatnonzero(gram.diagonal() > _NEGLIGIBLE * gram.diagonal().max(initial=0.0))
    weights = np.zeros(len(gram))
    if len(varied):
        values, vectors = np.linalg.eigh(gram[np.ix_(varied, varied)])
        kept = values > _NEGLIGIBLE * values[-1]
        roots, directions = np.sqrt(values[kept]), vectors[:, kept].T
        weights[varied] = nnls(roots[:, np.newaxis] * directions, directions @ target[varied] / roots)[0]
    return weights


def _drop(whole: Scores, without: Scores) -> Scores:
    return Scores(_minus(whole.pearson, without.pearson), _minus(whole.spearman, without.spearman))


def _minus(one: float | None, other: float | None) -> float | None:
    return None if one is None or other is None else one - other
