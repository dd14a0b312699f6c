"""The features of pairs, as whoever asks in the same process has them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from measures.arrays import Array, Floats
from wort.schemas.shown import MOST_ROWS, counted, html_table, in_short


@dataclass(frozen=True, slots=True)
class FeatureTable:
    """The features of pairs: ``values`` float64[n, k], a column for each of ``names``.

    A row is NaN where a side named no concept, and where both named the same one.
    """

    names: tuple[str, ...]
    values: Floats

    def __len__(self) -> int:
        return len(self.values)

    def __repr__(self) -> str:
        return f"<FeatureTable of {counted(len(self), 'pair', 'pairs')}: {in_short(self.names, 6)}>"

    def _repr_html_(self) -> str:
        rows = [[f"{value:.3g}" for value in row] for row in self.values[:MOST_ROWS]]
        return html_table(self.names, rows, counted(len(self), "pair", "pairs"), len(self))

    def __getitem__(self, name: str) -> Floats:
        """The column of a feature, float64[n].

        Raises:
            KeyError: there is none of that name.
        """
        if name not in self.names:
            raise KeyError(f"there is no column {name!r}; there are {', '.join(self.names)}")
        return self.values[:, self.names.index(name)]

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Array:  # noqa: ANN401 as NumPy has it
        return np.array(self.values, dtype) if copy else np.asarray(self.values, dtype)
