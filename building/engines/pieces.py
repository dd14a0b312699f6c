"""The pieces of a map's output while its tasks run: which are there already, how many are, what failed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, wait
from contextlib import contextmanager
from pathlib import Path
from typing import Generic, TypeVar

import pyarrow as pa

from building.engines.runner import Progress, Task, settle_empty

R = TypeVar("R")


class Pieces(Generic[R]):
    """Keeps count of the tasks of one map; ``all_pieces`` makes it."""

    def __init__(
        self,
        output: Path,
        progress: Progress,
        total: int | None,
        failures_of: Callable[[R], Iterable[BaseException]],
    ) -> None:
        self.failures: list[BaseException] = []
        self._output, self._failures_of = output, failures_of
        self._progress, self._total, self._done = progress, total, 0
        self._running: dict[Future[R], int] = {}

    def missing(self, tasks: Iterable[Task]) -> Iterator[Task]:
        """Those of ``tasks`` whose file is not there yet; no more once one has failed."""
        for task in tasks:
            if self.failures:
                return
            if (self._output / f"{task.key}.parquet").exists():
                self._advance(task.size)
            else:
                yield task

    def add(self, future: Future[R], size: int) -> None:
        """Take note of tasks that run now, of ``size`` together."""
        self._running[future] = size

    def settle(self, most: int) -> None:
        """Wait until no more than ``most`` futures run."""
        while len(self._running) > most:
            for future in wait(self._running, return_when=FIRST_COMPLETED).done:
                size = self._running.pop(future)
                if (failure := future.exception()) is not None:
                    self.failures.append(failure)
                else:
                    self.failures.extend(self._failures_of(future.result()))
                self._advance(size)

    def _advance(self, size: int) -> None:
        self._done += size
        self._progress(self._done, self._total)


@contextmanager
def all_pieces(
    output: Path,
    schema: pa.Schema,
    progress: Progress,
    total: int | None,
    failures_of: Callable[[R], Iterable[BaseException]],
) -> Iterator[Pieces[R]]:
    """Make the folder ``output`` and have the tasks that run within the block finished at its end.

    ``failures_of`` tells from what a future returns which of its tasks failed. What runs is finished and
    kept whatever went wrong; then the first failure is raised. A map without tasks has no rows.
    """
    output.mkdir(parents=True, exist_ok=True)
    pieces = Pieces(output, progress, total, failures_of)
    try:
        yield pieces
    finally:
        pieces.settle(0)
    if pieces.failures:
        raise pieces.failures[0]
    settle_empty(output, schema)
