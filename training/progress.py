"""How far a computation is, for whoever waits for it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

Progress = Callable[[int, int | None], None]
"""Called with what is done, and of how much; None where that is not known."""


class Steps(Protocol):
    """What shows the steps of a computation, one after the other."""

    def begin(self, label: str, unit: str = "") -> None:
        """The next step begins; ``unit`` is what is counted in it."""

    def advance_to(self, done: int, total: int | None) -> None:
        """How far it is: a ``Progress``."""


class NoProgress:
    """Steps that are not shown."""

    def begin(self, label: str, unit: str = "") -> None:
        """Show nothing."""

    def advance_to(self, done: int, total: int | None) -> None:
        """Show nothing."""
