"""Aliases: other names of concepts than titles and redirects, each with its kinds and its share.

The share of a concept in a name is the number of articles that link to it, and itself, over that of all
concepts with the name, whatever makes it theirs. What is the title, or a redirect, of any page is no alias.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path

import marisa_trie
import msgspec
import numpy as np
import pyarrow as pa

from building.aliases.names import other_names
from building.arrays import save_array
from building.articles import concepts_of
from building.dataset import column, strings
from building.sparse_files import csr_from_dataset
from building.stage import Build, Stage
from snapshots.arrays import map_array
from snapshots.naming.aliases import LONGEST, TRIE, bits_of
from snapshots.naming.mentions import mention_of
from wiki.folding import fold

MOST_CONCEPTS = 50
"""Concepts of a name that are kept, those with the greatest shares; a surname may have thousands."""

GIVEN = pa.schema(
    [
        ("alias", pa.string()),
        ("concept", pa.int32()),
        ("kinds", pa.int32()),
        ("place", pa.string()),
    ]
)
"""One row a name that an article gives; ``place`` is null, or a title that there must be."""

_TAKEN = pa.schema([("alias", pa.string())])
_NUMBERED = pa.schema(
    [("alias", pa.int32()), ("concept", pa.int32()), ("share", pa.float32()), ("kinds", pa.int16())]
)
_COLUMNS = ("page_id", "title", "bold", "paragraphs", "categories")


def run(build: Build) -> None:
    """Write the trie of aliases, its three tables of ``snapshots.layout``, and ``counts.json``."""
    trie = write_aliases(build, build.folder(STAGE.name), build.folder("concepts") / "names")
    _save_articles(build, build.folder(STAGE.name), trie)


def write_aliases(build: Build, folder: Path, names: Path) -> marisa_trie.Trie:
    """Write into ``folder`` what ``run`` does but ``alias_articles``, for which words are counted; the trie.

    ``names``: the data set of the titles that no alias may be.
    """
    give = partial(given_aliases, page_ids=build.page_ids, language=build.siteinfo.language)
    build.map(give, build.folder("pages") / "pages", folder / "given", GIVEN, _COLUMNS, shown=True)
    build.map(taken_names, names, folder / "taken", _TAKEN, ("title",))
    in_links = build.folder("names") / "in_links"
    inputs = {"given": folder / "given", "taken": folder / "taken", "names": names, "in_links": in_links}
    build.sql(_SHARES, folder / "shares", **inputs)
    build.sql(
        "SELECT DISTINCT alias FROM shares ORDER BY alias", folder / "aliases", shares=folder / "shares"
    )
    trie = marisa_trie.Trie(strings(folder / "aliases", "alias"))
    trie.save(str(folder / TRIE))
    number = partial(number_aliases, trie=folder / TRIE)
    build.map(number, folder / "shares", folder / "numbered", _NUMBERED)
    shape = (len(trie), build.concepts)
    for table, value, dtype in (("alias_shares", "share", np.float32), ("alias_kinds", "kinds", np.uint8)):
        ordered = folder / f"by_{value}"
        query = f"SELECT alias, concept, {value} FROM numbered ORDER BY alias, concept"  # noqa: S608 ours
        build.sql(query, ordered, numbered=folder / "numbered")
        csr_from_dataset(ordered, folder, table, shape, dtype)
    (folder / "counts.json").write_bytes(msgspec.json.encode({"aliases": len(trie)}))
    return trie


def given_aliases(
    batches: Iterator[pa.RecordBatch], page_ids: Path, language: str
) -> Iterator[pa.RecordBatch]:
    """Map pages to ``GIVEN``."""
    known = map_array(page_ids)
    for batch in batches:
        concepts = concepts_of(batch.column("page_id").to_numpy(), known)
        rows: list[tuple[str, int, int, str | None]] = []
        for place in np.flatnonzero(concepts >= 0).tolist():
            page = {name: batch.column(name)[place].as_py() for name in _COLUMNS[1:]}
            for other in other_names(**page, language=language):
                bits = bits_of(*other.kinds)
                rows += ((key, int(concepts[place]), bits, other.place) for key in keys_of(other.name))
        yield pa.RecordBatch.from_arrays(
            [pa.array(column, field.type) for column, field in zip(_columns(rows), GIVEN, strict=True)],
            schema=GIVEN,
        )


def taken_names(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """The keys that titles and redirects are, which no alias may be."""
    for batch in batches:
        titles = batch.column("title").to_pylist()
        yield pa.record_batch([[key for title in titles for key in keys_of(title)]], _TAKEN)


def keys_of(name: str) -> list[str]:
    """What a name is looked up by: as a text has it, and without its accents."""
    forms = (mention_of(name, LONGEST), mention_of(fold(name), LONGEST))
    return sorted({form for form in forms if form is not None})


def number_aliases(batches: Iterator[pa.RecordBatch], trie: Path) -> Iterator[pa.RecordBatch]:
    """The rows with each alias's number in place of it."""
    numbers = marisa_trie.Trie().mmap(str(trie))
    for batch in batches:
        rows = list(map(numbers.key_id, batch.column("alias").to_pylist()))
        others = (batch.column(name).cast(_NUMBERED.field(name).type) for name in _NUMBERED.names[1:])
        yield pa.record_batch([rows, *others], _NUMBERED)


def _save_articles(build: Build, folder: Path, trie: marisa_trie.Trie) -> None:
    """Write ``alias_articles``."""
    counted, words = folder / "articles", build.folder("words") / "counts"
    build.sql(_ARTICLES, counted, aliases=folder / "aliases", words=words)
    numbers = list(map(trie.key_id, strings(counted, "alias")))
    articles = np.zeros(len(trie), np.int32)
    articles[numbers] = column(counted, "articles")
    save_array(folder / "alias_articles.npy", articles)


def _columns(rows: list[tuple[str, int, int, str | None]]) -> list[list[object]]:
    return [list(column) for column in zip(*rows, strict=True)] or [[] for _ in GIVEN]


_SHARES = f"""
    SELECT alias, concept, cast(share AS float) AS share, kinds
    FROM (
        SELECT alias, concept, kinds, weight / sum(weight) OVER (PARTITION BY alias) AS share,
               row_number() OVER (PARTITION BY alias ORDER BY weight DESC, concept) AS place
        FROM (
            SELECT g.alias, g.concept, cast(bit_or(g.kinds) AS int) AS kinds,
                   cast(1 + coalesce(max(i.in_links), 0) AS double) AS weight
            FROM given g
            LEFT JOIN taken t ON t.alias = g.alias
            LEFT JOIN (SELECT DISTINCT title FROM names) n ON n.title = g.place
            LEFT JOIN in_links i ON i.concept = g.concept
            WHERE t.alias IS NULL AND (g.place IS NULL OR n.title IS NOT NULL)
            GROUP BY g.alias, g.concept
        ) weighed
    ) shared
    WHERE place <= {MOST_CONCEPTS}
    ORDER BY alias, concept
"""  # noqa: S608 the number is ours
"""The concepts of each name."""

_ARTICLES = """
    SELECT a.alias, cast(sum(w.documents) AS int) AS articles
    FROM aliases a JOIN words w ON w.word = a.alias
    GROUP BY a.alias
"""
"""How many articles have the names that are single words."""


STAGE = Stage(
    "aliases", ("pages", "concepts", "names", "words"), run, version=6, label="Collecting other names"
)
