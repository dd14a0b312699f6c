"""Ctrl-C and SIGTERM in the middle of work that can be gone on with."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager

import typer

GOES_ON = "stopped. The same command goes on from here."
"""What is said where what is done is kept."""


class Interrupted(KeyboardInterrupt):
    """The process was told to end, by the signal ``number``."""

    def __init__(self, number: int) -> None:
        super().__init__(signal.Signals(number).name)
        self.number = number


class Interruption:
    """Raises ``Interrupted`` when a signal asks for it, and again at the next ``check``.

    Once is not enough. An exception that is raised while a finalizer or the callback of a weak reference runs
    is printed and dropped by Python, and the work goes on.
    """

    def __init__(self) -> None:
        self._asked: int | None = None

    @contextmanager
    def listening(self) -> Iterator[None]:
        """Take SIGINT and SIGTERM until the block ends."""
        before = {number: signal.signal(number, self._take) for number in (signal.SIGINT, signal.SIGTERM)}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    def check(self) -> None:
        """Stop if a signal has asked for it.

        Raises:
            Interrupted: one has.
        """
        if self._asked is not None:
            raise Interrupted(self._asked)

    def _take(self, number: int, _: object) -> None:
        self._asked = number
        raise Interrupted(number)


@contextmanager
def told_when_stopped(what: str) -> Iterator[None]:
    """Say ``what`` where Ctrl-C ends the block, and end the command with it.

    Raises:
        typer.Exit: it did.
    """
    try:
        yield
    except KeyboardInterrupt:
        typer.echo(f"wort: {what}", err=True)
        raise typer.Exit(128 + signal.SIGINT) from None
