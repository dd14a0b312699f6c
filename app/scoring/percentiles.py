"""Where a score stands among the scores of other pairs of the same snapshot, under the same model."""

from __future__ import annotations

import threading
from bisect import bisect_left, bisect_right
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import NamedTuple

import numpy as np

import measures
from features.catalogue import named
from features.extract import extract
from measures.arrays import Floats, Ints
from models.protocol import RelatednessModel
from snapshots.csr import CSR
from snapshots.snapshot import Snapshot
from wort.schemas.evidence import Percentiles

SAMPLE = 4096
"""Pairs of each kind that are drawn. The percentile 100 p then has a standard error of
100 √(p (1 − p) / 4096): 0.8 at the median, 0.16 at 99. Twice as many would take twice as long before the
first percentile, and from a disk that has not been read yet that is long. Where a snapshot has no more pairs
than that, all are taken, and nothing is estimated."""

SEED = 1
"""What the samples are drawn with: the same snapshot and model have the same percentiles in every process."""

DIGITS = 2
"""Decimals of a percentile: one pair of the sample is 0.02."""

FEW = 8
"""Scores whose ranks are sooner looked up one by one."""

READERS = 16
"""Threads that score the samples: what a solid-state disk reads at once without being slower for each."""

PATIENCE = 0.5
"""Seconds that a server which starts waits for the samples. They take 0.2 to 0.4 where the snapshot is in
memory; from a disk, the rows of 16,000 concepts take the longer, the larger the snapshot."""


class PercentileScale:
    """The percentiles that scores of a model on a snapshot have. Safe to share between threads.

    It is made from the scores of random pairs and of linked pairs, once ``begin`` was called or a percentile
    asked for. Whoever asks earlier than they are there waits.
    """

    def __init__(self, snapshot: Snapshot, model: RelatednessModel) -> None:
        self._snapshot = snapshot
        self._model = model
        self._reads = named(model.reads)
        self._drawn: tuple[Sample, Sample] | None = None
        self._drawing = threading.Lock()

    def begin(self, patience: float = PATIENCE) -> None:
        """Have the samples drawn on a thread of their own, and wait for ``patience`` seconds at most.

        Raises:
            Exception: whatever kept them from being drawn, if it did so within that time.
        """
        drawing = threading.Thread(target=self._try_samples, name="percentiles", daemon=True)
        drawing.start()
        drawing.join(patience)
        if not drawing.is_alive():
            self._samples()

    def of(self, scores: Floats) -> list[Percentiles]:
        """The percentiles of ``scores``, float64[n], in their order."""
        random, linked = self._drawn or self._samples()
        if len(scores) <= FEW:
            return [Percentiles(random.rank(score), linked.rank(score)) for score in scores.tolist()]
        return [
            Percentiles(*of_score)
            for of_score in zip(random.ranks(scores), linked.ranks(scores), strict=True)
        ]

    def _samples(self) -> tuple[Sample, Sample]:
        """The scores of the random pairs and of the linked ones."""
        if self._drawn is None:
            with self._drawing:
                if self._drawn is None:
                    self._drawn = (
                        Sample(self._scores(random_pairs(self._snapshot.concepts, SAMPLE))),
                        Sample(self._scores(linked_pairs(self._snapshot, SAMPLE))),
                    )
        return self._drawn

    def _try_samples(self) -> None:
        # Who asks for a percentile meets what is wrong again.
        with suppress(Exception):
            self._samples()

    def _scores(self, pairs: Pairs) -> Floats:
        # In the order of the tables' rows, so that a disk reads on rather than to and fro; and by several at
        # once, since each waits for the disk most of the time.
        order = np.argsort(pairs.left, kind="stable")
        parts = np.array_split(order, READERS)
        with ThreadPoolExecutor(READERS) as readers:
            values = readers.map(lambda part: self._values(pairs.left[part], pairs.right[part]), parts)
            return self._model.score(np.concatenate(list(values)))

    def _values(self, left: Ints, right: Ints) -> Floats:
        return extract(self._snapshot, left, right, self._reads)


class Pairs(NamedTuple):
    """Pairs of different concepts, int64[n] each."""

    left: Ints
    right: Ints


def random_pairs(concepts: int, count: int) -> Pairs:
    """``count`` pairs of two of so many concepts, each pair as likely; all pairs, if there are no more."""
    if concepts * (concepts - 1) // 2 <= count:
        left, right = np.triu_indices(concepts, 1)
        return Pairs(left.astype(np.int64), right.astype(np.int64))
    random = np.random.default_rng(SEED)
    left = random.integers(0, concepts, count)
    # One of the others: those from the left one on are each one further.
    right = random.integers(0, concepts - 1, count)
    return Pairs(left, right + (right >= left))


def linked_pairs(snapshot: Snapshot, count: int) -> Pairs:
    """``count`` pairs of which the left article links to the right one, each link as likely.

    Both are rows of the snapshot. Every link once, if there are no more than ``count``.
    """
    table = snapshot.csr("out_links")
    places = _links_to_rows(table, snapshot.concepts, count)
    source = np.searchsorted(table.indptr, places, side="right") - 1
    return Pairs(source.astype(np.int64), table.at(places).astype(np.int64))


def _links_to_rows(table: CSR, concepts: int, count: int) -> Ints:
    """The places of ``count`` links whose target is a row, or of all of them."""
    # A whole snapshot need not be read for them; an excerpt, whose links lead beyond its rows, is small.
    known = None if table.columns <= concepts else np.flatnonzero(table.indices < concepts)
    links = table.entries if known is None else len(known)
    few = links <= count
    chosen = np.arange(links) if few else np.random.default_rng(SEED).integers(0, links, count)
    return chosen if known is None else known[chosen]


class Sample:
    """Scores among which others have their ranks. Without any, every rank is None."""

    def __init__(self, scores: Floats) -> None:
        """``scores``: float64[n], in any order."""
        self._scores: Floats = np.sort(scores)
        self._listed: list[float] = self._scores.tolist()
        # By how many are less and how many are no more, added up: twice those below and once those equal.
        both = np.arange(2 * len(scores) + 1)
        self._by_both: Floats | None = None
        if len(scores):
            self._by_both = measures.percentile_rank(0, both, len(scores)).round(DIGITS)

    def ranks(self, scores: Floats) -> list[float] | list[None]:
        """The percentile rank of each of ``scores``, float64[m]."""
        if self._by_both is None:
            return [None] * len(scores)
        less, no_more = (self._scores.searchsorted(scores, side) for side in ("left", "right"))
        ranks: list[float] = self._by_both[less + no_more].tolist()
        return ranks

    def rank(self, score: float) -> float | None:
        """As ``ranks``, of one score."""
        if self._by_both is None:
            return None
        return self._by_both.item(bisect_left(self._listed, score) + bisect_right(self._listed, score))
