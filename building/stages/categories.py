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
from building.sparse_files import csr_from_dataset
from building.stage import Build, Stage
from building.stages.concepts import USES, flatten
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
    uses, by_page, by_name = folder / "uses", folder / "hidden_by_page", folder / "hidden_by_name"
    columns: tuple[str, ...] = ("page_id", "categories")
    build.map(partial(flatten, column="categories"), build.folder("pages") / "pages", uses, USES, columns)
    hidden = partial(hidden_categories, siteinfo=build.siteinfo)
    columns = ("namespace", "title", "hidden_category")
    build.map(hidden, concepts / "marked", by_page, _HIDDEN, columns)
    build.map(maintenance_categories, uses, by_name, _HIDDEN, ("value",))
    articles, titles = concepts / "articles", folder / "titles"
    build.sql(_TITLES, titles, uses=uses, articles=articles, by_page=by_page, by_name=by_name)
    build.sql(_MEMBERS, folder / "members", uses=uses, articles=articles, titles=titles)
    build.sql(_VISIBLE, folder / "visible", members=folder / "members")
    csr_from_dataset(folder / "visible", folder, "categories", (build.concepts, row_count(titles)))


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
        yield pa.record_batch([titles], _HIDDEN)


def maintenance_categories(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """The categories whose name shows that they serve maintenance, each once a batch."""
    for batch in batches:
        titles = batch.column("value").unique().to_pylist()
        yield pa.record_batch([list(filter(MAINTENANCE.search, titles))], _HIDDEN)


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
