"""Two stages (Ponza, Ferragina & Chakrabarti 2017): a small graph of a pair is chosen, and walked on.

The graph has both concepts and the heaviest concepts of the ESA vector of each. Every two of them are linked,
with the cosine of their latent vectors as weight. Two walkers set out, and the more they meet, the more
related the two are: CoSimRank (Rothe & Schütze 2014), here over its own values for each with itself, so that
it is at most 1.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from measures.arrays import Floats, Ints
from papers.graph.rows import heaviest

NEAREST = 30
STEPS = 8
DECAY = 0.8


def two_stage(
    vectors: NDArray[np.float32], esa: sparse.csr_array, left: Ints, right: Ints, steps: int = STEPS
) -> Floats:
    """CoSimRank on the graph of each pair, normalised: float64[n], in [0, 1].

    ``vectors``: float32[concepts, d], of unit length. ``esa``: float64[concepts, concepts]. ``left`` and
    ``right``: int64[n].
    """
    near = heaviest(esa, NEAREST)
    return np.array(
        [_walked(vectors, near, a, b, steps) for a, b in zip(left.tolist(), right.tolist(), strict=True)],
        np.float64,
    )


def _walked(vectors: NDArray[np.float32], near: sparse.csr_array, a: int, b: int, steps: int) -> float:
    rows = [near.indices[near.indptr[concept] : near.indptr[concept + 1]] for concept in (a, b)]
    nodes = np.unique(np.concatenate([[a, b], *rows]))
    weights = np.maximum(vectors[nodes] @ vectors[nodes].T, 0.0).astype(np.float64)
    np.fill_diagonal(weights, 0.0)
    total = weights.sum(axis=1, keepdims=True)
    step = weights / np.where(total > 0, total, 1.0)
    walkers = np.zeros((2, len(nodes)))
    walkers[[0, 1], np.searchsorted(nodes, [a, b])] = 1.0
    met = np.zeros((2, 2))
    for number in range(1, steps + 1):
        walkers = walkers @ step
        met += DECAY**number * (walkers @ walkers.T)
    alone = np.sqrt(met[0, 0] * met[1, 1])
    return float(met[0, 1] / alone) if alone > 0 else 0.0
