"""Pairs of concepts in, their features out."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from features import kernels
from features.catalogue import FEATURES
from features.feature import ConceptFeature
from features.gathering import gatherer_of, unknown_words
from jit.compiled import compiled
from jit.steps import run
from measures.arrays import Floats, Ints
from snapshots.errors import damaged
from snapshots.snapshot import Snapshot

BLOCK = 20_000
"""Pairs whose evidence is held at once, some ten megabytes: the more, the longer the rows of a table that are
read again and again stay in the processor's cache."""


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
    first, second = _ids(left), _ids(right)
    if len(first) != len(second):
        raise ValueError(f"{len(first):,} left concepts and {len(second):,} right ones do not make pairs")
    extractor = gatherer_of(snapshot, tuple(features))
    program, concepts = extractor.program, snapshot.concepts
    try:
        values, finite = _values(program.calls, program.size, extractor.size, first, second, concepts, block)
    except IndexError:
        for ids in (first, second):
            _check(ids, concepts)
        raise unknown_words(snapshot.folder) from None
    if not finite:
        wrong = np.flatnonzero(~np.isfinite(values).all(axis=0)).tolist()
        names = ", ".join(features[column].name for column in wrong)
        raise damaged(snapshot.folder, f"its tables give no number for {names}")
    return values


@compiled
def _values(
    calls: Ints, size: int, first: int, left: Ints, right: Ints, concepts: int, block: int
) -> tuple[Floats, bool]:
    """The last rows that steps write, from row ``first`` on, as columns; and whether all are finite.

    Raises:
        IndexError: an id is not from 0 to ``concepts`` - 1, or a step found what it cannot use as a row.
    """
    kernels.check_places(left, concepts)
    kernels.check_places(right, concepts)
    values, finite = np.empty((len(left), size - first)), True
    held = np.empty(size * min(block, len(left)))  # once for all blocks: new memory is slow at first
    for start in range(0, len(left), block):
        end = min(start + block, len(left))
        rows = held[: size * (end - start)].reshape(size, end - start)
        run(calls, left[start:end], right[start:end], rows)
        for column in range(size - first):
            for pair in range(end - start):
                values[start + pair, column] = rows[first + column, pair]
                finite &= np.isfinite(rows[first + column, pair])
    return values, finite


def _ids(concepts: ArrayLike) -> Ints:
    """The ids as int64[n], in memory of their own."""
    given: NDArray[np.generic] = np.asarray(concepts)
    if given.ndim != 1:
        raise ValueError(f"concepts come as one sequence of ids, not as an array of {given.ndim} dimensions")
    if given.size and given.dtype.kind not in "iu":
        raise TypeError(f"concept ids are integers, not {given.dtype}")
    return given.astype(np.int64, order="C")


def _check(ids: Ints, concepts: int) -> None:
    """Do nothing where each id is that of a concept.

    Raises:
        IndexError: some are not; the message names the first.
    """
    outside = (ids < 0) | (ids >= concepts)
    if outside.any():
        raise IndexError(
            f"there is no concept {ids[outside.argmax()]} in a snapshot of {concepts:,}, "
            f"whose ids run from 0 to {concepts - 1:,}"
        ) from None
