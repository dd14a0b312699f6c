"""Which pairs are left out together: those of a topic, or where there is none, those that share a concept."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from measures.arrays import Ints

FOLDS = 10
"""Folds that groups of pairs are dealt into where not every pair has a topic."""

MOST_TOPICS = 500
"""Topics that are left out one by one; more are dealt, whole, into a hundred folds."""

Kind = Literal["topics", "topic-groups", "encoder-folds", "components", "hubs"]

MEANING: dict[Kind, str] = {
    "topics": "each topic is left out in turn",
    "topic-groups": "the topics are so many that several, each whole, are left out at once",
    "encoder-folds": "each topic is left out in turn, but those together that an encoder had not seen whose "
    "cosines are learnt from",
    "components": "not every pair has a topic: pairs are grouped so that no concept stands in two folds",
    "hubs": "not every pair has a topic: a pair goes with the more frequent of its concepts, since the pairs "
    "hang together too closely to keep every concept in one fold",
}
"""How the folds of each kind come about, as a report says it."""


@dataclass(frozen=True, slots=True)
class Folds:
    """``number``: each pair's fold, int64[n], from 0 to ``count`` - 1; ``kind``: how they came about.

    ``group``: what of a fold goes together in any case, int64[n]: a topic, or where a pair has none, its
    component or hub. Groups are what is drawn where intervals are made by resampling.
    ``shared``: pairs with a concept that also stands in a pair of another fold. No pair of concepts ever
    does, since the pairs are distinct.
    """

    kind: Kind
    number: Ints
    count: int
    shared: int
    group: Ints

    def of(self, chosen: NDArray[np.bool_]) -> Folds:
        """The folds of the ``chosen`` pairs alone, bool[n], their numbers kept."""
        return replace(self, number=self.number[chosen], group=self.group[chosen])


def folds_of(
    left: Ints,
    right: Ints,
    topics: Sequence[str | None],
    most: int = FOLDS,
    together: Ints | None = None,
) -> Folds:
    """The folds of distinct pairs.

    ``left``, ``right``: concept ids, int64[n]; ``topics``: the topic of each pair, or None. Where each has
    one, the topics are the folds, or groups of topics where they are very many. Otherwise the pairs without
    a topic are grouped, topics stay whole, and groups and topics are dealt into at most ``most`` folds of
    about equal size. ``together``: int64[n], topics with one such number are never in two folds; -1 for none.
    """
    kind: Kind
    alike = _together(topics, together)
    if None not in topics:
        group = _numbered(topics)
        apart = _numbered([alike.get(topic, topic) for topic in topics])
        kind, number = "topics", apart
        if _count(apart) > MOST_TOPICS:
            kind, number = "topic-groups", _dealt(apart, 10 * most)
        elif alike:
            kind = "encoder-folds"
    else:
        bare = np.array([topic is None for topic in topics], np.bool_)
        kind, grouped = "components", _components(left[bare], right[bare])
        if np.bincount(grouped).max() > bare.sum() / most * 2:
            kind, grouped = "hubs", _hubs(left[bare], right[bare])
        units: list[str | int] = [topic or "" for topic in topics]
        for place, unit in zip(np.flatnonzero(bare).tolist(), grouped.tolist(), strict=True):
            units[place] = unit
        group = _numbered(units)
        number = _dealt(_numbered([alike.get(unit, unit) for unit in units]), most)
    return Folds(kind, number, _count(number), shared_between(left, right, number), group)


def _together(topics: Sequence[str | None], together: Ints | None) -> dict[object, tuple[str, int]]:
    """What stands for each topic that goes with others: one thing for all topics of a number from 0 on."""
    if together is None:
        return {}
    numbered = zip(topics, together.tolist(), strict=True)
    return {topic: ("together", number) for topic, number in numbered if number >= 0}


def shared_between(left: Ints, right: Ints, number: Ints) -> int:
    """How many pairs have a concept that a pair of another fold has too."""
    concepts = np.concatenate([left, right])
    places = np.unique(np.stack([concepts, np.concatenate([number, number])]), axis=1)[0]
    values, folds = np.unique(places, return_counts=True)
    spread = values[folds > 1]
    return int((np.isin(left, spread) | np.isin(right, spread)).sum())


def _numbered(units: Sequence[object]) -> Ints:
    places = {unit: place for place, unit in enumerate(dict.fromkeys(units))}
    return np.array([places[unit] for unit in units], np.int64)


def _count(number: Ints) -> int:
    return int(number.max()) + 1 if len(number) else 0


def _components(left: Ints, right: Ints) -> Ints:
    """The number of each pair's connected component, concepts being joined by pairs."""
    concepts, ends = np.unique(np.concatenate([left, right]), return_inverse=True)
    rows, columns = np.split(ends, 2)
    size = (len(concepts), len(concepts))
    graph = coo_array((np.ones(len(left)), (rows, columns)), shape=size)
    labels = connected_components(graph, directed=False)[1]
    return np.asarray(labels[rows], np.int64)


def _hubs(left: Ints, right: Ints) -> Ints:
    """The more frequent concept of each pair; of two as frequent, the one of the lower id."""
    ends, counts = np.unique(np.concatenate([left, right]), return_inverse=True, return_counts=True)[1:]
    of_left, of_right = np.split(counts[ends], 2)
    return np.where((of_left > of_right) | ((of_left == of_right) & (left < right)), left, right)


def _dealt(unit: Ints, most: int) -> Ints:
    """The fold of each pair: units, the largest first, go to the fold that has the fewest pairs."""
    sizes = np.bincount(unit)
    filled = [0] * min(most, len(sizes))
    fold = np.zeros(len(sizes), np.int64)
    for largest in np.argsort(-sizes, kind="stable").tolist():
        fold[largest] = filled.index(min(filled))
        filled[fold[largest]] += int(sizes[largest])
    return fold[unit]
