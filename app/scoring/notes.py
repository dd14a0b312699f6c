"""What to know of a pair's answer: what its names may mean besides, and why its score may be too high."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from app.scoring.concepts import Scorer
from app.scoring.doubts import doubts
from app.scoring.in_words import also_called_so
from wort.schemas.relatedness import PairResult


def noted(scorer: Scorer, results: Sequence[PairResult]) -> list[PairResult]:
    """The results, with their ``notes``."""
    return [msgspec.structs.replace(result, notes=notes_of(scorer, result)) for result in results]


def notes_of(scorer: Scorer, result: PairResult) -> tuple[str, ...]:
    """What is called as its sides are, or as both together, and why its score may be too high."""
    pairs, (left, right) = scorer.pairs, (result.resolved.left, result.resolved.right)
    if result.score is None:
        return ()
    others = (pairs.namesakes(left), pairs.namesakes(right), pairs.together(left, right))
    said = filter(None, map(also_called_so, others))
    return tuple(dict.fromkeys((*said, *doubts(scorer, result))))
