"""Explicit semantic analysis (Gabrilovich & Markovitch 2007): an article's text projected on the concepts.

A word stands for the articles in which it weighs most, its postings. An article's vector is the sum of its
words' postings, each times the word's weight in the article. Both weights are those of the tf-idf table.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import pairwise
from pathlib import Path

import numpy as np
import pyarrow as pa

from building.ranges import range_task, ranges
from building.sparse_files import csr_from_dataset
from building.stage import Build, Stage
from jit.compiled import compiled
from jit.formulas import formula
from measures.arrays import Array
from measures.ranks import greatest
from snapshots.arrays import map_csr

_ESA = pa.schema([("concept", pa.int32()), ("column", pa.int32()), ("weight", pa.float32())])
_ARTICLES_IN_A_TASK = 1_000

Entries = tuple[Array, Array, Array]
"""Row pointers, columns and values of a sparse table, or rows, columns and values of its entries."""

_greatest = formula(greatest)

_POSTINGS = """
    SELECT word, concept, weight FROM (
        SELECT word, concept, weight,
            row_number() OVER (PARTITION BY word ORDER BY weight DESC, concept) AS place
        FROM weights
    ) AS ranked
    WHERE place <= {postings} ORDER BY word, concept
"""


def run(build: Build) -> None:
    """Write ``esa``, and ``postings`` on the way."""
    folder, tfidf, settings = build.folder(STAGE.name), build.folder("tfidf"), build.settings
    articles = map_csr(tfidf, "tfidf")
    query = _POSTINGS.format(postings=settings.esa_postings)
    build.sql(query, folder / "postings", weights=tfidf / "weights")
    shape = (articles.columns, articles.rows)
    csr_from_dataset(folder / "postings", folder, "postings", shape, np.float32)

    project = partial(
        _project, tfidf=tfidf, folder=folder, terms=settings.esa_terms, kept=settings.esa_concepts
    )
    ends = [*range(0, articles.rows, _ARTICLES_IN_A_TASK), articles.rows]
    tasks = [range_task(start, end, end - start) for start, end in pairwise(ends)]
    build.map(project, tasks, folder / "vectors", _ESA, shown=True)
    csr_from_dataset(folder / "vectors", folder, "esa", (articles.rows, articles.rows), np.float32)


SETTINGS = ("esa_terms", "esa_postings", "esa_concepts")
STAGE = Stage("esa", ("tfidf",), run, SETTINGS, label="Projecting articles on concepts")


def _project(
    batches: Iterator[pa.RecordBatch], tfidf: Path, folder: Path, terms: int, kept: int
) -> Iterator[pa.RecordBatch]:
    """Map row ranges to the ESA vectors of those articles."""
    articles, postings = map_csr(tfidf, "tfidf"), map_csr(folder, "postings")
    for start, end in ranges(batches):
        of_articles = (articles.indptr, articles.indices, articles.weights)
        of_words = (postings.indptr, postings.indices, postings.weights)
        vectors = _vectors(start, end, of_articles, of_words, (articles.rows, terms, kept))
        yield pa.record_batch(list(vectors), _ESA)


@compiled
def _vectors(
    start: int, end: int, articles: Entries, postings: Entries, limits: tuple[int, int, int]
) -> Entries:
    """The rows ``start`` … ``end`` − 1 as (concept, column, weight), columns ascending, unit length."""
    concepts, terms, kept = limits
    sums = np.zeros(concepts, np.float64)
    touched = np.empty(concepts, np.int32)
    rows = np.empty((end - start) * min(kept, concepts), np.int32)
    columns = np.empty_like(rows)
    weights = np.empty(len(rows), np.float32)
    size = 0
    for article in range(start, end):
        words = articles[1][articles[0][article] : articles[0][article + 1]]
        values = articles[2][articles[0][article] : articles[0][article + 1]]
        reached = 0
        for place in np.sort(_greatest(values, terms)):
            word, weight = words[place], values[place]
            for posting in range(postings[0][word], postings[0][word + 1]):
                concept = postings[1][posting]
                if sums[concept] == 0.0:
                    touched[reached] = concept
                    reached += 1
                sums[concept] += weight * postings[2][posting]
        if reached == 0:
            continue
        candidates = touched[:reached]
        # Only those that may stay are sorted: they are few.
        reaching = sums[candidates]
        near = np.sort(candidates[reaching >= reaching[_greatest(reaching, kept)[-1]]])
        best = near if len(near) <= kept else near[np.sort(_greatest(sums[near], kept))]
        norm = np.sqrt((sums[best] ** 2).sum())
        for concept in best:
            rows[size], columns[size], weights[size] = article, concept, sums[concept] / norm
            size += 1
        sums[candidates] = 0.0
    return rows[:size], columns[:size], weights[:size]
