"""What answers requests, and that all of its files are read while it does."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import structlog

from app.errors import BrokenRelease
from app.serving.checking import Checks
from app.serving.opening import trouble
from app.serving.serving import Serving
from app.serving.trial import Trials
from snapshots.errors import SnapshotError
from wort.schemas.releases import ModelsResponse

log: Any = structlog.get_logger("wort")

LONGEST_WAIT = 60.0
"""Seconds until what could not be done is tried again, at the most."""


class Source:
    """Has what is served. A request reads ``current`` once, and is answered by that from start to end.

    This one has the same for ever; a ``Follower`` puts another in its place. Each reads every file of what
    was opened at the start, on a thread of its own. Of a snapshot that was altered nothing is answered.
    """

    def __init__(self, current: Serving, shared: Path | None = None, trials: Trials | None = None) -> None:
        """``shared``: a folder of all workers of the server. ``trials``: are told what was verified."""
        self.current = current
        self._trials = trials
        self._checks = Checks(shared)
        self._check_due = 0.0
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
        """Read every file of what was opened at the start; where one was altered, show it and say so."""
        if self.current.integrity != "unverified" or not self._is_check_due():
            return
        error = self._checked(self.current)
        if error is not None and isinstance(error, (BrokenRelease, SnapshotError)):
            self.current.condemn(trouble(error))
            log.error("snapshot damaged", snapshot=self.current.scorer.snapshot.id, reason=trouble(error))

    def _checked(self, serving: Serving) -> Exception | None:
        """Read every file of what ``serving`` serves; what kept it from being found sound."""
        serving.integrity = "checking"
        try:
            self._checks.check(serving.scorer.snapshot)
        except Exception as error:
            serving.integrity = "unverified"
            log.warning("snapshot not verified", snapshot=serving.scorer.snapshot.id, reason=trouble(error))
            return error
        serving.integrity = "verified"
        if self._trials is not None:
            self._trials.remember(serving.scorer.snapshot)
        return None

    def _is_check_due(self) -> bool:
        """Whether to check now; if so, what cannot be checked is tried again a minute later."""
        if time.monotonic() < self._check_due:
            return False
        self._check_due = time.monotonic() + LONGEST_WAIT
        return True

    def _run(self) -> None:
        self._guarded(self.check)
        while self.current.integrity == "unverified" and not self._stopping.wait(LONGEST_WAIT):
            self._guarded(self.check)

    def _guarded(self, step: Callable[[], None]) -> None:
        """Take a step; whatever fails in it, the thread lives, and the next one is taken."""
        try:
            step()
        except Exception:
            log.exception("snapshot cannot be checked")
