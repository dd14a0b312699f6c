"""What is counted of judgements: of each item how many it has, of everybody how far they are."""

from __future__ import annotations

from sqlalchemy import ColumnElement, ScalarSelect, case, func, or_, select, update

from datasets.annotation.database import Transaction
from datasets.annotation.layout import ANNOTATORS, ITEMS, JUDGEMENTS
from datasets.annotation.records import (
    AnnotatorProgress,
    Project,
    ProjectAnnotator,
    ProjectItem,
    ProjectProgress,
)
from models.storage.rows import kept

_I, _J, _A = ITEMS.c, JUDGEMENTS.c, ANNOTATORS.c

KNOWN: ColumnElement[bool] = or_(_J.value.is_not(None), _J.best.is_not(None))
"""Whether a judgement says something else than "I don't know this"."""


def recount(transaction: Transaction, *items: ColumnElement[bool]) -> None:
    """Count the judgements of some items anew: those that stand, of annotators who are not refused."""
    values = {"given": _standing(KNOWN), "unknown": _standing(~KNOWN)}
    transaction.connection.execute(update(ITEMS).where(*items).values(values))


def _standing(condition: ColumnElement[bool]) -> ScalarSelect[int]:
    return (
        select(func.count())
        .select_from(JUDGEMENTS.join(ANNOTATORS))
        .where(_J.item == _I.id, _J.turn == 0, _J.undone.is_(None), _A.refused.is_(None), condition)
        .scalar_subquery()
    )


def judged_by(annotator: int) -> ColumnElement[bool]:
    """The items that an annotator judged, whether the answers stand or not."""
    return _I.id.in_(select(_J.item).where(_J.annotator == annotator))


def answers_of(transaction: Transaction, annotator: int) -> int:
    """How many answers of an annotator stand."""
    query = select(func.count()).select_from(JUDGEMENTS)
    return transaction.connection.scalar(query.where(_J.annotator == annotator, _J.undone.is_(None))) or 0


def progress_of(transaction: Transaction, project: Project) -> ProjectProgress:
    """How far a project is, and each of its annotators."""
    wanted = project.settings.wanted
    with_gold = kept(transaction.connection, ProjectItem, ITEMS, _I.project == project.id)
    items = [item for item in with_gold if item.gold is None]
    return ProjectProgress(
        project=project,
        items=len(items),
        gold=len(with_gold) - len(items),
        complete=sum(item.given >= wanted for item in items),
        judgements=sum(item.given for item in items),
        wanted=len(items) * wanted,
        unknown=sum(item.unknown for item in items),
        annotators=_annotators(transaction, project),
    )


def _annotators(transaction: Transaction, project: Project) -> tuple[AnnotatorProgress, ...]:
    first, stands = _J.turn == 0, _J.undone.is_(None)
    query = (
        select(
            _J.annotator,
            func.sum(case((first & KNOWN, 1), else_=0)),
            func.sum(case((first & ~KNOWN, 1), else_=0)),
            func.sum(case((~first, 1), else_=0)),
            func.max(_J.at),
        )
        .where(_J.project == project.id, stands)
        .group_by(_J.annotator)
    )
    counts = {row[0]: row[1:] for row in transaction.connection.execute(query)}
    annotators = []
    for annotator in kept(transaction.connection, ProjectAnnotator, ANNOTATORS, _A.project == project.id):
        judgements, unknown, repeated, last = counts.get(annotator.id, (0, 0, 0, None))
        annotators.append(
            AnnotatorProgress(
                annotator=annotator,
                judgements=judgements,
                unknown=unknown,
                repeated=repeated,
                last=last,
            )
        )
    return tuple(annotators)
