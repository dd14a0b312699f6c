"""Names: every title that can be asked for, and what it leads to, in a SQLite file read by SQLAlchemy.

The hot path, title to id, is a trie (see ``resolver``); this file answers what is asked rarely:
the redirects and categories of a concept, the senses of an ambiguous title, titles that begin with some
letters. What is spelt nearly so is found in a trie, too (see ``approximate``).
"""

from __future__ import annotations

import json
import sqlite3
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack
from functools import cached_property
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import quote

from sqlalchemy import (
    URL,
    Column,
    ColumnElement,
    Engine,
    Index,
    Integer,
    MetaData,
    Select,
    Table,
    Text,
    TextClause,
    and_,
    create_engine,
    event,
    func,
    inspect,
    select,
)

from snapshots.errors import DamagedSnapshot, damaged, replaced
from snapshots.naming import name_queries as queries

ARTICLE, REDIRECT, DISAMBIGUATION = 0, 1, 2
"""What a name is: an article's title, a redirect to an article, or a title that is ambiguous."""

RECORD = "<Bi"
"""What the tries of titles keep for a title: what it is, as above, and its concept or -1."""

FILE = "concepts.sqlite"

METADATA = MetaData()
"""The tables of the file."""

NAMES = Table(
    "names",
    METADATA,
    Column("id", Integer, primary_key=True),
    Column("title", Text, nullable=False),
    Column("folded", Text, nullable=False),
    Column("kind", Integer, nullable=False),
    Column("concept", Integer, nullable=False),
    Column("in_links", Integer, nullable=False),
    Index("names_by_folded", "folded"),
    Index("names_by_concept", "concept"),
)
"""One row a title; ``concept`` is -1 for an ambiguous one, ``in_links`` the links to the concept."""

Index("names_by_links", NAMES.c.in_links.desc(), NAMES.c.kind, NAMES.c.folded)

SENSES = Table(
    "senses_of_titles",
    METADATA,
    Column("title", Text, primary_key=True),
    Column("rank", Integer, primary_key=True),
    Column("concept", Integer, nullable=False),
)
"""What an ambiguous title may mean, the most linked concept first."""

CATEGORIES = Table(
    "categories",
    METADATA,
    Column("category", Integer, primary_key=True),
    Column("title", Text, nullable=False),
    Column("hidden", Integer, nullable=False),
)

WORDS = Table(
    "words_of_names",
    METADATA,
    Column("word", Text, primary_key=True),
    Column("minus_links", Integer, primary_key=True),
    Column("concept", Integer, primary_key=True),
    sqlite_with_rowid=False,
)
"""The words of the titles of each concept, folded, and of its redirects: under each word the concepts, the
most linked first. A file of an earlier version has no such table."""

CONNECTIONS = 8
"""All connections that there are to the file, each opened at once: a later one, opened by the path, might
find another file there. Whoever comes while all are in use waits for some milliseconds."""

_PASSING = {sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_NOMEM, sqlite3.SQLITE_BUSY}
"""What SQLite says where the machine lacks something at the moment, and the file may be as it should."""

_MOST_CONCEPTS = 2**31
"""More than any snapshot has: its columns are of 32 bits."""

FEW = 2000
"""Names that are few enough to be sorted while somebody waits."""

WALKED = 30_000
"""The most linked names that are looked through for those of a beginning that has more."""

COMPLETIONS = 600
"""Names, of all of some beginnings together, that are read."""

POPULAR = 5_000
"""The most linked names, which are kept in memory: a megabyte or two, however many there are."""

_END = "\U0010ffff"
"""What no title goes on with: from letters to letters with this behind them are all titles that begin so."""


class Name(NamedTuple):
    """A title, how it is folded, and the concept that it leads to, with that one's in-links."""

    title: str
    folded: str
    kind: int
    concept: int
    in_links: int


class Names:
    """The file of a snapshot, read-only; usable from several threads."""

    def __init__(
        self,
        path: Path,
        concepts: int = _MOST_CONCEPTS,
        *,
        few: int = FEW,
        walked: int = WALKED,
        completions: int = COMPLETIONS,
        popular: int = POPULAR,
    ) -> None:
        """Open the file. ``concepts``: how many the snapshot has; the others are the constants above.

        This and whatever is asked raises DamagedSnapshot where the file is damaged, and OSError where it
        cannot be read at present.

        Raises:
            DamagedSnapshot: it is not a file of names.
            OSError: it cannot be opened or read at present.
        """
        self._path = path
        self._concepts = concepts
        self._few, self._walked, self._completions, self._most = few, walked, completions, popular
        self._engine = _read_only(path)
        with ExitStack() as all_open:
            for _ in range(CONNECTIONS):
                connection = all_open.enter_context(self._engine.connect())
            self.has_words = inspect(connection).has_table(WORDS.name)
            for table in METADATA.sorted_tables:
                if table is not WORDS or self.has_words:
                    connection.execute(select(table).limit(1)).all()

    def rows(self, table: Table) -> Iterator[dict[str, Any]]:
        """Every row of one of the tables, in the order of its key."""
        kinds = [(column.name, column.type.python_type) for column in table.columns]
        with self._engine.connect() as connection:
            for row in connection.execute(select(table)).mappings():
                if not all(isinstance(row[name], kind) for name, kind in kinds):
                    raise self._damaged()
                yield dict(row)

    def senses(self, title: str, limit: int | None) -> list[int]:
        """The concepts that an ambiguous title may mean, the most linked ``limit`` of them first, or all."""
        query = select(SENSES.c.concept).where(SENSES.c.title == title).order_by(SENSES.c.rank).limit(limit)
        return self._values(query, self._is_concept)

    def redirects(self, concept: int, limit: int | None = None) -> list[str]:
        """The titles that redirect to a concept, in the order of their letters; ``limit`` at the most."""
        query = select(NAMES.c.title).where(_redirects_to(concept)).order_by(NAMES.c.title).limit(limit)
        return self._values(query, _is_string)

    def redirect_count(self, concept: int) -> int:
        """How many titles redirect to a concept."""
        with self._engine.connect() as connection:
            return connection.scalar(select(func.count()).where(_redirects_to(concept))) or 0

    def beginning_with(self, beginning: str, limit: int) -> list[Name]:
        """Names of ``limit`` concepts that begin with ``beginning``, which is folded; the most linked first.

        A concept comes once: under its article's title if that begins so, else under a redirect. Where few
        names begin so, they are sorted. Where many do, they are met often on the way down from the most
        linked name; if that does not lead to enough, those that are less linked come from the first in the
        order of spelling.
        """
        if not beginning:
            return []
        bounds = {"first": beginning, "last": beginning + _END}
        names: dict[int, Name] = {}
        with self._engine.connect() as connection:
            many = connection.scalar(queries.AMONG_FEW, {**bounds, "few": self._few}) == self._few
            if many:
                self._add(
                    names, connection.execute(queries.WALKED_DOWN, {**bounds, "walked": self._walked}), limit
                )
            if len(names) < limit:
                self._add(
                    names, connection.execute(queries.FIRST_SORTED, {**bounds, "few": self._few}), limit
                )
        return list(names.values())

    def spelt(self, spellings: Iterable[str]) -> list[Name]:
        """The names that are folded to one of ``spellings``."""
        return self._names(queries.SPELT, spellings=json.dumps(list(spellings)))

    def completed(self, beginnings: Iterable[str]) -> list[Name]:
        """Names that begin with one of ``beginnings``, those of the first ones, and not many in all."""
        begun = json.dumps(list(beginnings))
        return self._names(queries.COMPLETED, beginnings=begun, end=_END, most=self._completions)

    def with_words(self, words: Sequence[str], limit: int) -> list[int]:
        """The concepts whose names have each of ``words``, folded; the most linked first.

        Of a word that more concepts have than ``walked``, those are looked at that are linked the most.
        """
        if not self.has_words or not words:
            return []
        with self._engine.connect() as connection:
            counts = {
                word: connection.scalar(queries.WITH_WORD, {"word": word, "few": self._few}) for word in words
            }
            rarest, *others = sorted(counts, key=lambda word: counts[word] or 0)
            asked = {"word": rarest, "others": json.dumps(others), "walked": self._walked, "most": limit}
            rows = connection.execute(queries.WITH_WORDS, asked | {"count": len(others)})
            concepts = [row.concept for row in rows]
        if not all(map(self._is_concept, concepts)):
            raise self._damaged()
        return concepts

    def most_linked_with(self, words: Sequence[str], limit: int) -> dict[str, list[int]]:
        """By each of some words, folded, the ``limit`` most linked concepts whose names have it, in order."""
        if not self.has_words or not words:
            return {}
        with self._engine.connect() as connection:
            asked = {"words": json.dumps(list(words)), "most": limit}
            rows = connection.execute(queries.MOST_LINKED_WITH, asked)
            concepts = {row.word: json.loads(row.concepts) for row in rows}
        if not all(map(self._is_concept, chain.from_iterable(concepts.values()))):
            raise self._damaged()
        return concepts

    def most_linked_with_both(
        self, pairs: Sequence[tuple[str, str]], walked: int, limit: int
    ) -> list[list[int]]:
        """Of each pair of words, folded, the concepts whose names have both, the most linked first.

        ``walked``: how many concepts with the first word are looked through, the most linked.
        """
        if not self.has_words or not pairs:
            return [[] for _ in pairs]
        with self._engine.connect() as connection:
            asked = {"pairs": json.dumps(pairs), "walked": walked, "most": limit}
            rows = connection.execute(queries.MOST_LINKED_WITH_BOTH, asked)
            concepts = {row.place: json.loads(row.concepts) for row in rows}
        if not all(map(self._is_concept, chain.from_iterable(concepts.values()))):
            raise self._damaged()
        return [concepts[place] for place in range(len(pairs))]

    def words_begun(self, beginning: str, limit: int) -> list[str]:
        """Words of names that begin with ``beginning``, in the order of their letters."""
        if not self.has_words:
            return []
        with self._engine.connect() as connection:
            asked = {"first": beginning, "last": beginning + _END, "most": limit}
            words = [row.word for row in connection.execute(queries.WORDS_BEGUN, asked)]
        if not all(map(_is_string, words)):
            raise self._damaged()
        return words

    def of_concept(self, concept: int, limit: int) -> list[Name]:
        """Names of a concept, its article's first."""
        return self._names(queries.OF_CONCEPT, concept=concept, most=limit)

    def popular(self, beginning: str) -> list[Name]:
        """Those of the wiki's most linked names that begin with ``beginning``."""
        first = bisect_left(self._popular, beginning, key=_folded)
        return self._popular[first : bisect_right(self._popular, beginning + _END, lo=first, key=_folded)]

    @cached_property
    def _popular(self) -> list[Name]:
        """The most linked names in the order of their letters, read when they are first needed."""
        return sorted(self._names(queries.MOST_LINKED, most=self._most), key=_folded)

    def _add(self, found: dict[int, Name], rows: Iterable[Any], limit: int) -> None:
        """Add the names of ``rows`` by their concepts, the first of each, until there are ``limit``."""
        for row in rows:
            # All names of a concept have its number of links, so the article's comes first.
            found.setdefault(row.concept, self._name(row))
            if len(found) == limit:
                break

    def _names(self, query: TextClause, **asked: object) -> list[Name]:
        with self._engine.connect() as connection:
            return [self._name(row) for row in connection.execute(query, asked)]

    def _values(self, query: Select[Any], valid: Callable[[object], bool]) -> list[Any]:
        """What a query of one column finds, all of it ``valid``."""
        with self._engine.connect() as connection:
            values = list(connection.scalars(query))
        if not all(map(valid, values)):
            raise self._damaged()
        return values

    def _name(self, row: Any) -> Name:  # noqa: ANN401 a row of a query
        # SQLite keeps any type in any column.
        title, folded, kind, concept, in_links = row
        numbers = isinstance(kind, int) and isinstance(in_links, int) and self._is_concept(concept)
        if not (_is_string(title) and _is_string(folded) and numbers):
            raise self._damaged()
        return Name(title, folded, kind, concept, in_links)

    def _is_concept(self, value: object) -> bool:
        return isinstance(value, int) and 0 <= value < self._concepts

    def _damaged(self) -> DamagedSnapshot:
        return damaged(self._path, "a row of it holds what none can")


def _redirects_to(concept: int) -> ColumnElement[bool]:
    return and_(NAMES.c.concept == concept, NAMES.c.kind == REDIRECT)


def _folded(name: Name) -> str:
    return name.folded


def _is_string(value: object) -> bool:
    return isinstance(value, str)


def _read_only(path: Path) -> Engine:
    # immutable: the file never changes, so SQLite need not lock it, and a read-only disk serves it too
    file = f"file:{quote(path.resolve().as_posix())}"
    options = {"mode": "ro", "immutable": "1", "uri": "true"}
    engine = create_engine(
        URL.create("sqlite", database=file, query=options),
        connect_args={"check_same_thread": False},
        pool_size=CONNECTIONS,
        max_overflow=0,
    )
    opened = _place(path)

    @event.listens_for(engine, "connect")
    def _of_one_file(connection: Any, _record: Any) -> None:  # noqa: ANN401 a DBAPI connection
        connection.execute("PRAGMA query_only = ON")
        connection.execute("PRAGMA cell_size_check = ON")
        # A connection that broke is opened again, by the path.
        if _place(path) != opened:
            connection.close()
            raise replaced(path)

    @event.listens_for(engine, "handle_error")
    def _said(context: Any) -> Exception | None:  # noqa: ANN401 an ExceptionContext
        error = context.original_exception
        if not isinstance(error, sqlite3.DatabaseError) or _code(error) == sqlite3.SQLITE_READONLY:
            return None  # whoever writes to it is wrong, and not the file
        return _unreadable(path, error)

    return engine


def _unreadable(path: Path, error: sqlite3.DatabaseError) -> Exception:
    """What to raise where SQLite cannot read the file."""
    if _code(error) in _PASSING and path.is_file():
        return OSError(f"{path} cannot be read now: {error}")
    return damaged(path, str(error))


def _code(error: sqlite3.DatabaseError) -> int:
    """SQLite's code of an error, without the finer one; 0 for an error of Python's module."""
    return int(getattr(error, "sqlite_errorcode", 0)) & 0xFF


def _place(path: Path) -> tuple[int, int, int, int] | None:
    """Which file stands at ``path``, and how; None for none."""
    if not path.is_file():
        return None
    file = path.stat()
    return file.st_dev, file.st_ino, file.st_size, file.st_mtime_ns
