"""Finding the database of a registry: making it, bringing it up to date, or only looking."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from models.registry.address import Address
from models.registry.database import Database
from models.registry.errors import NotARegistry, RegistryUnavailable
from models.registry.layout import REVISIONS

_WHILE_SERVING = 2.0
"""Seconds that who only looks waits for another process's lock."""


def opened(url: str, *, create: bool, made_by: str) -> Database:
    """The database of the registry at ``url``; as ``Registry.open``."""
    address = Address.parse(url)
    absent = NotARegistry(f"there is no registry at {address} yet. `{made_by}` makes one.")
    if address.path is not None and not _exists(address.path):
        if not create:
            raise absent
        _make_file(address.path)
    with _closed_on_error(Database(address)) as database:
        with database.reading() as connection:
            found = database.revision(connection)
        if found is None and not create:
            raise absent
        if found != REVISIONS[-1]:
            _migrate(database)
    return database


def peeked(url: str) -> Database | None:
    """The database of the registry at ``url`` if there is one; as ``Registry.peek``."""
    address = Address.parse(url)
    if address.path is not None and not _exists(address.path):
        return None
    with _closed_on_error(Database(address, seconds=_WHILE_SERVING)) as database:
        with database.reading() as connection:
            found = database.revision(connection)
        if found is not None:
            database.check_revision(found)
            return database
    database.close()
    return None


def _migrate(database: Database) -> None:
    with database.writing() as connection:
        # Under the lock: another process may have done it in between.
        found = database.revision(connection)
        if found is None or found in REVISIONS[:-1]:
            # Loaded here: who finds the tables up to date need not know how they came about.
            from models.registry.migrate import migrate  # noqa: PLC0415

            migrate(connection)
        database.check_revision(database.revision(connection))


@contextmanager
def _closed_on_error(database: Database) -> Iterator[Database]:
    try:
        yield database
    except BaseException:
        database.close()
        raise


def _exists(path: Path) -> bool:
    try:
        return path.exists()
    except OSError as error:
        raise RegistryUnavailable(
            f"the registry {path} cannot be reached: {error.strerror}. See that this user may enter its "
            "folder."
        ) from error


def _make_file(path: Path) -> None:
    """Make an empty file, which is an empty database of SQLite, and the folders above it."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    except OSError as error:
        raise RegistryUnavailable(
            f"the registry {path} cannot be made: {error.strerror}. Name another place, or see that "
            f"{path.parent} may be written by this user."
        ) from error
