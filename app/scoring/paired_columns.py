"""Two columns of what names concepts, to the concepts of pairs and to those rows that can be compared."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

import wort.schemas.arguments as given
from app.scoring.columns import Column, listed_pairs
from app.scoring.concepts import Scorer
from app.scoring.unscored import UnclearSides, unclear_ids, unclear_names
from measures.arrays import Ints
from wort.schemas.relatedness import Ambiguous

ROWS = 100_000
"""Pairs whose features are held at once: some tens of megabytes, whatever number is asked for."""


def paired_concepts(
    scorer: Scorer, left: Column, right: Column, ambiguous: Ambiguous
) -> tuple[Ints, Ints, UnclearSides]:
    """The concepts of both sides of pairs without texts, int64[n] each; -1 where a side names none.

    And the sides of the pairs that have such a side.
    """
    given.ambiguity(ambiguous)
    if isinstance(left, np.ndarray) and isinstance(right, np.ndarray):
        page_ids = scorer.snapshot.page_ids
        first, second = page_ids.rows(left), page_ids.rows(right)
        return first, second, unclear_ids((left, right), (first, second))
    # Nobody is shown suggestions or candidates.
    pairs = listed_pairs(left, right)
    sides = scorer.pairs.pairs(pairs, 0, 0, ambiguous)
    ids = np.array([(first.concept, second.concept) for first, second in sides], np.int64).reshape(-1, 2)
    return ids[:, 0], ids[:, 1], unclear_names(pairs, sides)


def comparable(left: Ints, right: Ints) -> Iterator[Ints]:
    """The rows of the pairs of two different concepts, some at a time."""
    rows = np.flatnonzero((left >= 0) & (right >= 0) & (left != right))
    for start in range(0, len(rows), ROWS):
        yield rows[start : start + ROWS]
