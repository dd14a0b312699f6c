"""What answers requests, and how it becomes another release while requests are answered."""

from __future__ import annotations

import gc
import os
import threading
import time
import weakref
from typing import TYPE_CHECKING, Any

import structlog

from app.errors import NoRelease
from app.opening import Seal, open_release, trouble
from app.release_schema import Following, ModelsResponse, Refused, ReleaseInfo
from app.scoring import Scorer
from app.serving import Serving, TermSettings, now
from app.settings import Settings
from app.starter import open_scorer
from models.registry.address import Address
from models.registry.errors import DamagedModel, UnknownModel
from models.registry.records import Release

if TYPE_CHECKING:
    from models.registry.registry import Registry

log: Any = structlog.get_logger("wort")


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

    A thread asks the registry for the number of the newest release. A new one is opened and checked beside
    the one that is served, and then takes its place: one assignment. Requests that have begun keep the old
    one, whose maps are closed when the last of them ends. A release that cannot be served is refused: what
    is served stays, and the same number is not tried again.
    """

    def __init__(self, settings: Settings) -> None:
        """Open the release in force; where it cannot be served, the newest before it that can.

        A server that is started again then serves what one that has run on does. Where the registry has no
        release, or is not there yet, the starter snapshot is served until there is one.

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
        self._seen = 0
        self._opening: int | None = None
        self._problem: str | None = None
        self._refused: Refused | None = None
        self._sound: set[Seal] = set()
        self._old: list[weakref.ref[Serving]] = []
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._follow, name="releases", daemon=True)
        super().__init__(self._first() or Serving(open_scorer(None, None, settings.strict), self._terms))

    def start(self) -> None:
        """Begin to ask the registry, if that is wanted more than once."""
        if self._seconds > 0:
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
        following = Following(self._shown, self._seconds, self._opening, self._problem)
        return ModelsResponse(self.current.described, os.getpid(), following, self._refused)

    def look(self) -> None:
        """Ask the registry once, and serve its release in force if that is a new one that can be served."""
        begun = time.perf_counter()
        try:
            registry = self._reach()
            newest = 0 if registry is None else registry.latest_number()
            serving = None if registry is None or newest == self._seen else self._newest(registry)
        except Exception as error:
            # Whatever it is: what is served goes on, and the registry is asked again.
            if self._problem is None:
                log.warning("registry away", registry=self._shown, reason=trouble(error))
            self._problem = trouble(error)
            return
        if self._problem is not None:
            log.info("registry back", registry=self._shown)
        self._problem = None
        self._clear()
        if serving is not None:
            if serving.scorer.snapshot is not self.current.scorer.snapshot:
                self._old.append(weakref.ref(self.current))
            serving.take_over(self.current)
            # From here on, requests that begin are answered by the new release.
            self.current = serving
            version = serving.scorer.model_info.version
            seconds = round(time.perf_counter() - begun, 3)
            log.info("release served", release=self._seen, model=version, seconds=seconds)

    def _clear(self) -> None:
        """Close what only finished requests had: maps close by themselves, connections to names do not."""
        waiting = [old for old in self._old if old() is not None]
        if len(waiting) < len(self._old):
            gc.collect()
        self._old = waiting

    def _follow(self) -> None:
        while not self._stopping.wait(self._seconds):
            self.look()

    def _newest(self, registry: Registry) -> Serving | None:
        release = registry.in_force()
        if release is None or release.number == self._seen:
            return None
        self._opening = release.number
        try:
            return self._open(registry, release, self.current.scorer)
        finally:
            self._opening = None

    def _first(self) -> Serving | None:
        """What to begin with; None where there is no release."""
        registry = self._reach()
        if registry is None:
            return None
        releases = sorted(registry.releases(), key=lambda release: release.number, reverse=True)
        tried = set()
        for release in releases:
            if release.content in tried:
                continue
            tried.add(release.content)
            serving = self._open(registry, release, None)
            if serving is not None:
                self._seen = releases[0].number
                return serving
        if self._refused is not None:
            raise NoRelease(
                f"none of the {len(releases):,} releases of {self._shown} can be served. The one in force, "
                f"{self._refused.release.number}: {self._refused.reason} "
                "Promote another with `wort models promote`, or name --snapshot and --model."
            )
        return None

    def _open(self, registry: Registry, release: Release, current: Scorer | None) -> Serving | None:
        """The release, ready to serve; None where it is refused."""
        shown = _info(release)
        reason = None
        try:
            artifact = registry.artifact(release.model)
        except (DamagedModel, UnknownModel) as error:
            reason = str(error)
        else:
            try:
                scorer = open_release(release, artifact, self._strict, current, self._sound)
            except Exception as error:
                reason = trouble(error)
        self._seen = release.number
        if reason is None:
            return Serving(scorer, self._terms, shown)
        if self._refused is None or current is not None:
            self._refused = Refused(shown, reason, now())
        log.error("release refused", release=release.number, model=release.model, reason=reason)
        return None

    def _reach(self) -> Registry | None:
        if self._registry is None:
            # Imported here: a server that is told what to serve needs no registry.
            from models.registry.registry import Registry  # noqa: PLC0415

            self._registry = Registry.peek(self._url)
        return self._registry


def source(settings: Settings) -> Source:
    """What a server with these ``settings`` serves: what it is told to, else what its registry has in force.

    Raises:
        SnapshotError, ModelError, ForeignModel: what it is told to serve cannot be served.
        NoRelease, RegistryError: as ``Follower``.
    """
    if settings.snapshot is None and settings.model is None:
        return Follower(settings)
    scorer = open_scorer(settings.snapshot, settings.model, settings.strict)
    return Source(Serving(scorer, TermSettings.of(settings)))


def _info(release: Release) -> ReleaseInfo:
    return ReleaseInfo(
        release.number, release.model, release.snapshot_id, release.reason, release.who, release.at
    )
