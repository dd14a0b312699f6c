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

Link = Literal["identity", "log-logistic"]
"""What the sum of the addends is fitted to be: the score itself, or evidence, whose cube is its odds."""

KINDS: dict[Link, type[LinearModel] | type[LogLogisticModel]] = {
    "identity": LinearModel,
    "log-logistic": LogLogisticModel,
}
"""The kind of model that each link gives."""


@dataclass(frozen=True, slots=True)
class Design:
    """What a model is fitted with: its addends, the signs that their weights may have, and the link.

    ``positive``: no weight is below 0. Every transform rises with its feature, so that no feature's growth
    then lowers a score. Otherwise weights are of either sign, as ordinary least squares has them. ``link``:
    what their sum stands for; where it is evidence, no weight can be below 0.

    Raises:
        ValueError: the link is "log-logistic", and weights below 0 are allowed.
    """

    addends: Addends
    positive: bool = True
    link: Link = "identity"

    def __post_init__(self) -> None:
        if self.link == "log-logistic" and not self.positive:
            raise ValueError("a log-logistic model has no weight below 0")


PLAIN = Design(tuple((name, "identity") for name in OF_WORT), positive=False)

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
    "unconstrained": Design(CURVED, positive=False),
    "plain": PLAIN,
    "plus": Design(PLUS, link="log-logistic"),
    "all": Design(tuple((name, "identity") for name in FEATURE_NAMES), positive=False),
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
    links = [link for link, kind in KINDS.items() if isinstance(model, kind)]
    if not isinstance(model, AdditiveModel) or not links:
        return None
    addends = tuple((addend.feature, addend.transform) for addend in model.coefficients)
    return Design(addends, all(addend.weight >= 0 for addend in model.coefficients), links[0])
