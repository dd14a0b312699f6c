"""The sets of addends that a model may be fitted with: declared, never searched for while fitting."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from features.catalogue import FEATURE_NAMES, FEATURES, OF_WORT
from models.additive import AdditiveModel
from models.linear import LinearModel
from models.log_logistic import LogLogisticModel
from models.protocol import RelatednessModel

Addends = tuple[tuple[str, str], ...]
"""(feature, transform) of each addend, in order."""

Method = Literal["least-squares", "non-negative", "log-logistic"]
"""How weights are fitted: by least squares, of either sign or of none below 0, so that the sum of the addends
is the score; or so that the sum, which has no weight below 0, is evidence, whose cube is the score's odds."""

KINDS: dict[Method, type[LinearModel] | type[LogLogisticModel]] = {
    "least-squares": LinearModel,
    "non-negative": LinearModel,
    "log-logistic": LogLogisticModel,
}
"""The kind of model that each method gives."""


@dataclass(frozen=True, slots=True)
class Design:
    """What a model is fitted with: its addends, and how their weights are fitted.

    Every transform rises with its feature, so that no feature's growth lowers a score where no weight is
    below 0.
    """

    addends: Addends
    method: Method = "non-negative"


PLAIN = Design(tuple((name, "identity") for name in OF_WORT), "least-squares")

CURVED: Addends = (*PLAIN.addends, *((name, "log1p20") for name in ("PMI2_C", "TFIDF-CS", "ESA")))

ENCODER = tuple(feature.name for feature in FEATURES if feature.group == "encoder")
"""The cosines of a text encoder's vectors."""

PLUS: Addends = (
    *((name, "positive") for name in OF_WORT),
    *CURVED[len(OF_WORT) :],
    *((name, "sqrt") for name in OF_WORT),
    *((name, transform) for name in ENCODER for transform in ("positive", "log1p20", "square")),
)
"""No addend is below 0, so that no evidence is less than none."""

DESIGNS: dict[str, Design] = {
    "default": Design(CURVED),
    "unconstrained": Design(CURVED, "least-squares"),
    "plain": PLAIN,
    "plus": Design(PLUS, "log-logistic"),
    "all": Design(tuple((name, "identity") for name in FEATURE_NAMES), "least-squares"),
}
"""Every design by name. ``plain``: the paper's regression, the features as they are and weights of either
sign. ``unconstrained``: besides them the logarithms of the three cosines of long vectors, whose
differences say more between small values than between large ones. ``default``: the same addends, with no
weight below 0, so that nothing which speaks for a pair counts against it. ``all``: every feature that there
is, also those which are none of the paper's, as they are and with weights of either sign."""


def design_of(model: RelatednessModel) -> Design | None:
    """The design that an additive model was fitted with, as its file tells; None of a model of another type.

    A model without a weight below 0 is taken to have been held there. Where it was not, least squares had no
    use for such a weight on all its rows, and the two fits to these are one.
    """
    if not isinstance(model, AdditiveModel):
        return None
    addends = tuple((addend.feature, addend.transform) for addend in model.coefficients)
    below_0 = any(addend.weight < 0 for addend in model.coefficients)
    if isinstance(model, LogLogisticModel):
        return Design(addends, "log-logistic")
    if isinstance(model, LinearModel):
        return Design(addends, "least-squares" if below_0 else "non-negative")
    return None
