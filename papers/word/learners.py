"""Other learners on the same folds: what a linear regression leaves on the table.

All are judged by leave-one-topic-out, and all that they fit, the scaling of features included, is fitted
inside the fold. Their settings are declared here and searched for nowhere, but for the strength of ridge,
which each fold chooses within its own pairs.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from sklearn.ensemble import HistGradientBoostingRegressor
from sklearn.linear_model import LinearRegression, RidgeCV
from sklearn.neighbors import KNeighborsRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

from measures.arrays import Bools, Floats, Ints
from models.protocol import CLIP
from training.cross_validation import cross_predict, leave_one_topic_out
from training.design import Design
from training.evaluation.report import LearnerResult
from training.fit import design_matrix
from training.progress import Progress
from training.statistics.correlation import pearson, pearson_spearman, spearman

SEED = 20180507
"""For learners that draw; the same seed gives the same predictions."""


@dataclass(frozen=True, slots=True)
class Learner:
    """A learner: what it is in words, what it reads, and how to make a fresh one for so many pairs.

    ``reads``: the addends of the design, or the features as they are.
    """

    description: str
    reads: Literal["addends", "features"]
    make: Callable[[int], Any]


LEARNERS: dict[str, Learner] = {
    "linear": Learner(
        "least squares with no weight below 0, what the model is",
        "addends",
        lambda _: LinearRegression(positive=True),
    ),
    "unconstrained": Learner(
        "least squares with weights of either sign, as in the paper", "addends", lambda _: LinearRegression()
    ),
    "ridge": Learner(
        "least squares with a penalty on the weights, of which each fold chooses one of thirteen from 0.001 "
        "to 1,000 by leaving one of its pairs out; scaled",
        "addends",
        lambda _: make_pipeline(StandardScaler(), RidgeCV(alphas=np.logspace(-3, 3, 13))),
    ),
    "nearest neighbours": Learner(
        "the mean score of the 50 nearest pairs, the nearer the heavier; scaled",
        "features",
        lambda pairs: make_pipeline(
            StandardScaler(), KNeighborsRegressor(n_neighbors=min(50, pairs), weights="distance")
        ),
    ),
    "boosted trees": Learner(
        "200 trees of at most 15 leaves with 20 pairs each, learning rate 0.05 (histogram gradient boosting)",
        "features",
        lambda _: HistGradientBoostingRegressor(
            max_iter=200, learning_rate=0.05, max_leaf_nodes=15, early_stopping=False, random_state=SEED
        ),
    ),
}
"""Every learner by name, in the order of reports."""


def compare_learners(
    values: Floats,
    scores: Floats,
    topic: Ints,
    design: Design,
    progress: Progress | None = None,
    identical: Bools | None = None,
) -> tuple[tuple[LearnerResult, ...], dict[str, Floats]]:
    """The results of each learner, and its out-of-fold predictions, float64[n] by name.

    ``values``: the features, float64[n, k]; ``scores``: float64[n]; ``topic``: the topic of each pair,
    int64[n]; ``progress`` counts the folds of all learners. ``identical``: pairs of a concept with itself,
    which are scored 1 and not learnt from, as in training; none if left out. Predictions are cut as a model's
    are.

    Raises:
        TooFewPairs: the pairs are of fewer than two topics.
    """
    chosen = np.ones(len(scores), np.bool_) if identical is None else ~identical
    read = {"addends": design_matrix(values, design), "features": values}
    total = len(LEARNERS) * len(np.unique(topic[chosen]))
    results, predictions = [], {}
    for place, (name, learner) in enumerate(LEARNERS.items()):
        told = _continued(progress, place * total // len(LEARNERS), total)
        predicted = learner_out_of_fold(learner, read[learner.reads], scores, topic, told, chosen)
        predictions[name] = predicted
        results.append(_result(name, learner.description, predicted, scores, topic))
    return tuple(results), predictions


def learner_out_of_fold(
    learner: Learner,
    read: Floats,
    scores: Floats,
    topic: Ints,
    progress: Progress | None = None,
    chosen: Bools | None = None,
) -> Floats:
    """Each pair's prediction by a learner that saw no pair of its topic: float64[n], cut as a model's are.

    ``read``: what the learner reads of each pair, float64[n, columns]; ``progress`` counts the folds;
    ``chosen``: as of ``training.fit.out_of_fold``.

    Raises:
        TooFewPairs: the pairs are of fewer than two topics.
    """
    # One thread: sums then have the same order, and the same last digits, on any number of cores.
    with threadpool_limits(1):
        return cross_predict(
            len(scores),
            leave_one_topic_out(topic, chosen),
            lambda learnt: learner.make(int(learnt.sum())).fit(read[learnt], scores[learnt]),
            lambda fitted, left_out: np.clip(fitted.predict(read[left_out]), *CLIP),
            progress,
        )


def _continued(progress: Progress | None, before: int, total: int) -> Progress | None:
    """The progress of one learner as that of all."""
    return None if progress is None else lambda done, _: progress(before + done, total)


def _result(name: str, description: str, predicted: Floats, scores: Floats, topic: Ints) -> LearnerResult:
    own = [topic == number for number in np.unique(topic)]
    return LearnerResult(
        name,
        description,
        *pearson_spearman(predicted, scores),
        _mean([pearson(predicted[mask], scores[mask]) for mask in own]),
        _mean([spearman(predicted[mask], scores[mask]) for mask in own]),
    )


def _mean(of_topics: list[float]) -> float | None:
    defined = [figure for figure in of_topics if not math.isnan(figure)]
    return math.fsum(defined) / len(defined) if defined else None
