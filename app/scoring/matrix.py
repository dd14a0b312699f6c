"""Every concept with every other: a matrix of scores, filled a batch at a time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import isnan

import numpy as np

from app.scoring.batches import DEFAULT_SIZES, batches
from app.scoring.concepts import HELPED, Scorer
from app.scoring.naming.references import CHARACTERS, MentionReference, Reference, characters
from app.scoring.naming.together import OTHERS, Together
from measures.arrays import Floats, Ints
from snapshots.naming.resolution import Resolution
from wort.schemas.matrix import MatrixResponse
from wort.schemas.relatedness import Ambiguous
from wort.schemas.sides import Side

MENTION, CONTEXT = 20, 80
"""How many titles looking up a mention takes as long as, and reading its context beside that."""


def resolved(
    scorer: Scorer, asked: Sequence[Reference], ambiguous: Ambiguous, before: Sequence[Resolution] = ()
) -> list[Resolution]:
    """What each of ``asked`` is by itself.

    ``ambiguous``: whether one that may mean several concepts stays so, or means the likeliest, of which
    ``Together`` makes the one that suits the others. ``before``: what others of the same request are. The
    first of all get suggestions and candidates.
    """
    suggest, candidates = (
        max(0, HELPED - sum(resolution.status == status for resolution in before))
        for status in ("unknown", "ambiguous")
    )
    # Beside itself a name has its likeliest sense.
    beside = scorer.pairs.pairs([(one, one) for one in asked], suggest, candidates, ambiguous)
    return [resolution for resolution, _ in beside]


def resolved_together(scorer: Scorer, asked: Sequence[Reference], ambiguous: Ambiguous) -> list[Resolution]:
    """What each of ``asked`` is; an ambiguous one, where it is resolved, as suits the others, all at once."""
    together = Together(scorer.pairs, asked, resolved(scorer, asked, ambiguous), ambiguous)
    together.choose(together.open)
    return together.resolved()


def lookups(asked: Sequence[Reference], size: int = DEFAULT_SIZES.matrix) -> Iterator[Sequence[Reference]]:
    """``asked`` in order, as many together as are looked up in one go: ``size`` titles at the most."""
    return batches(asked, size, _effort, size)


class Matrix:
    """The scores of the concepts of rows with those of columns, or of concepts with one another.

    Each pair is scored once: scores are symmetric to the last bit, so that a square has its lower half from
    its upper one. A concept has the score 1 with itself. ``scores``: float64[n, m]; NaN where a concept could
    not be resolved, and elsewhere before ``fill``.
    """

    def __init__(self, scorer: Scorer, rows: Ints, columns: Ints | None = None) -> None:
        """``rows`` int64[n], ``columns`` int64[m]: ids of concepts, -1 where there is none.

        Without ``columns``, a square of the ``rows``.
        """
        self._scorer = scorer
        self._rows = rows
        self._columns = rows if columns is None else columns
        self._square = columns is None
        shape = len(self._rows), len(self._columns)
        self.scores: Floats = np.full(shape, np.nan)
        row, column = np.triu_indices(len(self._rows)) if self._square else np.indices(shape).reshape(2, -1)
        left, right = self._rows[row], self._columns[column]
        known = (left >= 0) & (right >= 0)
        same = known & (left == right)
        self._put(row[same], column[same], np.ones(same.sum()))
        self._row, self._column = row[known & ~same], column[known & ~same]

    def batches(self, size: int = DEFAULT_SIZES.matrix) -> list[slice]:
        """The pairs to score, ``size`` in one go."""
        return [slice(start, start + size) for start in range(0, len(self._row), size)]

    def fill(self, batch: slice) -> None:
        """Score a batch of the pairs."""
        row, column = self._row[batch], self._column[batch]
        self._put(row, column, self._scorer.relatedness(self._rows[row], self._columns[column]))

    def filled(self) -> Floats:
        """The scores, all pairs scored: for some hundreds of them."""
        for batch in self.batches():
            self.fill(batch)
        return self.scores

    def listed(self) -> list[list[float | None]]:
        """The scores as they are answered, a list a row; None where a concept could not be resolved."""
        return [[None if isnan(score) else score for score in row] for row in self.scores.tolist()]

    def _put(self, row: Ints, column: Ints, scores: Floats) -> None:
        self.scores[row, column] = scores
        if self._square:
            self.scores[column, row] = scores


def choices(
    open_ones: Sequence[Reference], size: int = DEFAULT_SIZES.matrix
) -> Iterator[Sequence[Reference]]:
    """Ambiguous ones in order, as many together as have their senses chosen in one go."""
    most = max(1, size // OTHERS)
    return (open_ones[start : start + most] for start in range(0, len(open_ones), most))


def _effort(reference: Reference) -> int:
    read = characters([reference]) // CHARACTERS
    if not isinstance(reference, MentionReference):
        return 1 + read
    return read + (MENTION if reference.context is None else MENTION + CONTEXT)


def concepts_of(resolved: Sequence[Resolution]) -> Ints:
    """The concepts' ids, int64[n]; -1 where there is none."""
    return np.array([resolution.concept for resolution in resolved], np.int64)


def matrix_response(
    matrix: Matrix, scorer: Scorer, sides: Sequence[Side], rows: int | None = None
) -> MatrixResponse:
    """What a filled matrix is answered as.

    ``sides``: its concepts; ``rows``: how many are of rows, the others of columns; None for a square.
    """
    return MatrixResponse(
        concepts=list(sides) if rows is None else None,
        rows=None if rows is None else list(sides[:rows]),
        columns=None if rows is None else list(sides[rows:]),
        scores=matrix.listed(),
        model=scorer.model_info,
        snapshot=scorer.snapshot_info,
    )


def square(scorer: Scorer, asked: Sequence[Reference], ambiguous: Ambiguous) -> MatrixResponse:
    """The scores of some concepts with one another, all at once; ``resolved`` says what ``ambiguous`` is."""
    understood = resolved_together(scorer, asked, ambiguous)
    matrix = Matrix(scorer, concepts_of(understood))
    matrix.filled()
    return matrix_response(matrix, scorer, list(map(scorer.pairs.side, asked, understood)))
