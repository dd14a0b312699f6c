"""What answers requests, and that all of its files are read while it does."""

from __future__ import annotations

import os
import threading
import time
from collections import deque
from collections.abc import Callable
from pathlib import Path
from typing import Any

import structlog

from app.errors import BrokenRelease
from app.serving import effects, events, states
from app.serving.checking import Checks
from app.serving.opening import kind_of, trouble
from app.serving.serving import Serving
from app.serving.transition import LONGEST_WAIT, transition
from app.serving.trial import Trials
from models.storage.times import now
from snapshots.errors import SnapshotError
from wort.schemas.releases import ModelsResponse

log: Any = structlog.get_logger("wort")


class Source:
    """Has what is served. A request reads ``current`` once, and is answered by that from start to end.

    This one has the same for ever; a ``Follower`` puts another in its place. Each reads every file of what
    was opened at the start, on a thread of its own. Of a snapshot that was altered nothing is answered. What
    is done when, ``app.serving.transition`` says; here it is done.
    """

    current: Serving
    _failed = "snapshot cannot be checked"

    def __init__(
        self,
        current: Serving | None,
        shared: Path | None = None,
        trials: Trials | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """``shared``: a folder of all workers of the server. ``trials``: are told what was verified."""
        if current is not None:
            self.current = current
        self.state = states.State(files=states.Unchecked())
        self._trials = trials
        self._checks = Checks(shared)
        self._clock = clock
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, name="releases", daemon=True)

    def start(self) -> None:
        """Begin to check what was opened at the start, and to follow, where there is something to follow."""
        self._thread.start()

    def stop(self) -> None:
        """End what ``start`` began. What is being opened or read is left to the end of the process."""
        self._stopping.set()
        if self._thread.is_alive():
            self._thread.join(timeout=1)

    def describe(self) -> ModelsResponse:
        """What is served here, and what is followed."""
        return ModelsResponse(self.current.describe(), os.getpid())

    def check(self) -> None:
        """Read every file of what was opened at the start; where one was altered, show it and say so.

        A follower then serves the newest release before it that can be served; where there is none, nothing
        is answered until there is. What may pass, a registry or a disk that is away, has it tried again.
        """
        self._handle(events.CheckDue())

    def _handle(self, event: events.Event) -> None:
        """Go to the state that follows, and do what is to be done, until nothing more comes of it."""
        coming = deque([event])
        while coming:
            at = events.Moment(self._clock(), now())
            self.state, to_do = transition(self.state, coming.popleft(), at)
            coming.extend(come for effect in to_do if (come := self._perform(effect)) is not None)

    def _perform(self, effect: effects.Effect) -> events.Event | None:
        """Do what is to be done, and tell what came of it."""
        match effect:
            case effects.Log(level, event, fields):
                getattr(log, level)(event, **fields)
            case effects.Condemn(reason):
                self.current.condemn(reason)
            case effects.ReadFiles():
                return self._read_files(self.current)
        return None

    def _read_files(self, serving: Serving) -> events.Event | None:
        """Read every file of what is served; None where what kept it from being read may pass."""
        serving.integrity = "checking"
        snapshot = serving.scorer.snapshot
        try:
            self._checks.check(snapshot)
        except Exception as error:
            serving.integrity = "unverified"
            log.warning("snapshot not verified", snapshot=snapshot.id, reason=trouble(error))
            release = self.state.files.release if isinstance(self.state.files, states.Unchecked) else None
            altered = (
                isinstance(error, BrokenRelease | SnapshotError)
                if release is None
                else kind_of(error, release) == "final"
            )
            return events.FilesAltered(snapshot.id, trouble(error)) if altered else None
        serving.integrity = "verified"
        if self._trials is not None:
            self._trials.remember(snapshot)
        return events.FilesSound()

    def _run(self) -> None:
        self._guarded(self.check)
        while isinstance(self.state.files, states.Unchecked) and not self._stopping.wait(LONGEST_WAIT):
            self._guarded(self.check)

    def _guarded(self, step: Callable[[], None]) -> None:
        """Take a step; whatever fails in it, the thread lives, and the next one is taken."""
        try:
            step()
        except Exception as error:
            self._handle(events.StepFailed(trouble(error)))
            log.exception(self._failed)
