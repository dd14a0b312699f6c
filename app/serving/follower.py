"""What answers requests, and how it becomes the next release of a registry while they are answered."""

from __future__ import annotations

import os
import time
import weakref
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import structlog

from app.errors import NoRelease
from app.serving.checking import Checks
from app.serving.garbage import collect
from app.serving.opening import (
    artifact_of,
    folder_of,
    info_of,
    is_away,
    is_passing,
    open_release,
    trouble,
)
from app.serving.serving import Serving, TermSettings, now
from app.serving.source import LONGEST_WAIT, Source
from app.serving.starter import open_scorer, snapshot_path
from app.serving.trial import Trials
from app.settings import Settings
from models.registry.address import Address
from models.registry.records import Release
from models.registry.registry import Registry
from snapshots.errors import SnapshotError
from wort.schemas.releases import Following, ModelsResponse, Refused

log: Any = structlog.get_logger("wort")

FIRST_WAIT = 1.0
"""Seconds until a release is tried again that something kept from being opened that may pass. They double, up
to ``LONGEST_WAIT``."""


class Again(NamedTuple):
    """When a release is tried again (``time.monotonic``), how many seconds after the last time, and why."""

    due: float
    waited: float
    reason: str


class Follower(Source):
    """Serves the release in force of a registry, and each that comes after it.

    A thread asks the registry for the newest release. A new one is opened and checked beside
    the one that is served, and then takes its place: one assignment. Requests that have begun keep the old
    one, whose maps are closed when the last of them ends. A release that cannot be served is refused: what
    is served stays, and the same release is not tried again, unless what was wrong may pass: no memory, no
    free descriptors, a disk that is not mounted.
    """

    def __init__(self, settings: Settings, shared: Path | None = None, trials: Trials | None = None) -> None:
        """Open the release in force; where it cannot be served, the newest before it that can.

        A server that is started again then serves what one that has run on does. Where the registry has no
        release, or is not there yet, the starter snapshot is served until there is one. ``shared``: a folder
        of all workers of the server. ``trials``: by which each snapshot is tried before it is opened.

        Raises:
            NoRelease: there are releases, and none of them can be served.
            RegistryError: there is a registry, and it cannot be asked.
            SnapshotError, ModelError, ForeignModel: the starter snapshot cannot be served.
        """
        self._url = settings.registry
        self._shown = str(Address.parse(self._url))
        self._seconds = settings.follow_seconds
        self._strict = settings.strict
        self._terms = TermSettings.of(settings)
        self._registry: Registry | None = None
        self._seen: Release | None = None
        self._again: Again | None = None
        self._opening: int | None = None
        self._problem: str | None = None
        self._refused: Refused | None = None
        self._trials = trials
        self._unchecked: Release | None = None
        self._damaged: Release | None = None
        self._old: list[weakref.ref[Serving]] = []
        super().__init__(self._first() or self._starter(settings.strict), shared, trials)

    def stop(self) -> None:
        """Stop asking, too."""
        super().stop()
        if self._registry is not None and not self._thread.is_alive():
            self._registry.close()

    def describe(self) -> ModelsResponse:
        """What is served here, which registry is followed, and what was refused."""
        problem = self._problem or (None if self._again is None else self._again.reason)
        following = Following(self._shown, self._seconds, self._opening, problem)
        return ModelsResponse(self.current.describe(), os.getpid(), following, self._refused)

    def look(self) -> None:
        """Ask the registry once, and serve its release in force if that is a new one that can be served."""
        begun = time.perf_counter()
        self._clear()
        try:
            registry = self._reach()
            release = None if registry is None else registry.in_force()
            serving = None
            if registry is not None and release is not None and self._is_due(release):
                serving = self._try(registry, release)
        except Exception as error:
            # Whatever it is: what is served goes on, and the registry is asked again.
            if self._problem is None:
                log.warning("registry away", registry=self._shown, reason=trouble(error))
            self._problem = trouble(error)
            return
        if self._problem is not None:
            log.info("registry back", registry=self._shown)
        self._problem = None
        if serving is not None:
            self._serve(serving, begun)

    def check(self) -> None:
        """Read every file of what was opened at the start; where one was altered, serve what is sound.

        That is the newest release before it that can be served; where there is none, nothing is answered
        until there is. What may pass, a registry or a disk that is away, has it tried again.
        """
        if self._unchecked is None and self._damaged is None:
            super().check()  # the starter snapshot, where there is no release
            return
        if not self._is_check_due():
            return
        if self._unchecked is not None:
            self._check(self._unchecked)
        if self._damaged is not None and self._fall_back(self._damaged):
            self._damaged = None

    def _check(self, release: Release) -> None:
        error = self._checked(self.current)
        if error is not None:
            if is_passing(error, release):
                return
            self._refuse(release, error)
            self.current.condemn(trouble(error))
            self._damaged = release
        self._unchecked = None

    def _fall_back(self, damaged: Release) -> bool:
        """Serve the newest release before ``damaged`` that can be served; whether that is settled."""
        try:
            registry = self._reach()
            releases = [] if registry is None else registry.releases()
        except Exception as error:
            log.warning("registry away", registry=self._shown, reason=trouble(error))
            return False
        settled = True
        tried = {damaged.content}
        for release in reversed(releases):
            if registry is not None and release.number < damaged.number and release.content not in tried:
                tried.add(release.content)
                try:
                    self._serve(self._open(registry, release, self._checks), time.perf_counter())
                except Exception as error:
                    log.warning("release passed over", release=release.number, reason=trouble(error))
                    settled = settled and not is_passing(error, release)
                else:
                    return True
        return settled

    def _is_due(self, release: Release) -> bool:
        """Whether ``release`` is to be opened: a new one, or one that may be right by now.

        The whole of it is compared: another registry under the same URL may have the same numbers.
        """
        if release != self._seen:
            return True
        return self._again is not None and time.monotonic() >= self._again.due

    def _try(self, registry: Registry, release: Release) -> Serving | None:
        """The release, ready to serve; None where it is refused, or put off."""
        if release != self._seen:
            self._again = None
        self._opening = release.number
        try:
            serving = self._open(registry, release, self._checks)
        except Exception as error:
            if is_away(error):
                raise
            self._seen = release
            if is_passing(error, release):
                self._put_off(release, error)
            else:
                self._refuse(release, error)
            return None
        finally:
            self._opening = None
        self._seen, self._again = release, None
        if self._refused is not None and self._refused.release == serving.info.release:
            self._refused = None
        return serving

    def _serve(self, serving: Serving, begun: float) -> None:
        if serving.scorer.snapshot is not self.current.scorer.snapshot:
            self._old.append(weakref.ref(self.current))
        # From here on, requests that begin are answered by the new release.
        self.current = serving
        self._damaged = None
        info = serving.scorer.model_info
        seconds = round(time.perf_counter() - begun, 3)
        log.info("release served", release=info.release, model=info.version, seconds=seconds)

    def _refuse(self, release: Release, error: Exception) -> None:
        """Show for good what is wrong with a release."""
        if release == self._seen:
            self._again = None
        self._refused = Refused(info_of(release), trouble(error), now())
        log.error("release refused", release=release.number, model=release.model, reason=trouble(error))

    def _put_off(self, release: Release, error: Exception) -> None:
        """Have a release tried again, ever more rarely; a person should look at one that has no folder."""
        before, reason = self._again, trouble(error)
        waited = FIRST_WAIT if before is None else min(2 * before.waited, LONGEST_WAIT)
        self._again = Again(time.monotonic() + waited, waited, f"release {release.number}: {reason}")
        if before is not None:
            return
        if isinstance(error, SnapshotError):
            self._refused = Refused(info_of(release), reason, now())
            log.error("release refused", release=release.number, model=release.model, reason=reason)
        else:
            log.warning("release put off", release=release.number, model=release.model, reason=reason)

    def _clear(self) -> None:
        """Close what only finished requests had: maps close by themselves, connections to names do not."""
        waiting = [old for old in self._old if old() is not None]
        if len(waiting) < len(self._old):
            collect()
        self._old = waiting

    def _run(self) -> None:
        self._guarded(self.check)
        while not self._stopping.wait(self._seconds or LONGEST_WAIT):
            if self._seconds > 0:
                self._guarded(self.look)
            self._guarded(self.check)

    def _guarded(self, step: Callable[[], None]) -> None:
        """Take a step; whatever fails in it, the thread lives, and the next one is taken."""
        try:
            step()
        except Exception as error:
            self._problem = trouble(error)
            log.exception("releases cannot be followed")

    def _first(self) -> Serving | None:
        """What to begin with; None where there is no release."""
        registry = self._reach()
        if registry is None:
            return None
        releases = sorted(registry.releases(), key=lambda release: release.number, reverse=True)
        tried = set()
        reason = ""
        for release in releases:
            if release.content in tried:
                continue
            tried.add(release.content)
            try:
                if self._trials is not None:
                    self._trials.attempt(folder_of(release))
                serving = self._open(registry, release, None)
            except Exception as error:
                if is_away(error):
                    raise
                reason = reason or trouble(error)
                if release is releases[0]:
                    passing = is_passing(error, release)
                    self._put_off(release, error) if passing else self._refuse(release, error)
                continue
            self._seen = releases[0]
            self._unchecked = release
            return serving
        if releases:
            raise NoRelease(
                f"none of the {len(releases):,} releases of {self._shown} can be served. The one in force, "
                f"{releases[0].number}: {reason} "
                "Promote another with `wort models promote`, or name --snapshot and --model."
            )
        return None

    def _open(self, registry: Registry, release: Release, checks: Checks | None) -> Serving:
        """The release, ready to serve, its terms too if those of the present one were asked for."""
        artifact = artifact_of(registry, release)
        before: Serving | None = getattr(self, "current", None)
        current = None if before is None else before.scorer
        scorer = open_release(release, artifact, self._strict, current, checks)
        serving = Serving(scorer, self._terms, info_of(release))
        if checks is not None:
            serving.integrity = "verified"
        if before is not None:
            serving.take_over(before)
        return serving

    def _starter(self, strict: bool) -> Serving:
        if self._trials is not None:
            self._trials.attempt(snapshot_path())
        return Serving(open_scorer(None, None, strict), self._terms)

    def _reach(self) -> Registry | None:
        if self._registry is None:
            self._registry = Registry.peek(self._url)
        return self._registry


def source(settings: Settings, shared: Path | None = None, trials: Trials | None = None) -> Source:
    """What a server with these ``settings`` serves: what it is told to, else what its registry has in force.

    ``shared``: a folder of all workers of the server, where there are several. ``trials``: by which
    each snapshot is tried before it is opened; one that ends the trial is as one that cannot be opened.

    Raises:
        SnapshotError, ModelError, ForeignModel: what it is told to serve cannot be served.
        NoRelease, RegistryError: as ``Follower``.
    """
    if settings.snapshot is None and settings.model is None:
        return Follower(settings, shared, trials)
    if trials is not None:
        trials.attempt(settings.snapshot or snapshot_path())
    scorer = open_scorer(settings.snapshot, settings.model, settings.strict)
    return Source(Serving(scorer, TermSettings.of(settings)), shared, trials)
