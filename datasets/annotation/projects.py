"""The projects: what owners and annotators do, each a transaction on one database, SQLite or PostgreSQL."""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple, Self

from datasets.annotation.records import (
    Access,
    Annotator,
    Answer,
    Desk,
    Judgement,
    Kind,
    Link,
    NewItem,
    Project,
    ProjectItem,
    ProjectProgress,
    ProjectSettings,
    Receipt,
    Scope,
)


class Said(NamedTuple):
    """A judgement with who gave it and of what."""

    annotator: Annotator
    item: ProjectItem
    judgement: Judgement


class Projects:
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
        raise NotImplementedError

    def close_database(self) -> None: ...

    # Owners

    def create(
        self,
        title: str,
        kind: Kind,
        items: Iterable[NewItem],
        settings: ProjectSettings | None = None,
        guidelines: str | None = None,
    ) -> tuple[Project, str]:
        """Make a project. Told beside it is the token of its owner's link, which is not told again.

        ``settings``, ``guidelines``: those of ``defaults`` for the kind without.

        Raises:
            BadProject: what is given contradicts itself; the message says where.
        """
        raise NotImplementedError

    def listed(self) -> list[Project]:
        """All projects, the first one first."""
        raise NotImplementedError

    def project(self, number: int) -> Project:
        """A project. Raises: UnknownProject."""
        raise NotImplementedError

    def items(self, project: int) -> list[ProjectItem]:
        """Its items, in the order of the file. Raises: UnknownProject."""
        raise NotImplementedError

    def progress(self, project: int) -> ProjectProgress:
        """How far it is, and each of its annotators. Raises: UnknownProject."""
        raise NotImplementedError

    def want(self, project: int, judgements: int) -> Project:
        """Set how many judgements each item needs. Raises: UnknownProject, BadProject."""
        raise NotImplementedError

    def close(self, project: int) -> Project:
        """Ask nothing any more and take no answers. Raises: UnknownProject."""
        raise NotImplementedError

    def reopen(self, project: int) -> Project:
        """Ask again. Raises: UnknownProject."""
        raise NotImplementedError

    def invite(
        self, project: int, scope: Scope, *, note: str = "", expires: datetime.datetime | None = None
    ) -> tuple[Link, str]:
        """Make a link to a project, ``owner`` or ``invitation``. Told beside it is its token, this once.

        Raises:
            UnknownProject: there is no such project.
            BadProject: the time has passed, or the note is not taken.
        """
        raise NotImplementedError

    def links(self, project: int) -> list[Link]:
        """The links of a project that were ever made. Raises: UnknownProject."""
        raise NotImplementedError

    def withdraw(self, project: int, link: int) -> Link:
        """End a link for good. Raises: UnknownProject, UnknownLink (none of that number, or ended before)."""
        raise NotImplementedError

    def said(
        self, project: int, *, refused: bool = False, gold: bool = False, undone: bool = False
    ) -> Iterator[Said]:
        """What was said, in the order of time; with "I don't know this".

        ``refused``, ``gold``, ``undone``: with the judgements of refused annotators, those of gold questions,
        and those that were taken back. Raises: UnknownProject.
        """
        raise NotImplementedError

    def delete_annotator(self, project: int, number: int) -> int:
        """Delete all that is known of an annotator, and tell how many judgements that were.

        Raises:
            UnknownProject, UnknownAnnotator: there is none.
        """
        raise NotImplementedError

    def delete(self, project: int) -> None:
        """Delete a project with all that it holds. Raises: UnknownProject."""
        raise NotImplementedError

    # Whoever has a link

    def access(self, token: str) -> Access:
        """What a link opens.

        Raises:
            UnknownLink: nothing: it never was, has expired or was withdrawn.
        """
        raise NotImplementedError

    def begin(self, token: str, key: str, details: Mapping[str, str] | None = None) -> tuple[Annotator, str]:
        """Make an annotator of who follows an invitation. Told beside is the token of their own link.

        ``key``: which click it was, a UUID; the same again is the same annotator, with another token.
        ``details``: what the owner asks for, by name; nothing else is taken.

        Raises:
            UnknownLink: it is no invitation that is in force.
            ProjectClosed: nobody may begin any more.
            BadAnswer: the key is no UUID, or the details are not those that are asked for.
        """
        raise NotImplementedError

    def desk(self, token: str, ahead: int = 1) -> Desk:
        """What to show an annotator now; what is to be judged counts as assigned to them from then on.

        ``ahead``: so many items at the most, for a page that goes on while the network is gone.

        Raises:
            UnknownLink: it is no annotator's link that is in force.
        """
        raise NotImplementedError

    def submit(self, token: str, item: int, turn: int, answer: Answer, key: str) -> Receipt:
        """Keep an answer. The same ``key``, a UUID, again tells the same receipt and changes nothing.

        Raises:
            UnknownLink: it is no annotator's link that is in force.
            BadAnswer: the item takes no such answer; the key is no UUID, or was sent with another answer.
            NotAssigned: this annotator was never shown the item.
            AlreadyAnswered: an answer under another key stands; it is told.
            ProjectClosed, AnnotatorRefused: no answers are taken. Who sent one before learns of its receipt.
        """
        raise NotImplementedError

    def undo(self, token: str, judgement: int) -> Desk:
        """Take back the last answer, which is that of the number; tell what to show: its item again.

        A second time, as by a double click, nothing more is taken back.

        Raises:
            UnknownLink: it is no annotator's link that is in force.
            NothingToUndo: there is no answer, or it was to a gold question.
            ProjectClosed, AnnotatorRefused: nothing is changed any more.
        """
        raise NotImplementedError
