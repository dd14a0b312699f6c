"""The regressions, and their judgement by leaving one topic out (Ein-Dor et al. 2018, section 4)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from sklearn.linear_model import LinearRegression
from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

from features.catalogue import FEATURE_NAMES
from measures.arrays import Bools, Floats, Ints
from models.additive import TRANSFORMS
from models.log_logistic import HIGHEST, log_logistic
from models.protocol import CLIP
from training.cross_validation import cross_predict, leave_one_topic_out
from training.design import Design, Method
from training.log_logistic import fractional_log_logistic
from training.progress import Progress
from training.statistics.correlation import pearson, spearman


@dataclass(frozen=True, slots=True)
class Regression:
    """A fitted regression: score, or the evidence for it, ≈ intercept + weights · terms."""

    weights: Floats
    intercept: float
    method: Method

    def raw(self, design: Floats) -> Floats:
        """The predicted sums as they come: float64[n]."""
        return np.asarray(design @ self.weights + self.intercept, np.float64)

    def predict(self, design: Floats) -> Floats:
        """The predicted scores, as a model that is so fitted has them: float64[n]."""
        raw = self.raw(design)
        return HIGHEST * log_logistic(raw) if self.method == "log-logistic" else np.clip(raw, *CLIP)


def design_matrix(values: Floats, design: Design, names: Sequence[str] = FEATURE_NAMES) -> Floats:
    """The addends of each pair: float64[n, addends].

    ``values``: the pairs' features, float64[n, k], with the columns ``names``.
    """
    columns = {name: column for column, name in enumerate(names)}
    return np.stack(
        [TRANSFORMS[transform].apply(values[:, columns[feature]]) for feature, transform in design.addends],
        axis=1,
    )


def fit(design: Floats, scores: Floats, method: Method) -> Regression:
    """Least squares, with an intercept of either sign; for "log-logistic" the fractional response.

    Of least squares with weights of either sign that are equally good, the one of the least weights.

    Raises:
        NotFitted: of a log-logistic regression, the best one was not found.
    """
    # One thread: the systems are so small that threads would only wait for each other, and the last digits of
    # the weights then do not depend on the machine's number of cores.
    with threadpool_limits(1):
        if method == "log-logistic":
            return Regression(*fractional_log_logistic(design, scores), method)
        fitted = LinearRegression(positive=method == "non-negative").fit(design, scores)
    return Regression(np.asarray(fitted.coef_, np.float64), float(fitted.intercept_), method)


def cross_fit(
    design: Floats,
    scores: Floats,
    folds: Iterable[tuple[Bools, Bools]],
    method: Method,
    progress: Progress | None = None,
) -> Floats:
    """Each pair's prediction by a regression that was fitted without its fold: float64[n].

    Everything that is fitted is fitted inside the fold. ``folds``: as of ``cross_predict``; ``method``:
    as of ``fit``.
    """
    return cross_predict(
        len(scores),
        folds,
        lambda learnt: fit(design[learnt], scores[learnt], method),
        lambda fitted, left_out: fitted.predict(design[left_out]),
        progress,
    )


def out_of_fold(
    design: Floats,
    scores: Floats,
    topic: Ints,
    method: Method,
    progress: Progress | None = None,
    chosen: Bools | None = None,
) -> Floats:
    """Each pair's prediction by a regression that saw no pair of its topic: float64[n].

    ``topic``: the topic of each pair, int64[n]. ``method``: as for ``fit``. ``chosen``: the
    pairs that are learnt from and predicted, the others having score 1; all of them if None.

    Raises:
        TooFewPairs: the pairs are of fewer than two topics.
    """
    return cross_fit(design, scores, leave_one_topic_out(topic, chosen), method, progress)


def compare_designs(
    values: Floats, scores: Floats, topic: Ints, designs: Sequence[Design]
) -> list[tuple[float, float]]:
    """(Pearson, Spearman) of the out-of-fold predictions with each design, to choose among designs."""
    predictions = [
        out_of_fold(design_matrix(values, design), scores, topic, design.method) for design in designs
    ]
    return [(pearson(predicted, scores), spearman(predicted, scores)) for predicted in predictions]
