"""Links: every editor's link between concepts, and the link graph.

Links follow redirects; links to a concept itself and to pages that are no concept do not count; in the
graph a link counts once however often it stands in the article.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc

from building.articles import concepts_of
from building.sparse_files import csr_from_dataset, csr_from_union
from building.stage import Build, Stage
from snapshots.arrays import map_array, map_csr

_LINKS = pa.schema(
    [
        ("page_id", pa.int64()),
        ("source", pa.int32()),
        ("target", pa.string()),
        ("anchor", pa.string()),
        ("paragraph", pa.int32()),
        ("start", pa.int32()),
    ]
)


def run(build: Build) -> None:
    """Write ``occurrences`` and the tables ``out_links``, ``in_links`` and ``links``."""
    folder, names = build.folder(STAGE.name), build.folder("concepts") / "names"
    function = partial(flatten_links, page_ids=build.page_ids)
    columns = ("page_id", "namespace", "links")
    build.map(function, build.folder("pages") / "pages", folder / "targets", _LINKS, columns, shown=True)
    build.sql(_OCCURRENCES, folder / "occurrences", links=folder / "targets", names=names)
    for name, (query, read) in _GRAPHS.items():
        build.sql(query, folder / name, **{read: folder / read})
        csr_from_dataset(folder / name, folder, name, (build.concepts, build.concepts))
    csr_from_union(map_csr(folder, "out_links"), map_csr(folder, "in_links"), folder, "links")


def flatten_links(batches: Iterator[pa.RecordBatch], page_ids: Path) -> Iterator[pa.RecordBatch]:
    """The links in the article namespace, one a row; the source is -1 for a page that is no concept."""
    known = map_array(page_ids)
    for batch in batches:
        articles = batch.filter(pc.equal(batch.column("namespace"), 0))
        lists = articles.column("links")
        links = lists.flatten()
        pages = articles.column("page_id").take(lists.value_parent_indices())
        sources = concepts_of(pages.to_numpy(), known)
        yield pa.record_batch([pages, sources, *(links.field(name) for name in _LINKS.names[2:])], _LINKS)


_OCCURRENCES = """
    SELECT l.source, n.concept AS target, l.anchor, l.paragraph, l.start
    FROM links l
    JOIN names n ON n.title = l.target
    WHERE l.source >= 0 AND n.concept >= 0 AND n.concept <> l.source
"""

_GRAPHS = {
    "out_links": ("SELECT DISTINCT source, target FROM occurrences ORDER BY source, target", "occurrences"),
    "in_links": ("SELECT target, source FROM out_links ORDER BY target, source", "out_links"),
}
"""The directed tables of the graph: each one's query, and the data set that it reads."""


STAGE = Stage("links", ("pages", "concepts"), run, label="Resolving links")
