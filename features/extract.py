"""Pairs of concepts in, the sixteen features out."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from features.catalogue import FEATURES
from features.evidence import Evidence
from measures.arrays import Floats, Ints
from snapshots.errors import damaged
from snapshots.snapshot import Snapshot

BLOCK = 8192
"""Pairs whose evidence is held at once: few enough that it stays in the processor's cache."""


def extract(snapshot: Snapshot, left: ArrayLike, right: ArrayLike) -> Floats:
    """The features of pairs of concepts: float64[n, 16], columns in the order of ``FEATURES``.

    ``left`` and ``right``: the concepts' ids, integers [n]. Row i depends on pair i alone, to the last bit;
    every value is finite and in its feature's declared range. A call with no pairs returns float64[0, 16]
    and leaves every kernel compiled.

    Raises:
        TypeError: an id is not an integer.
        ValueError: the ids do not come as two sequences of one length.
        IndexError: an id is not a concept of the snapshot; the message names the first such id.
        DamagedSnapshot: a table cannot be read, or holds what no table holds, so that a value is not finite.
    """
    first, second = _ids(left, snapshot.concepts), _ids(right, snapshot.concepts)
    if len(first) != len(second):
        raise ValueError(f"{len(first):,} left concepts and {len(second):,} right ones do not make pairs")
    features = np.empty((len(first), len(FEATURES)))
    for start in range(0, max(len(first), 1), BLOCK):
        block = slice(start, start + BLOCK)
        evidence = Evidence(snapshot, first[block], second[block])
        # What damaged tables lead to is said below, once.
        with np.errstate(all="ignore"):
            for column, feature in enumerate(FEATURES):
                features[block, column] = feature.compute(evidence)
    _check_finite(snapshot, features)
    return features


def _check_finite(snapshot: Snapshot, features: Floats) -> None:
    wrong = ~np.isfinite(features)
    if wrong.any():
        names = ", ".join(FEATURES[column].name for column in np.flatnonzero(wrong.any(axis=0)).tolist())
        raise damaged(snapshot.folder, f"its tables give no number for {names}")


def _ids(concepts: ArrayLike, rows: int) -> Ints:
    """The ids as int64[n], checked."""
    given: NDArray[np.generic] = np.asarray(concepts)
    if given.ndim != 1:
        raise ValueError(f"concepts come as one sequence of ids, not as an array of {given.ndim} dimensions")
    if given.size and not np.issubdtype(given.dtype, np.integer):
        raise TypeError(f"concept ids are integers, not {given.dtype}")
    ids = np.ascontiguousarray(given, dtype=np.int64)
    outside = (ids < 0) | (ids >= rows)
    if outside.any():
        raise IndexError(
            f"there is no concept {ids[outside.argmax()]} in a snapshot of {rows:,}, "
            f"whose ids run from 0 to {rows - 1:,}"
        )
    return ids
