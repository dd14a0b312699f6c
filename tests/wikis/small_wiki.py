"""A wiki of sets and dicts, small enough to read, and the snapshot that holds the same.

The oracle reads the sets and dicts; the code under test reads the snapshot.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import sqrt
from pathlib import Path

import numpy as np

from building.writer import SnapshotWriter
from snapshots.csr import CSR
from snapshots.scaled import ScaledVectors
from snapshots.snapshot import Snapshot
from tests.support.csr import csr_of_mappings, csr_of_sets


@dataclass(frozen=True)
class SmallWiki:
    """Concepts are numbers from 0; those below ``len(titles)`` are rows, all below ``universe`` count."""

    titles: tuple[str, ...]
    universe: int
    links: frozenset[tuple[int, int]]  # (source, target)
    categories: tuple[frozenset[str], ...]  # by concept, as all that follow by concept
    title_words: tuple[frozenset[str], ...]
    words: tuple[str, ...]  # the vocabulary: a title's other words are unknown
    sentences: tuple[frozenset[str], ...]
    vectors: Mapping[str, tuple[float, ...]]
    paragraphs: tuple[frozenset[int], ...]  # the concepts in each
    contexts: tuple[dict[int, float], ...]
    tfidf: tuple[dict[str, float], ...]
    esa: tuple[dict[int, float], ...]
    title_vectors: tuple[tuple[int, ...], ...] = ()  # one that is not empty has 127 as its largest number
    lead_vectors: tuple[tuple[int, ...], ...] = ()

    def out(self, concept: int) -> set[int]:
        return {target for source, target in self.links if source == concept}

    def into(self, concept: int) -> set[int]:
        return {source for source, target in self.links if target == concept}


def write_snapshot(wiki: SmallWiki, folder: Path, *, compact: bool = False, worded: bool = False) -> Snapshot:
    """The snapshot of ``wiki`` in ``folder``.

    ``compact`` keeps integers and a scale, as excerpts do; ``worded`` adds the look-up of words.
    """
    writer = SnapshotWriter(folder)
    for name, table in _sparse_tables(wiki).items():
        writer.csr(name, _compact(table) if compact else table)
    word_id = {word: i for i, word in enumerate(wiki.words)}
    rows = range(len(wiki.titles))
    dimensions = max((len(vector) for vector in wiki.vectors.values()), default=1)
    vectors = np.zeros((len(wiki.words), dimensions), np.float32)
    for word, vector in wiki.vectors.items():
        vectors[word_id[word]] = np.divide(vector, sqrt(sum(x * x for x in vector)))
    writer.array("page_ids", np.array([100 + 7 * row for row in rows], np.int64))
    writer.array("title_lengths", np.array([len(words) for words in wiki.title_words], np.int32))
    writer.array("word_vectors", vectors)
    writer.array("word_counts", np.array([_with(wiki.sentences, word) for word in wiki.words], np.int64))
    writer.array("concept_counts", np.array([_with(wiki.paragraphs, row) for row in rows], np.int64))
    for name, encoded in (("title_vectors", wiki.title_vectors), ("lead_vectors", wiki.lead_vectors)):
        if any(encoded):
            dimensions = max(map(len, encoded))
            padded = [vector or (0,) * dimensions for vector in encoded]
            writer.scaled(name, ScaledVectors.of(padded))
    writer.strings("concept_titles", wiki.titles)
    writer.strings("category_titles", _category_titles(wiki))
    writer.strings("words", wiki.words)
    if worded:
        writer.trie("words", "<I", ((word, (number,)) for number, word in enumerate(wiki.words)))
    return writer.finish(
        lambda digest: {
            "id": f"small-{digest}",
            "wiki": "smallwiki",
            "language": "en",
            "dump_date": "2001-01-15",
            "siteinfo": {},
            "sources": [],
            "settings": {},
            "counts": {
                "concepts": len(wiki.titles),
                "universe": wiki.universe,
                "categories": len(_category_titles(wiki)),
                "words": len(wiki.words),
                "sentences": len(wiki.sentences),
                "paragraphs": len(wiki.paragraphs),
            },
            "licence": "CC0-1.0",
            "attribution": "made up",
        }
    )


def _sparse_tables(wiki: SmallWiki) -> dict[str, CSR]:
    rows, universe, words = range(len(wiki.titles)), wiki.universe, len(wiki.words)
    word_id = {word: i for i, word in enumerate(wiki.words)}
    category_id = {title: i for i, title in enumerate(_category_titles(wiki))}
    together: list[dict[int, float]] = [{} for _ in wiki.words]
    for x, first in enumerate(wiki.words):
        for y, second in enumerate(wiki.words[x + 1 :], x + 1):
            both = sum(first in sentence and second in sentence for sentence in wiki.sentences)
            if both * len(wiki.sentences) > _with(wiki.sentences, first) * _with(wiki.sentences, second):
                together[x][y] = both
    beside: list[dict[int, float]] = [{} for _ in rows]
    for concepts in wiki.paragraphs:
        for a in concepts:
            for b in concepts:
                if a in rows and a != b:
                    beside[a][b] = beside[a].get(b, 0) + 1
    tfidf = [{word_id[word]: weight for word, weight in row.items()} for row in wiki.tfidf]
    return {
        "out_links": csr_of_sets([wiki.out(row) for row in rows], universe),
        "in_links": csr_of_sets([wiki.into(row) for row in rows], universe),
        "links": csr_of_sets([wiki.out(row) | wiki.into(row) for row in rows], universe),
        "categories": csr_of_sets(
            [{category_id[title] for title in titles} for titles in wiki.categories], len(category_id)
        ),
        "title_words": csr_of_sets(
            [{word_id[word] for word in title if word in word_id} for title in wiki.title_words], words
        ),
        "word_pairs": _counts(csr_of_mappings(together, words)),
        "comentions": _counts(csr_of_mappings(beside, universe)),
        "tfidf": csr_of_mappings([_unit(row) for row in tfidf], words),
        "esa": csr_of_mappings([_unit(row) for row in wiki.esa], universe),
        "contexts": csr_of_mappings([_unit(row) for row in wiki.contexts], universe),
    }


def _with(units: Sequence[frozenset[str]] | Sequence[frozenset[int]], member: str | int) -> int:
    return sum(member in unit for unit in units)


def _category_titles(wiki: SmallWiki) -> list[str]:
    return sorted({title for titles in wiki.categories for title in titles})


def _unit(row: dict[int, float]) -> dict[int, float]:
    length = sqrt(sum(weight * weight for weight in row.values()))
    return {column: weight / length for column, weight in row.items()}


def _counts(table: CSR) -> CSR:
    assert table.values is not None
    return replace(table, values=table.values.astype(np.int32))


def _compact(table: CSR) -> CSR:
    indices = table.indices.astype(np.uint16)
    if table.values is None:
        return replace(table, indices=indices)
    if table.values.dtype == np.int32:
        return replace(table, indices=indices, values=table.values.astype(np.uint8))
    stored = np.rint(table.values * 65535).astype(np.uint16)
    return replace(table, indices=indices, values=stored, scale=1 / 65535)
