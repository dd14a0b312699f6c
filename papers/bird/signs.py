"""What products owe to the signs of dimensions, which nobody chose.

A dimension of a singular value decomposition may be multiplied by −1, and one of word2vec as well: no cosine
of words changes, and none of sums. A product of two vectors keeps its sign where both change theirs, so that
its cosine with a single word does change.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from papers.bird.bigrams import BigramPairs
from papers.bird.composition import COMPOSITIONS
from papers.bird.experiment import predicted
from papers.bird.vectors import WordVectors
from training.statistics.correlation import pearson

DRAWS, SEED = 30, 20190602
"""How often signs are drawn, and from which seed."""

PRODUCTS = ("multiplication", "tensor product")


@dataclass(frozen=True, slots=True)
class SignRange:
    """The lowest and the highest Pearson correlation of a method over random signs of the dimensions."""

    vectors: str
    method: str
    low: float
    high: float


def sign_ranges(
    pairs: BigramPairs, space: WordVectors, draws: int = DRAWS, seed: int = SEED
) -> tuple[SignRange, ...]:
    """The ranges of both products on dense vectors; one that is undefined for some signs is left out."""
    random = np.random.default_rng(seed)
    correlations: dict[str, list[float]] = {method: [] for method in PRODUCTS}
    for _ in range(draws):
        signs = random.choice([-1.0, 1.0], space.dimensions)
        turned = WordVectors(space.name, space.rows * signs)
        for method, values in correlations.items():
            values.append(pearson(predicted(pairs, turned, COMPOSITIONS[method]), pairs.scores))
    return tuple(
        SignRange(space.name, method, min(values), max(values))
        for method, values in correlations.items()
        if values and not np.isnan(values).any()
    )
