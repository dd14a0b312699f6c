"""Pairs of concepts in, their features out."""

from __future__ import annotations

from collections.abc import Sequence
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import ArrayLike, NDArray

from features import kernels
from features.catalogue import FEATURES
from features.feature import ConceptFeature
from features.gathering import Gatherer
from jit.formulas import measured
from measures.arrays import Floats, Ints
from snapshots.errors import damaged
from snapshots.snapshot import Snapshot

BLOCK = 8192
"""Pairs whose evidence is held at once: few enough that it stays in the processor's cache."""


def extract(
    snapshot: Snapshot,
    left: ArrayLike,
    right: ArrayLike,
    features: Sequence[ConceptFeature] = FEATURES,
    block: int = BLOCK,
) -> Floats:
    """The features of pairs of concepts: float64[n, k], a column for each of ``features``.

    ``left`` and ``right``: the concepts' ids, integers [n]. Only the evidence that the features ask for is
    gathered, that of ``block`` pairs at a time. Row i depends on pair i alone, to the last bit; every value
    is finite and in its feature's declared range. A call with no pairs returns float64[0, k] and leaves every
    kernel compiled.

    Raises:
        TypeError: an id is not an integer.
        ValueError: the ids do not come as two sequences of one length.
        IndexError: an id is not a concept of the snapshot; the message names the first such id.
        DamagedSnapshot: a table cannot be read, or holds what no table holds, so that a value is not finite.
    """
    first, second = _ids(left, snapshot.concepts), _ids(right, snapshot.concepts)
    if len(first) != len(second):
        raise ValueError(f"{len(first):,} left concepts and {len(second):,} right ones do not make pairs")
    extractor = extractor_of(snapshot, features)
    values = np.empty((len(first), len(features)))
    for start in range(0, max(len(first), 1), block):
        some = slice(start, start + block)
        values[some] = extractor(first[some], second[some]).T
    if not kernels.all_finite(values):
        wrong = np.flatnonzero(~np.isfinite(values).all(axis=0)).tolist()
        names = ", ".join(features[column].name for column in wrong)
        raise damaged(snapshot.folder, f"its tables give no number for {names}")
    return values


class Extractor:
    """What computes some features over one snapshot: their tables opened, and where each finds its evidence.

    Raises:
        DamagedSnapshot: a table is not what the kernels can read.
    """

    def __init__(self, snapshot: Snapshot, features: Sequence[ConceptFeature]) -> None:
        self._gatherer = Gatherer(snapshot, (item for feature in features for item in feature.evidence))
        self._measures = [
            (measured(feature.measure), self._gatherer.rows(feature.evidence)) for feature in features
        ]

    def __call__(self, left: Ints, right: Ints) -> Floats:
        """The features of pairs, int64[n] both, whose ids are trusted: float64[features, n]."""
        evidence = self._gatherer.gather(left, right)
        values = np.empty((len(self._measures), len(left)))
        for row, (measure, taken) in enumerate(self._measures):
            measure(evidence, taken, values, row)
        return values


_EXTRACTORS: WeakKeyDictionary[Snapshot, dict[tuple[ConceptFeature, ...], Extractor]] = WeakKeyDictionary()


def extractor_of(snapshot: Snapshot, features: Sequence[ConceptFeature] = FEATURES) -> Extractor:
    """The extractor of a snapshot and some features, which is kept as long as the snapshot is.

    Raises:
        DamagedSnapshot: a table is not what the kernels can read.
    """
    of_snapshot = _EXTRACTORS.setdefault(snapshot, {})
    asked = tuple(features)
    if asked not in of_snapshot:
        of_snapshot[asked] = Extractor(snapshot, asked)
    return of_snapshot[asked]


def _ids(concepts: ArrayLike, rows: int) -> Ints:
    """The ids as int64[n], checked."""
    given: NDArray[np.generic] = np.asarray(concepts)
    if given.ndim != 1:
        raise ValueError(f"concepts come as one sequence of ids, not as an array of {given.ndim} dimensions")
    if given.size and given.dtype.kind not in "iu":
        raise TypeError(f"concept ids are integers, not {given.dtype}")
    ids = np.ascontiguousarray(given, dtype=np.int64)
    try:
        kernels.check_places(ids, rows)
    except IndexError:
        outside = (ids < 0) | (ids >= rows)
        raise IndexError(
            f"there is no concept {ids[outside.argmax()]} in a snapshot of {rows:,}, "
            f"whose ids run from 0 to {rows - 1:,}"
        ) from None
    return ids
