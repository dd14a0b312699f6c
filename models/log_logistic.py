"""The log-logistic model: evidence adds up, and the odds of "related" are the cube of the sum."""

from __future__ import annotations

from typing import ClassVar, Literal

import numpy as np

from measures.arrays import Floats
from models.additive import AdditiveModel
from models.errors import BadNumbers
from models.protocol import CLIP, Unit

HIGHEST = CLIP[1]
"""What scores come near and do not pass: the score of no pair but that of identical sides is higher."""

POWER = 3
"""The odds are this power of the evidence, whatever was fitted (docs/training.md says how it was chosen)."""

_FARTHEST = 1e100
"""Evidence beyond this has the score of it: its cube would overflow."""


class LogLogisticModel(AdditiveModel, frozen=True, kw_only=True):
    """A fractional response model over the features, as ``model.json`` holds it.

    A raw score is a sum of evidence: the intercept and the contributions, which add up to it. The score rises
    from the lower end of ``clip`` to the upper one with the log-logistic function of it, and reaches the
    upper one never: nothing is cut, so that pairs which differ in their raw scores differ in their scores,
    too, as long as floating point tells them apart. No number that was fitted is below 0: evidence never
    counts against a pair.

    Raises:
        BadNumbers: a weight or the intercept is below 0.
        ModelError: as of other models.
    """

    unit: ClassVar[Unit] = "evidence"

    type: Literal["log-logistic"] = "log-logistic"

    def __post_init__(self) -> None:
        super().__post_init__()
        fitted = [(f"the weight of {of.feature} ({of.transform})", of.weight) for of in self.coefficients]
        for what, number in [("the intercept", self.intercept), *fitted]:
            if number < 0.0:
                raise BadNumbers(
                    f"{what} is {number}, and no number of a log-logistic model is below 0. Train it again."
                )

    def clipped(self, raw: Floats) -> Floats:
        """The scores of raw ones: within ``clip``, and in the order of the raw ones."""
        low, high = self.clip
        return low + (min(high, HIGHEST) - low) * log_logistic(raw)


def log_logistic(evidence: Floats) -> Floats:
    """The share whose odds are the cube of the evidence, x³ / (1 + x³), element by element; 0 below 0.

    >>> log_logistic(np.array([-1.0, 0.5, 1.0, 1e200])).round(4).tolist()
    [0.0, 0.1111, 0.5, 1.0]
    """
    odds: Floats = np.clip(evidence, 0.0, _FARTHEST) ** POWER
    return odds / (1.0 + odds)
