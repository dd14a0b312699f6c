"""An excerpt: some concepts of a snapshot, small enough to ship, with the statistics of the whole.

The rows of the chosen concepts are kept, and N, sentence and paragraph totals stay those of the parent, so
that a feature has nearly the value that it has there. Other concepts survive as columns: they count in
every intersection, but have no title and cannot be asked for. Every table keeps to what ``snapshots.layout``
declares of it: a row of weights is brought back to unit length once it is cut, and a pair of concepts stands
under both. Weights are stored as 8-bit integers. Postings are left out: a reader turns the tf-idf table in
their place. Of the mention dictionary that much is kept as the chosen concepts need to be found where the
parent finds them.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import marisa_trie
import msgspec
import numpy as np
from numpy.typing import NDArray

from building.names_writer import write_names
from building.writer import SnapshotWriter
from measures.arrays import Ints
from snapshots.annotator.annotator import TRIE
from snapshots.annotator.spotting import Spotter
from snapshots.csr import CSR
from snapshots.names import CATEGORIES, DISAMBIGUATION, FILE, NAMES, SENSES, Names
from snapshots.page_ids import PageIds
from snapshots.rows import heaviest, rows_of_entries, with_entries, with_rows
from snapshots.snapshot import Snapshot


class ExcerptSettings(msgspec.Struct, frozen=True, kw_only=True):
    """How much of each row an excerpt keeps: the heaviest entries of the weighted tables.

    Mentions that are links less often than ``minimum_link_probability`` are left out: an annotator with the
    settings of a build does not look at them.
    """

    tfidf_words: int = 80
    esa_concepts: int = 120
    contexts: int = 120
    minimum_comentions: int = 2
    minimum_word_pairs: int = 5
    vector_dimensions: int = 64
    minimum_link_probability: float = 0.02


def most_linked(snapshot: Snapshot, count: int) -> Ints:
    """The ``count`` concepts with the most in-links, the most linked first."""
    table = snapshot.csr("in_links")
    return np.argsort(-table.sizes(np.arange(table.rows)), kind="stable")[:count]


def write_excerpt(
    parent: Snapshot, target: Path, chosen: Ints, settings: ExcerptSettings, chosen_by: str | None = None
) -> Snapshot:
    """Write the snapshot ``target`` with the concepts ``chosen``: ids of ``parent``, each once.

    ``chosen_by``: the work that the choice was taken from, to be named beside the sources of the parent.
    """
    cut = _Cut(parent, np.sort(chosen), settings)
    writer = SnapshotWriter(target)
    _write_concepts(writer, cut)
    _write_words(writer, cut)
    names = _write_names(writer, cut)
    mentions = _write_mentions(writer, cut)
    old = parent.manifest
    choice = "" if chosen_by is None else f" The concepts were chosen by {chosen_by}."
    page_ids = PageIds(parent.array("page_ids")[cut.chosen], old.invented_ids_from)
    counts = {
        "concepts": len(chosen),
        "words": len(cut.words),
        "names": names,
        "mentions": mentions,
        "invented_ids": page_ids.invented,
    }
    return writer.finish(
        lambda digest: {
            "id": f"{old.id}-excerpt-{digest}",
            "wiki": old.wiki,
            "language": old.language,
            "dump_date": old.dump_date,
            "siteinfo": old.siteinfo,
            "sources": old.sources,
            "settings": old.settings | {"excerpt": msgspec.to_builtins(settings)},
            "counts": old.counts | counts,
            "licence": old.licence,
            "attribution": old.attribution + choice,
            "works": old.works,
            "invented_ids_from": old.invented_ids_from,
            "parent": old.id,
        }
    )


class _Cut:
    """What is taken from ``parent``, and how ids change.

    ``chosen``: the concepts, ascending; ``concept_ids``: old ids to new, the chosen ones first.
    ``words``: the words, those of titles first; ``word_ids``: old ids to new, -1 for one that is left out.
    """

    def __init__(self, parent: Snapshot, chosen: Ints, settings: ExcerptSettings) -> None:
        self.parent = parent
        self.chosen = chosen
        self.settings = settings
        self.concept_ids = np.empty(parent.universe, np.int64)
        self.concept_ids[chosen] = np.arange(len(chosen))
        others = np.setdiff1d(np.arange(parent.universe), chosen)
        self.concept_ids[others] = np.arange(len(chosen), parent.universe)
        self.tfidf = self.weighted("tfidf", settings.tfidf_words)
        self.title_words = self.rows("title_words")
        self.in_titles = np.unique(self.title_words.indices).astype(np.int64)
        self.words = np.concatenate([self.in_titles, np.setdiff1d(self.tfidf.indices, self.in_titles)])
        self.word_ids = np.full(parent.manifest.counts["words"], -1, np.int64)
        self.word_ids[self.words] = np.arange(len(self.words))

    def rows(self, name: str) -> CSR:
        """The rows of the chosen concepts, with the parent's columns."""
        return with_rows(self.parent.csr(name), self.chosen).checked()

    def weighted(self, name: str, kept: int) -> CSR:
        """The heaviest weights of the chosen rows, of unit length again."""
        return heaviest(self.rows(name), kept)


def _write_concepts(writer: SnapshotWriter, cut: _Cut) -> None:
    settings, new = cut.settings, cut.concept_ids
    for name in ("page_ids", "concept_counts", "title_lengths"):
        writer.array(name, cut.parent.array(name)[cut.chosen])
    for name in ("out_links", "in_links", "links"):
        writer.csr(name, _renumbered(cut.rows(name), new))
    writer.csr("categories", _compact(cut.rows("categories")))
    writer.csr("tfidf", _quantised(_renumbered(cut.tfidf, cut.word_ids)))
    writer.csr("esa", _quantised(_renumbered(cut.weighted("esa", settings.esa_concepts), new)))
    writer.csr("contexts", _quantised(_renumbered(cut.weighted("contexts", settings.contexts), new)))
    writer.csr("comentions", _comentions(cut))


def _write_words(writer: SnapshotWriter, cut: _Cut) -> None:
    parent, known = cut.parent, cut.parent.strings("words")
    writer.csr("title_words", _renumbered(cut.title_words, cut.word_ids))
    writer.array("word_counts", parent.array("word_counts")[cut.words])
    writer.csr("word_pairs", _word_pairs(cut))
    vectors = _vectors(parent.array("word_vectors"), cut.in_titles, cut.settings.vector_dimensions)
    writer.array("word_vectors", vectors)
    writer.strings("words", (known[int(word)] for word in cut.words))
    writer.trie("words", "<I", ((known[int(word)], (new,)) for new, word in enumerate(cut.words)))


def _write_names(writer: SnapshotWriter, cut: _Cut) -> int:
    """Write what leads from titles to the chosen concepts; return how many titles that are."""
    titles, categories = cut.parent.concept_titles, cut.parent.strings("category_titles")
    writer.strings("concept_titles", (titles[int(concept)] for concept in cut.chosen))
    writer.strings("category_titles", (categories[i] for i in range(len(categories))))
    names = Names(cut.parent.folder / FILE, cut.parent.concepts)
    kept = {int(old): new for new, old in enumerate(cut.chosen)}
    senses = list(_senses(names, kept))
    rows = list(_names(names, kept, {row["title"] for row in senses}))
    write_names(writer, lambda: rows, lambda: senses, lambda: names.rows(CATEGORIES))
    return len(rows)


def _write_mentions(writer: SnapshotWriter, cut: _Cut) -> int:
    """Write the mention dictionary; return how many mentions it has, 0 where the parent has no dictionary.

    A mention that may mean a chosen concept keeps all its senses, those beyond the excerpt's rows too: a
    sense that is rare in the parent is as rare here. A mention that may mean none, but has such a mention
    within it, is kept without senses: it takes its place in a text and stands for nothing there, so that the
    cancer in "skin cancer" is not taken for Cancer where the parent finds Skin cancer.
    """
    if not (cut.parent.folder / TRIE).is_file():
        return 0
    spotter = Spotter.of_snapshot(cut.parent)
    senses, probability = cut.parent.csr("senses").checked(), cut.parent.array("link_probability")
    often = probability >= cut.settings.minimum_link_probability
    meaning = np.zeros(senses.rows, np.bool_)
    meaning[rows_of_entries(senses)[np.isin(senses.indices, cut.chosen)]] = True
    meaning &= often
    mentions = {
        mention: old
        for old in np.flatnonzero(often).tolist()
        if meaning[spotter.spots(mention := spotter.trie.restore_key(old))[:, 2]].any()
    }
    dictionary = marisa_trie.Trie(mentions)
    dictionary.save(str(writer.file(TRIE)))
    kept = np.array([mentions[dictionary.restore_key(new)] for new in range(len(dictionary))], np.int64)
    rows = with_rows(senses, kept)
    own = with_entries(rows, meaning[kept][rows_of_entries(rows)])
    writer.csr("senses", _renumbered(own, cut.concept_ids))
    writer.array("link_probability", probability[kept])
    return len(kept)


def _renumbered(table: CSR, new: Ints) -> CSR:
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
    """The table with its weights as 8-bit integers, the largest of them 255."""
    scale = float(table.weights.max(initial=0.0) / 255) or 1.0
    weights = np.rint(table.weights / scale).astype(np.uint8)
    return CSR(table.indptr, table.indices, weights, table.columns, scale)


def _comentions(cut: _Cut) -> CSR:
    """Co-mentions between chosen concepts, the only ones that can be asked for, under each of the two."""
    table, new = cut.rows("comentions"), cut.concept_ids
    own = new[table.indices] < len(cut.chosen)
    frequent = table.weights >= cut.settings.minimum_comentions
    return _small_counts(_renumbered(with_entries(table, own & frequent), new))


def _word_pairs(cut: _Cut) -> CSR:
    """Pairs of words that stand in titles; the order of ids is kept, so the smaller one stays the row."""
    table = cut.parent.csr("word_pairs")
    rows = with_rows(table, cut.in_titles[cut.in_titles < table.rows]).checked()
    frequent = rows.weights >= cut.settings.minimum_word_pairs
    kept = with_entries(rows, np.isin(rows.indices, cut.in_titles) & frequent)
    return _small_counts(_renumbered(kept, cut.word_ids))


def _small_counts(table: CSR) -> CSR:
    """The table with its counts in the smallest type that holds them."""
    fits = table.weights.max(initial=0) < 2**16
    counts = table.weights.astype(np.uint16 if fits else np.int32)
    return CSR(table.indptr, table.indices, counts, table.columns)


def _vectors(vectors: NDArray[Any], in_titles: Ints, dimensions: int) -> NDArray[np.float32]:
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
