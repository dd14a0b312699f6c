"""Bradley–Terry: strengths of items from who won over whom, where counting takes no notice of the opponent.

P(i wins over j) = 1 / (1 + exp(θj − θi)) (Bradley & Terry 1952). The strengths θ are the most likely ones
under a normal prior, which keeps those of items finite that won or lost always.
"""

from __future__ import annotations

import numpy as np
from scipy import optimize, special

from measures.arrays import Floats, Ints
from training.errors import NotFitted

PENALTY = 0.1
"""By default the prior weighs as half of this times the sum of squared strengths."""


def bradley_terry(won: Ints, lost: Ints, items: int, penalty: float = PENALTY) -> Floats:
    """The strengths of ``items`` items, float64[items], with mean 0.

    Args:
        won: which item won each comparison, int64[n].
        lost: which lost to it, int64[n].
        items: how many there are; one without comparisons has the strength 0.
        penalty: the precision of the prior, above 0.

    Raises:
        ValueError: the penalty is not above 0.
        NotFitted: the search ended before the most likely strengths were found.
    """
    if not penalty > 0:
        raise ValueError("without a prior, an item that always wins has no finite strength")
    pairs, count = np.unique(np.stack([won, lost]), axis=1, return_counts=True)
    winner, loser = pairs

    def loss(strength: Floats) -> tuple[float, Floats]:
        ahead = strength[winner] - strength[loser]
        value = -float(count @ special.log_expit(ahead)) + penalty / 2 * float(strength @ strength)
        pull = count * special.expit(-ahead)
        slope = np.bincount(loser, pull, items) - np.bincount(winner, pull, items) + penalty * strength
        return value, slope

    minimum = optimize.minimize(
        loss,
        np.zeros(items),
        jac=True,
        method="L-BFGS-B",
        options={"maxiter": 10_000, "ftol": 0, "gtol": 1e-6},
    )
    if not np.abs(minimum.jac).max(initial=0.0) < 1e-3 * max(1.0, float(count.sum()) / max(items, 1)):
        raise NotFitted(f"the strengths of {items} items were not found: {minimum.message}")
    strength: Floats = np.asarray(minimum.x, np.float64)
    return strength - strength.mean() if items else strength


def as_scores(strength: Floats) -> Floats:
    """Strengths as scores in [0, 1]: the chance to win over an item of mean strength, float64[items].

    >>> as_scores(np.array([0.0])).tolist()
    [0.5]
    """
    return np.asarray(special.expit(strength), np.float64)
