"""Answers as annotators see their places and as they are kept, and what acknowledges them."""

from __future__ import annotations

from collections.abc import Sequence

from datasets.annotation.database import Transaction, first
from datasets.annotation.draws import shuffled
from datasets.annotation.errors import BadAnswer
from datasets.annotation.gold import right
from datasets.annotation.layout import ITEMS
from datasets.annotation.records import (
    Answer,
    Feedback,
    Project,
    ProjectAnnotator,
    ProjectItem,
    ProjectJudgement,
    Receipt,
)


def seen_order(annotator: ProjectAnnotator, item: ProjectItem) -> Sequence[int]:
    """In which order the annotator sees what the item asks about: places in ``item.asked``."""
    return shuffled(len(item.asked), annotator.key, item.name)


def as_stored(seen: Answer, order: Sequence[int]) -> Answer:
    """An answer whose places are those of the item, from one whose places are those seen."""
    if seen.best is None or seen.worst is None:
        return seen
    return Answer(best=order[seen.best], worst=order[seen.worst])


def as_seen(stored: Answer, order: Sequence[int]) -> Answer:
    """The other way; of a gold question best or worst may be missing."""
    if stored.value is not None:
        return stored
    best, worst = (None if at is None else order.index(at) for at in (stored.best, stored.worst))
    return Answer(best=best, worst=worst)


def receipt_again(
    transaction: Transaction,
    project: Project,
    annotator: ProjectAnnotator,
    before: ProjectJudgement,
    sent: tuple[int, int, Answer],
) -> Receipt:
    """The receipt of what was kept under the same key. Raises: BadAnswer, where it was something else."""
    item = first(transaction.connection, ProjectItem, ITEMS, ITEMS.c.id == before.item)
    order = [] if item is None else seen_order(annotator, item)
    if item is None or sent != (before.item, before.turn, as_seen(before.answer, order)):
        raise BadAnswer("another answer was sent under this key. Make a new one for each answer.")
    return receipt_of(project, before, item, order, annotator.refused is not None, repeated=True)


def receipt_of(
    project: Project,
    judgement: ProjectJudgement,
    item: ProjectItem,
    order: Sequence[int],
    refused: bool,
    *,
    repeated: bool = False,
) -> Receipt:
    """The receipt of a judgement that is kept."""
    feedback = None
    if item.gold is not None:
        feedback = Feedback(
            right=right(judgement.answer, item.gold, project.settings.gold_tolerance),
            expected=as_seen(item.gold, order),
            note=item.note,
        )
    return Receipt(
        judgement=judgement.id,
        item=judgement.item,
        turn=judgement.turn,
        answer=as_seen(judgement.answer, order),
        at=judgement.at,
        repeated=repeated,
        undone=judgement.undone is not None,
        feedback=feedback,
        refused=refused,
    )
