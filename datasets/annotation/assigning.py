"""Which item an annotator is shown next.

Never one that they were shown before, but for declared repetitions; of the others one that needs judgements
most: the fewest are given, or will be by those to whom it is shown now. Among equals chance decides, for
each annotator another. Gold questions come in by their share, at places that cannot be foreseen.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from sqlalchemy import (
    BigInteger,
    ColumnElement,
    FromClause,
    cast,
    exists,
    func,
    insert,
    or_,
    select,
    update,
)

from datasets.annotation.database import Transaction, row_of
from datasets.annotation.draws import PRIME, chosen, drawn
from datasets.annotation.layout import ITEMS, JUDGEMENTS, SHOWINGS
from datasets.annotation.records import Project, ProjectAnnotator, Showing
from models.storage.rows import kept, next_number
from models.storage.times import later

_I, _S, _J = ITEMS.c, SHOWINGS.c, JUDGEMENTS.c
_JUDGED = ITEMS.join(JUDGEMENTS)

_CANDIDATES = 16
"""Among so many neighbours in the order of their numbers the next item is chosen, so that one behind a wide
gap is hardly likelier than others."""


class Assigning:
    """What is shown to an annotator of a project, in a transaction of its database."""

    def __init__(self, transaction: Transaction, project: Project, annotator: ProjectAnnotator) -> None:
        self._connection, self._now = transaction
        self._project, self._annotator = project, annotator
        self._settings = project.settings
        self._names = project.id, annotator.key

    def shown(self, count: int) -> list[Showing]:
        """What waits for the annotator's answer, filled up to ``count``; fewer where there is no more."""
        waiting = self._waiting()[:count]
        stale = [showing.id for showing in waiting if showing.shown <= self._held_since]
        if stale:
            self._connection.execute(update(SHOWINGS).where(_S.id.in_(stale)).values(shown=self._now))
        while len(waiting) < count:
            upcoming = self._next()
            if upcoming is None:
                break
            waiting.append(self._show(*upcoming))
        return waiting

    def left(self) -> int:
        """About how many items the annotator has still to judge, with all that wait for an answer."""
        given = select(_I.given).where(_I.id == _S.item, _I.gold.is_(None)).scalar_subquery()
        own = _S.annotator == self._annotator.id
        seen = self._count(SHOWINGS, own, _S.turn == 0, given < self._settings.wanted)
        fresh = self._count(ITEMS, self._needing()) - seen
        again = self._count(_JUDGED, self._to_repeat()) if self._settings.repeat_share else 0
        return fresh + again + len(self._waiting())

    def until(self) -> str | None:
        """When there may be something to judge again, where there is nothing now; None for never."""
        times = []
        if self._connection.scalar(select(_I.id).where(self._needing(), self._unseen()).limit(1)) is not None:
            # They are shown to others, who may leave them.
            query = select(func.min(_S.shown)).where(
                _S.project == self._project.id, _S.answered.is_(None), _S.shown > self._held_since
            )
            shown = self._connection.scalar(query)
            times.append(later(shown or self._now, self._settings.hold))
        if self._settings.repeat_share:
            query = select(func.min(_J.at)).select_from(_JUDGED).where(self._to_repeat())
            answered = self._connection.scalar(query)
            if answered is not None:
                times.append(later(answered, self._settings.repeat_after))
        return min(times, default=None)

    @property
    def _asked(self) -> ColumnElement[bool]:
        """The items that are asked about, and are no gold questions."""
        return (_I.project == self._project.id) & _I.gold.is_(None)

    @property
    def _held_since(self) -> str:
        """What was shown before, and has no answer, no longer counts as if it had."""
        return later(self._now, -self._settings.hold)

    def _waiting(self) -> list[Showing]:
        """What was shown to the annotator and has no answer, the first one first.

        Without what they left so long that others have answered it instead.
        """
        full = exists().where(
            _I.id == _S.item, _I.gold.is_(None), _I.given >= self._settings.wanted, _S.turn == 0
        )
        return kept(
            self._connection,
            Showing,
            SHOWINGS,
            _S.annotator == self._annotator.id,
            _S.answered.is_(None),
            or_(_S.shown > self._held_since, ~full),
        )

    def _next(self) -> tuple[int, int] | None:
        """An item, and in which turn it is to be shown."""
        step = self._count(SHOWINGS, _S.annotator == self._annotator.id)
        golden = chosen(step, self._settings.gold_share, *self._names, "gold")
        item = self._gold(step) if golden else None
        if item is not None:
            return item, 0
        often = min(1.0, 2 * self._settings.repeat_share)
        repeated = chosen(step, often, *self._names, "again")
        for turn in (1, 0) if repeated else (0, 1):
            item = self._again() if turn else self._fresh(step)
            if item is not None:
                return item, turn
        return None

    def _fresh(self, step: int) -> int | None:
        """An item that needs a judgement most, of those that nobody is shown now or of the others."""
        counts = self._shown_now()
        level = min(counts.values(), default=self._settings.wanted)
        lowest = [item for item, count in counts.items() if count == level]
        for below in self._levels(level):
            free = self._some(step, self._asked, _I.given == below)
            if free:
                return self._best(step, free if below < level else [*free, *lowest])
        return self._best(step, lowest)

    def _shown_now(self) -> dict[int, int]:
        """What others are shown and the annotator may be, with the number of judgements to be expected."""
        query = (
            select(_S.item, func.count())
            .where(
                _S.project == self._project.id,
                _S.answered.is_(None),
                _S.shown > self._held_since,
                _S.turn == 0,
            )
            .group_by(_S.item)
        )
        held = {row[0]: row[1] for row in self._connection.execute(query)}
        if not held:
            return {}
        of_these = select(_I.id, _I.given).where(_I.id.in_(held), self._needing(), self._unseen())
        expected = {item: given + held[item] for item, given in self._connection.execute(of_these)}
        return {item: count for item, count in expected.items() if count < self._settings.wanted}

    def _levels(self, last: int) -> Iterator[int]:
        """The numbers of judgements that items of the project have, to ``last``, from the least on."""
        level = -1
        while level < last:
            higher = self._connection.scalar(select(func.min(_I.given)).where(self._asked, _I.given > level))
            if higher is None or higher > min(last, self._settings.wanted - 1):
                return
            level = higher
            yield level

    def _gold(self, step: int) -> int | None:
        """A gold question."""
        return self._best(step, self._some(step, _I.project == self._project.id, _I.gold.is_not(None)))

    def _some(self, step: int, *conditions: ColumnElement[bool]) -> list[int]:
        """A few items, which the annotator did not see and nobody is shown, from somewhere onwards.

        They are looked for in the order of their numbers, by pages that grow: asked for what is unseen and
        first in order, a database looks at all that is unseen before it puts it in order.
        """
        start = drawn(*self._names, step)
        free: list[int] = []
        for begin, end in ((start, PRIME), (0, start)):
            after, size = begin, 4 * _CANDIDATES
            while len(free) < _CANDIDATES:
                query = select(_I.id, _I.draw).where(*conditions, _I.draw >= after, _I.draw < end)
                page = self._connection.execute(query.order_by(_I.draw).limit(size)).all()
                taken = self._taken([row.id for row in page])
                free += [row.id for row in page if row.id not in taken]
                if len(page) < size:
                    break
                after, size = page[-1].draw + 1, 2 * size
        return free[:_CANDIDATES]

    def _taken(self, items: Sequence[int]) -> set[int]:
        """Of some items those that the annotator was shown, or that somebody is shown now."""
        shown_now = _S.answered.is_(None) & (_S.shown > self._held_since) & (_S.turn == 0)
        query = select(_S.item).where(_S.item.in_(items), (_S.annotator == self._annotator.id) | shown_now)
        return set(self._connection.scalars(query)) if items else set()

    def _best(self, step: int, items: Sequence[int]) -> int | None:
        return min(items, key=lambda item: drawn(*self._names, step, item), default=None)

    def _again(self) -> int | None:
        """An item to be repeated: long enough ago, what was judged first."""
        if not self._settings.repeat_share:
            return None
        due = _J.at <= later(self._now, -self._settings.repeat_after)
        query = select(_I.id).select_from(_JUDGED).where(self._to_repeat(), due).order_by(_J.id).limit(1)
        return self._connection.scalar(query)

    def _to_repeat(self) -> ColumnElement[bool]:
        """Items, with the annotator's judgements, that are among those to be repeated and were not yet."""
        again = exists().where(_S.item == _I.id, _S.annotator == self._annotator.id, _S.turn == 1)
        known = or_(_J.value.is_not(None), _J.best.is_not(None))
        return (
            self._asked
            & self._is_repeated()
            & ((_J.annotator == self._annotator.id) & (_J.turn == 0) & _J.undone.is_(None) & known)
            & ~again
        )

    def _needing(self) -> ColumnElement[bool]:
        return self._asked & (_I.given < self._settings.wanted)

    def _unseen(self) -> ColumnElement[bool]:
        # Counted, so that PostgreSQL looks each item up as it comes to it, and joins no tables for one item.
        seen = select(func.count()).where(_S.item == _I.id, _S.annotator == self._annotator.id)
        return seen.correlate(ITEMS).scalar_subquery() == 0

    def _is_repeated(self) -> ColumnElement[bool]:
        """Whether an item is among those that the annotator is to judge again."""
        moved: ColumnElement[Any] = cast(_I.draw, BigInteger) + drawn(*self._names, "repeat")
        return moved % PRIME < int(self._settings.repeat_share * PRIME)

    def _count(self, source: FromClause, *conditions: ColumnElement[bool]) -> int:
        return self._connection.scalar(select(func.count()).select_from(source).where(*conditions)) or 0

    def _show(self, item: int, turn: int) -> Showing:
        showing = Showing(
            id=next_number(self._connection, _S.id),
            project=self._project.id,
            annotator=self._annotator.id,
            item=item,
            turn=turn,
            shown=self._now,
            answered=None,
        )
        self._connection.execute(insert(SHOWINGS), [row_of(showing)])
        return showing
