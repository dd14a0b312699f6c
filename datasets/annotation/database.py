"""What a database holds that has annotation projects in it."""

from __future__ import annotations

from typing import NamedTuple, TypeVar

import msgspec
from sqlalchemy import ColumnElement, Connection, Table, insert, select, update

from datasets.annotation.errors import (
    BadProjectsAddress,
    NotProjects,
    ProjectsUnavailable,
    UnknownAnnotator,
    UnknownProject,
    WrongProjectsSchema,
)
from datasets.annotation.layout import ANNOTATORS, METADATA, PROJECTS, REVISION_TABLE, REVISIONS
from datasets.annotation.records import Project, ProjectAnnotator
from models.storage.database import Database
from models.storage.holding import Holding
from models.storage.rows import NUMBERS, kept, next_number

T = TypeVar("T", bound=msgspec.Struct)

ANNOTATION = Holding(
    what="database of annotation projects",
    metadata=METADATA,
    migrations="datasets.annotation.migrations",
    revisions=REVISIONS,
    revision_table=REVISION_TABLE,
    lock=0x776F7261,  # "wora" in ASCII
    made_by="wort dataset project create",
    updated_by="wort dataset project list",
    setting="WORT_ANNOTATION",
    unavailable=ProjectsUnavailable,
    bad_address=BadProjectsAddress,
    foreign=NotProjects,
    wrong_schema=WrongProjectsSchema,
)


class AnnotationDatabase(Database):
    """A database that holds annotation projects, or is going to; its errors are those of projects."""

    holding = ANNOTATION


class Transaction(NamedTuple):
    """What is done in the database at one time: by which connection, and when."""

    connection: Connection
    now: str


def project_of(connection: Connection, number: int) -> Project:
    """The project of a number. Raises: UnknownProject."""
    projects = kept(connection, Project, PROJECTS, PROJECTS.c.id == number) if 0 < number < NUMBERS else []
    if not projects:
        raise UnknownProject(f"there is no project {number}. `wort dataset project list` shows all.")
    return projects[0]


def annotator_of(connection: Connection, project: Project, number: int) -> ProjectAnnotator:
    """The annotator of a number in a project. Raises: UnknownAnnotator."""
    conditions = ANNOTATORS.c.project == project.id, ANNOTATORS.c.number == number
    annotators = kept(connection, ProjectAnnotator, ANNOTATORS, *conditions) if 0 < number < NUMBERS else []
    if not annotators:
        raise UnknownAnnotator(
            f"project {project.id} has no annotator {number}. `wort dataset project show {project.id}` lists "
            "them."
        )
    return annotators[0]


def annotator_by(connection: Connection, project: Project, key: str) -> ProjectAnnotator | None:
    """The annotator that the click ``key`` began in a project, None where it began none."""
    conditions = ANNOTATORS.c.project == project.id, ANNOTATORS.c.key == key
    return first(connection, ProjectAnnotator, ANNOTATORS, *conditions)


def new_annotator(
    transaction: Transaction, project: Project, key: str, details: dict[str, str]
) -> ProjectAnnotator:
    """An annotator more of a project."""
    connection = transaction.connection
    annotator = ProjectAnnotator(
        id=next_number(connection, ANNOTATORS.c.id),
        project=project.id,
        number=project.annotators + 1,
        key=key,
        details=details,
        began=transaction.now,
        refused=None,
        gold_asked=0,
        gold_right=0,
    )
    connection.execute(insert(ANNOTATORS), [row_of(annotator)])
    # Who was deleted keeps the number: no one else is called so.
    counted = update(PROJECTS).where(PROJECTS.c.id == project.id).values(annotators=annotator.number)
    connection.execute(counted)
    return annotator


def first(
    connection: Connection, record: type[T], table: Table, *conditions: ColumnElement[bool]
) -> T | None:
    """The record of a row that meets all ``conditions``, None where none does."""
    names = record.__struct_fields__
    row = connection.execute(select(*(table.c[name] for name in names)).where(*conditions).limit(1)).first()
    return None if row is None else msgspec.convert(dict(zip(names, row, strict=True)), record)


def row_of(record: msgspec.Struct) -> dict[str, object]:
    """A record as a row of its table."""
    row: dict[str, object] = msgspec.to_builtins(record)
    return row
