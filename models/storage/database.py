"""Transactions on a database of ours, and what its errors mean."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any, ClassVar, Self

from sqlalchemy import Connection, inspect, text
from sqlalchemy.exc import DBAPIError, IntegrityError, NoSuchModuleError, SQLAlchemyError

from models.storage.address import WRITING, DatabaseAddress
from models.storage.holding import OURS, Holding

_MISSING_TABLES = ("no such table", "no such column", "does not exist")
_NO_DATABASE = ("not a database", "malformed")

_WHILE_SERVING = 2.0
"""Seconds that who only looks waits for another process's lock."""


class Database:
    """A database that holds something of ours, or is going to. Safe to share between threads.

    ``holding``: what, as those that inherit say. ``seconds``: how long to wait for other writers. What the
    database does not let through is raised as the holding's errors.
    """

    holding: ClassVar[Holding]

    def __init__(self, address: DatabaseAddress, *, seconds: float = 30.0) -> None:
        self._address = address
        self._engine = address.engine(seconds=seconds)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Give the connections back; the next call makes new ones."""
        self._engine.dispose()

    @classmethod
    def open(cls, url: str, *, create: bool = True, made_by: str | None = None) -> Self:
        """The database at ``url``, made if there is none (and ``create``), brought up to date if it is older.

        ``made_by``: the command that makes one, for who finds none.

        Raises:
            Exception: the holding's ``foreign``: there is none, and it is not to be made. Another of its
                errors: it cannot be made, reached or used; the message says why, and holds no password.
        """
        address = DatabaseAddress.parse(url, cls.holding)
        absent = cls.holding.foreign(
            f"there is no {cls.holding.what} at {address} yet. `{made_by or cls.holding.made_by}` makes one."
        )
        if not address.exists():
            if not create:
                raise absent
            address.make()
        with cls(address) as database:
            with database.reading() as connection:
                revision = database.revision(connection)
            if revision is None and not create:
                raise absent
            if revision != cls.holding.revisions[-1]:
                database._migrate()
        return database

    @classmethod
    def peek(cls, url: str) -> Self | None:
        """What there is at ``url``; nothing is made or changed. Never loads Alembic.

        Raises:
            Exception: the holding's ``unavailable``: it cannot be reached now. Another of its errors: it
                cannot be used; asking again will not help.
        """
        address = DatabaseAddress.parse(url, cls.holding)
        if not address.exists():
            return None
        with cls(address, seconds=_WHILE_SERVING) as database:
            with database.reading() as connection:
                revision = database.revision(connection)
            if revision is None:
                return None
            database.check_revision(revision)
        return database

    @property
    def address(self) -> str:
        """Where it is, to be shown: without a password."""
        return str(self._address)

    def reading(self, *, repeatable: bool = False) -> AbstractContextManager[Connection]:
        """A transaction that reads; where ``repeatable``, everything as it stands at its first query.

        Raises:
            Exception: what the database does not let through, as an error of the holding.
        """
        strict = repeatable and self._address.path is None
        return self._transaction(**{"isolation_level": "REPEATABLE READ"} if strict else {})

    def writing(self) -> AbstractContextManager[Connection]:
        """A transaction that writes, alone: other writers wait until it ends. An error undoes all of it.

        Raises:
            Exception: what the database does not let through, as an error of the holding.
        """
        return self._transaction(**{WRITING: True})

    @contextmanager
    def _transaction(self, **options: Any) -> Iterator[Connection]:  # noqa: ANN401  # as SQLAlchemy has them
        try:
            with self._engine.connect() as opened:
                connection = opened.execution_options(**options)
                with connection.begin():
                    yield connection
        except SQLAlchemyError as error:
            raise _translated(error, self._address) from error

    def revision(self, connection: Connection) -> str | None:
        """The version of the tables, None where there are none yet.

        Raises:
            Exception: the holding's ``foreign``: a SQLite file with other tables and none of ours.
        """
        inspector = inspect(connection)
        if inspector.has_table(self.holding.revision_table):
            query = text(f"SELECT version_num FROM {self.holding.revision_table}")  # noqa: S608  # a constant
            version = connection.scalar(query)
            return None if version is None else str(version)
        others = [] if self._address.path is None else inspector.get_table_names()
        if others and not any(name.startswith(OURS) for name in others):
            raise self.holding.foreign(
                f"{self.address} is a database of something else and is left as it is. Name another file, or "
                "one that does not exist yet."
            )
        return None

    def check_revision(self, found: str | None) -> None:
        """Refuse tables of another version than this code's.

        Raises:
            Exception: the holding's ``wrong_schema``: they are older or newer; the message says which, and
                what to do.
        """
        what, newest = self.holding.what, self.holding.revisions[-1]
        if found == newest:
            return
        tables = f"the tables of the {what} {self.address} are of version {found}"
        if found is None or found in self.holding.revisions:
            raise self.holding.wrong_schema(
                f"{tables}, and this version of wort needs {newest}. `{self.holding.updated_by}` brings them "
                "up to date."
            )
        raise self.holding.wrong_schema(
            f"{tables}, made by a newer version of wort than this one, which knows {newest}. Use that "
            f"version, or another {what}."
        )

    def _migrate(self) -> None:
        with self.writing() as connection:
            # Under the lock: another process may have done it in between.
            revision = self.revision(connection)
            if revision is None or revision in self.holding.revisions[:-1]:
                # Loaded here: who finds the tables up to date need not know how they came about.
                from models.storage.migrate import migrate  # noqa: PLC0415

                migrate(connection, self.holding)
            self.check_revision(self.revision(connection))


def _translated(error: SQLAlchemyError, address: DatabaseAddress) -> Exception:
    """The error in our terms. The driver's own words name no password; SQLAlchemy's statement is left out."""
    said = " ".join(str(error.orig if isinstance(error, DBAPIError) else error).split())
    holding = address.holding
    where = f"the {holding.what} {address}"
    if isinstance(error, NoSuchModuleError | ImportError):
        return holding.unavailable(f"{where} cannot be reached: {said}. Install psycopg.")
    if isinstance(error, IntegrityError):
        return holding.unavailable(
            f"{where}: another process wrote at the same moment ({said}). Nothing was written; try again."
        )
    if any(words in said for words in _NO_DATABASE):
        return holding.foreign(
            f"{where} cannot be read as a database ({said}). Name another file, or put a copy of it in its "
            "place."
        )
    if any(words in said for words in _MISSING_TABLES) and any(
        name in said for name in holding.metadata.tables
    ):
        return holding.foreign(
            f"{where} lacks tables or columns that its version has ({said}). Put a copy of it in its place, "
            "or begin with a new one."
        )
    return holding.unavailable(f"{where} cannot be used now: {said}. {_advice(said, address)}")


def _advice(said: str, address: DatabaseAddress) -> str:
    """What to do about what the driver said."""
    for words, advice in _ADVICE:
        if any(word in said for word in words):
            return advice
    if address.path is not None:
        return f"See that {address.path.parent} is there, and may be written by this user."
    return "See that the server runs, and that the URL names its host, port, user and database."


_ADVICE = (
    (("is locked", "lock timeout"), "Another process is writing for long; try again."),
    (("is full", "No space left"), "Make room on the disk."),
    (("readonly", "read-only"), "It may be read, but not written, by this user."),
    (
        ("permission denied for",),
        "Grant this user SELECT to read its tables, INSERT and UPDATE to write them.",
    ),
    (("password",), "Set the password in the URL, in PGPASSWORD or in ~/.pgpass."),
    (("does not exist",), "Create the role or the database (createuser, createdb), or name another."),
)
