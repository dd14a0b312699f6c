"""What an encoder is shown: pairs of texts, and the share of people who call the two related."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from encoders.texts import described
from measures.arrays import Bools, Floats, Ints
from training.benchmarks.judgements import Benchmark, check_scores
from training.coverage import topics_of
from training.errors import TooFewPairs
from training.tuning.settings import Tuning


class ShownSide(NamedTuple):
    """A side of a pair as it is shown: its title, and whether with the beginning of its article."""

    title: str
    opened: bool


@dataclass(frozen=True, slots=True)
class JudgedTexts:
    """Judged pairs of titles or terms.

    ``left`` and ``right``: as the benchmark has them. ``shares`` float64[n], from 0 to 1. ``topic`` int64[n]
    numbers ``topics``. ``openings``: how the articles of titles begin, of those for which it is known.
    """

    left: tuple[str, ...]
    right: tuple[str, ...]
    shares: Floats
    topic: Ints
    topics: tuple[str, ...]
    openings: Mapping[str, str]

    @classmethod
    def of(cls, benchmark: Benchmark, openings: Mapping[str, str]) -> JudgedTexts:
        """The pairs of a benchmark; where it has no topics, each pair is its own.

        Raises:
            BadRow: a score is outside the benchmark's range.
            TooFewPairs: all pairs are of one topic, so that none could be left out.
        """
        check_scores(benchmark)
        judgements = benchmark.judgements
        topic, topics = topics_of([judgement.topic for judgement in judgements])
        if len(topics) == 1:
            raise TooFewPairs(
                f"{benchmark.name}: all pairs are of the topic {topics[0]}, and what an encoder learnt is "
                "judged by topics that it did not see. Give pairs of several topics, or of none."
            )
        scores = np.array([judgement.score for judgement in judgements])
        return cls(
            tuple(judgement.left for judgement in judgements),
            tuple(judgement.right for judgement in judgements),
            (scores - benchmark.low) / (benchmark.high - benchmark.low),
            topic,
            topics,
            openings,
        )

    def __len__(self) -> int:
        return len(self.shares)

    def only(self, chosen: Bools) -> JudgedTexts:
        """Those pairs that are chosen, bool[n]; topics keep their numbers."""
        left, right = (
            tuple(title for title, kept in zip(side, chosen.tolist(), strict=True) if kept)
            for side in (self.left, self.right)
        )
        return JudgedTexts(left, right, self.shares[chosen], self.topic[chosen], self.topics, self.openings)

    def text(self, side: ShownSide) -> str:
        """What is shown of a side."""
        return described(side.title, self.openings.get(side.title, "") if side.opened else "")


@dataclass(frozen=True, slots=True)
class Batch:
    """What is shown in one step: distinct texts, pairs of their places, and the share of people.

    ``left`` and ``right`` int64[n], places in ``texts``; ``shares`` float64[n].
    """

    texts: tuple[str, ...]
    left: Ints
    right: Ints
    shares: Floats


def batches(pairs: JudgedTexts, settings: Tuning, number: int) -> list[Batch]:
    """The batches of a pass, its ``number`` counted from 0: each pair once, always the same for a seed.

    A batch is of one topic: its pairs share sides, each of which is encoded once, and is shown in one way.
    """
    random = np.random.default_rng([settings.seed, number])
    slices = []
    for topic in np.unique(pairs.topic) if pairs.topics else [None]:
        rows = np.flatnonzero(pairs.topic == topic) if topic is not None else np.arange(len(pairs))
        shuffled = random.permutation(rows)
        slices += [shuffled[at : at + settings.batch] for at in range(0, len(rows), settings.batch)]
    return [_batch(pairs, slices[place], settings, random) for place in random.permutation(len(slices))]


def _batch(pairs: JudgedTexts, rows: Ints, settings: Tuning, random: np.random.Generator) -> Batch:
    titles = dict.fromkeys(side[row] for row in rows.tolist() for side in (pairs.left, pairs.right))
    opened = random.random(len(titles)) < settings.openings
    texts = [
        pairs.text(ShownSide(title, shown)) for title, shown in zip(titles, opened.tolist(), strict=True)
    ]
    place_of = {title: place for place, title in enumerate(titles)}
    return Batch(
        tuple(texts),
        np.array([place_of[pairs.left[row]] for row in rows.tolist()]),
        np.array([place_of[pairs.right[row]] for row in rows.tolist()]),
        pairs.shares[rows],
    )


def dealt(topic: Ints, folds: int, seed: int) -> Ints:
    """The fold of each pair, int64[n]: whole topics, dealt at random, the folds as equal in pairs as can be.

    ``topic`` int64[n]. The largest topics are dealt first, each to the fold with the fewest pairs so far.

    Raises:
        TooFewPairs: there are fewer topics than folds.
    """
    topics, sizes = np.unique(topic, return_counts=True)
    if len(topics) < folds:
        raise TooFewPairs(f"{len(topics)} topics cannot be dealt into {folds} folds. Ask for fewer folds.")
    order = np.random.default_rng(seed).permutation(len(topics))
    order = order[np.argsort(-sizes[order], kind="stable")]
    filled = np.zeros(folds, np.int64)
    fold_of = np.zeros(len(topics), np.int64)
    for place in order.tolist():
        fold_of[place] = filled.argmin()
        filled[fold_of[place]] += sizes[place]
    return np.asarray(fold_of[np.searchsorted(topics, topic)], np.int64)
