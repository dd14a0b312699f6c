"""What a server knows of releases: the states of ``app.serving.transition``.

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

from msgspec import Struct

from models.registry.records import Release
from wort.schemas.releases import Refused

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


Known = Unseen | Settled | PutOff


class Opening(Struct, frozen=True):
    """``release`` is being opened and checked; ``before`` is what held until then."""

    release: Release
    before: Known


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


Newest = Known | Opening
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
    def unserved(self) -> tuple[int, str] | None:
        """The number of a release that cannot be served, now or ever, and what is wrong with it."""
        if self.refused is not None:
            return self.refused.release.number, self.refused.reason
        if not isinstance(self.newest, PutOff):
            return None
        number = self.newest.release.number
        return number, self.newest.reason.removeprefix(f"release {number}: ")

    @property
    def problem(self) -> str | None:
        """Why the registry is not asked, or why its newest release is tried again."""
        reason = self.newest.reason if isinstance(self.newest, PutOff) else None
        return self.away if self.away is not None else reason
