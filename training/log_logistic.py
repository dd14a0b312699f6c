"""The fractional response with the log-logistic link and no weight below 0 (Papke & Wooldridge 1996).

The expected share is h S³ / (1 + S³), S = intercept + weights · addends, h the highest score of two different
sides. The weights are those of the least binomial deviance from people's shares; a share is no count, and the
deviance is a quasi-likelihood: of the shares nothing is assumed but their mean.
"""

from __future__ import annotations

import numpy as np
from scipy.optimize import nnls

from measures.arrays import Floats
from models.log_logistic import HIGHEST, POWER, log_logistic
from training.errors import NotFitted

RIDGE = 1.0
"""How much the squares of the weights count, of addends of unit deviation, halved as in the normal prior.

Only so that addends which say the same have one solution (docs/training.md has the figures of others).
"""

TOLERANCE = 1e-9
"""The largest slope of the mean deviance, along any weight that may move, that counts as none."""

ENOUGH = 1e-6
"""The slope up to which a fit is taken that the last digits keep from the tolerance."""

STEPS = 200
"""Steps within which the bottom is to be reached."""

LEAST, MOST = 1e-3, 1e3
"""The least intercept there is, so that shares have a finite deviance, and that of shares which are all 1."""

_NEGLIGIBLE = 1e-12
"""An addend that varies less than this share of its size is taken not to vary, and has no weight."""

_SMALLEST_PART = 1e-12
"""The part of a step below which there is none that leads down."""


def fractional_log_logistic(addends: Floats, scores: Floats) -> tuple[Floats, float]:
    """The weights, float64[k], none below 0, and the intercept of the best fit, ``LEAST`` at least.

    ``addends``: float64[n, k], none below 0, of at least one pair; ``scores``: shares, float64[n], from 0 to
    1, those above h counting as h. The same numbers give the same fit, to the last bit. Let BLAS run on one
    thread.

    Each step (Fisher scoring, McCullagh & Nelder 1989, 2.5) is a weighted least-squares problem with weights
    of 0 and above (Lawson & Hanson 1974, 23.3), and is halved where it would lead up; addends are scaled to
    unit deviation, and the way begins at weights of 0.

    Raises:
        NotFitted: there are no pairs; an addend is not finite or below 0, or a score no share; or the way
            down ended before the bottom.
    """
    if not len(scores):
        raise NotFitted("there are no pairs to fit the model to.")
    if not ((scores >= 0.0) & (scores <= 1.0)).all():
        raise NotFitted("a score is no share from 0 to 1, so that nothing fits it.")
    if not (np.isfinite(addends).all() and (addends >= 0.0).all()):
        raise NotFitted(
            "a feature of these pairs is not a finite number from 0 on, so that nothing fits them."
        )
    deviation = addends.std(axis=0)
    varied = deviation > _NEGLIGIBLE * np.maximum(np.abs(addends).max(axis=0, initial=0.0), 1e-300)
    target = np.minimum(scores, HIGHEST) / HIGHEST
    mean = float(target.mean())
    if not 0.0 < mean < 1.0:
        return np.zeros(len(deviation)), MOST if mean else LEAST
    # The last column is the intercept's, which is counted from the least one.
    scaled = np.column_stack([addends[:, varied] / deviation[varied], np.ones(len(target))])
    fit = np.zeros(scaled.shape[1])
    fit[-1] = max((mean / (1.0 - mean)) ** (1.0 / POWER) - LEAST, 0.0)
    least = _loss(scaled, target, fit)
    for _ in range(STEPS):
        slope, step = _step(scaled, target, fit)
        if slope <= TOLERANCE:
            break
        part = 1.0
        while part > _SMALLEST_PART and (there := _loss(scaled, target, fit + part * step)) > least:
            part /= 2.0
        if part <= _SMALLEST_PART:
            break
        fit, least = fit + part * step, there
    if slope > ENOUGH:
        raise NotFitted(
            f"the log-logistic model was not found: the mean deviance still falls by {slope:.1e} a unit of a "
            "weight. Are all features of these pairs of a usual size?"
        )
    weights = np.zeros(len(deviation))
    weights[varied] = fit[:-1] / deviation[varied]
    return weights, float(LEAST + fit[-1])


def _loss(scaled: Floats, target: Floats, at: Floats) -> float:
    """Half the deviance, but for what no weight changes, and the ridge; ``at``: weights, then intercept."""
    log_odds = POWER * np.log(LEAST + scaled @ at)
    deviance = np.sum(np.logaddexp(0.0, log_odds) - target * log_odds)
    return float(deviance + 0.5 * RIDGE * at[:-1] @ at[:-1])


def _step(scaled: Floats, target: Floats, at: Floats) -> tuple[float, Floats]:
    """The steepest slope of the mean loss, and the step to the bottom as it looks from here."""
    evidence = LEAST + scaled @ at
    share = log_logistic(evidence)
    ridge = np.append(np.full(len(at) - 1, RIDGE), 0.0)
    # The deviance falls with the evidence by this, and bends by the spread, as is expected of it.
    off = POWER * (share - target) / evidence
    spread = POWER**2 * share * (1.0 - share) / evidence**2
    slopes = (scaled.T @ off + ridge * at) / len(target)
    # A slope that leads below 0 does not count.
    slope = float(np.abs(at - np.maximum(at - slopes, 0.0)).max())
    bent = (scaled.T * spread) @ scaled + np.diag(ridge)
    root = np.linalg.cholesky(bent)
    bottom = nnls(root.T, np.linalg.solve(root, bent @ at - len(target) * slopes))[0]
    return slope, bottom - at
