"""Vectors learnt from co-mentions, and from co-mentions and texts together.

The table ``contexts`` has the positive PMI of each concept with the most frequent ones; its left singular
vectors are vectors of the concepts (Levy & Goldberg 2014; here without the singular values). A concept's
vector from co-mentions and text together is the sum of its own and of those of the concepts that its text
speaks of, by ESA.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from measures.arrays import Floats
from papers.graph.rows import heaviest

BEYOND = 10
"""Directions that are followed besides those that are asked for (Halko, Martinsson & Tropp 2011, 4.2)."""

TURNS = 3
SEED = 1


def latent_vectors(table: sparse.csr_array, dimensions: int) -> NDArray[np.float32]:
    """The first left singular vectors of ``table``, of unit length a row: float32[rows, dimensions].

    Rows of zeros stay so; where the table has fewer columns, so have the vectors. By subspace iteration from
    directions drawn with a fixed seed (Halko, Martinsson & Tropp 2011, algorithm 4.4).
    """
    filled, columns = np.unique(table.indices, return_inverse=True)
    narrow = sparse.csr_array((table.data, columns, table.indptr), shape=(table.shape[0], len(filled)))
    followed = min(dimensions + BEYOND, len(filled))
    basis = np.random.default_rng(SEED).standard_normal((len(filled), followed))
    for _ in range(TURNS):
        basis = np.linalg.qr(narrow.T @ (narrow @ basis)).Q
    projected = narrow @ basis
    squares, turn = np.linalg.eigh(projected.T @ projected)
    chosen = np.argsort(-squares, kind="stable")[:dimensions]
    lengths = np.sqrt(np.maximum(squares[chosen], np.finfo(np.float64).tiny))
    return unit_rows(projected @ (turn[:, chosen] / lengths))


def joined_with_text(vectors: NDArray[np.float32], esa: sparse.csr_array, kept: int) -> NDArray[np.float32]:
    """Each concept's vector and, weighing as much, that of its text, of unit length: float32 as ``vectors``.

    ``esa``: float64[concepts, concepts]; of a text the ``kept`` heaviest concepts count, by their weights.
    """
    return unit_rows(unit_rows(heaviest(esa, kept) @ vectors) + vectors)


def unit_rows(rows: Floats | NDArray[np.float32]) -> NDArray[np.float32]:
    """The rows, each of unit length; one of zeros as it is."""
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    unit: NDArray[np.float32] = (rows / np.where(lengths > 0, lengths, 1.0)).astype(np.float32)
    return unit
