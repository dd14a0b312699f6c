"""Links: a token is all that opens a project, and of it only a digest is kept.

A token is 256 random bits, so that nobody guesses one, and a fast digest without salt is enough. What is
wrong with a link is never told: one that was withdrawn looks like one that never was.
"""

from __future__ import annotations

import datetime
import hashlib
import secrets
from collections.abc import Iterator
from itertools import islice
from typing import TypeVar

import msgspec
from sqlalchemy import insert, select, update

from datasets.annotation.checking import words
from datasets.annotation.database import AnnotationDatabase, Transaction, first, project_of, row_of
from datasets.annotation.errors import BadProject, UnknownLink
from datasets.annotation.layout import ANNOTATORS, LINKS, PROJECTS
from datasets.annotation.records import Access, AccessLink, Project, ProjectAnnotator, Scope
from models.storage.rows import NUMBERS, kept, next_number
from models.storage.times import now

_BYTES = 32
_L = LINKS.c
_WHOSE = LINKS.join(PROJECTS, PROJECTS.c.id == _L.project).outerjoin(
    ANNOTATORS, ANNOTATORS.c.id == _L.annotator
)

T = TypeVar("T", bound=msgspec.Struct)


class Linking:
    """What is done with the links of projects."""

    def __init__(self, database: AnnotationDatabase) -> None:
        self._database = database

    def invite(
        self, project: int, scope: Scope, *, note: str = "", expires: datetime.datetime | None = None
    ) -> tuple[AccessLink, str]:
        """Make a link to a project, ``owner`` or ``invitation``. Told beside it is its token, this once.

        ``expires``: with a time zone.

        Raises:
            UnknownProject: there is no such project.
            BadProject: the time has passed, the note is not taken, or the scope is an annotator's.
        """
        if scope not in ("owner", "invitation"):
            raise BadProject("a link is an owner's or an invitation; annotators get theirs when they begin.")
        until = None if expires is None else expires.astimezone(datetime.UTC).isoformat(timespec="seconds")
        with self._database.writing() as connection:
            transaction = Transaction(connection, now())
            if until is not None and until <= transaction.now:
                raise BadProject(f"a link that expires at {until} would never work. Name a later time.")
            made, token = made_link(
                transaction,
                project_of(connection, project).id,
                scope,
                note=words(note, "the note"),
                expires=until,
            )
        return made, token

    def links(self, project: int) -> list[AccessLink]:
        """The links of a project that were ever made. Raises: UnknownProject."""
        with self._database.reading() as connection:
            return kept(connection, AccessLink, LINKS, _L.project == project_of(connection, project).id)

    def withdraw(self, project: int, link: int) -> AccessLink:
        """End a link for good. Raises: UnknownProject, UnknownLink (none of that number, or ended before)."""
        with self._database.writing() as connection:
            conditions = (_L.project == project_of(connection, project).id, _L.id == link)
            access_link = first(connection, AccessLink, LINKS, *conditions) if 0 < link < NUMBERS else None
            if access_link is None:
                raise UnknownLink(f"project {project} has no link {link}. Its progress lists them.")
            if access_link.withdrawn is not None:
                raise UnknownLink(f"link {link} was withdrawn already, at {access_link.withdrawn}.")
            connection.execute(update(LINKS).where(*conditions).values(withdrawn=now()))
            return kept(connection, AccessLink, LINKS, *conditions)[0]

    def access(self, token: str) -> Access:
        """What a link opens.

        Raises:
            UnknownLink: nothing: it never was, has expired or was withdrawn.
        """
        with self._database.reading() as connection:
            return opened(Transaction(connection, now()), token)


def made_link(
    transaction: Transaction,
    project: int,
    scope: Scope,
    *,
    annotator: int | None = None,
    note: str = "",
    expires: str | None = None,
) -> tuple[AccessLink, str]:
    """A new link, and its token."""
    token = secrets.token_urlsafe(_BYTES)
    link = AccessLink(
        id=next_number(transaction.connection, _L.id),
        project=project,
        scope=scope,
        annotator=annotator,
        digest=_digest(token),
        note=note,
        created=transaction.now,
        expires=expires,
        withdrawn=None,
    )
    transaction.connection.execute(insert(LINKS), [row_of(link)])
    return link, token


def opened(transaction: Transaction, token: str, scope: Scope | None = None) -> Access:
    """What a link opens, of some scope where one is named.

    Raises:
        UnknownLink: nothing.
    """
    # In one question: it is asked with every request.
    query = select(LINKS, PROJECTS, ANNOTATORS).select_from(_WHOSE).where(_L.digest == _digest(token))
    row = transaction.connection.execute(query).first()
    cells = iter(() if row is None else row)
    link = None if row is None else _record(AccessLink, cells)
    if link is None or link.withdrawn is not None or (link.expires or "9") <= transaction.now:
        raise UnknownLink("this link does not work, or no longer. Ask whoever gave it to you for another.")
    if scope not in (None, link.scope):
        raise UnknownLink("this link is not for that. Ask whoever gave it to you for the right one.")
    project = _record(Project, cells)
    return Access(
        link=link,
        project=project,
        annotator=None if link.annotator is None else _record(ProjectAnnotator, cells),
    )


def _record(record: type[T], cells: Iterator[object]) -> T:
    """The record that the next cells of a row are, whose columns are its fields in order."""
    names = record.__struct_fields__
    return msgspec.convert(dict(zip(names, islice(cells, len(names)), strict=True)), record)


def _digest(token: str) -> str:
    # A token is ASCII; whatever else was sent has a digest too, which no link has.
    return hashlib.sha256(token.encode(errors="surrogatepass")).hexdigest()
