"""The registry: models, releases and retrainings in one database, SQLite or PostgreSQL."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from models.given import given_file
from models.registry.address import RegistryAddress
from models.registry.errors import NotARegistry, UnknownModel, UnknownRun
from models.registry.exchange import read, write
from models.registry.keys import Keys
from models.registry.layout import REVISIONS
from models.registry.merge import merge, records
from models.registry.releases import Releases
from models.registry.runs import Runs
from models.registry.versions import Versions

T = TypeVar("T")

_WHILE_SERVING = 2.0
"""Seconds that who only looks waits for another process's lock."""


class Registry(Versions, Releases, Runs):
    """A registry that exists and whose tables are those of this code. Safe to share between threads.

    Every method is one transaction, done whole or not at all, and raises ``RegistryUnavailable`` where the
    database is locked, away, full or not to be written; nothing has changed then.
    """

    @classmethod
    def open(cls, url: str, *, create: bool = True, made_by: str = "wort models add") -> Registry:
        """The registry at ``url``, made if there is none (and ``create``), brought up to date if it is older.

        ``made_by``: the command that makes one, for who finds none.

        Raises:
            NotARegistry: there is none, and it is not to be made.
            RegistryError: it cannot be made, reached or used; the message says why, and holds no password.
        """
        address = RegistryAddress.parse(url)
        absent = NotARegistry(f"there is no registry at {address} yet. `{made_by}` makes one.")
        if not address.exists():
            if not create:
                raise absent
            address.make()
        with cls(address) as registry:
            with registry.reading() as connection:
                found = registry.revision(connection)
            if found is None and not create:
                raise absent
            if found != REVISIONS[-1]:
                registry._migrate()
        return registry

    @classmethod
    def peek(cls, url: str) -> Registry | None:
        """The registry at ``url`` if there is one; nothing is made or changed. Never loads Alembic.

        Raises:
            RegistryUnavailable: it cannot be reached now.
            RegistryError: it cannot be used; asking again will not help.
        """
        address = RegistryAddress.parse(url)
        if not address.exists():
            return None
        with cls(address, seconds=_WHILE_SERVING) as registry:
            with registry.reading() as connection:
                found = registry.revision(connection)
            if found is None:
                return None
            registry.check_revision(found)
        return registry

    @classmethod
    def ask(cls, url: str, ask: Callable[[Registry], T]) -> T | None:
        """What the registry at ``url`` answers; None where there is none, or it has not what is asked for.

        Raises:
            RegistryError: as ``peek``, and what ``ask`` raises beside.
        """
        registry = cls.peek(url)
        if registry is None:
            return None
        with registry:
            try:
                return ask(registry)
            except (UnknownModel, UnknownRun):
                return None

    @property
    def keys(self) -> Keys:
        """The keys of the services that ask this registry. An export leaves them out."""
        return Keys(self)

    def export(self, target: Path) -> int:
        """Write everything to one file, as it stands at one moment, and tell how many records it is.

        The file is written whole or not at all. The same registry gives the same bytes.

        Raises:
            DamagedModel: stored bytes are not those that were registered.
            OSError: the file cannot be written.
        """
        with self.reading(repeatable=True) as connection:
            return write(target, records(connection))

    def import_(self, source: Path) -> int:
        """Add what an export holds and the registry does not yet, and tell how many records that is.

        The whole file is verified before anything is written, and is imported whole or not at all; a second
        time adds nothing. A retraining that had not ended when it was exported is imported as failed.

        Raises:
            DamagedExport: the file is cut off, altered, or no export.
            ImportConflict: it says something else than the registry; the message lists what.
            OSError: the file cannot be read, or is none but a pipe or a device.
        """
        with given_file(source) as file:
            for _ in read(file):
                pass
            file.seek(0)
            with self.writing() as connection:
                # Read a second time, and checked again, rather than held in memory.
                return merge(connection, read(file))

    def _migrate(self) -> None:
        with self.writing() as connection:
            # Under the lock: another process may have done it in between.
            found = self.revision(connection)
            if found is None or found in REVISIONS[:-1]:
                # Loaded here: who finds the tables up to date need not know how they came about.
                from models.registry.migrate import migrate  # noqa: PLC0415

                migrate(connection)
            self.check_revision(self.revision(connection))
