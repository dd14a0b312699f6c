"""All that an annotator's page shows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from sqlalchemy import select

from datasets.annotation.assigning import Assigning
from datasets.annotation.counting import answers_of
from datasets.annotation.database import Transaction, first
from datasets.annotation.layout import ITEMS, JUDGEMENTS
from datasets.annotation.receipts import seen_order
from datasets.annotation.records import (
    Desk,
    OwnProgress,
    Project,
    ProjectAnnotator,
    ProjectItem,
    Showing,
    Shown,
)

_I, _J = ITEMS.c, JUDGEMENTS.c

AHEAD = 50
"""The most items that are shown to an annotator at once."""


def desk_of(transaction: Transaction, project: Project, annotator: ProjectAnnotator, ahead: int) -> Desk:
    """What to show an annotator; what is to be judged is assigned to them."""
    assigning = Assigning(transaction, project, annotator)
    asked: list[Showing] = []
    until = None
    working = project.closed is None and annotator.refused is None
    if working:
        asked = assigning.shown(min(max(ahead, 1), AHEAD))
        until = None if asked else assigning.until()
    answered = answers_of(transaction, annotator.id)
    session = project.settings.session
    return Desk(
        project=project,
        annotator=annotator,
        state=_state(project, annotator, asked, until),
        shown=_as_shown(transaction, annotator, asked),
        until=until,
        progress=OwnProgress(
            answered=answered,
            left=assigning.left() if working else 0,
            session=answered % session,
            pause=answered > 0 and answered % session == 0,
        ),
        undoable=undoable_of(transaction, annotator) if working else None,
    )


def _state(
    project: Project, annotator: ProjectAnnotator, asked: Sequence[Showing], until: str | None
) -> Literal["ask", "wait", "done", "closed", "refused"]:
    if annotator.refused is not None:
        return "refused"
    if project.closed is not None:
        return "closed"
    if asked:
        return "ask"
    return "done" if until is None else "wait"


def _as_shown(
    transaction: Transaction, annotator: ProjectAnnotator, asked: Sequence[Showing]
) -> tuple[Shown, ...]:
    shown = []
    for showing in asked:
        item = first(transaction.connection, ProjectItem, ITEMS, _I.id == showing.item)
        if item is not None:
            what = tuple(item.asked[at] for at in seen_order(annotator, item))
            shown.append(Shown(item=item.id, turn=showing.turn, asked=what, topic=item.topic))
    return tuple(shown)


def undoable_of(transaction: Transaction, annotator: ProjectAnnotator) -> int | None:
    """The last answer that stands, unless it was to a gold question."""
    query = (
        select(_J.id, _I.gold)
        .select_from(JUDGEMENTS.join(ITEMS))
        .where(_J.annotator == annotator.id, _J.undone.is_(None))
        .order_by(_J.id.desc())
        .limit(1)
    )
    last = transaction.connection.execute(query).first()
    return None if last is None or last.gold is not None else last.id
