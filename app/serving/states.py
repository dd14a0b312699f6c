"""What a server knows of releases: the states, the events, and the effects of ``app.serving.transition``.

A state has two sides that change apart. ``newest``, what became of the release that is in force::

    Unseen ──another──> Opening ──opened, or wrong for good──> Settled ──another──> Opening
                        Opening ──what may pass──> PutOff ──due, or another──> Opening
                        Opening ──registry away──> what it was before

``files``, what is known of the files of what is served::

    Starting ──opened──> Unchecked ──sound──> Sound
                         Unchecked ──altered──> Altered ──due──> Seeking ──opened──> Sound
                                                Seeking ──what may pass──> Altered
                                                Seeking ──nothing to go back to──> Condemned
    each of them ──a newer release is opened, all of its files read──> Sound
"""

from __future__ import annotations

from typing import Literal, NamedTuple

from msgspec import Struct

from models.registry.records import Release
from wort.schemas.releases import Refused

Trouble = Literal["final", "passing", "missing", "registry"]
"""What keeps a release from being opened: it is wrong itself; something that may pass, of which ``missing``
is a folder that is not there, which a person should see; or the registry cannot be read."""


class Moment(NamedTuple):
    """When something happens: ``seconds`` of a clock that cannot be set, ``utc`` the date as ISO 8601."""

    seconds: float
    utc: str


# States of the newest release.


class Unseen(Struct, frozen=True):
    """The registry has no release, or was not asked yet."""


class Settled(Struct, frozen=True):
    """``release`` was opened, or refused for good, and is not tried again."""

    release: Release


class PutOff(Struct, frozen=True):
    """``release`` is tried again when it is ``due``, ``waited`` seconds after the last time."""

    release: Release
    due: float
    waited: float
    reason: str


class Opening(Struct, frozen=True):
    """``release`` is being opened and checked; ``before`` is what held until then."""

    release: Release
    before: Unseen | Settled | PutOff


# States of the files of what is served.


class Starting(Struct, frozen=True):
    """The first of ``candidates`` is being opened. ``reason``: what is wrong with the newest of all."""

    candidates: tuple[Release, ...] = ()
    reason: str = ""


class Unchecked(Struct, frozen=True):
    """Files of what was opened at the start are yet to be read; ``release``: None if it is no release."""

    release: Release | None = None


class Sound(Struct, frozen=True):
    """Every file was read and is as it was made."""


class Altered(Struct, frozen=True):
    """A file of ``release`` was altered: nothing is answered, and one before it is to take its place."""

    release: Release


class Seeking(Struct, frozen=True):
    """The first of ``candidates`` is being opened to take the place of the altered ``release``.

    ``passing``: what kept one before it from being opened may pass.
    """

    release: Release
    candidates: tuple[Release, ...]
    passing: bool = False


class Condemned(Struct, frozen=True):
    """A file was altered and nothing can take its place: nothing is answered until a newer release is."""


Newest = Unseen | Opening | Settled | PutOff
Files = Starting | Unchecked | Sound | Altered | Seeking | Condemned


class State(Struct, frozen=True):
    """All that is known.

    ``registry``: what it is called; ``away``: why it could not be asked the last time. ``releases``: how
    many there were at the start. ``refused``: the last release that was. ``check_due``: when files may be
    read next.
    """

    newest: Newest = Unseen()
    files: Files = Starting()
    registry: str = ""
    releases: int = 0
    away: str | None = None
    refused: Refused | None = None
    check_due: float = 0.0

    @property
    def opening(self) -> int | None:
        """The number of the newest release while it is being opened."""
        return self.newest.release.number if isinstance(self.newest, Opening) else None

    @property
    def problem(self) -> str | None:
        """Why the registry is not asked, or why its newest release is tried again."""
        reason = self.newest.reason if isinstance(self.newest, PutOff) else None
        return self.away if self.away is not None else reason


# Events.


class Started(Struct, frozen=True):
    """The server starts, and the registry has these releases; none where there is no registry."""

    releases: tuple[Release, ...]


class RegistryRead(Struct, frozen=True):
    """The registry has ``release`` in force."""

    release: Release | None


class RegistryAway(Struct, frozen=True):
    """The registry could not be asked which release is in force."""

    reason: str


class Opened(Struct, frozen=True):
    """What was to be opened is ready to be served."""


class NotOpened(Struct, frozen=True):
    """What was to be opened cannot be served."""

    trouble: Trouble
    reason: str


class CheckDue(Struct, frozen=True):
    """There is time to read files, if any are to be read."""


class FilesSound(Struct, frozen=True):
    """Every file of what is served was read and is as it was made."""


class FilesAltered(Struct, frozen=True):
    """A file of ``snapshot``, which is served, was altered. Files that cannot be read now are no event."""

    snapshot: str
    reason: str


class ReleasesRead(Struct, frozen=True):
    """The registry has these releases; one of them may take the place of what was altered."""

    releases: tuple[Release, ...]


class ReleasesAway(Struct, frozen=True):
    """The registry could not be asked for its releases."""

    reason: str


class StepFailed(Struct, frozen=True):
    """Something failed that was not foreseen; what was begun is not ended."""

    reason: str


Event = (
    Started
    | RegistryRead
    | RegistryAway
    | Opened
    | NotOpened
    | CheckDue
    | FilesSound
    | FilesAltered
    | ReleasesRead
    | ReleasesAway
    | StepFailed
)


# Effects.


class Open(Struct, frozen=True):
    """Open ``release``; ``checked``: read all of its files, too, unless that was done."""

    release: Release
    checked: bool = True


class Serve(Struct, frozen=True):
    """Have requests that begin from now on answered by ``release``, which was opened last."""

    release: Release


class ServeStarter(Struct, frozen=True):
    """Serve what ships with wort."""


class ReadFiles(Struct, frozen=True):
    """Read every file of what is served."""


class ReadReleases(Struct, frozen=True):
    """Ask the registry for all of its releases."""


class Condemn(Struct, frozen=True):
    """Have nothing more answered from what is served."""

    reason: str


class GiveUp(Struct, frozen=True):
    """Do not start: no release can be served."""

    reason: str


class Log(Struct, frozen=True):
    """Write a line of the log."""

    level: Literal["info", "warning", "error"]
    event: str
    fields: dict[str, object]


Effect = Open | Serve | ServeStarter | ReadFiles | ReadReleases | Condemn | GiveUp | Log
