"""A warning where NaN stands for scores: arithmetic goes on with it, and nobody is told otherwise."""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import get_args

import numpy as np

from app.scoring.concepts import pair_status
from app.scoring.naming.references import MentionReference, Reference
from measures.arrays import Ints
from snapshots.naming.resolution import Resolution
from wort.schemas.naming import quoted
from wort.schemas.relatedness import PairResult
from wort.schemas.shown import counted, in_short
from wort.schemas.sides import Status
from wort.schemas.unscored import UnscoredWarning

NAMED = 3
"""Names that a warning has at the most; others are counted."""

UnclearSides = Iterable[Sequence[tuple[str | int, Status]]]
"""Pairs or concepts that have no score: of each, the sides as they were asked for, and what they are."""


def unclear_ids(asked: Sequence[Ints], concepts: Sequence[Ints]) -> UnclearSides:
    """Pairs of page ids of which one has no concept, int64[n] of each side; ``concepts`` is -1 there."""
    rows = np.flatnonzero(np.min(concepts, axis=0) < 0)
    for row in rows.tolist():
        sides = zip(asked, concepts, strict=True)
        yield [(int(ids[row]), "ok" if rows_of[row] >= 0 else "unknown") for ids, rows_of in sides]


def unclear_names(
    asked: Iterable[Sequence[Reference]], understood: Iterable[Sequence[Resolution]]
) -> UnclearSides:
    """Pairs, or single concepts, of which a side names none, or several."""
    for names, sides in zip(asked, understood, strict=True):
        if min(side.concept for side in sides) < 0:
            yield [
                (name.text if isinstance(name, MentionReference) else name, side.status)
                for name, side in zip(names, sides, strict=True)
            ]


def unclear_results(results: Iterable[PairResult]) -> UnclearSides:
    """Pairs of texts, or of texts and concepts, that have no score."""
    for result in results:
        if result.score is None:
            yield [(side.asked, side.status) for side in (result.resolved.left, result.resolved.right)]


def warn_of(unclear: UnclearSides, asked: int, one: str, many: str, what: str, method: str) -> None:
    """Warn who called a method of ``Wort`` that some things have NaN; do nothing where none has.

    ``unclear``: those that have. ``asked``: how many were asked for, of what is called ``one`` or ``many``.
    ``what``: what they lack. ``method``: what says why.
    """
    statuses, names = Counter[Status](), dict[str | int, None]()
    for sides in unclear:
        status: Status = "ok"
        for name, of_side in sides:
            status = pair_status(status, of_side)
            if of_side != "ok":
                names[name] = None
        statuses[status] += 1
    if not statuses:
        return
    reasons = ", ".join(f"{statuses[of]:,} {of}" for of in get_args(Status) if statuses[of])
    has = "has" if statuses.total() == 1 else "have"
    warnings.warn(
        f"{statuses.total():,} of {counted(asked, one, many)} {has} no {what}, and NaN instead: {reasons} "
        f"({in_short(list(map(quoted, names)), NAMED)}). `{method}` says why of each. "
        'If that is expected: warnings.filterwarnings("ignore", category=wort.UnscoredWarning).',
        UnscoredWarning,
        # Whose line it names is that of who called the method.
        stacklevel=3,
    )
