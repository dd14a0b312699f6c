"""The measures that WORT names and its model does not have, on concept pairs: evaluated, never in a model.

PMI2 is word-level second-order PMI (``papers.word.second_order``). NPMI2_C is PMI2_C by normalised
PMI (``papers.word.second_order_concepts``). JSD is the likeness of the two articles' word
distributions: 1 − their Jensen-Shannon divergence / log 2.
"""

from __future__ import annotations

import numpy as np
from scipy import sparse

import measures
from measures.arrays import Floats, Ints
from papers.word.second_order import second_order_pmi
from papers.word.second_order_concepts import normalised_second_order_pmi
from snapshots.csr import CSR
from snapshots.snapshot import Snapshot

BLOCK = 4096
"""Pairs whose distributions are held at once."""


def rejected_measures(snapshot: Snapshot, left: Ints, right: Ints) -> dict[str, Floats]:
    """PMI2, NPMI2_C and JSD of each pair of concepts: float64[n] by name, each in [0, 1].

    ``left`` and ``right``: concept ids, int64[n]. Of an excerpt, whose rows are cut, neither document
    frequencies nor the most frequent concepts can be told: NPMI2_C and JSD are left out.
    """
    measured = {"PMI2": second_order_pmi(snapshot, left, right)}
    if not _is_cut(snapshot):
        measured["NPMI2_C"] = normalised_second_order_pmi(snapshot, left, right)
        measured["JSD"] = article_similarity(snapshot, left, right)
    return measured


def _is_cut(snapshot: Snapshot) -> bool:
    """Whether rows or articles are missing, as in an excerpt."""
    return snapshot.manifest.parent is not None or snapshot.concepts < snapshot.universe


def rejected_section(snapshot: Snapshot, left: Ints, right: Ints) -> tuple[dict[str, Floats], str | None]:
    """The ``rejected_measures`` and what is ``not_measured``, as a report takes them."""
    return rejected_measures(snapshot, left, right), not_measured(snapshot)


def not_measured(snapshot: Snapshot) -> str | None:
    """Which of the rejected measures this snapshot has not, and why, in a sentence; None if it has all."""
    if not _is_cut(snapshot):
        return None
    return (
        f"NPMI2_C and JSD are not measured: {snapshot.id} is an excerpt. In how many articles a word stands, "
        "and what all of them are mentioned with, cannot be told from it."
    )


def article_similarity(snapshot: Snapshot, left: Ints, right: Ints, block_size: int = BLOCK) -> Floats:
    """1 − Jensen-Shannon divergence / log 2 of the articles' word distributions: float64[n], in [0, 1].

    The distribution of an article is that of the occurrences of its words that have a tf-idf weight: words
    of two characters or more that are no stop words, that stand in two articles at least and not in all. A
    weight is count · log(N / df) over the row's length, so the counts are, up to a factor that normalising
    takes away, the weights over log(N / df); df is the number of articles with the word. An article without
    such words has similarity 0 with every other. ``block_size``: how many pairs are computed at once.

    Raises:
        ValueError: the snapshot is an excerpt, whose document frequencies cannot be told.
    """
    if snapshot.concepts != snapshot.universe:
        raise ValueError(f"{snapshot.id} is an excerpt: how many articles have a word cannot be told from it")
    table = snapshot.csr("tfidf").checked()
    frequencies = np.bincount(table.indices, minlength=table.columns)
    # A word in every article has no weight, and one in none is never asked for.
    idf = np.log(table.rows / np.maximum(frequencies, 1))
    similarity = np.empty(len(left))
    for start in range(0, len(left), block_size):
        block = slice(start, start + block_size)
        similarity[block] = measures.divergence_to_similarity(
            _divergence(_distributions(table, idf, left[block]), _distributions(table, idf, right[block]))
        )
    return similarity


def _distributions(table: CSR, idf: Floats, rows: Ints) -> sparse.csr_array:
    """The word distributions of the articles ``rows``, one below the other: float64[rows, words]."""
    sizes = table.sizes(rows)
    indptr = np.zeros(len(rows) + 1, np.int64)
    np.cumsum(sizes, out=indptr[1:])
    place = np.repeat(np.arange(len(rows)), sizes)
    entry = np.arange(indptr[-1]) + (table.indptr[rows] - indptr[:-1])[place]
    words = table.indices[entry].astype(np.int64)
    counts = table.weights[entry].astype(np.float64) / idf[words]
    total = np.bincount(place, counts, len(rows))
    return sparse.csr_array((counts / total[place], words, indptr), shape=(len(rows), table.columns))


def _divergence(left: sparse.csr_array, right: sparse.csr_array) -> Floats:
    """The Jensen-Shannon divergence of each row of one table and the same row of the other: float64[n]."""
    shared_left, shared_right = left.multiply(right.astype(bool)), right.multiply(left.astype(bool))
    for table in (shared_left, shared_right):
        table.sort_indices()
    shared = measures.jensen_shannon(shared_left.data, shared_right.data)
    place = np.repeat(np.arange(left.shape[0]), np.diff(shared_left.indptr))
    # A word of one article alone adds what any such word does, a share of its probability.
    alone = 2.0 - shared_left.sum(axis=1) - shared_right.sum(axis=1)
    divergence: Floats = np.bincount(place, shared, left.shape[0]) + alone * measures.jensen_shannon(1.0, 0.0)
    return divergence
