"""Every measure of the link graph that was tried, of pairs of concepts, by name."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

import measures
from measures.arrays import Floats, Ints
from papers.graph.latent import joined_with_text, latent_vectors, unit_rows
from papers.graph.rows import as_sparse, heaviest, row_cosines
from papers.graph.two_stage import two_stage
from papers.graph.walks import Graph, compared, page_rank, random_walks, transitions
from snapshots.snapshot import Snapshot

GRAPHS: tuple[tuple[Graph, bool], ...] = (
    ("reciprocal", False),
    ("reciprocal", True),
    ("either way", True),
    ("out-links", True),
)
"""The graphs that are walked on, and whether their links are weighted."""

DIMENSIONS = 256
FEW_DIMENSIONS = 128
HEAVIEST = 120
"""How many words, or links, of a concept count where several tables are decomposed together."""

Named = Iterator[tuple[str, Floats]]


def graph_measures(snapshot: Snapshot, left: Ints, right: Ints) -> Named:
    """Each measure's name and its values, float64[n]; ``left`` and ``right``: concept ids, int64[n].

    Raises:
        ValueError: the snapshot is an excerpt, whose links lead to concepts that have no rows.
    """
    if snapshot.concepts != snapshot.universe:
        raise ValueError(
            f"{snapshot.id} is an excerpt: it has no links of most of the concepts that its links lead to. "
            "Measure with the snapshot that it was cut from."
        )
    yield from _vectors(snapshot, left, right)
    yield from _neighbours(snapshot, left, right)
    yield from _walks(snapshot, left, right)


def _neighbours(snapshot: Snapshot, left: Ints, right: Ints) -> Named:
    """Of linked concepts alone: cosines by idf, Adamic and Adar, and how seldom one is linked."""
    out = as_sparse(snapshot.csr("out_links"))
    into = out.T.tocsr()
    for name, links in {"in-links": into, "out-links": out, "links": out.maximum(into)}.items():
        column = np.maximum(np.bincount(links.indices, minlength=links.shape[1]), 1)
        weighted = (links @ sparse.diags_array(np.log((links.shape[1] + 1) / column))).tocsr()
        yield f"{name}, cosine by idf", row_cosines(weighted, left, right)
    both = snapshot.csr("links")
    shared = as_sparse(both)
    common = np.asarray(shared[left].multiply(shared[right]).sum(axis=1)).reshape(-1)
    yield (
        "links, normalised PMI of common ones",
        measures.normalised_pmi(common, both.sizes(left), both.sizes(right), snapshot.universe),
    )
    rarity = sparse.diags_array(measures.adamic_adar(np.diff(out.indptr)))
    common = np.asarray((into[left] @ rarity).multiply(into[right]).sum(axis=1)).reshape(-1)
    yield "in-links, logarithm of Adamic-Adar", np.log1p(common)
    linked = np.diff(into.indptr)
    yield (
        "in-links, one over the logarithm of the fewer",
        1.0 / np.log(3.0 + np.minimum(linked[left], linked[right])),
    )


def _walks(snapshot: Snapshot, left: Ints, right: Ints) -> Named:
    """Random walks with restart."""
    concepts, places = np.unique(np.concatenate([left, right]), return_inverse=True)
    of_left, of_right = np.split(places, 2)
    for graph, weighted in GRAPHS:
        steps = transitions(snapshot, graph, weighted)
        walks = random_walks(steps, concepts)
        title = f"walks, {graph}" + (" by idf" if weighted else "")
        for name, values in compared(walks, page_rank(steps), concepts, (of_left, of_right)).items():
            yield f"{title}, {name}", values


def _vectors(snapshot: Snapshot, left: Ints, right: Ints) -> Named:
    """Learnt vectors: of links, of co-mentions, of links and texts together; and the two stages."""
    contexts, esa = as_sparse(snapshot.csr("contexts")), as_sparse(snapshot.csr("esa"))
    learnt = latent_vectors(contexts, DIMENSIONS)
    few = unit_rows(learnt[:, :FEW_DIMENSIONS])

    def cosines(vectors: NDArray[np.float32]) -> Floats:
        return measures.cosine(np.einsum("nd,nd->n", vectors[left], vectors[right], dtype=np.float64))

    for near in (10, 30):
        joined = joined_with_text(learnt, esa, near)
        yield f"vectors of co-mentions with those of {near} ESA concepts, {DIMENSIONS}", cosines(joined)
    yield "two stages, one step", two_stage(few, esa, left, right, steps=1)
    yield "two stages, eight steps", two_stage(few, esa, left, right)
    yield f"vectors of co-mentions, {DIMENSIONS}", cosines(learnt)
    yield f"vectors of co-mentions, {FEW_DIMENSIONS}", cosines(few)
    links = _positive_pmi(as_sparse(snapshot.csr("links")))
    texts = _unit(heaviest(as_sparse(snapshot.csr("tfidf")), HEAVIEST))
    yield f"vectors of links, {FEW_DIMENSIONS}", cosines(latent_vectors(links, FEW_DIMENSIONS))
    yield f"vectors of texts (LSA), {FEW_DIMENSIONS}", cosines(latent_vectors(texts, FEW_DIMENSIONS))
    together = latent_vectors(sparse.hstack([contexts, links, texts]).tocsr(), FEW_DIMENSIONS)
    yield f"vectors of co-mentions, links and texts, {FEW_DIMENSIONS}", cosines(together)


def _positive_pmi(links: sparse.csr_array) -> sparse.csr_array:
    """The positive PMI of the links of either direction, the heaviest, rows of unit length.

    Of columns the frequency to the power of 0.75 counts (Levy, Goldberg & Dagan 2015).
    """
    row = np.repeat(np.arange(links.shape[0]), np.diff(links.indptr))
    column = np.bincount(links.indices, minlength=links.shape[1]) ** 0.75
    share = np.diff(links.indptr)[row] * (column / column.sum())[links.indices]
    weighted = links.copy()
    weighted.data = np.maximum(-np.log(share), 0.0)
    weighted.eliminate_zeros()
    return _unit(heaviest(weighted, HEAVIEST))


def _unit(table: sparse.csr_array) -> sparse.csr_array:
    """The rows, each of unit length; one of zeros as it is."""
    lengths = np.sqrt(np.asarray(table.multiply(table).sum(axis=1)).reshape(-1))
    return sparse.csr_array(sparse.diags_array(1.0 / np.where(lengths > 0, lengths, 1.0)) @ table)
