"""Best-worst scaling: of a few items at a time, which is the most related and which the least.

Counting gives scores (Orme 2009; Asaadi et al. 2019, section 3.2): the share of its appearances in which an
item was chosen as best, less that in which it was chosen as worst, brought from [−1, 1] to [0, 1].
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from datasets.agreement.judgements import Item
from datasets.agreement.ratios import ratio
from datasets.agreement.split_half import FEWEST, SPLITS, SplitHalf, random_ranks
from measures.arrays import Bools, Floats, Ints


class Choice(NamedTuple):
    """One answer: what an annotator chose of some items, as places among them."""

    annotator: str
    items: tuple[Item, ...]
    best: int
    worst: int


@dataclass(frozen=True, slots=True)
class BestWorst:
    """Answers about tuples of items, as many in each; n answers in all, in the order of time.

    ``tuples``: the places in ``items`` of each tuple's, int64[t, size]. Of each answer, ``annotator`` is a
    place in ``annotators``, ``shown`` one in ``tuples``, ``best`` and ``worst`` are places in ``items``,
    int64[n].
    """

    annotators: tuple[str, ...]
    items: tuple[Item, ...]
    tuples: Ints
    annotator: Ints
    shown: Ints
    best: Ints
    worst: Ints

    @classmethod
    def of(cls, choices: Iterable[Choice]) -> BestWorst:
        """Answers in the order in which they were given; the same items in another order are the same tuple.

        Raises:
            ValueError: tuples are of different sizes, or best and worst are one item.
        """
        annotators: dict[str, int] = {}
        items: dict[str, tuple[int, Item]] = {}
        tuples: dict[tuple[int, ...], int] = {}
        rows = []
        for choice in choices:
            if choice.best == choice.worst:
                raise ValueError("best and worst are one item")
            places = [items.setdefault(item.name, (len(items), item))[0] for item in choice.items]
            shown = tuples.setdefault(tuple(sorted(places)), len(tuples))
            annotator = annotators.setdefault(choice.annotator, len(annotators))
            rows.append((annotator, shown, places[choice.best], places[choice.worst]))
        if len({len(one) for one in tuples}) > 1:
            raise ValueError("tuples are of different sizes")
        columns = np.array(rows, np.int64).reshape(-1, 4).T
        what = tuple(item for _, item in items.values())
        return cls(tuple(annotators), what, np.array(list(tuples), np.int64), *columns)

    def __len__(self) -> int:
        return len(self.best)

    def where(self, kept: Bools) -> BestWorst:
        """Some of the answers, bool[n]; items and tuples stay what they are."""
        columns = {name: getattr(self, name)[kept] for name in ("annotator", "shown", "best", "worst")}
        return replace(self, **columns)

    def appearances(self) -> Ints:
        """In how many answers each item could have been chosen: int64[items]."""
        return np.bincount(self.tuples[self.shown].ravel(), minlength=len(self.items))

    def chosen(self) -> tuple[Ints, Ints]:
        """How often each item was chosen as best, and how often as worst: int64[items] each."""
        size = len(self.items)
        return np.bincount(self.best, minlength=size), np.bincount(self.worst, minlength=size)

    def scores(self) -> Floats:
        """The score of each item in [0, 1], NaN where it never appears: float64[items].

        >>> apple, pear, fig = Item("apple"), Item("pear"), Item("fig")
        >>> said = [Choice("Ann", (apple, pear, fig), 0, 2), Choice("Bob", (apple, pear, fig), 0, 1)]
        >>> BestWorst.of(said).scores().tolist()
        [1.0, 0.25, 0.25]
        """
        best, worst = self.chosen()
        return (ratio(best - worst, self.appearances()) + 1) / 2

    def comparisons(self) -> tuple[Ints, Ints]:
        """What answers say of every two items: which won, int64[m], and which lost to it, int64[m].

        The best wins over each other item of the tuple, and each other over the worst: of four, five
        comparisons an answer.
        """
        others = self.tuples[self.shown]
        best, worst = (np.broadcast_to(of[:, np.newaxis], others.shape) for of in (self.best, self.worst))
        beaten = others != best
        beats = (others != worst) & beaten
        return (
            np.concatenate([best[beaten], others[beats]]),
            np.concatenate([others[beaten], worst[beats]]),
        )


def split_half(answers: BestWorst, splits: int = SPLITS, seed: int = 0) -> SplitHalf:
    """Each tuple's answers split at random in two bins, items scored in each (Asaadi et al. 2019, section 4).

    Items that appear in both bins are correlated. Of an odd number of answers, one bin, drawn at random, has
    one more.
    """
    rng = np.random.default_rng(seed)
    each = np.bincount(answers.shown, minlength=len(answers.tuples))
    r, counted = [], 0
    for _ in range(splits):
        taken = (each + rng.integers(0, 2, len(each))) // 2
        chosen = random_ranks(answers.shown, rng) < taken[answers.shown]
        one, other = (answers.where(of).scores() for of in (chosen, ~chosen))
        both = ~np.isnan(one) & ~np.isnan(other)
        counted = max(counted, int(both.sum()))
        if both.sum() >= FEWEST and np.ptp(one[both]) > 0 and np.ptp(other[both]) > 0:
            r.append(float(np.corrcoef(one[both], other[both])[0, 1]))
    mean, deviation = (float(np.mean(r)), float(np.std(r))) if r else (math.nan, math.nan)
    return SplitHalf(mean, deviation, splits, counted, float(each.mean() / 2) if len(each) else math.nan)
