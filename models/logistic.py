"""The logistic model: the logistic function of a sum of addends, of which none speaks against a pair."""

from __future__ import annotations

from typing import ClassVar, Literal

import numpy as np

from measures.arrays import Floats
from models.additive import AdditiveModel
from models.errors import BadNumbers
from models.protocol import CLIP, Unit

HIGHEST = CLIP[1]
"""What scores come near and do not pass: the score of no pair but that of identical sides is higher."""

_FARTHEST = 700.0
"""Log-odds below the negative of this have the score of it, some 1e-304: beyond, exp would overflow."""


class LogisticModel(AdditiveModel, frozen=True, kw_only=True):
    """A fractional logit over the features, as ``model.json`` holds it (Papke & Wooldridge 1996).

    A raw score is in log-odds: the intercept and the contributions, which add up to it. The score rises from
    the lower end of ``clip`` to the upper one with the logistic function of it, and reaches neither: nothing
    is cut, so that pairs which differ in their raw scores differ in their scores, too, as long as floating
    point tells them apart. No weight is below 0: evidence never counts against a pair.

    Raises:
        BadNumbers: a weight is below 0.
        ModelError: as of other models.
    """

    unit: ClassVar[Unit] = "log-odds"

    type: Literal["logistic"] = "logistic"

    def __post_init__(self) -> None:
        super().__post_init__()
        for addend in self.coefficients:
            if addend.weight < 0.0:
                raise BadNumbers(
                    f"the weight of {addend.feature} ({addend.transform}) is {addend.weight}, and no "
                    "weight of a logistic model is below 0. Train it again."
                )

    def clipped(self, raw: Floats) -> Floats:
        """The scores of raw ones: within ``clip``, and in the order of the raw ones."""
        low, high = self.clip
        return low + (min(high, HIGHEST) - low) * logistic(raw)


def logistic(log_odds: Floats) -> Floats:
    """The logistic function, 1 / (1 + exp(-x)), element by element; no x is too large for it.

    >>> logistic(np.array([-1.0, 0.0, 1e4])).round(4).tolist()
    [0.2689, 0.5, 1.0]
    """
    return 1.0 / (1.0 + np.exp(np.minimum(-log_odds, _FARTHEST)))
