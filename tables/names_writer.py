"""Writing what leads from titles to concepts: two tries and the file of names."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from sqlalchemy import URL, Table, create_engine, insert, text
from sqlalchemy.pool import NullPool
from sqlalchemy.schema import CreateIndex, CreateTable

from tables.names import CATEGORIES, DISAMBIGUATION, FILE, METADATA, NAMES, SENSES
from tables.resolver import RECORD
from tables.snapshot import SnapshotWriter
from wiki.folding import fold

Rows = Callable[[], Iterable[Mapping[str, Any]]]
"""Rows that can be gone through more than once."""

# Nothing here reads it any more. Versions of wort without ``tables.search`` look for suggestions in it, and
# cannot answer an unknown title where it is missing.
_SPELLING = "CREATE VIRTUAL TABLE spelling USING fts5(folded, content='', tokenize='trigram')"
_INDEX_SPELLING = "INSERT INTO spelling(rowid, folded) SELECT id, folded FROM names"
_ROWS = 10_000


def write_names(writer: SnapshotWriter, names: Rows, senses: Rows, categories: Rows) -> None:
    """Write the tries ``titles`` and ``title_variants`` and the file of names.

    ``names`` come with articles before redirects before ambiguous titles.
    """
    writer.trie("titles", RECORD, ((row["title"], (row["kind"], row["concept"])) for row in names()))
    writer.trie("title_variants", RECORD, _variants(names()))
    file = _NamesFile(writer.file(FILE))
    file.add(NAMES, names())
    file.add(SENSES, senses())
    file.add(CATEGORIES, categories())
    file.finish()


def _variants(names: Iterable[Mapping[str, Any]]) -> Iterator[tuple[str, tuple[int, int]]]:
    """Folded titles that lead to one concept: the only article spelt so, else the only redirects' target."""
    found: dict[str, tuple[int, int] | None] = {}
    for row in names:
        folded, kind, concept = fold(row["title"]), row["kind"], row["concept"]
        if kind == DISAMBIGUATION or not folded:
            continue
        first = found.setdefault(folded, (kind, concept))
        if first is not None and first[1] != concept and first[0] == kind:
            found[folded] = None
    return ((folded, record) for folded, record in found.items() if record is not None)


class _NamesFile:
    """Writes the file, table by table; ``finish`` indexes it."""

    def __init__(self, path: Path) -> None:
        self._engine = create_engine(URL.create("sqlite", database=str(path)), poolclass=NullPool)
        with self._engine.begin() as connection:
            for table in METADATA.sorted_tables:
                connection.execute(CreateTable(table))

    def add(self, table: Table, rows: Iterable[Mapping[str, Any]]) -> None:
        """Insert ``rows`` into ``table``; names get their folded form here."""
        with self._engine.begin() as connection:
            batch: list[Mapping[str, Any]] = []
            for row in rows:
                batch.append({**row, "folded": fold(row["title"])} if table is NAMES else row)
                if len(batch) == _ROWS:
                    connection.execute(insert(table), batch)
                    batch = []
            if batch:
                connection.execute(insert(table), batch)

    def finish(self) -> None:
        """Index the spellings and pack the file."""
        with self._engine.begin() as connection:
            # In order of name, so that the same rows give the same bytes.
            for index in sorted(NAMES.indexes, key=lambda index: str(index.name)):
                connection.execute(CreateIndex(index))
            connection.execute(text(_SPELLING))
            connection.execute(text(_INDEX_SPELLING))
        with self._engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
            connection.execute(text("VACUUM"))
        self._engine.dispose()
