"""Progress on the terminal: one line a step, with the time that it takes, its rate and the time left."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.filesize import decimal
from rich.progress import (
    BarColumn,
    Progress,
    SpinnerColumn,
    Task,
    TaskID,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)
from rich.text import Text

STDERR = Console(stderr=True)
"""Where people are told what happens; standard output is for results."""


class _Rate(TextColumn):
    """What is done a second, in the task's own unit."""

    def __init__(self) -> None:
        super().__init__("")

    def render(self, task: Task) -> Text:
        speed = task.finished_speed or task.speed
        unit = task.fields.get("unit", "")
        if speed is None or not unit:
            return Text("")
        return Text(f"{decimal(int(speed))}/s" if unit == "bytes" else f"{speed:,.0f} {unit}/s", style="dim")


class _Taken(TimeElapsedColumn):
    """How long a step has taken, said to be that."""

    def render(self, task: Task) -> Text:
        return super().render(task).append(" elapsed")


class _Left(TimeRemainingColumn):
    """How long a step will still take, said to be that; nothing where nobody knows, and once it is done."""

    def render(self, task: Task) -> Text:
        if task.finished or task.time_remaining is None:
            return Text("")
        return super().render(task).append(" left")


class TerminalSteps:
    """A list of steps on the terminal, the last of them running: ``training.progress.Steps``, shown."""

    def __init__(self, progress: Progress) -> None:
        self._progress = progress
        self._running: TaskID | None = None

    def begin(self, label: str, unit: str = "") -> None:
        """Start the next step; the one before it is done."""
        self.end()
        self._running = self._progress.add_task(label, total=None, unit=unit)

    def advance_to(self, done: int, total: int | None) -> None:
        """Say how far the running step is."""
        if self._running is not None:
            self._progress.update(self._running, completed=done, total=total)

    def end(self) -> None:
        """Mark the running step as done."""
        if self._running is not None:
            self._progress.update(self._running, completed=1, total=1)
            self._progress.stop_task(self._running)
            self._running = None


@contextmanager
def steps(quiet: bool = False) -> Iterator[TerminalSteps]:
    """Steps on the terminal (standard error), nothing where ``quiet``."""
    columns = (
        SpinnerColumn(finished_text="[green]✓"),
        TextColumn("{task.description}"),
        BarColumn(bar_width=24),
        _Taken(),
        _Rate(),
        _Left(compact=True),
    )
    with Progress(*columns, console=STDERR, disable=quiet) as progress:
        shown = TerminalSteps(progress)
        yield shown
        shown.end()
