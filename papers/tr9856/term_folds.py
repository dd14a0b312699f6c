"""Folds that keep terms apart: a pair is predicted by what was learnt without either of its terms."""

from __future__ import annotations

from itertools import combinations_with_replacement

import numpy as np

from measures.arrays import Floats
from training.design import Method
from training.fit import cross_fit
from training.terms.fit import SEED, JudgedTerms

GROUPS = 10
"""Groups that the terms are dealt into; a pair is of two of them, or of one."""


def unseen_terms(
    matrix: Floats, judged: JudgedTerms, method: Method, groups: int = GROUPS, seed: int = SEED
) -> Floats:
    """Each pair's prediction by a regression on the pairs that have no term of its terms' groups: float64[n].

    Pairs of shuffled folds share terms, and pairs of topics do too; here what is said of a term cannot have
    been learnt from another pair of it. Identical terms have 1. ``matrix``: the addends, float64[n, addends].
    ``method``: as of ``training.fit.fit``.
    """
    terms = sorted({term for pair in judged.pairs for term in (pair.left, pair.right)})
    dealt = np.random.default_rng(seed).permutation(len(terms)) % groups
    group = dict(zip(terms, dealt.tolist(), strict=True))
    left = np.array([group[pair.left] for pair in judged.pairs])
    right = np.array([group[pair.right] for pair in judged.pairs])
    lower, upper = np.minimum(left, right), np.maximum(left, right)
    folds = [
        (
            ~(np.isin(left, [first, second]) | np.isin(right, [first, second])) & judged.learnt,
            (lower == first) & (upper == second) & ~judged.identical,
        )
        for first, second in combinations_with_replacement(range(groups), 2)
    ]
    return cross_fit(matrix, judged.scores, folds, method)
