"""The sets of addends that a model may be fitted with: declared, never searched for while fitting."""

from __future__ import annotations

from dataclasses import dataclass

from features.catalogue import FEATURE_NAMES
from models.linear import LinearModel
from models.protocol import RelatednessModel

Addends = tuple[tuple[str, str], ...]
"""(feature, transform) of each addend, in order."""


@dataclass(frozen=True, slots=True)
class Design:
    """What a model is fitted with: its addends, and the signs that their weights may have.

    ``positive``: no weight is below 0. Every transform rises with its feature, so that no feature's growth
    then lowers a score. Otherwise weights are of either sign, as ordinary least squares has them.
    """

    addends: Addends
    positive: bool = True


PLAIN = Design(tuple((name, "identity") for name in FEATURE_NAMES), positive=False)

CURVED: Addends = (*PLAIN.addends, *((name, "log1p20") for name in ("PMI2_C", "TFIDF-CS", "ESA")))

DESIGNS: dict[str, Design] = {
    "default": Design(CURVED),
    "unconstrained": Design(CURVED, positive=False),
    "plain": PLAIN,
}
"""Every design by name. ``plain``: the paper's regression, the features as they are and weights of either
sign. ``unconstrained``: besides them the logarithms of the three cosines of long vectors, whose
differences say more between small values than between large ones. ``default``: the same addends, with no
weight below 0, so that nothing which speaks for a pair counts against it."""


def design_of(model: RelatednessModel) -> Design | None:
    """The design that a linear model was fitted with, as its file tells; None of a model of another type.

    A model without a weight below 0 is taken to have been held there. Where it was not, least squares had no
    use for such a weight on all its rows, and the two fits to these are one.
    """
    if not isinstance(model, LinearModel):
        return None
    addends = tuple((addend.feature, addend.transform) for addend in model.coefficients)
    return Design(addends, positive=all(addend.weight >= 0 for addend in model.coefficients))
