"""What answers requests, and how it becomes the next release of a registry while they are answered."""

from __future__ import annotations

import os
import time
import weakref
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import structlog

from app.errors import NoRelease
from app.serving import effects, events, states
from app.serving.garbage import collect
from app.serving.models import TermSettings
from app.serving.opening import artifact_of, folder_of, kind_of, open_release, trouble
from app.serving.serving import Serving
from app.serving.source import Source
from app.serving.starter import open_scorer, snapshot_path
from app.serving.transition import LONGEST_WAIT, info_of
from app.serving.trial import Trials
from app.settings import Settings
from models.registry.database import REGISTRY
from models.registry.records import Release
from models.registry.registry import Registry
from models.storage.address import DatabaseAddress
from wort.schemas.releases import Following, ModelsResponse

log: Any = structlog.get_logger("wort")


class Follower(Source):
    """Serves the release in force of a registry, and each that comes after it.

    A thread asks the registry for the newest release. A new one is opened and checked beside
    the one that is served, and then takes its place: one assignment. Requests that have begun keep the old
    one, whose maps are closed when the last of them ends. A release that cannot be served is refused: what
    is served stays, and the same release is not tried again, unless what was wrong may pass: no memory, no
    free descriptors, a disk that is not mounted.
    """

    _failed = "releases cannot be followed"

    def __init__(
        self,
        settings: Settings,
        shared: Path | None = None,
        trials: Trials | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Open the release in force; where it cannot be served, the newest before it that can.

        A server that is started again then serves what one that has run on does. Where the registry has no
        release, or is not there yet, the starter snapshot is served until there is one. ``shared``: a folder
        of all workers of the server. ``trials``: by which each snapshot is tried before it is opened.
        ``clock``: in seconds; says when what may pass is tried again.

        Raises:
            NoRelease: there are releases, and none of them can be served.
            RegistryError: there is a registry, and it cannot be asked.
            SnapshotError, ModelError, ForeignModel: the starter snapshot cannot be served.
        """
        super().__init__(None, shared, trials, clock)
        self._url = settings.registry
        self._seconds = settings.follow_seconds
        self._strict = settings.strict
        self._terms = TermSettings.of(settings)
        self._registry: Registry | None = None
        self._ready: tuple[Serving, float] | None = None
        self._old: list[weakref.ref[Serving]] = []
        registry = DatabaseAddress.parse(self._url, REGISTRY)
        # Anybody may ask what is served: where files lie is for the log.
        self._shown = str(registry) if registry.path is None else registry.path.name
        self.state = states.State(registry=str(registry))
        self._handle(events.Started(self._releases()))

    def stop(self) -> None:
        """Stop asking, too."""
        super().stop()
        if self._registry is not None and not self._thread.is_alive():
            self._registry.close()

    def describe(self) -> ModelsResponse:
        """What is served here, which registry is followed, and what was refused."""
        state = self.state
        following = Following(self._shown, self._seconds, state.opening, state.problem)
        return ModelsResponse(self.current.describe(), os.getpid(), following, state.refused)

    def look(self) -> None:
        """Ask the registry once, and serve its release in force if that is a new one that can be served."""
        self._clear()
        try:
            registry = self._reach()
            release = None if registry is None else registry.in_force()
        except Exception as error:
            # Whatever it is: what is served goes on, and the registry is asked again.
            self._handle(events.RegistryAway(trouble(error)))
        else:
            self._handle(events.RegistryRead(release))

    def _perform(self, effect: effects.Effect) -> events.Event | None:
        match effect:
            case effects.Open(release, checked):
                return self._open(release, checked)
            case effects.Serve() if self._ready is not None:
                self._serve(*self._ready)
                self._ready = None
            case effects.ServeStarter():
                if self._trials is not None:
                    self._trials.attempt(snapshot_path())
                self.current = Serving(open_scorer(None, None, self._strict), self._terms)
            case effects.ReadReleases():
                try:
                    return events.ReleasesRead(self._releases())
                except Exception as error:
                    return events.ReleasesAway(trouble(error))
            case effects.GiveUp(reason):
                raise NoRelease(reason)
        return super()._perform(effect)

    def _open(self, release: Release, checked: bool) -> events.Event:
        """Have the release ready to serve, its terms too if those of the present one were asked for.

        Raises:
            RegistryError: at the start, which cannot do without the registry.
        """
        begun = time.perf_counter()
        starting = isinstance(self.state.files, states.Starting)
        before: Serving | None = getattr(self, "current", None)
        try:
            if starting and self._trials is not None:
                self._trials.attempt(folder_of(release))
            artifact = artifact_of(cast(Registry, self._registry), release)
            current = None if before is None else before.scorer
            scorer = open_release(release, artifact, self._strict, current, self._checks if checked else None)
            serving = Serving(scorer, self._terms, info_of(release))
            if checked:
                serving.integrity = "verified"
            if before is not None:
                serving.take_over(before)
        except Exception as error:
            kind = kind_of(error, release)
            if starting and kind == "registry":
                raise
            return events.NotOpened(kind, trouble(error))
        self._ready = serving, begun
        return events.Opened()

    def _serve(self, serving: Serving, begun: float) -> None:
        before: Serving | None = getattr(self, "current", None)
        # From here on, requests that begin are answered by the new release.
        self.current = serving
        if before is None:
            return
        if serving.scorer.snapshot is not before.scorer.snapshot:
            self._old.append(weakref.ref(before))
        info = serving.scorer.model_info
        seconds = round(time.perf_counter() - begun, 3)
        log.info("release served", release=info.release, model=info.version, seconds=seconds)

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

    def _releases(self) -> tuple[Release, ...]:
        """All releases, none where there is no registry."""
        registry = self._reach()
        return () if registry is None else tuple(registry.releases())

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
