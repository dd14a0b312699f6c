"""How near terms are to their context: what that would add to a model, and what is the benchmark's making."""

from __future__ import annotations

import numpy as np

from features.terms.catalogue import TERM_FEATURE_NAMES
from features.terms.extract import TermExtractor, TermPair
from measures.arrays import Floats
from models.additive import TRANSFORMS
from training.terms.fit import JudgedTerms

_NEARNESS = (("NPMI-LIFT", "identity"), ("W2V-IDF", "identity"), ("ESA-IDF", "log1p20"))


def nearness(judged: JudgedTerms, extractor: TermExtractor) -> Floats:
    """The relatedness of the two terms of each pair to its context: float64[n, 6].

    Of three features on words, the smaller and the larger value of the two terms; 0 without a context.
    """
    sides = []
    for side in (0, 1):
        pairs = [TermPair(pair[side] or "", pair.context or "") for pair in judged.pairs]
        values = extractor.extract(pairs)
        columns = [
            TRANSFORMS[transform].apply(values[:, TERM_FEATURE_NAMES.index(feature)])
            for feature, transform in _NEARNESS
        ]
        sides.append(np.stack(columns, axis=1))
    return np.concatenate([np.minimum(*sides), np.maximum(*sides)], axis=1)


def key_terms(judged: JudgedTerms) -> Floats:
    """1 where one of the two terms is itself a key term of the context, else 0: float64[n, 1].

    TR9856 draws half of its pairs with a term of the topic's definition, and people find those more related.
    """
    is_key = []
    for left, right, context, *_ in judged.pairs:
        named = {term.strip() for term in (context or "").split(";")}
        is_key.append([float(left in named or right in named)])
    return np.array(is_key).reshape(-1, 1)
