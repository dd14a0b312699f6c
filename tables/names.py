"""Names: every title that can be asked for, and what it leads to, in a SQLite file read by SQLAlchemy.

The hot path, title to id, is a trie (see ``tables.resolver``); this file answers what is asked rarely:
the redirects and categories of a concept, the senses of an ambiguous title, titles that begin with some
letters or are spelt nearly so.
"""

from __future__ import annotations

import difflib
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any
from urllib.parse import quote

from sqlalchemy import (
    URL,
    Column,
    Engine,
    Index,
    Integer,
    MetaData,
    Table,
    Text,
    create_engine,
    event,
    select,
    text,
)
from sqlalchemy.exc import DatabaseError

from tables.errors import DamagedSnapshot
from wiki.folding import fold

ARTICLE, REDIRECT, DISAMBIGUATION = 0, 1, 2
"""What a name is: an article's title, a redirect to an article, or a title that is ambiguous."""

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

CONNECTIONS = 8
"""All connections that there are to the file, each opened at once: a later one, opened by the path, might
find another file there. Whoever comes while all are in use waits for some milliseconds."""

_PASSING = {sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_NOMEM, sqlite3.SQLITE_BUSY}
"""What SQLite says where the machine lacks something at the moment, and the file may be as it should."""

_FEW = 5000
"""Names that are few enough to be sorted while somebody waits."""

_AMONG_FEW = "SELECT count(*) FROM (SELECT 1 FROM names WHERE folded BETWEEN :first AND :last LIMIT :few)"

# The plus keeps SQLite from the index by spelling: it then goes through the names from the most linked on.
_BEGINNING = """
    SELECT title, concept FROM names WHERE {plus}folded BETWEEN :first AND :last
    ORDER BY in_links DESC, kind, folded
"""

_NEAR = """
    SELECT names.title, names.folded FROM spelling JOIN names ON names.id = spelling.rowid
    WHERE spelling MATCH :trigrams AND names.kind <> 1 ORDER BY bm25(spelling) LIMIT 60
"""


class Names:
    """The file of a snapshot, read-only; usable from several threads."""

    def __init__(self, path: Path) -> None:
        """Open the file.

        Raises:
            DamagedSnapshot: it is not a file of names.
            OSError: it cannot be opened or read at present.
        """
        self._engine = _read_only(path)
        try:
            with ExitStack() as all_open:
                for _ in range(CONNECTIONS):
                    connection = all_open.enter_context(self._engine.connect())
                for table in METADATA.sorted_tables:
                    connection.execute(select(table).limit(1)).all()
        except DatabaseError as error:
            if getattr(error.orig, "sqlite_errorcode", 0) & 0xFF in _PASSING and path.is_file():
                raise OSError(f"{path} cannot be read now: {error.orig}") from None
            raise DamagedSnapshot(
                f"{path} cannot be read: {error.orig}. Copy the snapshot again or build it again."
            ) from None

    def rows(self, table: Table) -> Iterator[dict[str, Any]]:
        """Every row of one of the tables, in the order of its key."""
        with self._engine.connect() as connection:
            for row in connection.execute(select(table)).mappings():
                yield dict(row)

    def senses(self, title: str, limit: int) -> list[int]:
        """The concepts that an ambiguous title may mean, the most linked ``limit`` of them first."""
        query = select(SENSES.c.concept).where(SENSES.c.title == title).order_by(SENSES.c.rank).limit(limit)
        with self._engine.connect() as connection:
            return list(connection.scalars(query))

    def redirects(self, concept: int) -> list[str]:
        """The titles that redirect to a concept, in alphabetical order."""
        query = select(NAMES.c.title).where(NAMES.c.concept == concept, NAMES.c.kind == REDIRECT)
        with self._engine.connect() as connection:
            return sorted(connection.scalars(query))

    def category_titles(self, categories: Sequence[int]) -> list[str]:
        """The titles of some categories, in their order."""
        query = select(CATEGORIES.c.category, CATEGORIES.c.title).where(CATEGORIES.c.category.in_(categories))
        with self._engine.connect() as connection:
            titles = {row.category: row.title for row in connection.execute(query)}
        return [titles[category] for category in categories]

    def beginning_with(self, prefix: str, limit: int) -> list[str]:
        """Titles that begin with ``prefix`` whatever the case and accents, the most linked first.

        A concept comes once: under its article's title if that begins so, else under a redirect. A prefix
        of few names has them sorted; one of many is met often on the way down from the most linked name.
        """
        folded = fold(prefix)
        if not folded:
            return []
        bounds = {"first": folded, "last": folded + "\U0010ffff"}
        titles: dict[Any, str] = {}
        with self._engine.connect() as connection:
            many = connection.scalar(text(_AMONG_FEW), {**bounds, "few": _FEW}) == _FEW
            for row in connection.execute(text(_BEGINNING.format(plus="+" if many else "")), bounds):
                # All names of a concept have its number of links, so the article's comes first.
                titles.setdefault(row.concept if row.concept >= 0 else row.title, row.title)
                if len(titles) == limit:
                    break
        return list(titles.values())

    def near(self, title: str, limit: int) -> list[str]:
        """Titles spelt nearly like ``title``, the nearest first."""
        folded = fold(title).replace('"', " ")
        trigrams = {folded[start : start + 3] for start in range(len(folded) - 2)}
        if not trigrams:
            return []
        wanted = " OR ".join(f'"{trigram}"' for trigram in sorted(trigrams)[:64])
        with self._engine.connect() as connection:
            found = connection.execute(text(_NEAR), {"trigrams": wanted}).all()
        matcher = difflib.SequenceMatcher(b=folded, autojunk=False)

        def similarity(candidate: str) -> float:
            matcher.set_seq1(candidate)
            return matcher.ratio()

        rated = sorted(((similarity(row.folded), row.title) for row in found), key=lambda r: (-r[0], r[1]))
        return [title for ratio, title in rated if ratio >= 0.6][:limit]


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
        # A connection that broke is opened again, by the path.
        if _place(path) != opened:
            connection.close()
            raise DamagedSnapshot(
                f"{path} was replaced or changed after it was opened. Put another snapshot into a folder of "
                "its own, and open or promote that."
            )

    return engine


def _place(path: Path) -> tuple[int, int, int, int] | None:
    """Which file stands at ``path``, and how; None for none."""
    if not path.is_file():
        return None
    file = path.stat()
    return file.st_dev, file.st_ino, file.st_size, file.st_mtime_ns
