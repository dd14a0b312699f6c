"""Concept-level second-order PMI by normalised PMI: PMI2_C with the vectors of NPMI1_C.

WORT names normalised versions of PMI1 and of PMI2 among its measures of concepts (section 4.1); its table of
features has no normalised PMI2. Read as it can be: a concept's vector holds its normalised PMI with the most
frequent concepts, itself among them where it is one; two concepts are as related as the cosine of these. It
is no feature, and is computed here to be compared with PMI2_C.

Sources: Bullinaria & Levy 2007, vectors and cosine; Bouma 2009, normalised PMI.
"""

from __future__ import annotations

import msgspec
import numpy as np
from scipy import sparse

import measures
from measures.arrays import Floats, Ints
from snapshots.csr import CSR
from snapshots.rows import most_frequent, rows_of_entries, unit_top_k, with_rows
from snapshots.settings import BuildSettings
from snapshots.snapshot import Snapshot


def normalised_second_order_pmi(snapshot: Snapshot, left: Ints, right: Ints) -> Floats:
    """The cosine of the vectors of normalised PMI of each pair of concepts: float64[n], in [0, 1].

    ``left`` and ``right``: concept ids, int64[n]. A concept that is mentioned nowhere has relatedness 0 with
    every concept.

    Raises:
        ValueError: the snapshot is an excerpt, which does not have the co-mentions of all its columns.
    """
    if snapshot.concepts != snapshot.universe:
        raise ValueError(
            f"{snapshot.id} is an excerpt: it does not have what all concepts are mentioned with"
        )
    concepts, places = np.unique(np.concatenate([left, right]), return_inverse=True)
    vectors = normalised_contexts(snapshot, concepts)
    table = sparse.csr_array(
        (vectors.weights, vectors.indices, vectors.indptr), shape=(vectors.rows, vectors.columns)
    )
    of_left, of_right = np.split(places, 2)
    return measures.cosine(np.asarray(table[of_left].multiply(table[of_right]).sum(axis=1)).reshape(-1))


def normalised_contexts(snapshot: Snapshot, concepts: Ints) -> CSR:
    """The vectors of ``concepts``, int64[m]: the heaviest normalised PMI, as many as PMI2_C has, unit length.

    As of PMI2_C, contexts are the most frequent concepts alone, and a concept is always there with itself.
    """
    settings = msgspec.convert(snapshot.manifest.settings, BuildSettings)
    counts = snapshot.array("concept_counts")
    frequent = most_frequent(counts, settings.frequent_concepts)
    together = with_rows(snapshot.csr("comentions"), concepts)
    row, among = rows_of_entries(together), frequent[together.indices]
    itself = np.flatnonzero(frequent[concepts])
    row = np.concatenate([row[among], itself])
    context = np.concatenate([together.indices[among], concepts[itself]])
    both = np.concatenate([together.weights[among], counts[concepts[itself]]])
    weight = measures.normalised_pmi(both, counts[concepts[row]], counts[context], snapshot.paragraphs)
    positive = weight > 0
    shape = (len(concepts), together.columns)
    return unit_top_k(
        CSR.from_entries(row[positive], context[positive], weight[positive], shape), settings.contexts
    )
