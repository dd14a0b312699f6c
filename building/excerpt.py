"""An excerpt: some concepts of a snapshot, small enough to ship, with the statistics of the whole.

The rows of the chosen concepts are kept, and N, sentence and paragraph totals stay those of the parent, so
that a feature has nearly the value that it has there. Other concepts survive as columns: they count in
every intersection, but have no title and cannot be asked for. Every table keeps to what ``snapshots.layout``
declares of it: a row of weights is brought back to unit length once it is cut, and a pair of concepts stands
under both. Weights are stored as 8-bit integers. Postings are left out: a reader turns the tf-idf table in
their place. Of the mention dictionary and of the aliases that much is kept as the chosen concepts need to be
found where the parent finds them.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import marisa_trie
import msgspec
import numpy as np
from numpy.typing import NDArray

from building.main_axes import main_axes, scaled_along, unit_along
from building.names_writer import write_names
from building.writer import SnapshotWriter
from measures.arrays import Floats, Ints
from measures.ranks import greatest
from snapshots.annotator.annotator import TRIE
from snapshots.annotator.spotting import Spotter
from snapshots.csr import CSR
from snapshots.layout import Table
from snapshots.naming.aliases import TRIE as ALIASES
from snapshots.naming.names import CATEGORIES, DISAMBIGUATION, FILE, NAMES, SENSES, Names
from snapshots.page_ids import PageIds
from snapshots.rows import rows_of_entries, unit_top_k, with_entries, with_rows
from snapshots.scaled import ScaledVectors
from snapshots.snapshot import Snapshot

AtLeastOne = Annotated[int, msgspec.Meta(ge=1)]
Share = Annotated[float, msgspec.Meta(ge=0, le=1)]

_DICTIONARIES = {"mentions": TRIE, "aliases": ALIASES}
"""The files of the tries whose own ids are an axis, by axis."""


class ExcerptSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How much of each row an excerpt keeps: the heaviest entries of the weighted tables.

    ``words``: how many words are left, those of titles first, whatever their number, then the most frequent.
    ``vector_dimensions`` are those of words, ``encoder_dimensions`` those of titles and leads. Mentions that
    are links less often than ``minimum_link_probability`` are left out: an annotator with the settings of a
    build does not look at them.
    """

    words: AtLeastOne = 1_000_000
    tfidf_words: AtLeastOne = 80
    esa_concepts: AtLeastOne = 120
    contexts: AtLeastOne = 120
    minimum_comentions: AtLeastOne = 2
    minimum_word_pairs: AtLeastOne = 5
    vector_dimensions: AtLeastOne = 64
    encoder_dimensions: AtLeastOne = 384
    minimum_link_probability: Share = 0.02


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
        if table.excerpt == "nothing" or (table.rows in _DICTIONARIES and table.rows not in cut.dictionaries):
            continue
        if table.scaled and f"{table.name}.npy" not in parent.manifest.files:
            continue  # as it reads: of zeros
        writer.table(table.name, cut.table(table))
    for axis, dictionary in cut.dictionaries.items():
        dictionary.save(str(writer.file(_DICTIONARIES[axis])))
    names = _write_strings(writer, cut)
    old = parent.manifest
    choice = "" if chosen_by is None else f" The concepts were chosen by {chosen_by}."
    page_ids = PageIds(parent.array("page_ids")[cut.kept["concepts"]], old.invented_ids_from)
    counts = {
        "concepts": len(chosen),
        "words": len(cut.kept["words"]),
        "names": names,
        **{axis: len(cut.dictionaries.get(axis, ())) for axis in _DICTIONARIES},
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
    those by themselves that pairs are kept of. ``counted``: by old id, the words that weighted rows may have.
    ``new``: new ids by axis and old id, -1 where one is left out; of other axes nothing is. ``axes``: the
    main axes by space. ``dictionaries``: the mentions and the aliases, where the parent has them.
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
        titles = np.unique(self._rows(parent.tables["title_words"]).indices).astype(np.int64)
        self.named = {"concepts": chosen, "words": titles}
        self.counted = self._counted(titles)
        of_words = [
            self._rows(table).indices
            for table in parent.tables.values()
            if (table.rows, table.columns) == ("concepts", "words")
        ]
        words = np.concatenate([titles, np.setdiff1d(np.concatenate(of_words), titles)])
        self.kept["words"], self.new["words"] = words, _new_ids(words, parent.manifest.counts["words"])
        self.axes: dict[str, Floats | None] = {}
        self._needed: dict[str, NDArray[np.bool_]] = {}
        self.dictionaries: dict[str, marisa_trie.Trie] = {}
        for axis, choose in (("mentions", self._mentions), ("aliases", self._aliases)):
            if (parent.folder / _DICTIONARIES[axis]).is_file():
                self.dictionaries[axis] = self._renumber(axis, choose())

    def table(self, table: Table) -> CSR | ScaledVectors | NDArray[Any]:
        """What is kept of a table, by its rule."""
        if table.excerpt == "axes":
            axes = self._main_axes(table)
            if table.scaled:
                return scaled_along(self._scaled(table), axes)
            return unit_along(self._vectors(table), axes)
        if table.scaled:
            return self._scaled(table)
        if not table.sparse:
            return self.parent.array(table.name)[self.kept[table.rows]]
        rows = self._rows(table)
        if table.excerpt == "senses":
            rows = with_entries(rows, self._needed[table.rows][self.kept[table.rows]][rows_of_entries(rows)])
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
        top = table.excerpt == "top k"
        kept = self.named[table.rows] if table.excerpt == "pairs" else self.kept[table.rows]
        rows = with_rows(parent, kept[kept < parent.rows] if table.excerpt == "pairs" else kept).checked()
        if top and table.columns == "words":
            rows = with_entries(rows, self.counted[rows.indices])
        return unit_top_k(rows, getattr(self.settings, table.cut_by)) if top else rows

    def _counted(self, titles: Ints) -> NDArray[np.bool_]:
        """Which words weighted rows keep, by old id: those of titles, and of the others the most frequent."""
        others = np.setdiff1d(np.arange(self.parent.manifest.counts["words"]), titles)
        most = max(self.settings.words - len(titles), 0)
        frequent = greatest(self.parent.array("word_counts")[others], most)
        counted = np.zeros(self.parent.manifest.counts["words"], np.bool_)
        counted[titles] = counted[others[frequent]] = True
        return counted

    def _scaled(self, table: Table) -> ScaledVectors:
        return self.parent.scaled(table.name).rows(self.kept[table.rows])

    def _vectors(self, table: Table) -> NDArray[Any]:
        """Vectors of the concepts that are left, or of the words of their titles."""
        if table.scaled:
            return self._scaled(table).floats()
        vectors, named = self.parent.array(table.name), self.named[table.rows]
        return vectors[named[named < len(vectors)]]

    def _main_axes(self, table: Table) -> Floats | None:
        """The main axes of the vectors of a table, and of all others in the same space."""
        space = table.space or table.name
        if space not in self.axes:
            others = [other for other in self.parent.tables.values() if other.space == space]
            there = [other for other in others if self.parent.has(other.name)]
            vectors = [self._vectors(other) for other in there or [table]]
            self.axes[space] = main_axes(vectors, getattr(self.settings, table.cut_by))
        return self.axes[space]

    def _mentions(self) -> dict[str, int]:
        """Choose the mentions, each with its old id.

        A mention that may mean a chosen concept keeps all its senses, those beyond the excerpt's rows too: a
        sense that is rare in the parent is as rare here. A mention that may mean none, but has such a mention
        within it, is kept without senses: it takes its place in a text and stands for nothing there, so that
        the cancer in "skin cancer" is not taken for Cancer where the parent finds Skin cancer.
        """
        spotter = Spotter.of_snapshot(self.parent)
        often = self.parent.array("link_probability") >= self.settings.minimum_link_probability
        needed = self._needed["mentions"] = self._that_mean_chosen("senses") & often
        return {
            mention: old
            for old in np.flatnonzero(often).tolist()
            if needed[spotter.spots(mention := spotter.trie.restore_key(old))[:, 2]].any()
        }

    def _aliases(self) -> dict[str, int]:
        """Choose the aliases that a chosen concept has, each with its old id; all who share it are kept."""
        names = self.parent.mapped_trie("aliases", marisa_trie.Trie())
        needed = self._needed["aliases"] = self._that_mean_chosen("alias_shares")
        return {names.restore_key(old): old for old in np.flatnonzero(needed).tolist()}

    def _that_mean_chosen(self, name: str) -> NDArray[np.bool_]:
        """Which rows of a table of senses have a chosen concept."""
        senses = self.parent.csr(name).checked()
        mean_chosen = np.zeros(senses.rows, np.bool_)
        mean_chosen[rows_of_entries(senses)[np.isin(senses.indices, self.kept["concepts"])]] = True
        return mean_chosen

    def _renumber(self, axis: str, chosen: dict[str, int]) -> marisa_trie.Trie:
        """The dictionary of the chosen strings, by whose ids the rows of the axis are kept."""
        dictionary = marisa_trie.Trie(chosen)
        kept = [chosen[dictionary.restore_key(new)] for new in range(len(dictionary))]
        self.kept[axis] = np.array(kept, np.int64)
        self.new[axis] = _new_ids(self.kept[axis], self.parent.manifest.counts[axis])
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
