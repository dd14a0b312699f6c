"""What owners do: make projects, watch them, end them, delete what is known of somebody."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple, TypeVar

import msgspec
from sqlalchemy import delete, insert, update

from datasets.annotation.checking import checked_items, checked_settings, checked_title, words
from datasets.annotation.counting import judged_by, progress_of, recount
from datasets.annotation.database import AnnotationDatabase, Transaction, annotator_of, project_of, row_of
from datasets.annotation.defaults import guidelines_of, settings_of
from datasets.annotation.draws import different
from datasets.annotation.layout import ANNOTATORS, EVERY_ROW, ITEMS, JUDGEMENTS, LINKS, PROJECTS, SHOWINGS
from datasets.annotation.linking import made_link
from datasets.annotation.records import (
    Kind,
    NewItem,
    Project,
    ProjectAnnotator,
    ProjectItem,
    ProjectJudgement,
    ProjectProgress,
    ProjectSettings,
)
from models.storage.rows import kept, next_number
from models.storage.times import now

_P = PROJECTS.c

_Numbered = TypeVar("_Numbered", ProjectAnnotator, ProjectItem)


class Said(NamedTuple):
    """A judgement with who gave it and of what."""

    annotator: ProjectAnnotator
    item: ProjectItem
    judgement: ProjectJudgement


class Owning:
    """What is done with projects by who owns them; that it is the owner is checked before."""

    def __init__(self, database: AnnotationDatabase) -> None:
        self._database = database

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
        checked = checked_settings(settings or settings_of(kind), kind)
        new = checked_items(items, kind, checked)
        text = guidelines_of(kind, checked) if guidelines is None else words(guidelines, "the guidelines")
        heading = checked_title(title)
        with self._database.writing() as connection:
            transaction = Transaction(connection, now())
            project = Project(
                id=next_number(connection, _P.id),
                title=heading,
                kind=kind,
                guidelines=text,
                settings=checked,
                created=transaction.now,
                closed=None,
                annotators=0,
            )
            connection.execute(insert(PROJECTS), [row_of(project)])
            number = next_number(connection, ITEMS.c.id)
            fixed = {"project": project.id, "given": 0, "unknown": 0}
            draws = different(len(new), project.id, project.created)
            rows = [
                row_of(item) | fixed | {"id": number + at, "draw": draw}
                for at, (item, draw) in enumerate(zip(new, draws, strict=True))
            ]
            connection.execute(insert(ITEMS), rows)
            if connection.dialect.name == "postgresql":
                # Or it learns only in a minute how many there are, and goes through them all meanwhile.
                connection.exec_driver_sql(f"ANALYZE {ITEMS.name}")
            _, token = made_link(transaction, project.id, "owner", note="the first owner's")
        return project, token

    def listed(self) -> list[Project]:
        """All projects, the first one first."""
        with self._database.reading() as connection:
            return kept(connection, Project, PROJECTS)

    def project(self, number: int) -> Project:
        """A project. Raises: UnknownProject."""
        with self._database.reading() as connection:
            return project_of(connection, number)

    def items(self, project: int) -> list[ProjectItem]:
        """Its items, in the order of the file. Raises: UnknownProject."""
        with self._database.reading() as connection:
            record = project_of(connection, project)
            return kept(connection, ProjectItem, ITEMS, ITEMS.c.project == record.id)

    def progress(self, project: int) -> ProjectProgress:
        """How far it is, and each of its annotators. Raises: UnknownProject."""
        with self._database.reading(repeatable=True) as connection:
            return progress_of(Transaction(connection, now()), project_of(connection, project))

    def want(self, project: int, judgements: int) -> Project:
        """Set how many judgements each item needs. Raises: UnknownProject, BadProject."""
        with self._database.writing() as connection:
            record = project_of(connection, project)
            changed = msgspec.structs.replace(record.settings, wanted=judgements)
            values = {"settings": row_of(checked_settings(changed, record.kind))}
            connection.execute(update(PROJECTS).where(_P.id == record.id).values(values))
            return project_of(connection, project)

    def close(self, project: int) -> Project:
        """Ask nothing any more and take no answers. Raises: UnknownProject."""
        return self._closed(project, now())

    def reopen(self, project: int) -> Project:
        """Ask again. Raises: UnknownProject."""
        return self._closed(project, None)

    def said(
        self, project: int, *, refused: bool = False, gold: bool = False, undone: bool = False
    ) -> list[Said]:
        """What was said, in the order of time; with "I don't know this".

        ``refused``, ``gold``, ``undone``: with the judgements of refused annotators, those of gold questions,
        and those that were taken back. Raises: UnknownProject.
        """
        with self._database.reading(repeatable=True) as connection:
            number = project_of(connection, project).id
            of = JUDGEMENTS.c.project == number
            judgements = kept(connection, ProjectJudgement, JUDGEMENTS, of)
            items = _by_id(kept(connection, ProjectItem, ITEMS, ITEMS.c.project == number))
            annotators = _by_id(
                kept(connection, ProjectAnnotator, ANNOTATORS, ANNOTATORS.c.project == number)
            )
        all_said = (Said(annotators[one.annotator], items[one.item], one) for one in judgements)
        return [
            one
            for one in all_said
            if (refused or one.annotator.refused is None)
            and (gold or one.item.gold is None)
            and (undone or one.judgement.undone is None)
        ]

    def delete_annotator(self, project: int, number: int) -> int:
        """Delete all that is known of an annotator, and tell how many judgements that were.

        Their number is given to nobody else.

        Raises:
            UnknownProject, UnknownAnnotator: there is none.
        """
        with self._database.writing() as connection:
            transaction = Transaction(connection, now())
            annotator = annotator_of(connection, project_of(connection, project), number)
            # Refused, their judgements do not count: what others see is right before they are gone.
            withdrawn = (
                update(ANNOTATORS).where(ANNOTATORS.c.id == annotator.id).values(refused=transaction.now)
            )
            connection.execute(withdrawn)
            recount(transaction, judged_by(annotator.id))
            judged = connection.execute(
                delete(JUDGEMENTS).where(JUDGEMENTS.c.annotator == annotator.id)
            ).rowcount
            for table in (SHOWINGS, LINKS):
                connection.execute(delete(table).where(table.c.annotator == annotator.id))
            connection.execute(delete(ANNOTATORS).where(ANNOTATORS.c.id == annotator.id))
        return judged

    def delete(self, project: int) -> None:
        """Delete a project with all that it holds. Raises: UnknownProject."""
        with self._database.writing() as connection:
            record = project_of(connection, project)
            for table in EVERY_ROW:
                connection.execute(delete(table).where(table.c.project == record.id))
            connection.execute(delete(PROJECTS).where(_P.id == record.id))

    def _closed(self, project: int, since: str | None) -> Project:
        with self._database.writing() as connection:
            record = project_of(connection, project)
            if (record.closed is None) != (since is None):
                connection.execute(update(PROJECTS).where(_P.id == record.id).values(closed=since))
            return project_of(connection, project)


def _by_id(records: Iterable[_Numbered]) -> dict[int, _Numbered]:
    return {record.id: record for record in records}
