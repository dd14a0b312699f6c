"""The projects: what owners and annotators do, each a transaction on one database, SQLite or PostgreSQL."""

from __future__ import annotations

from typing import Self

from datasets.annotation.annotating import Annotating
from datasets.annotation.database import AnnotationDatabase
from datasets.annotation.linking import Linking
from datasets.annotation.owning import Owning
from datasets.annotation.taking_in import TakingIn


class Projects(Owning, Linking, Annotating, TakingIn):
    """The annotation projects of a database. Safe to share between threads.

    Every method is one transaction, done whole or not at all, and raises ``ProjectsUnavailable`` where the
    database is locked, away or full; nothing has changed then. What a method returns is committed.
    Links are named by their tokens, the secrets; what is wrong with one raises ``UnknownLink``, always alike.
    """

    @classmethod
    def open(cls, url: str, *, create: bool = True) -> Self:
        """The projects at ``url``, made if there are none (and ``create``), their tables brought up to date.

        Raises:
            NotProjects: there are none, and they are not to be made.
            AnnotationError: they cannot be made, reached or used; the message holds no password.
        """
        return cls(AnnotationDatabase.open(url, create=create))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close_database()

    def close_database(self) -> None:
        """Give the connections back; the next call makes new ones."""
        self._database.close()

    @property
    def address(self) -> str:
        """Where the projects are, to be shown: without a password."""
        return self._database.address
