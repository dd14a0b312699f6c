"""The sets of terms that a model may be fitted with: declared, never searched for while fitting."""

from __future__ import annotations

from features.catalogue import FEATURE_NAMES

Design = tuple[tuple[str, str], ...]
"""(feature, transform) of each term, in order."""

PLAIN: Design = tuple((name, "identity") for name in FEATURE_NAMES)

DESIGNS: dict[str, Design] = {
    "default": (*PLAIN, *((name, "log1p20") for name in ("PMI2_C", "TFIDF-CS", "ESA"))),
    "plain": PLAIN,
}
"""Every set by name. ``plain``: the sixteen features as they are. ``default``: besides them the logarithms of
the three cosines of long vectors, whose differences say more between small values than between large ones."""
