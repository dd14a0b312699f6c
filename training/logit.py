"""The fractional logit with no weight below 0 (Papke & Wooldridge 1996).

The expected share is h / (1 + exp(-(intercept + weights · addends))), h the highest score of two different
sides. The weights are those of the least binomial deviance from people's shares; a share is no count, and the
deviance is a quasi-likelihood: of the shares nothing is assumed but their mean.
"""

from __future__ import annotations

import numpy as np
from scipy.optimize import nnls

from measures.arrays import Floats
from models.logistic import HIGHEST, logistic
from training.errors import NotFitted

RIDGE = 1.0
"""How much the squares of the weights count, of addends of unit deviation, halved as in the normal prior.

Only so that addends which say the same have one solution: 0, 1 and 10 give the same figures to four digits
but for one unit of the last (docs/training.md), and a hundred pairs outweigh it by far.
"""

TOLERANCE = 1e-9
"""The largest slope of the mean deviance, along any weight that may move, that counts as none."""

ENOUGH = 1e-6
"""The slope up to which a fit is taken that the last digits keep from the tolerance."""

STEPS = 100
"""Steps within which the bottom is to be reached; ours took seven."""

_FARTHEST = 30.0
"""The log-odds of shares that are all 0, or all 1: there is no best one."""

_LEAST = 1e-10
"""The least weight of a pair in a step, so that pairs which are predicted as they are keep a step finite."""

_NEGLIGIBLE = 1e-12
"""An addend that varies less than this share of its size is taken not to vary, and has no weight."""


def fractional_logit(addends: Floats, scores: Floats) -> tuple[Floats, float]:
    """The weights, float64[k], none below 0, and the intercept of the best fit.

    ``addends``: float64[n, k]; ``scores``: shares, float64[n], from 0 to 1, those above h counting as h. The
    same numbers give the same fit, to the last bit. Let BLAS run on one thread.

    Each step (Fisher scoring, McCullagh & Nelder 1989, 2.5) is a weighted least-squares problem with weights
    of 0 and above (Lawson & Hanson 1974, 23.3), and is halved where it would lead up; addends are scaled to
    unit deviation, and the way begins at weights of 0.

    Raises:
        NotFitted: an addend is not finite, or the way down ended before the bottom.
    """
    if not np.isfinite(addends).all():
        raise NotFitted("a feature of these pairs is not a finite number, so that nothing fits them.")
    middle, deviation = addends.mean(axis=0), addends.std(axis=0)
    varied = deviation > _NEGLIGIBLE * np.maximum(np.abs(addends).max(axis=0, initial=0.0), 1e-300)
    scaled = (addends[:, varied] - middle[varied]) / deviation[varied]
    target = np.minimum(scores, HIGHEST) / HIGHEST
    mean = float(target.mean())
    if not 0.0 < mean < 1.0:
        return np.zeros(len(middle)), _FARTHEST if mean else -_FARTHEST
    fit = np.append(np.zeros(scaled.shape[1]), np.log(mean / (1.0 - mean)))
    least = _loss(scaled, target, fit)
    for _ in range(STEPS):
        slope, step = _step(scaled, target, fit)
        if slope <= TOLERANCE:
            break
        part = 1.0
        while part > _NEGLIGIBLE and (there := _loss(scaled, target, fit + part * step)) > least:
            part /= 2.0
        if part <= _NEGLIGIBLE:
            break
        fit, least = fit + part * step, there
    if slope > ENOUGH:
        raise NotFitted(
            f"the logistic model was not found: the mean deviance still falls by {slope:.1e} a unit of a "
            "weight. Are all features of these pairs of a usual size?"
        )
    weights = np.zeros(len(middle))
    weights[varied] = fit[:-1] / deviation[varied]
    return weights, float(fit[-1] - weights @ middle)


def _loss(scaled: Floats, target: Floats, at: Floats) -> float:
    """Half the deviance, but for what no weight changes, and the ridge; ``at``: weights, then intercept."""
    log_odds = scaled @ at[:-1] + at[-1]
    deviance = np.sum(np.logaddexp(0.0, log_odds) - target * log_odds)
    return float(deviance + 0.5 * RIDGE * at[:-1] @ at[:-1])


def _step(scaled: Floats, target: Floats, at: Floats) -> tuple[float, Floats]:
    """The steepest slope of the mean loss, and the step to the bottom as it looks from here."""
    weights, log_odds = at[:-1], scaled @ at[:-1] + at[-1]
    share = logistic(log_odds)
    off = share - target
    slopes = (scaled.T @ off + RIDGE * weights) / len(target)
    # A slope that leads below 0 does not count.
    along = weights - np.maximum(weights - slopes, 0.0)
    slope = float(np.abs(np.append(along, off.mean())).max())
    spread = np.maximum(share * (1.0 - share), _LEAST)
    centre = spread @ scaled / spread.sum()
    centred = scaled - centre
    response = log_odds - off / spread
    level = spread @ response / spread.sum()
    root = np.linalg.cholesky((centred.T * spread) @ centred + RIDGE * np.eye(len(weights)))
    bottom = nnls(root.T, np.linalg.solve(root, (centred.T * spread) @ (response - level)))[0]
    return slope, np.append(bottom, level - centre @ bottom) - at
