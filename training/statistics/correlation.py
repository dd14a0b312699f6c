"""How well values go with scores: Pearson's and Spearman's correlation, undefined where nothing varies."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable
from typing import Literal

import numpy as np
from scipy import stats

from measures.arrays import Floats

CorrelationKind = Literal["pearson", "spearman"]


def pearson(x: Floats, y: Floats) -> float:
    """Pearson's r of two arrays [n]; NaN if there are fewer than two values or one of the arrays is constant.

    >>> round(pearson(np.array([1.0, 2.0, 3.0]), np.array([1.0, 2.0, 2.0])), 4)
    0.866
    """
    if _undefined(x, y):
        return math.nan
    with warnings.catch_warnings():
        # Values that differ in their last digits alone: SciPy warns of what rounding does to the result.
        warnings.simplefilter("ignore", stats.NearConstantInputWarning)
        return float(stats.pearsonr(x, y).statistic)


def spearman(x: Floats, y: Floats) -> float:
    """Spearman's ρ: Pearson's r of the ranks, equal values sharing the average of theirs; NaN as there.

    >>> round(spearman(np.array([1.0, 10.0, 100.0]), np.array([1.0, 2.0, 2.0])), 4)
    0.866
    """
    return math.nan if _undefined(x, y) else float(stats.spearmanr(x, y).statistic)


CORRELATIONS: dict[CorrelationKind, Callable[[Floats, Floats], float]] = {
    "pearson": pearson,
    "spearman": spearman,
}
"""The kinds of correlation by name."""


def pearson_spearman(x: Floats, y: Floats) -> tuple[float | None, float | None]:
    """Both correlations of two arrays [n], None where undefined.

    >>> pearson_spearman(np.array([1.0, 2.0]), np.array([3.0, 3.0]))
    (None, None)
    """
    return defined(pearson(x, y)), defined(spearman(x, y))


def defined(number: float) -> float | None:
    """The number, None where it is NaN."""
    return None if math.isnan(number) else number


def or_lowest(number: float) -> float:
    """The number, −∞ where it is NaN: what sorts an undefined correlation last."""
    return -math.inf if math.isnan(number) else number


def _undefined(x: Floats, y: Floats) -> bool:
    if x.shape != y.shape or x.ndim != 1:
        raise ValueError(f"values of shape {x.shape} cannot be correlated with scores of shape {y.shape}")
    if not (np.isfinite(x).all() and np.isfinite(y).all()):
        raise ValueError("correlations are of finite numbers")
    return len(x) < 2 or bool((x == x[0]).all() or (y == y[0]).all())
