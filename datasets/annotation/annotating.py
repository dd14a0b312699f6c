"""What annotators do: begin, see what to judge, answer, take an answer back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sqlalchemy import insert, update

from datasets.annotation.checking import checked_answer, checked_details, checked_key
from datasets.annotation.counting import recount
from datasets.annotation.database import (
    AnnotationDatabase,
    Transaction,
    annotator_by,
    first,
    new_annotator,
    row_of,
)
from datasets.annotation.desks import desk_of, undoable_of
from datasets.annotation.errors import (
    AlreadyAnswered,
    AnnotatorRefused,
    NotAssigned,
    NothingToUndo,
    ProjectClosed,
    UnknownLink,
)
from datasets.annotation.gold import count_gold, right
from datasets.annotation.layout import ANNOTATORS, ITEMS, JUDGEMENTS, SHOWINGS
from datasets.annotation.linking import made_link, opened
from datasets.annotation.receipts import as_seen, as_stored, receipt_again, receipt_of, seen_order
from datasets.annotation.records import (
    Answer,
    Desk,
    Project,
    ProjectAnnotator,
    ProjectItem,
    ProjectJudgement,
    Receipt,
    Showing,
)
from models.storage.rows import NUMBERS, next_number
from models.storage.times import now

_A, _I, _J, _S = ANNOTATORS.c, ITEMS.c, JUDGEMENTS.c, SHOWINGS.c


class Annotating:
    """What is done with an annotator's link, or an invitation."""

    def __init__(self, database: AnnotationDatabase) -> None:
        self._database = database

    def begin(
        self, token: str, key: str, details: Mapping[str, str] | None = None
    ) -> tuple[ProjectAnnotator, str]:
        """Make an annotator of who follows an invitation. Told beside is the token of their own link.

        ``key``: which click it was, a UUID; the same again is the same annotator, with another token.
        ``details``: what the owner asks for, by name; nothing else is taken.

        Raises:
            UnknownLink: it is no invitation that is in force.
            ProjectClosed: nobody may begin any more.
            BadAnswer: the key is no UUID, or the details are not those that are asked for.
        """
        with self._database.writing() as connection:
            transaction = Transaction(connection, now())
            project = opened(transaction, token, "invitation").project
            checked = checked_key(key)
            annotator = annotator_by(connection, project, checked)
            if annotator is None:
                _check_open(project)
                said = checked_details(details or {}, project.settings.details)
                annotator = new_annotator(transaction, project, checked, said)
            _, own = made_link(transaction, project.id, "annotator", annotator=annotator.id)
        return annotator, own

    def desk(self, token: str, ahead: int = 1) -> Desk:
        """What to show an annotator now; what is to be judged counts as assigned to them from then on.

        ``ahead``: so many items at the most, for a page that goes on while the network is gone.

        Raises:
            UnknownLink: it is no annotator's link that is in force.
        """
        with self._database.writing() as connection:
            transaction = Transaction(connection, now())
            return desk_of(transaction, *_opened(transaction, token), ahead)

    def submit(self, token: str, item: int, turn: int, answer: Answer, key: str) -> Receipt:
        """Keep an answer. The same ``key``, a UUID, again tells the same receipt and changes nothing.

        ``answer``: the places of best and worst are those in which the item was shown.

        Raises:
            UnknownLink: it is no annotator's link that is in force.
            BadAnswer: the item takes no such answer; the key is no UUID, or was sent with another answer.
            NotAssigned: this annotator was never shown the item.
            AlreadyAnswered: an answer under another key stands; it is told.
            ProjectClosed, AnnotatorRefused: no answers are taken. Who sent one before learns of its receipt.
        """
        with self._database.writing() as connection:
            transaction = Transaction(connection, now())
            project, annotator = _opened(transaction, token)
            checked = checked_key(key)
            before = first(
                connection, ProjectJudgement, JUDGEMENTS, _J.annotator == annotator.id, _J.key == checked
            )
            if before is not None:
                return receipt_again(transaction, project, annotator, before, (item, turn, answer))
            showing, shown_item = _shown(transaction, annotator, item, turn)
            order = seen_order(annotator, shown_item)
            said = checked_answer(answer, project.kind, project.settings, len(shown_item.asked))
            stored = as_stored(said, order)
            _check_taken(transaction, showing, order)
            _check_open(project)
            _check_welcome(annotator)
            judgement = ProjectJudgement(
                id=next_number(connection, _J.id),
                project=project.id,
                annotator=annotator.id,
                item=item,
                turn=turn,
                key=checked,
                value=stored.value,
                best=stored.best,
                worst=stored.worst,
                at=transaction.now,
                undone=None,
            )
            connection.execute(insert(JUDGEMENTS), [row_of(judgement)])
            answered = update(SHOWINGS).where(_S.id == showing.id).values(answered=transaction.now)
            connection.execute(answered)
            recount(transaction, _I.id == item)
            refused = False
            if shown_item.gold is not None and not stored.unknown:
                rightly = right(stored, shown_item.gold, project.settings.gold_tolerance)
                refused = count_gold(transaction, annotator, rightly, project.settings)
            return receipt_of(project, judgement, shown_item, order, refused)

    def undo(self, token: str, judgement: int) -> Desk:
        """Take back the last answer, which is that of the number; tell what to show: its item again.

        A second time, as by a double click, nothing more is taken back.

        Raises:
            UnknownLink: it is no annotator's link that is in force.
            NothingToUndo: it is not the annotator's last answer, or was to a gold question.
            ProjectClosed, AnnotatorRefused: nothing is changed any more.
        """
        with self._database.writing() as connection:
            transaction = Transaction(connection, now())
            project, annotator = _opened(transaction, token)
            own = _J.annotator == annotator.id
            known = 0 < judgement < NUMBERS
            named = (
                first(connection, ProjectJudgement, JUDGEMENTS, own, _J.id == judgement) if known else None
            )
            if named is None:
                raise NothingToUndo("there is no such answer of yours.")
            if named.undone is None:
                _check_open(project)
                _check_welcome(annotator)
                if judgement != undoable_of(transaction, annotator):
                    raise NothingToUndo(
                        "only the last answer can be taken back, and none to a question whose solution was "
                        "shown."
                    )
                ended = update(JUDGEMENTS).where(_J.id == judgement).values(undone=transaction.now)
                connection.execute(ended)
                connection.execute(
                    update(SHOWINGS)
                    .where(_S.annotator == annotator.id, _S.item == named.item, _S.turn == named.turn)
                    .values(answered=None, shown=transaction.now)
                )
                recount(transaction, _I.id == named.item)
            return desk_of(transaction, project, annotator, 1)


def _opened(transaction: Transaction, token: str) -> tuple[Project, ProjectAnnotator]:
    access = opened(transaction, token, "annotator")
    if access.annotator is None:
        raise UnknownLink("this link does not work, or no longer. Ask whoever gave it to you for another.")
    return access.project, access.annotator


def _check_open(project: Project) -> None:
    if project.closed is not None:
        raise ProjectClosed("the project is closed: no answers are taken any more. Thank you for yours.")


def _check_welcome(annotator: ProjectAnnotator) -> None:
    if annotator.refused is not None:
        raise AnnotatorRefused("too many control questions were answered otherwise than expected.")


def _shown(
    transaction: Transaction, annotator: ProjectAnnotator, item: int, turn: int
) -> tuple[Showing, ProjectItem]:
    """That an item was shown to the annotator, and the item. Raises: NotAssigned."""
    conditions = (_S.annotator == annotator.id, _S.item == item, _S.turn == turn)
    in_range = 0 < item < NUMBERS and 0 <= turn < NUMBERS
    showing = first(transaction.connection, Showing, SHOWINGS, *conditions) if in_range else None
    shown_item = None if showing is None else first(transaction.connection, ProjectItem, ITEMS, _I.id == item)
    if showing is None or shown_item is None:
        raise NotAssigned("this was never shown to you under this link, so that no answer to it is taken.")
    return showing, shown_item


def _check_taken(transaction: Transaction, showing: Showing, order: Sequence[int]) -> None:
    stands = first(
        transaction.connection,
        ProjectJudgement,
        JUDGEMENTS,
        _J.annotator == showing.annotator,
        _J.item == showing.item,
        _J.turn == showing.turn,
        _J.undone.is_(None),
    )
    if stands is not None:
        raise AlreadyAnswered(
            "you have answered this already, perhaps in another window. Take that answer back to change it.",
            as_seen(stands.answer, order),
        )
