"""Co-mentions: how often concepts stand in one paragraph of the annotated text, and with which.

``concept_counts`` and ``comentions`` count paragraphs; ``contexts`` weighs a concept's co-mentions with the
most frequent concepts by PMI, itself among them where it is one: a paragraph with a concept has that
concept, as a word is always there with itself.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path

import msgspec
import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from building.arrays import save_array
from building.dataset import column, read_batches
from building.engines.runner import Task
from building.ranges import range_task, ranges
from building.sparse_files import csr_from_dataset
from building.stage import Build, Stage
from measures import positive_pmi
from snapshots.arrays import map_array, map_csr
from snapshots.csr import CSR
from snapshots.rows import most_frequent, rows_of_entries, unit_top_k

_CONTEXTS = pa.schema([("concept", pa.int32()), ("context", pa.int32()), ("weight", pa.float32())])

ENTRIES_IN_A_TASK = 1_000_000
"""A worker holds some 100 bytes an entry."""


def run(build: Build) -> None:
    """Write ``concept_counts.npy``, ``comentions``, ``contexts`` and ``counts.json``."""
    folder, presences = build.folder(STAGE.name), build.folder("annotations") / "presences"
    concepts = build.concepts
    build.sql(_COUNTS, folder / "counts", presences=presences)
    save_array(folder / "concept_counts.npy", dense(folder / "counts", concepts))
    build.sql(_PARAGRAPHS, folder / "paragraphs", presences=presences)
    paragraphs = int(column(folder / "paragraphs", "paragraphs")[0])
    (folder / "counts.json").write_bytes(msgspec.json.encode({"paragraphs": paragraphs}))

    build.sql(_PAIRS, folder / "pairs", presences=presences)
    build.sql(_BOTH_WAYS, folder / "both_ways", pairs=folder / "pairs")
    csr_from_dataset(folder / "both_ways", folder, "comentions", (concepts, concepts), np.int32)

    frequent = most_frequent(map_array(folder / "concept_counts.npy"), build.settings.frequent_concepts)
    save_array(folder / "frequent.npy", frequent)
    function = partial(contexts, folder=folder, kept=build.settings.contexts, paragraphs=paragraphs)
    tasks = list(pieces(map_csr(folder, "comentions").indptr))
    build.map(function, tasks, folder / "weights", _CONTEXTS, shown=True)
    csr_from_dataset(folder / "weights", folder, "contexts", (concepts, concepts), np.float32)


def dense(dataset: Path, concepts: int) -> NDArray[np.int64]:
    """Counts by concept, int64, from a data set that lists those that are not zero."""
    counts = np.zeros(concepts, np.int64)
    for batch in read_batches(dataset):
        counts[batch.column("concept").to_numpy()] = batch.column("paragraphs").to_numpy()
    return counts


def pieces(indptr: NDArray[np.int64], entries: int = ENTRIES_IN_A_TASK) -> Iterator[Task]:
    """Tasks that cover a table's rows, each with about so many ``entries``."""
    rows = len(indptr) - 1
    first = 0
    while first < rows:
        last = int(np.searchsorted(indptr, indptr[first] + entries, side="right")) - 1
        last = min(rows, max(last, first + 1))
        yield range_task(first, last, last - first)
        first = last


def contexts(
    batches: Iterator[pa.RecordBatch], folder: Path, kept: int, paragraphs: int
) -> Iterator[pa.RecordBatch]:
    """The PMI vectors of some rows of ``comentions``: the ``kept`` greatest weights, unit length."""
    counts, comentions = map_array(folder / "concept_counts.npy"), map_csr(folder, "comentions")
    frequent = map_array(folder / "frequent.npy")
    for first, last in ranges(batches):
        begin, end = comentions.indptr[first], comentions.indptr[last]
        concept = np.repeat(np.arange(first, last), np.diff(comentions.indptr[first : last + 1]))
        alone = first + np.flatnonzero(frequent[first:last])  # a concept is always there with itself
        among = frequent[comentions.indices[begin:end]]
        concept = np.concatenate([concept[among], alone])
        context = np.concatenate([comentions.indices[begin:end][among], alone])
        both = np.concatenate([comentions.weights[begin:end][among], counts[alone]])
        weight = positive_pmi(both, counts[concept], counts[context], paragraphs)
        positive = weight > 0
        concept, context, weight = concept[positive], context[positive], weight[positive]
        shape = (last - first, comentions.columns)
        vectors = unit_top_k(CSR.from_entries(concept - first, context, weight, shape), kept)
        columns = [first + rows_of_entries(vectors), vectors.indices, vectors.weights]
        yield pa.record_batch(columns, _CONTEXTS)


_COUNTS = """
    SELECT concept, count(*) AS paragraphs FROM presences GROUP BY concept
"""

_PARAGRAPHS = """
    SELECT count(*) AS paragraphs FROM (SELECT DISTINCT article, paragraph FROM presences) distinct_paragraphs
"""

_PAIRS = """
    SELECT a.concept AS lesser, b.concept AS greater, cast(count(*) AS int) AS paragraphs
    FROM presences a
    JOIN presences b ON a.article = b.article AND a.paragraph = b.paragraph AND a.concept < b.concept
    GROUP BY a.concept, b.concept
"""

_BOTH_WAYS = """
    SELECT concept, other, paragraphs
    FROM (
        SELECT lesser AS concept, greater AS other, paragraphs FROM pairs
        UNION ALL
        SELECT greater AS concept, lesser AS other, paragraphs FROM pairs
    ) directions
    ORDER BY concept, other
"""


STAGE = Stage(
    "comentions",
    ("concepts", "annotations"),
    run,
    settings=("frequent_concepts", "contexts"),
    version=2,
    label="Counting co-mentions",
)
