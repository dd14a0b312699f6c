"""An excerpt: some concepts of a snapshot, small enough to ship, with the statistics of the whole.

The rows of the chosen concepts are kept, and N, sentence and paragraph totals stay those of the parent, so
that a feature has nearly the value that it has there. Other concepts survive as columns: they count in
every intersection, but have no title and cannot be asked for. Weights are stored as 16-bit integers.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from tables.csr import CSR
from tables.names import CATEGORIES, DISAMBIGUATION, FILE, NAMES, SENSES, Names
from tables.names_writer import write_names
from tables.rows import heaviest, rows_of_entries, with_entries, with_rows
from tables.snapshot import Snapshot, SnapshotWriter

Ids = NDArray[np.int64]


class ExcerptSettings(msgspec.Struct, frozen=True, kw_only=True):
    """How much of each row an excerpt keeps: the heaviest entries of the weighted tables."""

    tfidf_words: int = 120
    esa_concepts: int = 150
    contexts: int = 150
    minimum_comentions: int = 3
    minimum_word_pairs: int = 3
    vector_dimensions: int = 100


def most_linked(snapshot: Snapshot, count: int) -> Ids:
    """The ``count`` concepts with the most in-links, the most linked first."""
    table = snapshot.csr("in_links")
    return np.argsort(-table.sizes(np.arange(table.rows)), kind="stable")[:count]


def write_excerpt(parent: Snapshot, target: Path, chosen: Ids, settings: ExcerptSettings) -> Snapshot:
    """Write the snapshot ``target`` with the concepts ``chosen``: ids of ``parent``, each once."""
    chosen = np.sort(chosen)
    writer = SnapshotWriter(target)
    concept_ids = _new_ids(chosen, parent.universe)
    title_words = with_rows(parent.csr("title_words"), chosen)
    word_ids, words = _word_ids(parent, title_words, chosen, settings)

    writer.array("page_ids", parent.array("page_ids")[chosen])
    for name in ("out_links", "in_links", "links"):
        writer.csr(name, _renumbered(with_rows(parent.csr(name), chosen), concept_ids))
    writer.csr("categories", _compact(with_rows(parent.csr("categories"), chosen)))
    tfidf = _shared_columns(heaviest(with_rows(parent.csr("tfidf"), chosen), settings.tfidf_words))
    writer.csr("tfidf", _quantised(_renumbered(tfidf, word_ids)))
    esa = _shared_columns(heaviest(with_rows(parent.csr("esa"), chosen), settings.esa_concepts))
    writer.csr("esa", _quantised(_renumbered(esa, concept_ids)))
    contexts = _shared_columns(heaviest(with_rows(parent.csr("contexts"), chosen), settings.contexts))
    writer.csr("contexts", _quantised(_renumbered(contexts, concept_ids)))
    writer.array("concept_counts", parent.array("concept_counts")[chosen])
    writer.csr("comentions", _comentions(parent, chosen, concept_ids, settings.minimum_comentions))

    in_titles = np.unique(title_words.indices)
    writer.csr("title_words", _renumbered(title_words, word_ids))
    writer.array("title_lengths", parent.array("title_lengths")[chosen])
    writer.array("word_counts", parent.array("word_counts")[words])
    pairs = _word_pairs(parent.csr("word_pairs"), in_titles, word_ids, settings.minimum_word_pairs)
    writer.csr("word_pairs", pairs)
    writer.array(
        "word_vectors", _vectors(parent.array("word_vectors"), in_titles, settings.vector_dimensions)
    )

    known_words, titles = parent.strings("words"), parent.concept_titles
    writer.strings("words", (known_words[int(word)] for word in words))
    writer.trie("words", "<I", ((known_words[int(word)], (new,)) for new, word in enumerate(words)))
    writer.strings("concept_titles", (titles[int(concept)] for concept in chosen))
    categories = parent.strings("category_titles")
    writer.strings("category_titles", (categories[i] for i in range(len(categories))))
    names = Names(parent.folder / FILE)
    kept = {int(old): new for new, old in enumerate(chosen)}
    senses = list(_senses(names, kept))
    ambiguous = {row["title"] for row in senses}
    rows = list(_names(names, kept, ambiguous))
    write_names(writer, lambda: rows, lambda: senses, lambda: names.rows(CATEGORIES))
    old = parent.manifest
    counts = old.counts | {"concepts": len(chosen), "words": len(words), "names": len(rows), "mentions": 0}
    return writer.finish(
        lambda digest: {
            "id": f"{old.id}-excerpt-{digest}",
            "wiki": old.wiki,
            "language": old.language,
            "dump_date": old.dump_date,
            "siteinfo": old.siteinfo,
            "sources": old.sources,
            "settings": old.settings | {"excerpt": msgspec.to_builtins(settings)},
            "counts": counts,
            "licence": old.licence,
            "attribution": old.attribution,
            "parent": old.id,
        }
    )


def _new_ids(chosen: Ids, universe: int) -> Ids:
    """Old ids to new: the chosen ones are 0, 1, 2, …; the others follow in their order."""
    order = np.concatenate([chosen, np.setdiff1d(np.arange(universe), chosen)])
    new = np.empty(universe, np.int64)
    new[order] = np.arange(universe)
    return new


def _word_ids(parent: Snapshot, title_words: CSR, chosen: Ids, settings: ExcerptSettings) -> tuple[Ids, Ids]:
    """Old word ids to new (-1 for those left out), and the kept words: those of titles first."""
    in_titles = np.unique(title_words.indices).astype(np.int64)
    shared = _shared_columns(heaviest(with_rows(parent.csr("tfidf"), chosen), settings.tfidf_words))
    others = np.setdiff1d(shared.indices, in_titles).astype(np.int64)
    kept = np.concatenate([in_titles, others])
    new = np.full(parent.manifest.counts["words"], -1, np.int64)
    new[kept] = np.arange(len(kept))
    return new, kept


def _shared_columns(table: CSR) -> CSR:
    """The table without the columns that stand in one row only: they take part in no dot product."""
    return with_entries(table, np.bincount(table.indices, minlength=table.columns)[table.indices] > 1)


def _renumbered(table: CSR, new: Ids) -> CSR:
    """The table with its columns renumbered, in order again, in the smallest type that holds them."""
    columns = new[table.indices]
    order = np.lexsort((columns, rows_of_entries(table)))
    count = int(new.max(initial=-1)) + 1
    values = None if table.values is None else table.values[order]
    return CSR(table.indptr, _small(columns[order], count), values, count, table.scale)


def _compact(table: CSR) -> CSR:
    return CSR(table.indptr, _small(table.indices, table.columns), None, table.columns)


def _small(ids: NDArray[Any], count: int) -> NDArray[Any]:
    return ids.astype(np.uint16 if count <= 2**16 else np.int32)


def _quantised(table: CSR) -> CSR:
    """The table with its weights, all in [0, 1], as 16-bit integers."""
    scale = 1 / (2**16 - 1)
    return CSR(
        table.indptr, table.indices, np.rint(table.weights / scale).astype(np.uint16), table.columns, scale
    )


def _comentions(parent: Snapshot, chosen: Ids, new: Ids, minimum: int) -> CSR:
    """Co-mentions between chosen concepts: no other pair can be asked for."""
    table = with_rows(parent.csr("comentions"), chosen)
    among = with_entries(table, (new[table.indices] < len(chosen)) & (table.weights >= minimum))
    return _small_counts(_renumbered(among, new))


def _word_pairs(table: CSR, in_titles: Ids, new: Ids, minimum: int) -> CSR:
    """Pairs of words that stand in titles; the order of ids is kept, so the smaller one stays the row."""
    rows = with_rows(table, in_titles[in_titles < table.rows])
    kept = with_entries(rows, np.isin(rows.indices, in_titles) & (rows.weights >= minimum))
    return _small_counts(_renumbered(kept, new))


def _small_counts(table: CSR) -> CSR:
    """The table with its counts in the smallest type that holds them."""
    fits = table.weights.max(initial=0) < 2**16
    counts = table.weights.astype(np.uint16 if fits else np.int32)
    return CSR(table.indptr, table.indices, counts, table.columns)


def _vectors(vectors: NDArray[Any], in_titles: Ids, dimensions: int) -> NDArray[np.float32]:
    """The vectors of the words of titles on their main axes, unit length."""
    own = vectors[in_titles[in_titles < len(vectors)]].astype(np.float64)
    if own.shape[1] > dimensions:
        _, axes = np.linalg.eigh(own.T @ own)
        own = own @ axes[:, -dimensions:]
    lengths = np.linalg.norm(own, axis=1, keepdims=True)
    unit: NDArray[np.float32] = (own / np.where(lengths > 0, lengths, 1)).astype(np.float32)
    return unit


def _senses(names: Names, kept: dict[int, int]) -> Iterator[dict[str, Any]]:
    for row in names.rows(SENSES):
        if row["concept"] in kept:
            yield row | {"concept": kept[row["concept"]]}


def _names(names: Names, kept: dict[int, int], ambiguous: set[str]) -> Iterator[dict[str, Any]]:
    for row in names.rows(NAMES):
        del row["id"]
        if row["kind"] == DISAMBIGUATION and row["title"] in ambiguous:
            yield row
        elif row["concept"] in kept:
            yield row | {"concept": kept[row["concept"]]}
