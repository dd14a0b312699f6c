"""Anchors: the mention dictionary, and what the editors' links say about each mention.

An article *uses* a mention for a concept when it links to the concept with that text, or when the concept
is its own and the text is its title, a redirect to it, or one of these without its qualifier. Everything
is counted in articles, so that one article with many links has one voice:

- commonness of a sense: the share of the mention's uses that are for the concept;
- link probability: the articles that use the mention, out of those that use it or have it in their text.

An article that is named by a mention counts as one use of it, so a title that nobody links has a small
share in an ambiguous mention and is likely to be linked only where the mention is rare in running text.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache, partial
from pathlib import Path

import marisa_trie
import msgspec
import numpy as np
import pyarrow as pa

from building.arrays import save_array
from building.articles import ARTICLE_COLUMNS, articles
from building.dataset import column, strings
from building.sparse_files import csr_from_dataset
from building.stage import Build, Stage
from snapshots.annotator.annotator import TRIE
from snapshots.annotator.spotting import Spotter
from snapshots.naming.mentions import mention_of, names_of

_USES = pa.schema([("mention", pa.string()), ("article", pa.int32()), ("concept", pa.int32())])
_NUMBERED = pa.schema([("mention", pa.int32()), ("article", pa.int32()), ("concept", pa.int32())])
_OCCURRING = pa.schema([("mention", pa.int32()), ("article", pa.int32())])

SPOTS = pa.schema(
    [
        ("article", pa.int32()),
        ("paragraphs", pa.int32()),
        ("paragraph", pa.list_(pa.int32())),
        ("start", pa.list_(pa.int32())),
        ("end", pa.list_(pa.int32())),
        ("mention", pa.list_(pa.int32())),
    ]
)
"""One row an article: how many paragraphs it has, and every spot in them, ordered by paragraph and start."""

ARTICLES_IN_A_BATCH = 200


def run(build: Build) -> None:
    """Write the mention dictionary, ``spots``, ``link_probability.npy``, ``senses`` and ``counts.json``."""
    folder, longest = build.folder(STAGE.name), build.settings.mention_words
    trie = folder / TRIE
    linked, names = build.folder("links") / "occurrences", build.folder("concepts") / "names"
    columns: tuple[str, ...] = ("source", "target", "anchor")
    build.map(partial(linked_uses, longest=longest), linked, folder / "linked", _USES, columns)
    columns = ("title", "concept")
    build.map(partial(named_uses, longest=longest), names, folder / "named", _USES, columns)
    build.sql(_DISTINCT, folder / "uses", linked=folder / "linked", named=folder / "named")
    build.sql("SELECT DISTINCT mention FROM uses ORDER BY mention", folder / "mentions", uses=folder / "uses")
    mentions = build_trie(folder / "mentions", trie)

    build.map(partial(number_mentions, trie=trie), folder / "uses", folder / "numbered", _NUMBERED)
    pages, spot = build.folder("pages") / "pages", partial(spot_articles, trie=trie, page_ids=build.page_ids)
    build.map(spot, pages, folder / "spots", SPOTS, ARTICLE_COLUMNS, shown=True)
    columns = ("article", "mention")
    build.map(occurring_mentions, folder / "spots", folder / "occurring", _OCCURRING, columns)

    build.sql(_SENSES, folder / "commonness", uses=folder / "numbered")
    csr_from_dataset(folder / "commonness", folder, "senses", (mentions, build.concepts), np.float32)
    inputs = {"uses": folder / "numbered", "occurring": folder / "occurring"}
    build.sql(_LINK_PROBABILITY, folder / "probabilities", **inputs)
    save_array(folder / "link_probability.npy", column(folder / "probabilities", "link_probability"))
    (folder / "counts.json").write_bytes(msgspec.json.encode({"mentions": mentions}))


def linked_uses(batches: Iterator[pa.RecordBatch], longest: int) -> Iterator[pa.RecordBatch]:
    """The mentions that editors' links use."""
    mention = lru_cache(100_000)(partial(mention_of, maximum_words=longest))
    for batch in batches:
        mentions = pa.array(map(mention, batch.column("anchor").to_pylist()), pa.string())
        columns = [mentions, batch.column("source"), batch.column("target")]
        yield pa.record_batch(columns, schema=_USES).filter(mentions.is_valid())


def named_uses(batches: Iterator[pa.RecordBatch], longest: int) -> Iterator[pa.RecordBatch]:
    """The mentions that titles and redirects are, used by the article that they lead to."""
    for batch in batches:
        rows = zip(batch.column("title").to_pylist(), batch.column("concept").to_pylist(), strict=True)
        named = [
            (name, concept) for title, concept in rows if concept >= 0 for name in names_of(title, longest)
        ]
        concepts = [concept for _, concept in named]
        yield pa.record_batch([[name for name, _ in named], concepts, concepts], _USES)


def build_trie(mentions: Path, path: Path) -> int:
    """Write the dictionary of the data set ``mentions`` to ``path``; how many mentions it holds."""
    trie = marisa_trie.Trie(strings(mentions, "mention"))
    trie.save(str(path))
    return len(trie)


def number_mentions(batches: Iterator[pa.RecordBatch], trie: Path) -> Iterator[pa.RecordBatch]:
    """The rows with each mention's id in place of the mention."""
    dictionary = Spotter.open(trie).trie
    for batch in batches:
        numbers = list(map(dictionary.key_id, batch.column("mention").to_pylist()))
        yield pa.record_batch([numbers, batch.column("article"), batch.column("concept")], _NUMBERED)


def spot_articles(batches: Iterator[pa.RecordBatch], trie: Path, page_ids: Path) -> Iterator[pa.RecordBatch]:
    """The spots in every article."""
    spotter = Spotter.open(trie)
    rows: list[list[object]] = []
    for article in articles(batches, page_ids):
        spots = [spotter.spots(paragraph) for paragraph in article.paragraphs]
        paragraph = np.repeat(np.arange(len(spots), dtype=np.int32), [len(spans) for spans in spots])
        columns = np.concatenate([np.zeros((0, 3), np.int32), *spots]).T
        rows.append([article.concept, len(spots), paragraph, *columns])
        if len(rows) == ARTICLES_IN_A_BATCH:
            yield _batch(rows)
            rows = []
    yield _batch(rows)


def _batch(rows: list[list[object]]) -> pa.RecordBatch:
    columns: list[Sequence[object]] = list(zip(*rows, strict=True)) or [[]] * len(SPOTS)
    return pa.record_batch(columns, SPOTS)


def occurring_mentions(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Which mentions stand in which articles, each once."""
    for batch in batches:
        lists = batch.column("mention")
        article = batch.column("article").to_numpy()[lists.value_parent_indices().to_numpy()]
        pairs = np.unique(article.astype(np.int64) << 32 | lists.flatten().to_numpy())
        yield pa.record_batch([pairs & 0xFFFF_FFFF, pairs >> 32], _OCCURRING)


_DISTINCT = """
    SELECT mention, article, concept FROM linked UNION SELECT mention, article, concept FROM named
"""

_SENSES = """
    SELECT mention, concept, cast(cast(uses AS double) / cast(total AS double) AS float) AS commonness
    FROM (
        SELECT mention, concept, count(*) AS uses, sum(count(*)) OVER (PARTITION BY mention) AS total
        FROM uses GROUP BY mention, concept
    ) senses
    ORDER BY mention, concept
"""

_LINK_PROBABILITY = """
    SELECT mention, cast(cast(sum(used) AS double) / cast(count(*) AS double) AS float) AS link_probability
    FROM (
        SELECT mention, article, max(used) AS used
        FROM (
            SELECT mention, article, cast(1 AS int) AS used FROM uses
            UNION ALL
            SELECT mention, article, cast(0 AS int) AS used FROM occurring
        ) everything
        GROUP BY mention, article
    ) articles
    GROUP BY mention
    ORDER BY mention
"""


STAGE = Stage(
    "anchors",
    ("pages", "concepts", "links"),
    run,
    settings=("mention_words",),
    label="Counting mentions and their senses",
)
