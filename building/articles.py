"""The pages data set: its schema, and the articles in it as builders read them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from snapshots.arrays import map_array

LINK = pa.struct(
    [("target", pa.string()), ("anchor", pa.string()), ("paragraph", pa.int32()), ("start", pa.int32())]
)

PAGES = pa.schema(
    [
        ("page_id", pa.int64()),
        ("namespace", pa.int32()),
        ("title", pa.string()),
        ("redirect", pa.string()),
        ("disambiguation", pa.bool_()),
        ("hidden_category", pa.bool_()),
        ("paragraphs", pa.list_(pa.string())),
        ("links", pa.list_(LINK)),
        ("categories", pa.list_(pa.string())),
        ("templates", pa.list_(pa.string())),
        ("bold", pa.list_(pa.string())),
        ("problem", pa.string()),
    ]
)
"""One row a page, titles normalised; ``redirect`` is null for a page that is none, ``problem`` for one that
was understood. See ``wiki.page`` for what the other columns mean."""

ARTICLE_COLUMNS = ("page_id", "title", "paragraphs")
"""Those of the columns of pages that ``articles`` reads."""


@dataclass(frozen=True, slots=True)
class Article:
    """The text of a concept's article."""

    concept: int
    title: str
    paragraphs: list[str]


def concepts_of(page_ids: NDArray[np.int64], known: NDArray[np.int64]) -> NDArray[np.int64]:
    """The concepts of some pages, -1 for none; ``known`` are the concepts' page ids, ascending."""
    places = np.searchsorted(known, page_ids)
    inside = places < len(known)
    inside[inside] = known[places[inside]] == page_ids[inside]
    return np.where(inside, places, -1)


def articles(batches: Iterator[pa.RecordBatch], page_ids: Path) -> Iterator[Article]:
    """The articles among rows of the pages data set.

    ``page_ids`` is the ascending int64 array that the concepts stage writes: a concept's id is its place
    in it. Pages that are no concept are passed over.
    """
    known = map_array(page_ids)
    for batch in batches:
        concepts = concepts_of(batch.column("page_id").to_numpy(), known)
        titles, paragraphs = batch.column("title"), batch.column("paragraphs")
        for row in np.flatnonzero(concepts >= 0):
            yield Article(int(concepts[row]), titles[row].as_py(), paragraphs[row].as_py())
