"""Writing what leads from titles to concepts: two tries and the file of names."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from itertools import groupby, islice
from operator import attrgetter
from pathlib import Path
from typing import Any

from sqlalchemy import URL, Table, create_engine, event, insert, select
from sqlalchemy.pool import NullPool
from sqlalchemy.schema import CreateIndex, CreateTable

from building.writer import SnapshotWriter
from snapshots.naming.names import CATEGORIES, DISAMBIGUATION, FILE, METADATA, NAMES, RECORD, SENSES, WORDS
from snapshots.text import words
from wiki.folding import fold

Rows = Callable[[], Iterable[Mapping[str, Any]]]
"""Rows that can be gone through more than once."""

_ROWS = 10_000

# What is written need not outlive a crash: an unfinished file is written anew.
_PRAGMAS = ("journal_mode = OFF", "synchronous = OFF", "cache_size = -65536")

_SORTED_WORDS = f"""
    INSERT INTO {WORDS.name} SELECT DISTINCT word, minus_links, concept FROM unsorted ORDER BY 1, 2, 3
"""  # noqa: S608 the name is ours

_BY_SPELLING = (
    select(NAMES.c.folded, NAMES.c.kind, NAMES.c.concept)
    .where(NAMES.c.kind != DISAMBIGUATION, NAMES.c.folded != "")
    .order_by(NAMES.c.folded, NAMES.c.kind, NAMES.c.concept)
)


def write_names(writer: SnapshotWriter, names: Rows, senses: Rows, categories: Rows) -> None:
    """Write the tries ``titles`` and ``title_variants`` and the file of names.

    Memory grows with the tries alone: whatever else is needed of all names at once, the file sorts.
    """
    writer.trie("titles", RECORD, ((row["title"], (row["kind"], row["concept"])) for row in names()))
    file = _NamesFile(writer.file(FILE))
    file.add(NAMES, names())
    file.add(SENSES, senses())
    file.add(CATEGORIES, categories())
    file.index()
    file.add_words(words_of(names()))
    writer.trie("title_variants", RECORD, file.variants())
    file.close()


def words_of(names: Iterable[Mapping[str, Any]]) -> Iterator[tuple[str, int, int]]:
    """The words of each name of a concept, folded, with minus its in-links and its number."""
    for row in names:
        if row["concept"] >= 0:
            for word in dict.fromkeys(words(fold(row["title"]))):
                yield word, -row["in_links"], row["concept"]


class _NamesFile:
    """Writes the file, table by table, and indexes it after that: an index that grows is slow to write."""

    def __init__(self, path: Path) -> None:
        self._engine = create_engine(URL.create("sqlite", database=str(path)), poolclass=NullPool)
        event.listen(self._engine, "connect", partial(_prepared, path.parent))
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

    def index(self) -> None:
        """Index the names."""
        with self._engine.begin() as connection:
            # In order of name, so that the same rows give the same bytes.
            for index in sorted(NAMES.indexes, key=lambda index: str(index.name)):
                connection.execute(CreateIndex(index))

    def add_words(self, rows: Iterable[tuple[str, int, int]]) -> None:
        """Insert the words of names, sorted, each row once."""
        with self._engine.begin() as connection:
            connection.exec_driver_sql("CREATE TEMP TABLE unsorted (word, minus_links, concept)")
            left = iter(rows)
            while batch := list(islice(left, _ROWS)):
                connection.exec_driver_sql("INSERT INTO unsorted VALUES (?, ?, ?)", batch)
            connection.exec_driver_sql(_SORTED_WORDS)

    def variants(self) -> Iterator[tuple[str, tuple[int, int]]]:
        """Folded titles of one concept each: the only article spelt so, else the target of all redirects."""
        with self._engine.connect() as connection:
            rows = connection.execution_options(yield_per=_ROWS).execute(_BY_SPELLING)
            for folded, group in groupby(rows, key=attrgetter("folded")):
                first, *others = group
                if all(row.concept == first.concept for row in others if row.kind == first.kind):
                    yield folded, (first.kind, first.concept)

    def close(self) -> None:
        """Leave the file to its readers."""
        with self._engine.connect() as connection:
            connection.exec_driver_sql("PRAGMA temp_store_directory = ''")  # which is the whole process's
        self._engine.dispose()


def _prepared(folder: Path, connection: Any, _record: Any) -> None:  # noqa: ANN401 a DBAPI connection
    # What is sorted goes to the disk that the file is on. Elsewhere, there may be no room for it.
    for pragma in (*_PRAGMAS, "temp_store_directory = '{}'".format(str(folder).replace("'", "''"))):
        connection.execute(f"PRAGMA {pragma}")
