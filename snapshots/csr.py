"""Sparse tables as plain arrays: what every numeric table of a snapshot is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from measures.arrays import Array, boundaries
from snapshots.errors import damaged

_AT_ONCE = 1 << 18
"""Columns that are looked at at once: few enough to stay in the processor's cache."""

_COUNTED_AT_ONCE = 1 << 22
"""Columns that are counted at once: each time takes as long as there are columns, and 32 MiB."""


@dataclass(frozen=True, slots=True)
class CSR:
    """A compressed sparse row table, read-only, usually memory-mapped.

    ``indptr`` int64[rows + 1]: where each row starts and ends in the other two arrays.
    ``indices`` an integer array (int32, or uint16 where columns allow): the columns, sorted within a row,
    each at most once. ``values``: one number an entry, or ``None`` where only membership counts.
    ``columns``: how many columns there are. A stored value means ``scale`` times itself, so that a
    snapshot may keep small integers where the full ones keep float32. ``source``: which table it is of a
    snapshot, whose columns are checked when they are read; empty where they need not be.
    """

    indptr: NDArray[np.int64]
    indices: Array
    values: Array | None
    columns: int
    scale: float = 1.0
    source: str = ""

    @property
    def rows(self) -> int:
        """How many rows the table has."""
        return len(self.indptr) - 1

    @property
    def entries(self) -> int:
        """How many entries the table stores."""
        return len(self.indices)

    @property
    def weights(self) -> Array:
        """The stored values, unscaled.

        Raises:
            TypeError: the table keeps membership alone.
        """
        if self.values is None:
            raise TypeError("this table keeps no values")
        return self.values

    def row(self, row: int) -> Array:
        """The columns of one row.

        Raises:
            DamagedSnapshot: they do not ascend, or are not columns of the table.
        """
        columns = self.indices[self.indptr[row] : self.indptr[row + 1]]
        if self.source and len(columns):
            # Where they ascend, the first and the last bound them all.
            inside = columns[0] >= 0 and columns[-1] < self.columns
            if not inside or not (columns[1:] > columns[:-1]).all():
                raise damaged(self.source, f"the columns of row {row:,} do not ascend below {self.columns:,}")
        return columns

    def at(self, places: ArrayLike) -> Array:
        """The columns of the entries at ``places``, integers [n].

        Raises:
            DamagedSnapshot: they are not columns of the table.
        """
        columns: Array = self.indices[np.asarray(places)]
        self._check_inside(columns)
        return columns

    def column_sizes(self) -> NDArray[np.int64]:
        """The number of entries of each column, int64[columns]; the whole table is read.

        Raises:
            DamagedSnapshot: some are not columns of the table.
        """
        sizes = np.zeros(self.columns, np.int64)
        for start in range(0, self.entries, _COUNTED_AT_ONCE):
            columns = self.indices[start : start + _COUNTED_AT_ONCE]
            self._check_inside(columns)
            sizes += np.bincount(columns, minlength=self.columns)
        return sizes

    def checked(self) -> CSR:
        """The table itself, once every column of it was looked at, for whoever reads all of it.

        Raises:
            DamagedSnapshot: some are not columns of the table.
        """
        for start in range(0, self.entries, _AT_ONCE):
            self._check_inside(self.indices[start : start + _AT_ONCE])
        return self

    def _check_inside(self, columns: Array) -> None:
        if columns.size and (columns.min() < 0 or columns.max() >= self.columns):
            raise damaged(self.source or "a table", f"it has columns that are not among its {self.columns:,}")

    def row_values(self, row: int) -> NDArray[np.float64]:
        """What the values of one row mean, the scale applied; ones where the table keeps none."""
        if self.values is None:
            return np.ones(len(self.row(row)))
        return self.values[self.indptr[row] : self.indptr[row + 1]].astype(np.float64) * self.scale

    def sizes(self, rows: ArrayLike) -> NDArray[np.int64]:
        """The number of entries of each of ``rows``."""
        chosen = np.asarray(rows)
        sizes: NDArray[np.int64] = self.indptr[chosen + 1] - self.indptr[chosen]
        return sizes

    @classmethod
    def empty(cls, rows: int, columns: int, values: np.dtype[Any] | None = None) -> CSR:
        """A table without entries."""
        return cls(
            np.zeros(rows + 1, np.int64),
            np.zeros(0, np.int32),
            None if values is None else np.zeros(0, values),
            columns,
        )

    @classmethod
    def from_entries(
        cls, rows: ArrayLike, columns: ArrayLike, values: ArrayLike | None, shape: tuple[int, int]
    ) -> CSR:
        """A table from parallel arrays of rows, columns and values, in any order, without repeats."""
        row, column = np.asarray(rows), np.asarray(columns)
        order = np.lexsort((column, row))
        return cls(
            boundaries(np.bincount(row, minlength=shape[0])),
            column[order].astype(np.int32),
            None if values is None else np.asarray(values)[order],
            shape[1],
        )
