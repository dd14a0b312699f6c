"""How far a computation is, for whoever waits for it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from typing import Protocol, TypeVar

Item = TypeVar("Item")

Progress = Callable[[int, int | None], None]
"""Called with what is done, and of how much; None where that is not known."""


def counting(items: Collection[Item], progress: Progress | None) -> Iterator[Item]:
    """The items, one after the other; ``progress`` is told how many of them are done."""
    for done, item in enumerate(items, start=1):
        yield item
        if progress is not None:
            progress(done, len(items))


def part_of(progress: Progress | None, part: int, parts: int) -> Progress | None:
    """Progress of one of some equally long ``parts``, counted from 0, as progress of all."""
    if progress is None:
        return None

    def of_all(done: int, total: int | None) -> None:
        progress(part * (total or 0) + done, parts * (total or 0))

    return of_all


class Steps(Protocol):
    """What shows the steps of a computation, one after the other."""

    def begin(self, label: str, unit: str = "") -> None:
        """The next step begins; ``unit`` is what is counting in it."""

    def advance_to(self, done: int, total: int | None) -> None:
        """How far it is: a ``Progress``."""


class NoProgress:
    """Steps that are not shown."""

    def begin(self, label: str, unit: str = "") -> None:
        """Show nothing."""

    def advance_to(self, done: int, total: int | None) -> None:
        """Show nothing."""
