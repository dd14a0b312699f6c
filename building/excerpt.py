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
from measures.ranks import greatest
from snapshots.annotator.annotator import TRIE
from snapshots.annotator.spotting import Spotter
from snapshots.csr import CSR
from snapshots.layout import Table
from snapshots.names import CATEGORIES, DISAMBIGUATION, FILE, NAMES, SENSES, Names
from snapshots.page_ids import PageIds
from snapshots.rows import rows_of_entries, unit_top_k, with_entries, with_rows
from snapshots.scaled import ScaledVectors
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
    return greatest(table.sizes(np.arange(table.rows)), count)


def write_excerpt(
    parent: Snapshot, target: Path, chosen: Ints, settings: ExcerptSettings, chosen_by: str | None = None
) -> Snapshot:
    """Write the snapshot ``target`` with the concepts ``chosen``: ids of ``parent``, each once.

    What becomes of a table is what is declared of it. ``chosen_by``: the work that the choice was taken from,
    to be named beside the sources of the parent.

    Raises:
        ValueError: of a table nothing is declared.
    """
    tables = tuple(parent.tables.values())
    for table in tables:
        if table.excerpt is None:
            raise ValueError(f"it is not declared what an excerpt keeps of {table.name} (Table.excerpt)")
    cut = _Cut(parent, np.sort(chosen), settings)
    writer = SnapshotWriter(target, tables)
    for table in tables:
        if table.excerpt == "nothing" or (table.rows == "mentions" and cut.dictionary is None):
            continue
        if table.scaled and f"{table.name}.npy" not in parent.manifest.files:
            continue  # as it reads: of zeros
        writer.table(table.name, cut.table(table))
    if cut.dictionary is not None:
        cut.dictionary.save(str(writer.file(TRIE)))
    names = _write_strings(writer, cut)
    old = parent.manifest
    choice = "" if chosen_by is None else f" The concepts were chosen by {chosen_by}."
    page_ids = PageIds(parent.array("page_ids")[cut.kept["concepts"]], old.invented_ids_from)
    counts = {
        "concepts": len(chosen),
        "words": len(cut.kept["words"]),
        "names": names,
        "mentions": len(cut.dictionary or ()),
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

    ``kept``: old ids by axis, in their new order: of concepts the chosen ones, of words those of titles and
    then the others that their rows have, of mentions those that are needed to find the concepts. ``named``:
    those by themselves that pairs are kept of. ``new``: new ids by axis and old id, -1 where one is left out;
    of other axes nothing is. ``dictionary``: the mentions; None where the parent has none.
    """

    def __init__(self, parent: Snapshot, chosen: Ints, settings: ExcerptSettings) -> None:
        self.parent = parent
        self.settings = settings
        others = np.setdiff1d(np.arange(parent.universe), chosen)
        self.kept: dict[str, Ints] = {"concepts": chosen}
        self.new: dict[str, Ints] = {
            "concepts": _new_ids(chosen, parent.universe),
            "universe": _new_ids(np.concatenate([chosen, others]), parent.universe),
        }
        of_words = {
            table.name: self._rows(table)
            for table in parent.tables.values()
            if (table.rows, table.columns) == ("concepts", "words")
        }
        self.named = {
            "concepts": chosen,
            "words": np.unique(of_words["title_words"].indices).astype(np.int64),
        }
        words = np.concatenate([table.indices for table in of_words.values()])
        words = np.concatenate([self.named["words"], np.setdiff1d(words, self.named["words"])])
        self.kept["words"], self.new["words"] = words, _new_ids(words, parent.manifest.counts["words"])
        self.dictionary = self._mentions() if (parent.folder / TRIE).is_file() else None

    def table(self, table: Table) -> CSR | ScaledVectors | NDArray[Any]:
        """What is kept of a table, by its rule."""
        if table.excerpt == "axes":
            vectors, named = self.parent.array(table.name), self.named[table.rows]
            return _on_main_axes(vectors[named[named < len(vectors)]], getattr(self.settings, table.cut_by))
        if table.scaled:
            return self.parent.scaled(table.name).rows(self.kept[table.rows])
        if not table.sparse:
            return self.parent.array(table.name)[self.kept[table.rows]]
        rows = self._rows(table)
        if table.excerpt == "senses":
            rows = with_entries(rows, self._needed[self.kept["mentions"]][rows_of_entries(rows)])
        columns = self.new.get(str(table.columns), np.arange(rows.columns))
        if table.excerpt == "pairs":
            frequent = rows.weights >= getattr(self.settings, table.cut_by)
            own = np.isin(rows.indices, self.named[table.rows])
            return _small_counts(_renumbered(with_entries(rows, own & frequent), columns))
        cut = _renumbered(rows, columns)
        return _quantised(cut) if table.excerpt == "top k" else cut

    def _rows(self, table: Table) -> CSR:
        """The rows that are kept of a sparse table, with the parent's columns."""
        parent = self.parent.csr(table.name)
        kept = self.named[table.rows] if table.excerpt == "pairs" else self.kept[table.rows]
        rows = with_rows(parent, kept[kept < parent.rows] if table.excerpt == "pairs" else kept).checked()
        return unit_top_k(rows, getattr(self.settings, table.cut_by)) if table.excerpt == "top k" else rows

    def _mentions(self) -> marisa_trie.Trie:
        """Choose the mentions.

        A mention that may mean a chosen concept keeps all its senses, those beyond the excerpt's rows too: a
        sense that is rare in the parent is as rare here. A mention that may mean none, but has such a mention
        within it, is kept without senses: it takes its place in a text and stands for nothing there, so that
        the cancer in "skin cancer" is not taken for Cancer where the parent finds Skin cancer.
        """
        spotter = Spotter.of_snapshot(self.parent)
        senses = self.parent.csr("senses").checked()
        often = self.parent.array("link_probability") >= self.settings.minimum_link_probability
        self._needed = np.zeros(senses.rows, np.bool_)
        self._needed[rows_of_entries(senses)[np.isin(senses.indices, self.kept["concepts"])]] = True
        self._needed &= often
        mentions = {
            mention: old
            for old in np.flatnonzero(often).tolist()
            if self._needed[spotter.spots(mention := spotter.trie.restore_key(old))[:, 2]].any()
        }
        dictionary = marisa_trie.Trie(mentions)
        kept = [mentions[dictionary.restore_key(new)] for new in range(len(dictionary))]
        self.kept["mentions"] = np.array(kept, np.int64)
        self.new["mentions"] = _new_ids(self.kept["mentions"], senses.rows)
        return dictionary


def _new_ids(kept: Ints, count: int) -> Ints:
    """The places of ``kept`` among them, by the ids that they have of ``count``; -1 for the others."""
    new = np.full(count, -1, np.int64)
    new[kept] = np.arange(len(kept))
    return new


def _write_strings(writer: SnapshotWriter, cut: _Cut) -> int:
    """Write titles and words, and what leads from them to ids; return how many titles lead to concepts."""
    for axis, name in (("words", "words"), ("concepts", "concept_titles")):
        strings = cut.parent.strings(name)
        writer.strings(name, (strings[int(old)] for old in cut.kept[axis]))
    known = cut.parent.strings("words")
    writer.trie("words", "<I", ((known[int(word)], (new,)) for new, word in enumerate(cut.kept["words"])))
    categories = cut.parent.strings("category_titles")
    writer.strings("category_titles", (categories[i] for i in range(len(categories))))
    names = Names(cut.parent.folder / FILE, cut.parent.concepts)
    kept = {int(old): new for new, old in enumerate(cut.kept["concepts"])}
    senses = list(_senses(names, kept))
    rows = list(_names(names, kept, {row["title"] for row in senses}))
    write_names(writer, lambda: rows, lambda: senses, lambda: names.rows(CATEGORIES))
    return len(rows)


def _renumbered(table: CSR, new: Ints) -> CSR:
    """The table with its columns renumbered, in order again, in the smallest type that holds them.

    Entries in columns that are left out go with them.
    """
    if (new < 0).any():
        table = with_entries(table, new[table.indices] >= 0)
    columns = new[table.indices]
    order = np.lexsort((columns, rows_of_entries(table)))
    count = int(new.max(initial=-1)) + 1
    values = None if table.values is None else table.values[order]
    small = columns[order].astype(np.uint16 if count <= 2**16 else np.int32)
    return CSR(table.indptr, small, values, count, table.scale)


def _quantised(table: CSR) -> CSR:
    """The table with its weights as 8-bit integers, the largest of them 255."""
    scale = float(table.weights.max(initial=0.0) / 255) or 1.0
    weights = np.rint(table.weights / scale).astype(np.uint8)
    return CSR(table.indptr, table.indices, weights, table.columns, scale)


def _small_counts(table: CSR) -> CSR:
    """The table with its counts in the smallest type that holds them."""
    fits = table.weights.max(initial=0) < 2**16
    counts = table.weights.astype(np.uint16 if fits else np.int32)
    return CSR(table.indptr, table.indices, counts, table.columns)


def _on_main_axes(vectors: NDArray[Any], dimensions: int) -> NDArray[np.float32]:
    """Vectors on their main axes, unit length."""
    own = vectors.astype(np.float64)
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
