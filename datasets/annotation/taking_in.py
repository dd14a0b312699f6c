"""Judgements that were given elsewhere, taken into a project."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from sqlalchemy import Connection, insert, select, update

from datasets.annotation.checking import LONGEST_DETAIL, words
from datasets.annotation.counting import judged_by, recount
from datasets.annotation.database import AnnotationDatabase, Place, first, project_of, row_of
from datasets.annotation.errors import BadProject, UnusableExchange
from datasets.annotation.layout import ANNOTATORS, JUDGEMENTS, PROJECTS, SHOWINGS
from datasets.annotation.records import Annotator, Answer, Judgement, Project, Showing
from models.storage.rows import next_number
from models.storage.times import now

IMPORTED = "imported as"
"""Under this detail of an annotator stands what the file called them."""


class Taken(NamedTuple):
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

    def take_in(self, project: int, taken: Iterable[Taken]) -> tuple[int, int]:
        """Add judgements of a project's items: how many are new, and how many were there by their keys.

        Each annotator becomes one of the project, the same one every time; gold questions are not counted
        for or against them. Answers are in the places of the item.

        Raises:
            UnknownProject: there is none of that number.
            UnusableExchange: an annotator has judged an item otherwise already; nothing was added.
        """
        by: dict[str, list[Taken]] = {}
        for one in taken:
            by.setdefault(one.annotator, []).append(one)
        new = known = 0
        with self._database.writing() as connection:
            place = Place(connection, now())
            for name, theirs in by.items():
                annotator = _annotator(place, project_of(connection, project), name)
                added = _added(place, annotator, theirs)
                new, known = new + added, known + len(theirs) - added
                recount(place, judged_by(annotator.id))
        return new, known


def _annotator(place: Place, project: Project, name: str) -> Annotator:
    """The annotator that a file calls so, made if there is none yet."""
    try:
        words(name, "an annotator's name", needed=True)
    except BadProject as error:
        raise UnusableExchange(str(error)) from None
    key = str(uuid.uuid5(uuid.NAMESPACE_URL, f"wort:annotator:{name}"))
    of = ANNOTATORS.c
    found = first(place.connection, Annotator, ANNOTATORS, of.project == project.id, of.key == key)
    if found is not None:
        return found
    annotator = Annotator(
        id=next_number(place.connection, of.id),
        project=project.id,
        number=project.annotators + 1,
        key=key,
        details={IMPORTED: name[:LONGEST_DETAIL]},
        began=place.now,
        refused=None,
        gold_asked=0,
        gold_right=0,
    )
    place.connection.execute(insert(ANNOTATORS), [row_of(annotator)])
    counted = update(PROJECTS).where(PROJECTS.c.id == project.id).values(annotators=annotator.number)
    place.connection.execute(counted)
    return annotator


def _added(place: Place, annotator: Annotator, taken: Sequence[Taken]) -> int:
    """Add what is new of an annotator's judgements, and tell how many those are."""
    connection, of = place.connection, JUDGEMENTS.c
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
        connection.execute(insert(JUDGEMENTS), _judgements(connection, place.now, annotator, new))
        connection.execute(insert(SHOWINGS), _showings(connection, place.now, annotator, new))
    return len(new)


def _judgements(
    connection: Connection, at: str, annotator: Annotator, new: Sequence[Taken]
) -> list[dict[str, object]]:
    number = next_number(connection, JUDGEMENTS.c.id)
    return [
        row_of(
            Judgement(
                id=number + place,
                project=annotator.project,
                annotator=annotator.id,
                item=one.item,
                turn=one.turn,
                key=one.key,
                value=one.answer.value,
                best=one.answer.best,
                worst=one.answer.worst,
                at=at,
                undone=None,
            )
        )
        for place, one in enumerate(new)
    ]


def _showings(
    connection: Connection, at: str, annotator: Annotator, new: Sequence[Taken]
) -> list[dict[str, object]]:
    number = next_number(connection, SHOWINGS.c.id)
    return [
        row_of(
            Showing(
                id=number + place,
                project=annotator.project,
                annotator=annotator.id,
                item=one.item,
                turn=one.turn,
                shown=at,
                answered=at,
            )
        )
        for place, one in enumerate(new)
    ]
