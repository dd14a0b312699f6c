"""Judgements that were given elsewhere, taken into a project."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from msgspec import structs
from sqlalchemy import insert, select

from datasets.annotation.checking import LONGEST_DETAIL, words
from datasets.annotation.counting import judged_by, recount
from datasets.annotation.database import (
    AnnotationDatabase,
    Transaction,
    annotator_by,
    new_annotator,
    project_of,
)
from datasets.annotation.errors import BadProject, UnusableExchange
from datasets.annotation.layout import JUDGEMENTS, SHOWINGS
from datasets.annotation.records import Answer, Project, ProjectAnnotator
from models.storage.rows import next_number
from models.storage.times import now

IMPORTED = "imported as"
"""Under this detail of an annotator stands what the file called them."""


class ImportedJudgement(NamedTuple):
    """A judgement from elsewhere: by whom, as the file calls them, of which item, which, and its key."""

    annotator: str
    item: int
    turn: int
    answer: Answer
    key: str


class TakingIn:
    """What is done with judgements that were given elsewhere."""

    def __init__(self, database: AnnotationDatabase) -> None:
        self._database = database

    def take_in(self, project: int, taken: Iterable[ImportedJudgement]) -> tuple[int, int]:
        """Add judgements of a project's items: how many are new, and how many were there by their keys.

        Each annotator becomes one of the project, the same one every time; gold questions are not counted
        for or against them. Answers are in the places of the item.

        Raises:
            UnknownProject: there is none of that number.
            UnusableExchange: an annotator has judged an item otherwise already; nothing was added.
        """
        by: dict[str, list[ImportedJudgement]] = {}
        for one in taken:
            by.setdefault(one.annotator, []).append(one)
        new = known = 0
        with self._database.writing() as connection:
            transaction = Transaction(connection, now())
            for name, theirs in by.items():
                annotator = _annotator(transaction, project_of(connection, project), name)
                added = _added(transaction, annotator, theirs)
                new, known = new + added, known + len(theirs) - added
                recount(transaction, judged_by(annotator.id))
        return new, known


def _annotator(transaction: Transaction, project: Project, name: str) -> ProjectAnnotator:
    """The annotator that a file calls so, made if there is none yet."""
    try:
        words(name, "an annotator's name", needed=True)
    except BadProject as error:
        raise UnusableExchange(str(error)) from None
    key = str(uuid.uuid5(uuid.NAMESPACE_URL, f"wort:annotator:{name}"))
    return annotator_by(transaction.connection, project, key) or new_annotator(
        transaction, project, key, {IMPORTED: name[:LONGEST_DETAIL]}
    )


def _added(transaction: Transaction, annotator: ProjectAnnotator, taken: Sequence[ImportedJudgement]) -> int:
    """Add what is new of an annotator's judgements, and tell how many those are."""
    connection, of = transaction.connection, JUDGEMENTS.c
    known = set(connection.scalars(select(of.key).where(of.annotator == annotator.id)))
    standing = select(of.item, of.turn).where(of.annotator == annotator.id, of.undone.is_(None))
    stands = {(row.item, row.turn) for row in connection.execute(standing)}
    new = [one for one in taken if one.key not in known]
    if any((one.item, one.turn) in stands for one in new):
        raise UnusableExchange(
            f"{annotator.label} has judged an item of the file already, from another format. Delete that "
            "annotator first."
        )
    if new:
        of_all = [
            {"project": annotator.project, "annotator": annotator.id, "item": one.item, "turn": one.turn}
            for one in new
        ]
        # Each counts as shown when it was taken in.
        judgements = [
            row | structs.asdict(one.answer) | {"key": one.key, "at": transaction.now, "undone": None}
            for row, one in zip(of_all, new, strict=True)
        ]
        showings = [row | {"shown": transaction.now, "answered": transaction.now} for row in of_all]
        for table, rows in ((JUDGEMENTS, judgements), (SHOWINGS, showings)):
            number = next_number(connection, table.c.id)
            connection.execute(insert(table), [row | {"id": number + at} for at, row in enumerate(rows)])
    return len(new)
