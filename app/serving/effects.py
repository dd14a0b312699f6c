"""What is to be done when something happens to releases: the effects of ``app.serving.transition``."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from models.registry.records import Release

Level = Literal["info", "warning", "error"]


class Effect(Struct, frozen=True):
    """Something that a server is to do."""


class Open(Effect, frozen=True):
    """Open ``release``; ``checked``: read all of its files, too, unless that was done."""

    release: Release
    checked: bool = True


class Serve(Effect, frozen=True):
    """Have requests that begin from now on answered by ``release``, which was opened last."""

    release: Release


class ServeStarter(Effect, frozen=True):
    """Serve what ships with wort."""


class ReadFiles(Effect, frozen=True):
    """Read every file of what is served."""


class ReadReleases(Effect, frozen=True):
    """Ask the registry for all of its releases."""


class Condemn(Effect, frozen=True):
    """Have nothing more answered from what is served."""

    reason: str


class GiveUp(Effect, frozen=True):
    """Do not start: no release can be served."""

    reason: str


class Log(Effect, frozen=True):
    """Write a line of the log."""

    level: Level
    event: str
    fields: dict[str, object]
