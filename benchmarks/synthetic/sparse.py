"""Sparse tables of any size, filled with random entries in a folder: mapped files, never on the heap."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import msgspec
import numpy as np
from numpy.typing import DTypeLike

from benchmarks.synthetic import kernels
from building.arrays import create_array
from measures.arrays import Ints
from snapshots.csr import CSR
from snapshots.manifest import TableEntry
from training.progress import Steps

BLOCK = 1 << 15
"""Rows that a thread fills in one go."""


class SparseTables:
    """Makes tables in a folder, as stages of a build leave them there (``SnapshotWriter.adopt``).

    Every table has random numbers of its own: they depend on ``seed`` and on how many tables came before.
    """

    def __init__(self, folder: Path, seed: int, told: Steps, block: int = BLOCK) -> None:
        self.folder = folder
        self._block = block
        self._told = told
        self._seeds = iter(range(1000 * seed, 1000 * (seed + 1)))

    def graph(self, name: str, drawn: Ints, sigma: float, multiplier: int) -> CSR:
        """A graph of as many nodes as ``drawn`` has, which says how many edges each draws.

        What a node draws twice is drawn anew, some times; so few have less. ``sigma`` and ``multiplier`` say
        how popular which nodes are (``kernels.fill_targets``).
        """
        seed, sizes = next(self._seeds), np.zeros(len(drawn), np.int64)
        rules = (seed, sigma, multiplier)
        self._each(
            f"{name}: sizes", len(drawn), lambda a, b: kernels.count_targets(drawn, a, b, *rules, sizes)
        )
        table = self.new(name, sizes, len(drawn))
        self._each(
            name,
            len(drawn),
            lambda a, b: kernels.fill_targets(drawn, a, b, *rules, table.indptr, table.indices),
        )
        return table

    def transposed(self, name: str, table: CSR) -> CSR:
        """The square ``table`` with its rows as columns."""
        sizes = np.zeros(table.rows, np.int64)
        self._each(
            f"{name}: sizes",
            table.entries,
            lambda a, b: kernels.count_columns(table.indices, a, b, sizes),
            threads=1,
        )
        turned = self.new(name, sizes, table.rows)
        free = turned.indptr[:-1].copy()
        self._each(
            name,
            table.rows,
            lambda a, b: kernels.transpose(table.indptr, table.indices, a, b, free, turned.indices),
            threads=1,
        )
        return turned

    def united(self, name: str, first: CSR, second: CSR, values: DTypeLike | None = None) -> CSR:
        """The entries of either of two tables."""
        sizes = np.zeros(first.rows, np.int64)
        both = (first.indptr, first.indices, second.indptr, second.indices)
        self._each(f"{name}: sizes", first.rows, lambda a, b: kernels.count_union(*both, a, b, sizes))
        table = self.new(name, sizes, first.columns, values)
        self._each(
            name, first.rows, lambda a, b: kernels.fill_union(*both, a, b, table.indptr, table.indices)
        )
        return table

    def spread(
        self, name: str, sizes: Ints, columns: int, skew: float = 1, values: DTypeLike | None = None
    ) -> CSR:
        """Rows of those sizes with columns from all over (``kernels.fill_rows``); what values have is 1."""
        table = self._spread(self.new(name, sizes, columns, values), name, skew, ())
        if table.values is not None:
            table.values[:] = 1
        return table

    def weighted(
        self, name: str, sizes: Ints, columns: int, skew: float = 1, known: Sequence[int] | Ints = ()
    ) -> CSR:
        """As ``spread``, or from all over ``known``, with weights, float32, of unit length in each row."""
        table = self._spread(self.new(name, sizes, columns, np.float32), name, skew, known)
        seed = next(self._seeds)
        self._each(
            f"{name}: weights",
            table.rows,
            lambda a, b: kernels.fill_weights(table.indptr, table.weights, a, b, seed),
        )
        return table

    def above(self, name: str, sizes: Ints) -> CSR:
        """A square table with places for counts, whose columns are greater than their rows."""
        table, seed = self.new(name, sizes, len(sizes), np.int32), next(self._seeds)
        self._each(
            name,
            table.rows,
            lambda a, b: kernels.fill_above(table.indptr, table.indices, a, b, seed, table.columns),
        )
        return table

    def count(self, name: str, table: CSR, counts: Ints) -> None:
        """Fill the values of a square table, symmetrically: units with both, of the ``counts`` with each."""
        seed = next(self._seeds)
        self._each(
            f"{name}: counts",
            table.rows,
            lambda a, b: kernels.fill_counts(table.indptr, table.indices, table.weights, a, b, seed, counts),
        )

    def new(self, name: str, sizes: Ints, columns: int, values: DTypeLike | None = None) -> CSR:
        """A table of zeros whose rows have so many entries, to be filled."""

        def file(part: str) -> Path:
            return self.folder / f"{name}.{part}"

        indptr = create_array(file("indptr.npy"), np.int64, (len(sizes) + 1,))
        np.cumsum(sizes, out=indptr[1:])
        entries = (int(indptr[-1]),)
        indices = create_array(file("indices.npy"), np.int32, entries)
        kept = None if values is None else create_array(file("values.npy"), values, entries)
        file("json").write_bytes(msgspec.json.encode(TableEntry(columns)))
        return CSR(indptr, indices, kept, columns)

    def remove(self, name: str) -> None:
        """Do away with a table that others were made of."""
        for path in self.folder.glob(f"{name}.*"):
            path.unlink()

    def _spread(self, table: CSR, name: str, skew: float, known: Sequence[int] | Ints) -> CSR:
        seed, chosen = next(self._seeds), np.asarray(known, np.int64)
        columns = len(chosen) or table.columns
        self._each(
            name,
            table.rows,
            lambda a, b: kernels.fill_rows(
                table.indptr, table.indices, a, b, seed, columns, float(skew), chosen
            ),
        )
        return table

    def _each(
        self, label: str, rows: int, fill: Callable[[int, int], object], threads: int | None = None
    ) -> None:
        """Have rows filled, block by block, on several threads: kernels let each other run."""
        self._told.begin(label, "rows")
        with ThreadPoolExecutor(threads or len(os.sched_getaffinity(0))) as pool:
            blocks = [(start, min(start + self._block, rows)) for start in range(0, rows, self._block)]
            filled = pool.map(lambda block: fill(*block), blocks)
            for (_, end), _ in zip(blocks, filled, strict=True):
                self._told.advance_to(end, rows)
