"""From judgements to concepts: what a snapshot covers of a benchmark, and what it does not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import msgspec
import numpy as np
from numpy.typing import NDArray

from measures.arrays import Floats, Ints
from snapshots.naming.resolution import Resolution
from training.benchmarks.judgements import Benchmark, Judgement
from training.progress import Progress

_AT_ONCE = 100
"""Titles that are resolved between two steps of progress."""


class Resolves(Protocol):
    """What resolves titles: ``snapshots.naming.resolver.Resolver``."""

    def resolve_many(self, references: Sequence[str | int]) -> list[Resolution]:
        """What each reference was found to be, in order."""


class UnresolvedTitle(msgspec.Struct, frozen=True):
    """A title without a concept. ``reason``: the resolution's status; ``pairs``: how many pairs name it."""

    title: str
    reason: str
    pairs: int


class Coverage(msgspec.Struct, frozen=True):
    """How much of a benchmark could be judged.

    ``pairs``: judgements that were read; ``resolved``: those with a concept on both sides; ``identical``:
    those of the resolved whose sides are one concept; ``other_split``: rows left unread; ``absent``: rows
    left out because the file says that a side has no article; ``unresolved``: the titles that stood in the
    way, those of the most pairs first.
    """

    pairs: int
    resolved: int
    identical: int
    other_split: int
    unresolved: tuple[UnresolvedTitle, ...]
    absent: int = 0


@dataclass(frozen=True, slots=True)
class CoveredPairs:
    """The resolved pairs, in the order of their file: four arrays [n] and the topics' names.

    ``left``, ``right``: concept ids; ``scores``: what people said; ``topic``: a number for each pair's topic,
    its place in ``topics``. Where a pair has no topic, ``topics`` is empty, and each pair without one has a
    number of its own: the number is the unit that is resampled. ``judgements``: the n rows as the file has
    them; empty where the pairs are of no file.
    """

    left: Ints
    right: Ints
    scores: Floats
    topic: Ints
    topics: tuple[str, ...]
    judgements: tuple[Judgement, ...] = ()

    @property
    def identical(self) -> NDArray[np.bool_]:
        """Which pairs are of one concept with itself; their score is 1 and no model is asked."""
        return np.equal(self.left, self.right)


def cover(
    benchmark: Benchmark, resolver: Resolves, progress: Progress | None = None
) -> tuple[CoveredPairs, Coverage]:
    """The pairs of ``benchmark`` whose concepts ``resolver`` finds, and what became of the others.

    ``progress`` counts the titles.
    """
    titles = list(dict.fromkeys(title for pair in benchmark.judgements for title in (pair.left, pair.right)))
    resolved: dict[str, Resolution] = {}
    for start in range(0, len(titles), _AT_ONCE):
        asked = titles[start : start + _AT_ONCE]
        resolved.update(zip(asked, resolver.resolve_many(asked), strict=True))
        if progress is not None:
            progress(len(resolved), len(titles))
    for title, possible in benchmark.spellings.items():
        spelt = [one for one in resolver.resolve_many(possible) if one.status == "ok"]
        # Two spellings with an article each leave the title in doubt, unless a redirect makes them one.
        if len({one.concept for one in spelt}) == 1:
            resolved[title] = spelt[0]
    missing = {title for title, one in resolved.items() if one.status != "ok"}
    covered = [pair for pair in benchmark.judgements if not {pair.left, pair.right} & missing]
    sides = (dict.fromkeys((pair.left, pair.right)) for pair in benchmark.judgements)
    in_the_way = Counter(title for titles in sides for title in titles if title in missing)
    left = np.array([resolved[pair.left].concept for pair in covered], np.int64)
    right = np.array([resolved[pair.right].concept for pair in covered], np.int64)
    topic, topics = topics_of([pair.topic for pair in covered])
    scores = np.array([pair.score for pair in covered], np.float64)
    pairs = CoveredPairs(left, right, scores, topic, topics, tuple(covered))
    unresolved = tuple(
        UnresolvedTitle(title, resolved[title].status, count) for title, count in in_the_way.most_common()
    )
    return pairs, Coverage(
        len(benchmark.judgements),
        len(covered),
        int(pairs.identical.sum()),
        benchmark.other_split,
        unresolved,
        benchmark.absent,
    )


def topics_of(names: Sequence[str | None]) -> tuple[Ints, tuple[str, ...]]:
    """The number of each pair's topic, and the topics' names by number, in the order of their first pair.

    Where a pair has no topic (None), there are no names, and that pair gets a number of its own.
    """
    places: dict[str | tuple[int], int] = {}
    number = [
        places.setdefault((place,) if name is None else name, len(places)) for place, name in enumerate(names)
    ]
    topics = () if None in names else tuple(str(name) for name in places)
    return np.array(number, np.int64), topics
