"""Terms of the same words in another order, which only an encoder of texts tells apart.

By their words, and by the concepts that these name, a law school and school law are the same. So a model that
compares texts reads nothing else of such a pair, and of no text how an article begins that both name.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from features.terms.catalogue import ENCODED_FEATURES
from features.terms.extract import TermPair
from features.terms.reordered import is_reordered
from measures.arrays import Floats

OF_ENCODER = frozenset(feature.name for feature in ENCODED_FEATURES)


def read_of_order(values: Floats, names: Sequence[str], pairs: Sequence[TermPair]) -> Floats:
    """What a model reads of pairs of terms, float64[n, k]: of reordered ones no more than an encoder says.

    ``values``: float64[n, k], of the features of these ``names``. Where none is of an encoder, all is read.
    TEXT stands for TEXT-CROSS, as it does of terms that name no article.
    """
    others = [column for column, name in enumerate(names) if name not in OF_ENCODER]
    if len(others) == len(names):
        return values
    reordered = [row for row, pair in enumerate(pairs) if is_reordered(pair.left, pair.right)]
    read = values.copy()
    read[np.ix_(reordered, others)] = 0.0
    if {"TEXT", "TEXT-CROSS"} <= set(names):
        read[reordered, names.index("TEXT-CROSS")] = values[reordered, names.index("TEXT")]
    return read
