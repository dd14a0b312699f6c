"""Random walks with restart on the link graph: where a walker is found who keeps returning to a concept.

Agirre, Barrena & Soroa 2015 (Studying the Wikipedia hyperlink graph for relatedness and disambiguation) walk
on reciprocal links alone, restart with probability 0.15, and compare two concepts by the cosine of where
their walkers are. The walks are approximated by pushing on what is large alone (Andersen, Chung & Lang 2006),
in a time that does not depend on how many concepts there are.
"""

from __future__ import annotations

from typing import Literal

import numpy as np
from scipy import sparse

from measures.arrays import Floats, Ints
from papers.graph.rows import as_sparse, dots, heaviest, row_cosines
from snapshots.snapshot import Snapshot

Graph = Literal["reciprocal", "either way", "out-links"]
"""Which links a walker follows: those that lead there and back, those of either direction, or forwards."""

RESTART = 0.15
THRESHOLD = 1e-5
LARGEST_KEPT = 300
BLOCK = 256
"""Walkers that are followed at once."""


def transitions(snapshot: Snapshot, graph: Graph, weighted: bool = False) -> sparse.csr_array:
    """The probability of each step: float64[concepts, concepts], rows that sum to 1, or to 0 without a link.

    ``weighted``: a link counts log((N + 1) / d)², and not 1, d the links of the graph that lead there.
    """
    out = as_sparse(snapshot.csr("out_links"))
    links = out
    if graph != "out-links":
        links = sparse.csr_array(out.multiply(out.T) if graph == "reciprocal" else out.maximum(out.T))
    if weighted:
        into = np.bincount(links.indices, minlength=links.shape[1])
        links = links @ sparse.diags_array(np.log((links.shape[1] + 1) / np.maximum(into, 1)) ** 2)
    total = links.sum(axis=1)
    return sparse.csr_array(sparse.diags_array(1.0 / np.where(total > 0, total, 1.0)) @ links)


def random_walks(
    steps: sparse.csr_array,
    starts: Ints,
    restart: float = RESTART,
    threshold: float = THRESHOLD,
    kept: int = LARGEST_KEPT,
) -> sparse.csr_array:
    """Where walkers are who return to ``starts``, int64[n]: float64[n, concepts], rows that sum to 1.

    ``steps``: as from ``transitions``. What has still to walk on is let go where it is below ``threshold``
    times the number of links of the concept that it has reached; ``kept``: how many concepts a row keeps, the
    likeliest. A walker without a link to follow returns.
    """
    degrees = np.maximum(np.diff(steps.indptr), 1)
    blocks = []
    for first in range(0, len(starts), BLOCK):
        walkers = starts[first : first + BLOCK]
        moving = sparse.csr_array(
            (np.ones(len(walkers)), walkers, np.arange(len(walkers) + 1)),
            shape=(len(walkers), steps.shape[1]),
        )
        stopped = sparse.csr_array(moving.shape)
        while moving.nnz:
            stopped = stopped + _times(moving, restart)
            moving = _times(sparse.csr_array(moving @ steps), 1.0 - restart)
            moving.data[moving.data < threshold * degrees[moving.indices]] = 0.0
            moving.eliminate_zeros()
        blocks.append(heaviest(stopped.tocsr(), kept))
    walked = sparse.vstack(blocks).tocsr()
    return sparse.csr_array(sparse.diags_array(1.0 / walked.sum(axis=1)) @ walked)


def _times(table: sparse.csr_array, number: float) -> sparse.csr_array:
    values = np.asarray(table.data, np.float64) * number
    return sparse.csr_array((values, table.indices, table.indptr), shape=table.shape)


def page_rank(steps: sparse.csr_array, restart: float = RESTART, times: int = 40) -> Floats:
    """Where a walker is who restarts anywhere: float64[concepts], summing to 1 (Page et al. 1998)."""
    concepts = steps.shape[0]
    backwards = steps.T.tocsr()
    ranks = np.full(concepts, 1.0 / concepts)
    for _ in range(times):
        ranks = (1.0 - restart) * (backwards @ ranks)
        ranks += (1.0 - ranks.sum()) / concepts
    return ranks


def compared(
    walks: sparse.csr_array, ranks: Floats, concepts: Ints, sides: tuple[Ints, Ints]
) -> dict[str, Floats]:
    """What the walks of two concepts say of them, float64[n] by name.

    ``walks``: those of ``concepts``, int64[m]; ``sides``: the rows of left and right ones, int64[n];
    ``ranks``: as from ``page_rank``. *cosine*; *Hellinger*, Σ √(p q); *mass*, the mean probability of the one
    in the other's walk; *PMI*, the cosine of the positive logarithms of probability over rank.
    """
    left, right = sides
    roots, informed = walks.copy(), walks.copy()
    roots.data = np.sqrt(roots.data)
    informed.data = np.maximum(np.log(walks.data / ranks[walks.indices]), 0.0)
    there = np.asarray(walks[left, concepts[right]]).reshape(-1)
    back = np.asarray(walks[right, concepts[left]]).reshape(-1)
    return {
        "cosine": row_cosines(walks, left, right),
        "Hellinger": dots(roots, left, right),
        "mass": 0.5 * (there + back),
        "PMI": row_cosines(informed, left, right),
    }
