"""Judgements made up for tests."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st

from datasets.agreement.judgements import Judgements
from measures.arrays import Floats


def matrices(categories: int = 3, items: int = 8, annotators: int = 5) -> st.SearchStrategy[Floats]:
    """Ragged judgements float64[items, annotators] of categories from 0, NaN where there is none."""

    def filled(rows: list[list[int | None]]) -> Floats:
        return np.array([[np.nan if cell is None else cell for cell in row] for row in rows], np.float64)

    cell = st.none() | st.integers(0, categories - 1)
    return st.integers(2, annotators).flatmap(
        lambda width: st.lists(
            st.lists(cell, min_size=width, max_size=width), min_size=1, max_size=items
        ).map(filled)
    )


def said_by(judgements: Judgements) -> dict[str, dict[str, float]]:
    """What each annotator said of each item, first judgements alone."""
    said: dict[str, dict[str, float]] = {name: {} for name in judgements.annotators}
    for annotator, item, value, turn in zip(
        judgements.annotator, judgements.item, judgements.value, judgements.turn, strict=True
    ):
        if turn == 0:
            said[judgements.annotators[annotator]][judgements.items[item].name] = float(value)
    return said


def of_items(judgements: Judgements) -> list[list[float]]:
    """The judgements of each item."""
    return [[float(value) for value in row if not np.isnan(value)] for row in judgements.matrix()]


def panel(
    seed: int, items: int = 200, annotators: int = 10, shown: float = 1.0, noise: float = 1.0
) -> Judgements:
    """Annotators who say related where an item's own strength and some noise come above 0."""
    rng = np.random.default_rng(seed)
    strength = rng.normal(size=(items, 1))
    said = (strength + noise * rng.normal(size=(items, annotators)) > 0).astype(np.float64)
    said[rng.random(said.shape) >= shown] = np.nan
    return Judgements.of_matrix(said)
