"""What a model says of features: scores have intervals and explanations, whatever the pairs are of."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from measures.arrays import Bools, Floats
from models.expectation import IntervalBands
from models.protocol import RelatednessModel
from wort.schemas.described import Interval
from wort.schemas.explanations import Contribution, Explanation

LEVEL = 0.9
"""The level of the intervals of a kind of model that does not state one."""


def level_of(model: RelatednessModel) -> float | None:
    """The level of a model's intervals; None where it has none."""
    bands = model.interval_bands
    if isinstance(bands, IntervalBands):
        return bands.level
    return None if model.interval(np.zeros((0, len(model.features)))) is None else LEVEL


def intervals(
    model: RelatednessModel,
    values: Floats,
    level: float | None,
    scores: Floats | None = None,
    known: Bools | None = None,
) -> list[Interval] | list[None]:
    """The interval of each row of ``values``, float64[n, features]; None of each, from a model without any.

    ``level``: that of the model's intervals (``level_of``), None where it has none. ``scores``: those of the
    rows, float64[n], where they are known already. ``known``: as for ``model.interval``.
    """
    if level is None or (ends := model.interval(values, scores, known)) is None:
        return [None] * len(values)
    low, high = ends
    return [Interval(*of_pair, level) for of_pair in zip(low.tolist(), high.tolist(), strict=True)]


def explanations(model: RelatednessModel, values: Floats) -> list[Explanation]:
    """Where the score of each row of ``values`` comes from; as the model reads them, float64[n, features]."""
    contributions = model.contributions(values).tolist()
    raw = model.raw(values).tolist()
    in_scores = model.unit == "score"
    shares: list[list[float | None]] = (
        [[None] * len(model.reads)] * len(values) if in_scores else model.score_contributions(values).tolist()
    )
    start = None if in_scores else model.clipped(np.array([model.intercept])).item()
    columns = values.tolist(), contributions, shares, raw
    return [
        Explanation(
            model.intercept,
            [Contribution(*entry) for entry in zip(model.reads, of_pair, added, of_score, strict=True)],
            total,
            model.unit,
            start,
        )
        for of_pair, added, of_score, total in zip(*columns, strict=True)
    ]


def values_by_name(names: Sequence[str], values: Floats) -> list[dict[str, float]]:
    """Each row of ``values`` by the names of its columns."""
    return [dict(zip(names, of_pair, strict=True)) for of_pair in values.tolist()]
