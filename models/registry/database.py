"""Transactions on a registry's database, and what its errors mean."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any, Self

from sqlalchemy import Connection, inspect, text
from sqlalchemy.exc import DBAPIError, IntegrityError, NoSuchModuleError, SQLAlchemyError

from models.registry.address import WRITING, RegistryAddress
from models.registry.errors import NotARegistry, RegistryError, RegistryUnavailable, WrongSchema
from models.registry.layout import METADATA, REVISION_TABLE, REVISIONS

_MISSING_TABLES = ("no such table", "no such column", "does not exist")
_NO_DATABASE = ("not a database", "malformed")


class Database:
    """A database that holds a registry, or is going to. Safe to share between threads.

    ``seconds``: how long to wait for other writers.
    """

    def __init__(self, address: RegistryAddress, *, seconds: float = 30.0) -> None:
        self._address = address
        self._engine = address.engine(seconds=seconds)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Give the connections back; the next call makes new ones."""
        self._engine.dispose()

    @property
    def address(self) -> str:
        """Where the registry is, to be shown: without a password."""
        return str(self._address)

    def reading(self, *, repeatable: bool = False) -> AbstractContextManager[Connection]:
        """A transaction that reads; where ``repeatable``, everything as it stands at its first query.

        Raises:
            RegistryError: what the database does not let through, in our terms.
        """
        strict = repeatable and self._address.path is None
        return self._transaction(**{"isolation_level": "REPEATABLE READ"} if strict else {})

    def writing(self) -> AbstractContextManager[Connection]:
        """A transaction that writes, alone: other writers wait until it ends. An error undoes all of it.

        Raises:
            RegistryError: what the database does not let through, in our terms.
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
            NotARegistry: a SQLite file with other tables and none of ours.
        """
        inspector = inspect(connection)
        if inspector.has_table(REVISION_TABLE):
            query = text(f"SELECT version_num FROM {REVISION_TABLE}")  # noqa: S608  # a constant
            found = connection.scalar(query)
            return None if found is None else str(found)
        if self._address.path is not None and inspector.get_table_names():
            raise NotARegistry(
                f"{self.address} is a database of something else and is left as it is. Name another file, or "
                "one that does not exist yet."
            )
        return None

    def check_revision(self, found: str | None) -> None:
        """Refuse tables of another version than this code's.

        Raises:
            WrongSchema: they are older or newer; the message says which, and what to do.
        """
        newest = REVISIONS[-1]
        if found == newest:
            return
        what = f"the tables of the registry {self.address} are of version {found}"
        if found is None or found in REVISIONS:
            raise WrongSchema(
                f"{what}, and this version of wort needs {newest}. `wort models list` brings them up to date."
            )
        raise WrongSchema(
            f"{what}, made by a newer version of wort than this one, which knows {newest}. Use that version, "
            "or another registry."
        )


def _translated(error: SQLAlchemyError, address: RegistryAddress) -> RegistryError:
    """The error in our terms. The driver's own words name no password; SQLAlchemy's statement is left out."""
    said = " ".join(str(error.orig if isinstance(error, DBAPIError) else error).split())
    where = f"the registry {address}"
    if isinstance(error, NoSuchModuleError | ImportError):
        return RegistryUnavailable(f"{where} cannot be reached: {said}. Install psycopg.")
    if isinstance(error, IntegrityError):
        return RegistryUnavailable(
            f"{where}: another process wrote at the same moment ({said}). Nothing was written; try again."
        )
    if any(words in said for words in _NO_DATABASE):
        return NotARegistry(
            f"{where} cannot be read as a database ({said}). Name another file, or put a copy of it in its "
            "place."
        )
    if any(words in said for words in _MISSING_TABLES) and any(name in said for name in METADATA.tables):
        return NotARegistry(
            f"{where} lacks tables or columns that its version has ({said}). Put a copy of it in its place, "
            "or import an export into a new one."
        )
    return RegistryUnavailable(f"{where} cannot be used now: {said}. {_advice(said, address)}")


def _advice(said: str, address: RegistryAddress) -> str:
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
