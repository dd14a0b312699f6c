"""What happens to releases: the events of ``app.serving.transition``."""

from __future__ import annotations

from typing import Literal, NamedTuple

from msgspec import Struct

from models.registry.records import Release

Trouble = Literal["final", "passing", "missing", "registry"]
"""What keeps a release from being opened: it is wrong itself; something that may pass, of which ``missing``
is a folder that is not there, which a person should see; or the registry cannot be read."""


class Moment(NamedTuple):
    """When something happens: ``seconds`` of a clock that cannot be set, ``utc`` the date as ISO 8601."""

    seconds: float
    utc: str


class Event(Struct, frozen=True):
    """Something that happens to a server, or came of what it did."""


class Started(Event, frozen=True):
    """The server starts, and the registry has these releases; none where there is no registry."""

    releases: tuple[Release, ...]


class RegistryRead(Event, frozen=True):
    """The registry has ``release`` in force."""

    release: Release | None


class RegistryAway(Event, frozen=True):
    """The registry could not be asked which release is in force."""

    reason: str


class Opened(Event, frozen=True):
    """What was to be opened is ready to be served."""


class NotOpened(Event, frozen=True):
    """What was to be opened cannot be served."""

    trouble: Trouble
    reason: str


class CheckDue(Event, frozen=True):
    """There is time to read files, if any are to be read."""


class FilesSound(Event, frozen=True):
    """Every file of what is served was read and is as it was made."""


class FilesAltered(Event, frozen=True):
    """A file of ``snapshot``, which is served, was altered. Files that cannot be read now are no event."""

    snapshot: str
    reason: str


class ReleasesRead(Event, frozen=True):
    """The registry has these releases; one of them may take the place of what was altered."""

    releases: tuple[Release, ...]


class ReleasesAway(Event, frozen=True):
    """The registry could not be asked for its releases."""

    reason: str


class StepFailed(Event, frozen=True):
    """Something failed that was not foreseen; what was begun is not ended."""

    reason: str
