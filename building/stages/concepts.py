"""Concepts: which pages are concepts, and every title that leads to one.

A concept is a page of the article namespace that is neither a redirect nor a disambiguation page. Its id
is its rank by page id. Redirects are followed through chains; loops and dangling ones are listed.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import msgspec
import numpy as np
import pyarrow as pa

from building.arrays import save_array
from building.dataset import column, row_count, rows
from building.stage import Build, Stage
from snapshots.errors import BuildError
from snapshots.naming.names import ARTICLE, DISAMBIGUATION, REDIRECT
from wiki.siteinfo import Siteinfo
from wiki.titles import title_rules

DOUBLINGS = 5
"""Each round follows chains twice as far: 5 rounds follow 32 redirects, where MediaWiki follows one."""

USES = pa.schema([("page_id", pa.int64()), ("value", pa.string())])
"""What ``flatten`` makes of a list column."""

_SWITCHED = pa.schema(
    [("value", pa.string()), ("disambiguation", pa.bool_()), ("hidden_category", pa.bool_())]
)


def run(build: Build) -> None:
    """Write ``articles``, ``names``, ``redirects``, ``marked``, ``problems``, ``page_ids.npy`` and counts."""
    folder, pages = build.folder(STAGE.name), build.folder("pages") / "pages"
    uses, switched = folder / "template_uses", folder / "switched_templates"
    build.map(partial(flatten, column="templates"), pages, uses, USES, ("page_id", "templates"))
    columns = ("namespace", "title", "disambiguation", "hidden_category")
    build.map(partial(switched_templates, siteinfo=build.siteinfo), pages, switched, _SWITCHED, columns)
    marked, articles, redirects = folder / "marked", folder / "articles", folder / "redirects"
    build.sql(_MARKED, marked, pages=pages, uses=uses, switched=switched)
    build.sql(_ARTICLES, articles, pages=marked)
    build.sql(_HOPS, folder / "hops-0", pages=marked)
    for round_ in range(DOUBLINGS):
        build.sql(_DOUBLED, folder / f"hops-{round_ + 1}", hops=folder / f"hops-{round_}")
    build.sql(_REDIRECTS, redirects, hops=folder / f"hops-{DOUBLINGS}", articles=articles, pages=marked)
    build.sql(_NAMES, folder / "names", articles=articles, redirects=redirects, pages=marked)
    repeats = build.folder("pages") / "repeats"
    build.sql(_PROBLEMS, folder / "problems", pages=pages, repeats=repeats)
    if not row_count(articles):
        raise BuildError(
            f"{build.dump.path} has no article, only redirects, disambiguation pages or pages of other "
            "namespaces. Is it a pages-articles dump?"
        )
    save_array(build.page_ids, column(articles, "page_id").astype(np.int64))
    problems = folder / "problems"
    build.sql(_COUNTS, folder / "counts", pages=marked, problems=problems, redirects=redirects)
    counts = {row["name"]: row["pages"] for row in rows(folder / "counts")}
    (folder / "counts.json").write_bytes(msgspec.json.encode(counts))


def flatten(batches: Iterator[pa.RecordBatch], column: str) -> Iterator[pa.RecordBatch]:
    """The entries of a list column, one a row, beside the page id."""
    for batch in batches:
        lists = batch.column(column)
        page_ids = batch.column("page_id").take(lists.value_parent_indices())
        yield pa.record_batch([page_ids, lists.flatten()], names=["page_id", "value"])


def switched_templates(batches: Iterator[pa.RecordBatch], siteinfo: Siteinfo) -> Iterator[pa.RecordBatch]:
    """The templates whose own page carries a behaviour switch: the pages that use them inherit it.

    This is how a wiki in any language says which of its templates mark disambiguation pages.
    """
    rules = title_rules(siteinfo)
    for batch in batches:
        switched = [
            {**row, "value": title.text}
            for row in batch.to_pylist()
            if row["namespace"] == 10
            and (row["disambiguation"] or row["hidden_category"])
            and (title := rules.parse(row["title"])) is not None
        ]
        yield pa.RecordBatch.from_pylist(switched, _SWITCHED)


_MARKED = """
    SELECT p.page_id, p.namespace, p.title, p.redirect,
           p.disambiguation OR coalesce(m.disambiguation, false) AS disambiguation,
           p.hidden_category OR coalesce(m.hidden_category, false) AS hidden_category
    FROM pages p
    LEFT JOIN (
        SELECT u.page_id, bool_or(s.disambiguation) AS disambiguation,
               bool_or(s.hidden_category) AS hidden_category
        FROM uses u JOIN switched s ON u.value = s.value
        GROUP BY u.page_id
    ) m ON m.page_id = p.page_id
    WHERE p.problem IS NULL
"""
"""Pages without their text, with the switches that their templates carry."""

_PROBLEMS = """
    SELECT page_id, title, problem FROM pages WHERE problem IS NOT NULL
    UNION ALL
    SELECT page_id, title, problem FROM repeats
    ORDER BY page_id, title, problem
"""

_ARTICLES = """
    SELECT cast(row_number() OVER (ORDER BY page_id) - 1 AS int) AS concept, page_id, title
    FROM pages
    WHERE namespace = 0 AND redirect IS NULL AND NOT disambiguation
    ORDER BY page_id
"""

_HOPS = """
    SELECT title AS source, redirect AS target FROM pages WHERE redirect IS NOT NULL AND namespace = 0
"""

_DOUBLED = """
    SELECT a.source, coalesce(b.target, a.target) AS target
    FROM hops a LEFT JOIN hops b ON b.source = a.target
"""

_REDIRECTS = """
    SELECT h.source AS title, h.target, coalesce(a.concept, -1) AS concept,
           CASE WHEN a.concept IS NOT NULL THEN 'article'
                WHEN p.redirect IS NOT NULL THEN 'loop'
                WHEN p.disambiguation AND p.namespace = 0 THEN 'disambiguation'
                WHEN p.title IS NOT NULL THEN 'other namespace'
                ELSE 'dangling' END AS leads_to
    FROM hops h
    LEFT JOIN articles a ON a.title = h.target
    LEFT JOIN pages p ON p.title = h.target
    ORDER BY h.source
"""
"""Every redirect with where it leads in the end."""

_NAMES = f"""
    SELECT title, cast({ARTICLE} AS int) AS kind, concept, title AS target FROM articles
    UNION ALL
    SELECT title, cast({REDIRECT} AS int) AS kind, concept, target FROM redirects WHERE leads_to = 'article'
    UNION ALL
    SELECT title, cast({DISAMBIGUATION} AS int) AS kind, cast(-1 AS int) AS concept, title AS target
    FROM pages WHERE disambiguation AND namespace = 0 AND redirect IS NULL
    UNION ALL
    SELECT title, cast({DISAMBIGUATION} AS int) AS kind, cast(-1 AS int) AS concept, target
    FROM redirects WHERE leads_to = 'disambiguation'
"""  # noqa: S608 the numbers are ours
"""Every title that can be asked for; ``target`` is the title of the page that it leads to."""


_COUNTS = """
    SELECT 'problems' AS name, count(*) AS pages FROM problems
    UNION ALL
    SELECT 'redirects' AS name, count(*) AS pages FROM redirects
    UNION ALL
    SELECT 'redirect_loops' AS name, count(*) AS pages FROM redirects WHERE leads_to = 'loop'
    UNION ALL
    SELECT 'redirects_dangling' AS name, count(*) AS pages FROM redirects WHERE leads_to = 'dangling'
    UNION ALL
    SELECT 'disambiguations' AS name, count(*) AS pages FROM pages
    WHERE disambiguation AND namespace = 0 AND redirect IS NULL
"""
"""What the manifest says about the dump's pages beside its articles."""


STAGE = Stage("concepts", ("pages",), run, version=3, label="Following redirects")
