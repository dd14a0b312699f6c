"""A retraining as the registry records it: what it does now, that it still runs, and how it ended."""

from __future__ import annotations

import contextlib
import os
import signal
import threading
import time
from collections.abc import Iterator
from types import FrameType
from typing import Any

from models.errors import ModelError
from models.registry.errors import RegistryError, RegistryUnavailable
from models.registry.records import Run
from models.registry.registry import Registry
from snapshots.errors import TableError
from training.errors import TrainingError
from training.progress import Steps
from training.retraining.promotion import RetrainingResult

BEAT = 5.0
"""Seconds between two signs of life."""


class Stopped(BaseException):
    """The process was told to stop; ``number`` of the signal. No error, so that nothing takes it for one."""

    def __init__(self, number: int) -> None:
        super().__init__(signal.Signals(number).name)
        self.number = number


class Stopping:
    """Turns SIGTERM and SIGINT into ``Stopped``, but not while something is written that belongs together."""

    def __init__(self) -> None:
        self._held = False
        self._asked: int | None = None

    @contextlib.contextmanager
    def listening(self) -> Iterator[None]:
        """Take the two signals until the block ends."""
        before = {number: signal.signal(number, self._take) for number in (signal.SIGTERM, signal.SIGINT)}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    def hold(self) -> None:
        """From here on a signal comes too late: what is decided is written."""
        if self._asked is not None:
            raise Stopped(self._asked)
        self._held = True

    def _take(self, number: int, _: FrameType | None) -> None:
        self._asked = number
        if not self._held:
            raise Stopped(number)


class RecordedRun:
    """Tells the registry, and whoever else watches, what a retraining does.

    A thread gives a sign of life every few seconds, so that a run without one is known to have died. Where
    the registry is away for a moment, progress is not told; where it says that the run has ended, it stops.
    """

    def __init__(self, registry: Registry, run: Run, shown: Steps) -> None:
        self._registry = registry
        self.run = run
        self._shown = shown
        self._lock = threading.Lock()
        self._now: dict[str, Any] = {"step": run.step or "starting", "done": None, "total": None}
        self._told = 0.0
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._live, name="signs of life", daemon=True)

    def __enter__(self) -> RecordedRun:
        self._registry.update_run(self.run.id, **self._now, pid=os.getpid())
        self._thread.start()
        return self

    def __exit__(self, kind: object, error: BaseException | None, _: object) -> None:
        self._over.set()
        self._thread.join()
        if error is not None:
            # The error itself is what the caller must see, even where it cannot be recorded.
            with contextlib.suppress(RegistryError):
                self._registry.fail_run(self.run.id, self._why(error))

    def begin(self, label: str, unit: str = "") -> None:
        """The next step has begun."""
        self._shown.begin(label, unit)
        self._now = {"step": label, "done": None, "total": None}
        self._tell()

    def advance_to(self, done: int, total: int | None) -> None:
        """How far the step is; told to the registry once a second."""
        self._shown.advance_to(done, total)
        self._now = {**self._now, "done": done, "total": total}
        if time.monotonic() - self._told >= 1.0:
            self._tell()

    def finish(self, result: RetrainingResult) -> None:
        """Record how it ended; one that was promoted ended with its release."""
        self._over.set()
        self._thread.join()
        if result.release is None:
            self._registry.finish_run(
                self.run.id, outcome=result.outcome, message=result.message, model=result.version.ref
            )

    def _why(self, error: BaseException) -> str:
        step = self._now["step"]
        if isinstance(error, Stopped | KeyboardInterrupt):
            return f"stopped by {str(error) or 'SIGINT'} while {step}"
        # An error of ours says what is wrong by itself; any other is known by its kind.
        ours = isinstance(error, TrainingError | ModelError | RegistryError | TableError)
        return f"{'' if ours else f'{type(error).__name__} '}while {step}: {error}"[:2000]

    def _tell(self) -> None:
        with self._lock:
            self._told = time.monotonic()
            with contextlib.suppress(RegistryUnavailable):
                self._registry.update_run(self.run.id, **self._now)

    def _live(self) -> None:
        while not self._over.wait(BEAT):
            # Whatever is wrong is the main thread's to find out: it does at its next step.
            with contextlib.suppress(RegistryError):
                self._tell()
