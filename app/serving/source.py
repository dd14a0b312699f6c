"""What answers requests, and how it becomes another release while requests are answered."""

from __future__ import annotations

import os
import threading
import time
import weakref
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import structlog

from app.errors import NoRelease
from app.serving.checking import Checks
from app.serving.garbage import collect
from app.serving.opening import artifact_of, is_final, open_release, trouble
from app.serving.serving import Serving, TermSettings, now
from app.serving.starter import open_scorer
from app.settings import Settings
from models.registry.address import Address
from models.registry.errors import DamagedModel, RegistryError, UnknownModel
from models.registry.records import Release
from models.registry.registry import Registry
from tables.errors import SnapshotError
from wort.wire.releases import Following, ModelsResponse, Refused, ReleaseInfo

log: Any = structlog.get_logger("wort")


FIRST_WAIT = 1.0
LONGEST_WAIT = 60.0
"""Seconds until a release is tried again that something kept from being opened that may pass. They double."""


class Again(NamedTuple):
    """When a release is tried again (``time.monotonic``), how many seconds after the last time, and why."""

    due: float
    waited: float
    reason: str


class Source:
    """Has what is served. A request reads ``current`` once, and is answered by that from start to end.

    This one has the same for ever; a ``Follower`` puts another in its place.
    """

    def __init__(self, current: Serving) -> None:
        self.current = current

    def start(self) -> None:
        """Begin to follow, where there is something to follow."""

    def stop(self) -> None:
        """End what ``start`` began."""

    def describe(self) -> ModelsResponse:
        """What is served here, and what is followed."""
        return ModelsResponse(self.current.described, os.getpid())


class Follower(Source):
    """Serves the release in force of a registry, and each that comes after it.

    A thread asks the registry for the newest release. A new one is opened and checked beside
    the one that is served, and then takes its place: one assignment. Requests that have begun keep the old
    one, whose maps are closed when the last of them ends. A release that cannot be served is refused: what
    is served stays, and the same release is not tried again, unless what was wrong may pass: no memory, no
    free descriptors, a disk that is not mounted.
    """

    def __init__(self, settings: Settings, shared: Path | None = None) -> None:
        """Open the release in force; where it cannot be served, the newest before it that can.

        A server that is started again then serves what one that has run on does. Where the registry has no
        release, or is not there yet, the starter snapshot is served until there is one. ``shared``: a folder
        of all workers of the server.

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
        self._checks = Checks(shared)
        self._unchecked: Release | None = None
        self._damaged: Release | None = None
        self._check_due = 0.0
        self._old: list[weakref.ref[Serving]] = []
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._follow, name="releases", daemon=True)
        super().__init__(self._first() or Serving(open_scorer(None, None, settings.strict), self._terms))

    def start(self) -> None:
        """Begin to check what was opened at the start, and to ask the registry if that is wanted again."""
        if self._seconds > 0 or self._unchecked is not None:
            self._thread.start()

    def stop(self) -> None:
        """Stop asking. A release that is being opened is left to the end of the process."""
        self._stopping.set()
        if self._thread.is_alive():
            self._thread.join(timeout=1)
        if self._registry is not None and not self._thread.is_alive():
            self._registry.close()

    def describe(self) -> ModelsResponse:
        """What is served here, which registry is followed, and what was refused."""
        problem = self._problem or (None if self._again is None else self._again.reason)
        following = Following(self._shown, self._seconds, self._opening, problem)
        return ModelsResponse(self.current.described, os.getpid(), following, self._refused)

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

        That is the newest release before it that can be served. Where there is none, what is served stays,
        as it does where a new release is refused. What may pass, a registry that is away or a disk that is
        not mounted, has it tried again.
        """
        waiting = self._unchecked or self._damaged
        if waiting is None or time.monotonic() < self._check_due:
            return
        self._check_due = time.monotonic() + LONGEST_WAIT
        if self._unchecked is not None:
            self._check(self._unchecked)
        if self._damaged is not None and self._fall_back(self._damaged):
            self._damaged = None

    def _check(self, release: Release) -> None:
        try:
            self._checks.check(self.current.scorer.snapshot)
        except Exception as error:
            if _is_passing(error, release):
                log.warning("snapshot not checked", release=release.number, reason=trouble(error))
                return
            self._refuse(release, error)
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
                    settled = settled and not _is_passing(error, release)
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
            if _is_away(error):
                raise
            self._seen = release
            if _is_passing(error, release):
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
        self._refused = Refused(_info(release), trouble(error), now())
        log.error("release refused", release=release.number, model=release.model, reason=trouble(error))

    def _put_off(self, release: Release, error: Exception) -> None:
        """Have a release tried again, ever more rarely; a person should look at one that has no folder."""
        before, reason = self._again, trouble(error)
        waited = FIRST_WAIT if before is None else min(2 * before.waited, LONGEST_WAIT)
        self._again = Again(time.monotonic() + waited, waited, f"release {release.number}: {reason}")
        if before is not None:
            return
        if isinstance(error, SnapshotError):
            self._refused = Refused(_info(release), reason, now())
            log.error("release refused", release=release.number, model=release.model, reason=reason)
        else:
            log.warning("release put off", release=release.number, model=release.model, reason=reason)

    def _clear(self) -> None:
        """Close what only finished requests had: maps close by themselves, connections to names do not."""
        waiting = [old for old in self._old if old() is not None]
        if len(waiting) < len(self._old):
            collect()
        self._old = waiting

    def _follow(self) -> None:
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
                serving = self._open(registry, release, None)
            except Exception as error:
                if _is_away(error):
                    raise
                reason = reason or trouble(error)
                if release is releases[0]:
                    passing = _is_passing(error, release)
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
        serving = Serving(scorer, self._terms, _info(release))
        if before is not None:
            serving.take_over(before)
        return serving

    def _reach(self) -> Registry | None:
        if self._registry is None:
            self._registry = Registry.peek(self._url)
        return self._registry


def source(settings: Settings, shared: Path | None = None) -> Source:
    """What a server with these ``settings`` serves: what it is told to, else what its registry has in force.

    ``shared``: a folder of all workers of the server, where there are several.

    Raises:
        SnapshotError, ModelError, ForeignModel: what it is told to serve cannot be served.
        NoRelease, RegistryError: as ``Follower``.
    """
    if settings.snapshot is None and settings.model is None:
        return Follower(settings, shared)
    scorer = open_scorer(settings.snapshot, settings.model, settings.strict)
    return Source(Serving(scorer, TermSettings.of(settings)))


def _is_passing(error: Exception, release: Release) -> bool:
    """Whether what is wrong with a release may pass by itself."""
    return not isinstance(error, (DamagedModel, UnknownModel)) and not is_final(error, release)


def _is_away(error: Exception) -> bool:
    """Whether it is the registry that cannot be read, rather than a release of it that cannot be served."""
    return isinstance(error, RegistryError) and not isinstance(error, (DamagedModel, UnknownModel))


def _info(release: Release) -> ReleaseInfo:
    return ReleaseInfo(
        release.number, release.model, release.snapshot_id, release.reason, release.who, release.at
    )
