"""Where a database is: the URL, and the engine that reaches it."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import URL, Connection, Engine, create_engine, event, make_url
from sqlalchemy.exc import ArgumentError
from sqlalchemy.pool import NullPool

from models.storage.holding import Holding

WRITING = "wort_writing"
"""The execution option of a connection whose transaction is going to write."""

_SQLITE = ("sqlite", "sqlite+pysqlite")
_POSTGRESQL = ("postgresql", "postgresql+psycopg", "postgres")
_SECRETS = ("password", "passfile", "sslpassword", "sslkey")

_PATIENCE = {"connect_timeout": "5", "keepalives_idle": "10", "tcp_user_timeout": "10000"}
"""What libpq is told where the URL does not say otherwise, so that a server that is gone is noticed: seconds
to connect, seconds of silence until it is asked for a sign of life, milliseconds until it counts as dead."""


@dataclass(frozen=True)
class DatabaseAddress:
    """The URL of what a database holds, checked. ``path``: the file of SQLite; None for PostgreSQL."""

    url: URL
    path: Path | None
    holding: Holding

    @classmethod
    def parse(cls, text: str, holding: Holding) -> DatabaseAddress:
        """The address that ``text`` writes: ``sqlite:///PATH`` or ``postgresql://…``.

        Raises:
            Exception: the holding's ``bad_address``: it is of no kind that is known here. The message does
                not repeat it, since it may hold a password.
        """
        what, refused = f"the {holding.what} ({holding.setting} or --database)", holding.bad_address
        forms = "Write sqlite:///relative/path, sqlite:////absolute/path or postgresql://user@host/database."
        try:
            url = make_url(text)
        except (ArgumentError, ValueError):
            raise refused(f"the address of {what} is not a URL. {forms}") from None
        if url.drivername in _SQLITE:
            if not url.database or url.database == ":memory:" or url.query or url.host:
                raise refused(f"the address of {what} names no file. {forms}")
            return cls(url, Path(url.database).absolute(), holding)
        if url.drivername in _POSTGRESQL:
            return cls(url.set(drivername="postgresql+psycopg"), None, holding)
        raise refused(f"{what} is kept in SQLite or PostgreSQL, not in {url.drivername}. {forms}")

    def __str__(self) -> str:
        """The URL without its password, to be shown."""
        if self.path is not None:
            return str(self.path)
        return self.url.difference_update_query(_SECRETS).render_as_string(hide_password=True)

    def __repr__(self) -> str:
        return f"DatabaseAddress({self})"

    def exists(self) -> bool:
        """Whether there may be something: there is a file, or a server to be asked.

        Raises:
            Exception: the holding's ``unavailable``: the folder of the file may not be entered.
        """
        try:
            return self.path is None or self.path.exists()
        except OSError as error:
            raise self.holding.unavailable(
                f"the {self.holding.what} {self} cannot be reached: {error.strerror}. See that this user may "
                "enter its folder."
            ) from error

    def make(self) -> None:
        """Make the file that is missing, empty, which is an empty database of SQLite, and its folders.

        Raises:
            Exception: the holding's ``unavailable``: it cannot be made.
        """
        path = self.path or Path()
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.touch()
        except OSError as error:
            raise self.holding.unavailable(
                f"the {self.holding.what} {path} cannot be made: {error.strerror}. Name another place, or "
                f"see that {path.parent} may be written by this user."
            ) from error

    def engine(self, *, seconds: float) -> Engine:
        """An engine for this address; nothing is connected yet.

        ``seconds``: how long to wait for another process's lock.
        """
        return self._postgresql(seconds) if self.path is None else self._sqlite(self.path, seconds)

    def _sqlite(self, path: Path, seconds: float) -> Engine:
        # The mode: a file that was taken away must not be made anew, empty.
        uri = f"{path.as_uri()}?mode=rw"

        def connect() -> sqlite3.Connection:
            return sqlite3.connect(uri, uri=True, timeout=seconds, isolation_level=None)

        # No pool: a file opens in a fraction of a millisecond, and one that was replaced is noticed.
        engine = create_engine("sqlite://", creator=connect, poolclass=NullPool)

        @event.listens_for(engine, "connect")
        def check_references(connection: sqlite3.Connection, _: object) -> None:
            connection.execute("PRAGMA foreign_keys = ON")

        @event.listens_for(engine, "begin")
        def begin(connection: Connection) -> None:
            # Who is going to write takes the lock before reading: a lock that is asked for in the middle of
            # a transaction is refused at once where another has written since.
            writing = connection.get_execution_options().get(WRITING, False)
            connection.exec_driver_sql("BEGIN IMMEDIATE" if writing else "BEGIN")

        return engine

    def _postgresql(self, seconds: float) -> Engine:
        given = {name: value for name, value in _PATIENCE.items() if name not in self.url.query}
        engine = create_engine(
            self.url.update_query_dict(given),
            # Whatever the server's default: who waited for the lock must see what was written meanwhile.
            isolation_level="READ COMMITTED",
            # Statements that are prepared in one transaction are missing in the next behind a pooler.
            connect_args={"prepare_threshold": None},
            pool_size=1,
            max_overflow=4,
            pool_timeout=5,
            pool_pre_ping=True,
        )

        @event.listens_for(engine, "begin")
        def begin(connection: Connection) -> None:
            connection.exec_driver_sql(f"SET LOCAL lock_timeout = {int(seconds * 1000)}")
            if connection.get_execution_options().get(WRITING, False):
                connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({self.holding.lock})")

        return engine
