"""The designs of models of terms: declared, never searched for while fitting."""

from __future__ import annotations

from features.terms.catalogue import ENCODED_FEATURES, EVERY_TERM_FEATURE
from training.design import Addends, Design

TR9856 = Design(tuple((name, "identity") for name in ("ESA", "W2V", "PMI", "TOKENS")), "least-squares")
"""The paper's linear regression (Levy et al. 2015, section 5.2)."""

WORDS: Addends = (
    ("NPMI-LIFT", "identity"),
    ("W2V-IDF", "identity"),
    ("W2V-MEAN", "identity"),
    ("SHARED-WORDS", "identity"),
    ("PMI2-LIFT", "log1p20"),
    ("ESA", "identity"),
    ("ESA-IDF", "log1p20"),
    ("TOKENS", "log1p20"),
)

SENSES: Addends = (
    ("SENSES", "identity"),
    ("SENSE-NPMI1_C", "identity"),
    ("SENSE-PMI2_C", "log1p20"),
    ("SENSE-ESA", "log1p20"),
    ("SENSE-W2V", "identity"),
)

ENCODED = tuple(feature.name for feature in ENCODED_FEATURES)
"""The features that an encoder of texts has evidence for."""

NOT_RELATING = ("TOKENS", "RAREST", "SENSE-PRIOR")
"""Features of which more does not mean more related: long texts and rare words may be of anything."""

PLUS: Addends = tuple(
    (feature.name, transform)
    for feature in EVERY_TERM_FEATURE
    if feature.name not in NOT_RELATING
    for transform in ("positive", "log1p20", "square" if feature.name in ENCODED else "sqrt")
)
"""All features that relate terms, as they are and curved; no addend is below 0."""

TERM_DESIGNS: dict[str, Design] = {
    "default": Design((*WORDS, *SENSES), "least-squares"),
    "positive": Design((*WORDS, *SENSES)),
    "plus": Design(PLUS, "log-logistic"),
    "log-logistic": Design(tuple(addend for addend in PLUS if addend[0] not in ENCODED), "log-logistic"),
    "words": Design(WORDS, "least-squares"),
    "tr9856": TR9856,
}
"""Every design by name. ``tr9856``: the paper's four features. ``words``: those on words, the logarithms of
the cosines of long vectors among them, whose differences say more between small values than between large
ones. ``default``: besides them the features of the chosen senses. ``positive``: the same addends, with no
weight below 0. ``plus``: a log-logistic model of all features that relate terms, those of an encoder of
texts among them, as they are and curved. ``log-logistic``: the same without an encoder. The others have
weights of either sign: features of terms count the same words several times over, some of them make up for
others, and without that the figures are far worse (docs/terms.md)."""
