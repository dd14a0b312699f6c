"""What annotators said of items, before any of it is made into scores."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from scipy import sparse

from datasets.agreement.ratios import ratio
from measures.arrays import Bools, Floats, Ints


class Item(NamedTuple):
    """What is judged: a pair with its ``name``, by which judgements refer to it.

    ``left``, ``right``: its sides, "" where they are not known; ``topic``: the context in which it is judged,
    None without; ``group``: what items are compared by, a part of speech or a source, None without.
    """

    name: str
    left: str = ""
    right: str = ""
    topic: str | None = None
    group: str | None = None


class Judged(NamedTuple):
    """One judgement: who said what of which item."""

    annotator: str
    item: Item
    value: float


@dataclass(frozen=True, slots=True)
class Judgements:
    """Judgements of items by annotators, of whom each has judged some: n in all, in the order of time.

    ``annotators``: their names; ``items``: what was judged. Of each judgement, ``annotator`` and ``item`` are
    places in these, int64[n], ``value`` is what was said, float64[n], and ``turn`` tells repetitions: 0 where
    the annotator saw the item for the first time, 1 for the second, int64[n].
    """

    annotators: tuple[str, ...]
    items: tuple[Item, ...]
    annotator: Ints
    item: Ints
    value: Floats
    turn: Ints

    @classmethod
    def of(cls, judged: Iterable[Judged]) -> Judgements:
        """Judgements in the order in which they were given; an item is known by its name.

        >>> apple, pear = Item("apple"), Item("pear")
        >>> given = Judgements.of([Judged("Ann", apple, 1), Judged("Bob", apple, 0), Judged("Ann", pear, 1)])
        >>> given.matrix().tolist()
        [[1.0, 0.0], [1.0, nan]]
        """
        annotators: dict[str, int] = {}
        items: dict[str, tuple[int, Item]] = {}
        seen: dict[tuple[int, int], int] = {}
        rows = []
        for who, what, value in judged:
            annotator = annotators.setdefault(who, len(annotators))
            item, _ = items.setdefault(what.name, (len(items), what))
            turn = seen[annotator, item] = seen.get((annotator, item), -1) + 1
            rows.append((annotator, item, value, turn))
        columns = list(zip(*rows, strict=True)) or [(), (), (), ()]
        return cls(
            tuple(annotators),
            tuple(what for _, what in items.values()),
            np.array(columns[0], np.int64),
            np.array(columns[1], np.int64),
            np.array(columns[2], np.float64),
            np.array(columns[3], np.int64),
        )

    @classmethod
    def of_matrix(
        cls, values: Floats, items: Iterable[Item] = (), annotators: Iterable[str] = ()
    ) -> Judgements:
        """Judgements from float64[items, annotators], NaN where there is none; places can be names."""
        what = tuple(items) or tuple(Item(str(place)) for place in range(values.shape[0]))
        who = tuple(annotators) or tuple(str(place) for place in range(values.shape[1]))
        item, annotator = np.nonzero(~np.isnan(values))
        return cls(who, what, annotator, item, values[item, annotator], np.zeros(len(item), np.int64))

    def __len__(self) -> int:
        return len(self.value)

    @property
    def first(self) -> Judgements:
        """Without repetitions: what each annotator said of an item when it was new."""
        return self if not self.turn.any() else self._where(self.turn == 0)

    @property
    def categories(self) -> Floats:
        """The values that occur, ascending: float64[k]."""
        return np.unique(self.value)

    def matrix(self) -> Floats:
        """First judgements as float64[items, annotators], NaN where there is none."""
        first = self.first
        filled = np.full((len(self.items), len(self.annotators)), np.nan)
        filled[first.item, first.annotator] = first.value
        return filled

    def sparse(self, value: Floats) -> sparse.csr_array:
        """First judgements with other values, float64[n of ``first``]: sparse [items, annotators]."""
        first = self.first
        shape = len(self.items), len(self.annotators)
        return sparse.csr_array((value, (first.item, first.annotator)), shape=shape)

    def each(self) -> Ints:
        """How many annotators judged each item: int64[items]."""
        return np.bincount(self.first.item, minlength=len(self.items))

    def common(self) -> Ints:
        """How many items each two annotators both judged, on the diagonal each alone: int64[n, n]."""
        given = self.sparse(np.ones(len(self.first)))
        return np.asarray((given.T @ given).toarray()).astype(np.int64)

    def means(self) -> Floats:
        """The mean of the first judgements of each item: float64[items], NaN where there is none."""
        first = self.first
        return ratio(np.bincount(first.item, first.value, len(self.items)), self.each())

    def only(self, annotators: Bools | None = None, items: Bools | None = None) -> Judgements:
        """Those by some annotators, bool[annotators], of some items, bool[items]; the rest is forgotten."""
        who = np.ones(len(self.annotators), bool) if annotators is None else annotators
        what = np.ones(len(self.items), bool) if items is None else items
        kept = self._where(who[self.annotator] & what[self.item])
        return replace(
            kept,
            annotators=tuple(self.annotators[place] for place in np.flatnonzero(who)),
            items=tuple(self.items[place] for place in np.flatnonzero(what)),
            annotator=(np.cumsum(who) - 1)[kept.annotator],
            item=(np.cumsum(what) - 1)[kept.item],
        )

    def _where(self, kept: Bools) -> Judgements:
        return replace(
            self,
            annotator=self.annotator[kept],
            item=self.item[kept],
            value=self.value[kept],
            turn=self.turn[kept],
        )
