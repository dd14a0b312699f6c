"""Categories: which concepts are in which, with the hidden and maintenance ones marked.

A category is hidden when its page says so (``__HIDDENCAT__``, itself or through a template). A dump
without category pages cannot say so; there the names that English Wikipedia gives to its maintenance
categories are recognised.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial

import pyarrow as pa

from building.dataset import row_count
from building.engines.runner import tasks_over
from building.sparse_files import csr_from_dataset
from building.stage import Build, Stage
from building.stages.concepts import USES, flatten
from snapshots.arrays import map_array
from wiki.siteinfo import Siteinfo
from wiki.titles import title_rules

MAINTENANCE = re.compile(
    r"""
      ^(All|Articles|Pages|Wikipedia|Use|Engvar|CS1|Webarchive|Commons|Short\ description)\b.*
        \b(articles?|stubs?|statements|links?|sources?|references|errors|maint|English|dates|from|with|using
          |needing|containing|lacking|templates?|wikidata|wikisource|category|description)\b
    | \bstubs$
    | \b(articles|pages)\ (with|needing|lacking|containing|to\ be|using)\b
    | \bdisambiguation\ pages\b
    | \bfrom\ (January|February|March|April|May|June|July|August|September|October|November|December)\ \d{4}$
    """,
    re.VERBOSE,
)
"""Names of English Wikipedia's maintenance categories."""

_HIDDEN = pa.schema([("value", pa.string())])


def run(build: Build) -> None:
    """Write ``titles`` (category, title, hidden), ``members`` and the table ``categories``."""
    folder, concepts = build.folder(STAGE.name), build.folder("concepts")
    tasks = tasks_over(build.folder("pages") / "pages", columns=("page_id", "categories"))
    build.runner.map(partial(flatten, column="categories"), tasks, folder / "uses", USES)
    function = partial(hidden_categories, siteinfo=build.siteinfo)
    columns = ("namespace", "title", "hidden_category")
    tasks = tasks_over(concepts / "marked", columns=columns)
    build.runner.map(function, tasks, folder / "hidden_by_page", _HIDDEN)
    tasks = tasks_over(folder / "uses", columns=("value",))
    build.runner.map(maintenance_categories, tasks, folder / "hidden_by_name", _HIDDEN)
    articles = concepts / "articles"
    build.sql(
        _TITLES,
        folder / "titles",
        uses=folder / "uses",
        articles=articles,
        by_page=folder / "hidden_by_page",
        by_name=folder / "hidden_by_name",
    )
    build.sql(_MEMBERS, folder / "members", uses=folder / "uses", articles=articles, titles=folder / "titles")
    build.sql(_VISIBLE, folder / "visible", members=folder / "members")
    shape = (len(map_array(concepts / "page_ids.npy")), row_count(folder / "titles"))
    csr_from_dataset(folder / "visible", folder, "categories", shape)


def hidden_categories(batches: Iterator[pa.RecordBatch], siteinfo: Siteinfo) -> Iterator[pa.RecordBatch]:
    """The categories whose page hides them, without their namespace."""
    rules = title_rules(siteinfo)
    for batch in batches:
        titles = [
            title.text
            for row in batch.to_pylist()
            if row["namespace"] == 14
            and row["hidden_category"]
            and (title := rules.parse(row["title"])) is not None
        ]
        yield pa.record_batch([pa.array(titles, pa.string())], _HIDDEN)


def maintenance_categories(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """The categories whose name shows that they serve maintenance, each once a batch."""
    for batch in batches:
        titles = batch.column("value").unique().to_pylist()
        yield pa.record_batch([pa.array([t for t in titles if MAINTENANCE.search(t)], pa.string())], _HIDDEN)


_TITLES = """
    SELECT cast(row_number() OVER (ORDER BY u.value) - 1 AS int) AS category, u.value AS title,
           p.value IS NOT NULL OR n.value IS NOT NULL AS hidden
    FROM (SELECT DISTINCT uses.value FROM uses JOIN articles ON articles.page_id = uses.page_id) u
    LEFT JOIN (SELECT DISTINCT value FROM by_page) p ON p.value = u.value
    LEFT JOIN (SELECT DISTINCT value FROM by_name) n ON n.value = u.value
    ORDER BY category
"""

_MEMBERS = """
    SELECT DISTINCT a.concept, t.category, t.hidden
    FROM uses u
    JOIN articles a ON a.page_id = u.page_id
    JOIN titles t ON t.title = u.value
    ORDER BY concept, category
"""

_VISIBLE = """
    SELECT concept, category FROM members WHERE NOT hidden ORDER BY concept, category
"""


STAGE = Stage("categories", ("pages", "concepts"), run, version=2, label="Sorting into categories")
