"""The registry: models, releases and retrainings in one database, SQLite or PostgreSQL."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from models.given import given_file
from models.registry.errors import UnknownModel, UnknownRun
from models.registry.exchange import read, write
from models.registry.keys import Keys
from models.registry.merge import merge, records
from models.registry.releases import Releases
from models.registry.runs import Runs
from models.registry.versions import Versions

T = TypeVar("T")


class Registry(Versions, Releases, Runs):
    """A registry that exists and whose tables are those of this code. Safe to share between threads.

    Every method is one transaction, done whole or not at all, and raises ``RegistryUnavailable`` where the
    database is locked, away, full or not to be written; nothing has changed then.
    """

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
