"""Related or unrelated: thresholds and logistic regression (Levy et al. 2015, section 5.4)."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

from measures.arrays import Bools, Floats, Ints


def best_threshold(values: Floats, related: Bools) -> float:
    """The lowest threshold of the fewest errors, where a pair at or above it is called related.

    ``values`` float64[n], ``related`` bool[n]. Infinity, which calls nothing related, is one of the
    candidates.

    >>> best_threshold(np.array([0.1, 0.4, 0.3, 0.9]), np.array([False, False, True, True]))
    0.3
    """
    order = np.argsort(values, kind="stable")
    ascending, truth = values[order], related[order]
    # Threshold at place i: what is before i is called unrelated, the rest related.
    missed = np.concatenate([[0], np.cumsum(truth)])
    wrongly = np.concatenate([np.cumsum(~truth[::-1])[::-1], [0]])
    candidates = np.append(ascending, np.inf)
    # Equal values cannot be parted: only the first of a run is a threshold.
    possible = np.append(True, candidates[1:] > candidates[:-1]) if len(ascending) else np.ones(1, bool)
    errors = np.where(possible, missed + wrongly, np.inf)
    return float(candidates[int(errors.argmin())])


def threshold_errors(values: Floats, related: Bools, fold: Ints) -> float:
    """The mean over folds of the share of wrong calls, each fold with the threshold of the others."""
    return _mean_error(
        lambda test: values[test] >= best_threshold(values[~test], related[~test]), related, fold
    )


def logistic_errors(matrix: Floats, related: Bools, fold: Ints) -> float:
    """The mean over folds of the share of wrong calls of a logistic regression fitted to the others.

    ``matrix`` float64[n, addends]. It is scaled inside the fold.
    """

    def called(test: Bools) -> Bools:
        fitted = make_pipeline(StandardScaler(), LogisticRegression(max_iter=1_000))
        calls: Bools = fitted.fit(matrix[~test], related[~test]).predict(matrix[test])
        return calls

    with threadpool_limits(1):
        return _mean_error(called, related, fold)


def _mean_error(called: Callable[[Bools], Bools], related: Bools, fold: Ints) -> float:
    """The mean over folds of the share of wrong calls; ``called``: related or not, of the pairs left out."""
    tests = [fold == number for number in np.unique(fold)]
    return float(np.mean([float((called(test) != related[test]).mean()) for test in tests]))
