"""Annotations: which concepts stand in which paragraph, after every mention has been annotated.

Editors link the first mention of a concept; the annotator finds the others. An editor's link is taken as
it is, the annotator fills in the rest, and the article's own concept counts as present in each of its
paragraphs.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from building.arrays import create_array, save_array
from building.dataset import read_batches, row_count
from building.sparse_files import count_rows
from building.stage import Build, Stage
from building.stages.anchors import ARTICLES_IN_A_BATCH
from measures.arrays import boundaries
from snapshots.annotator.annotator import Annotator, Passages
from snapshots.arrays import map_array
from snapshots.settings import BuildSettings

PRESENCES = pa.schema([("article", pa.int32()), ("paragraph", pa.int32()), ("concept", pa.int32())])
"""A concept is present in a paragraph; each row once."""


def run(build: Build) -> None:
    """Write ``placed`` (the links that stand in paragraphs) and ``presences``."""
    folder, anchors, links = build.folder(STAGE.name), build.folder("anchors"), build.folder("links")
    build.sql(_PLACED, folder / "placed", occurrences=links / "occurrences")
    save_placed(folder / "placed", folder, build.concepts)
    function = partial(
        annotate_articles, anchors=anchors, links=links, placed=folder, settings=build.settings
    )
    build.map(function, anchors / "spots", folder / "presences", PRESENCES, shown=True)


def save_placed(dataset: Path, folder: Path, articles: int) -> None:
    """Write the placed links as arrays that workers share.

    ``placed.npy`` int32[links, 4]: paragraph, start, end, concept; ``placed.indptr.npy`` int64[articles + 1]:
    where the links of each article start.
    """
    placed = create_array(folder / "placed.npy", np.int32, (row_count(dataset), 4))
    counts, filled = np.zeros(articles, np.int64), 0
    for batch in read_batches(dataset, rows=1 << 20):
        source, *columns = (column.to_numpy() for column in batch.columns)
        count_rows(counts, source)
        placed[filled : filled + len(source)] = np.column_stack(columns)
        filled += len(source)
    save_array(folder / "placed.indptr.npy", boundaries(counts))


def annotate_articles(
    batches: Iterator[pa.RecordBatch], anchors: Path, links: Path, placed: Path, settings: BuildSettings
) -> Iterator[pa.RecordBatch]:
    """The presences in the articles of some rows of the anchors stage's ``spots``."""
    annotator = Annotator.of_stages(anchors, links, settings)
    known, indptr = map_array(placed / "placed.npy"), map_array(placed / "placed.indptr.npy")
    for batch in batches:
        for first in range(0, batch.num_rows, ARTICLES_IN_A_BATCH):
            article, passages, offsets = passages_of(batch.slice(first, ARTICLES_IN_A_BATCH), known, indptr)
            annotated = annotator.annotate_passages(passages)
            everywhere = np.arange(offsets[-1], dtype=np.int32)
            paragraph = np.concatenate([everywhere, annotated.spans[:, 0]])
            concept = np.concatenate([passages.context[:, 0], annotated.concept])
            present = np.unique(paragraph.astype(np.int64) << 32 | concept)
            paragraph, concept = present >> 32, present & 0xFFFF_FFFF
            owner = np.searchsorted(offsets, paragraph, side="right") - 1
            yield pa.record_batch([article[owner], paragraph - offsets[owner], concept], PRESENCES)


def passages_of(
    batch: pa.RecordBatch, placed: NDArray[np.int32], indptr: NDArray[np.int64]
) -> tuple[NDArray[np.int32], Passages, NDArray[np.int64]]:
    """Rows of ``spots`` as the annotator takes them.

    Paragraphs are numbered through the whole batch. Also returned: the articles, and the first paragraph
    of each with the number of all paragraphs at the end.
    """
    article = batch.column("article").to_numpy()
    counts = batch.column("paragraphs").to_numpy()
    offsets = boundaries(counts)
    owner = batch.column("paragraph").value_parent_indices().to_numpy()
    spots = np.column_stack(
        [batch.column(name).flatten().to_numpy() for name in ("paragraph", "start", "end", "mention")]
    )
    spots[:, 0] += offsets[owner].astype(np.int32)
    links = np.concatenate(
        [
            placed[indptr[concept] : indptr[concept + 1]] + np.array([offset, 0, 0, 0], np.int32)
            for concept, offset in zip(article, offsets[:-1], strict=True)
        ]
    )
    context = np.repeat(article, counts)[:, None]
    return article, Passages(spots, links, context), offsets


_PLACED = """
    SELECT source, paragraph, start, cast(start + char_length(anchor) AS int) AS finish, target
    FROM occurrences WHERE paragraph >= 0
    ORDER BY source, paragraph, start, finish, target
"""


STAGE = Stage(
    "annotations",
    ("concepts", "links", "anchors"),
    run,
    settings=(
        "minimum_link_probability",
        "window_mentions",
        "candidate_senses",
        "minimum_commonness",
        "sense_epsilon",
        "minimum_coherence",
    ),
    version=2,
    label="Annotating the text",
)
