"""What a server does when something happens to releases, as a pure function: no thread, no file, no clock."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from app.serving.states import (
    Altered,
    CheckDue,
    Condemn,
    Condemned,
    Effect,
    Event,
    FilesAltered,
    FilesSound,
    GiveUp,
    Log,
    Moment,
    NotOpened,
    Open,
    Opened,
    Opening,
    PutOff,
    ReadFiles,
    ReadReleases,
    RegistryAway,
    RegistryRead,
    ReleasesAway,
    ReleasesRead,
    Seeking,
    Serve,
    ServeStarter,
    Settled,
    Sound,
    Started,
    Starting,
    State,
    StepFailed,
    Unchecked,
    Unseen,
)
from models.registry.records import Release
from wort.schemas.releases import Refused, ReleaseInfo

FIRST_WAIT = 1.0
"""Seconds until a release is tried again that something kept from being opened that may pass. They double, up
to ``LONGEST_WAIT``."""

LONGEST_WAIT = 60.0
"""Seconds until what could not be done is tried again, at the most."""

Step = tuple[State, tuple[Effect, ...]]


def transition(state: State, event: Event, at: Moment) -> Step:  # noqa: PLR0911, PLR0912  # a table
    """The state after ``event``, and what is to be done; an event that means nothing in a state changes none.

    Effects are done in their order. What comes of one is the next event, before any other.
    """
    match event, state.newest, state.files:
        case Started(releases), Unseen(), Starting():
            return _start(state, releases)
        case Opened(), _, Starting((release, *_)):
            return replace(state, files=Unchecked(release)), (Serve(release),)
        case NotOpened(), Settled(first) | PutOff(first), Starting((release, *others), reason):
            effects: tuple[Effect, ...] = ()
            if release == first:
                reason = event.reason
                state, effects = _not_served(state, release, event, at)
            state = replace(state, files=Starting(tuple(others), reason))
            following = Open(others[0], checked=False) if others else GiveUp(_none(state, first, reason))
            return state, (*effects, following)

        case RegistryRead(Release() as release), (Unseen() | Settled() | PutOff()) as newest, _ if _is_due(
            newest, release, at
        ):
            return replace(state, newest=Opening(release, newest)), (Open(release),)
        case RegistryRead(), _, _:
            return _back(state)
        case RegistryAway(reason), _, _:
            return _away(state, reason)
        case Opened(), Opening(release), _:
            refused = state.refused
            if refused is not None and refused.release == info_of(release):
                refused = None
            state, told = _back(state)
            state = replace(state, newest=Settled(release), files=Sound(), refused=refused)
            return state, (*told, Serve(release))
        case NotOpened("registry", reason), Opening(_, before), _:
            return _away(replace(state, newest=before), reason)
        case NotOpened(), Opening(release), _:
            state, effects = _not_served(state, release, event, at)
            state, told = _back(state)
            return state, (*effects, *told)

        case CheckDue(), _, (Unchecked() | Altered()) as files if at.seconds >= state.check_due:
            state = replace(state, check_due=at.seconds + LONGEST_WAIT)
            return state, (ReadFiles() if isinstance(files, Unchecked) else ReadReleases(),)
        case FilesSound(), _, Unchecked():
            return replace(state, files=Sound()), ()
        case FilesAltered(snapshot, reason), _, Unchecked(None):
            damaged = Log("error", "snapshot damaged", {"snapshot": snapshot, "reason": reason})
            return replace(state, files=Condemned()), (Condemn(reason), damaged)
        case FilesAltered(_, reason), newest, Unchecked(Release() as release):
            if isinstance(newest, PutOff) and newest.release == release:
                newest = Settled(release)
            state, effects = _refuse(
                replace(state, newest=newest, files=Altered(release)), release, reason, at
            )
            return state, (*effects, Condemn(reason), ReadReleases())
        case ReleasesRead(releases), _, Altered(release):
            earlier = (each for each in releases if each.number < release.number)
            candidates = _distinct(each for each in earlier if each.content != release.content)
            return _seek(state, Seeking(release, candidates))
        case ReleasesAway(reason), _, Altered():
            return state, (Log("warning", "registry away", {"registry": state.registry, "reason": reason}),)
        case Opened(), _, Seeking(_, (release, *_)):
            return replace(state, files=Sound()), (Serve(release),)
        case NotOpened(trouble, reason), _, Seeking(release, (tried, *others), passing):
            over = Log("warning", "release passed over", {"release": tried.number, "reason": reason})
            state, effects = _seek(state, Seeking(release, tuple(others), passing or trouble != "final"))
            return state, (over, *effects)

        case StepFailed(reason), Opening(_, before), _:
            return replace(state, newest=before, away=reason), ()
        case StepFailed(reason), _, Seeking(release):
            return replace(state, files=Altered(release), away=reason), ()
        case StepFailed(reason), _, _:
            return replace(state, away=reason), ()
    return state, ()


def info_of(release: Release) -> ReleaseInfo:
    """What responses say of a release."""
    return ReleaseInfo(
        release.number, release.model, release.snapshot_id, release.reason, release.who, release.at
    )


def _start(state: State, releases: tuple[Release, ...]) -> Step:
    candidates = _distinct(releases)
    if not candidates:
        return replace(state, files=Unchecked()), (ServeStarter(),)
    newest = Settled(candidates[0])
    state = replace(state, newest=newest, files=Starting(candidates), releases=len(releases))
    return state, (Open(candidates[0], checked=False),)


def _none(state: State, first: Release, reason: str) -> str:
    return (
        f"none of the {state.releases:,} releases of {state.registry} can be served. The one in force, "
        f"{first.number}: {reason} "
        "Promote another with `wort models promote`, or name --snapshot and --model."
    )


def _is_due(newest: Unseen | Settled | PutOff, release: Release, at: Moment) -> bool:
    """Whether ``release`` is to be opened: a new one, or one that may be right by now.

    The whole of it is compared: another registry under the same URL may have the same numbers.
    """
    if isinstance(newest, Unseen) or release != newest.release:
        return True
    return isinstance(newest, PutOff) and at.seconds >= newest.due


def _distinct(releases: Iterable[Release]) -> tuple[Release, ...]:
    """The newest first; of those with the same content the newest alone."""
    by_content: dict[tuple[int, str, str], Release] = {}
    for release in sorted(releases, key=lambda release: release.number, reverse=True):
        by_content.setdefault(release.content, release)
    return tuple(by_content.values())


def _seek(state: State, seeking: Seeking) -> Step:
    """Open the first of the candidates; with none left, try all again later if that may help."""
    if seeking.candidates:
        return replace(state, files=seeking), (Open(seeking.candidates[0]),)
    return replace(state, files=Altered(seeking.release) if seeking.passing else Condemned()), ()


def _not_served(state: State, release: Release, event: NotOpened, at: Moment) -> Step:
    """Refuse a release for good, or have it tried again, ever more rarely, which is told once."""
    if event.trouble == "final":
        return _refuse(replace(state, newest=Settled(release)), release, event.reason, at)
    before = state.newest.before if isinstance(state.newest, Opening) else state.newest
    reason = f"release {release.number}: {event.reason}"
    if isinstance(before, PutOff) and before.release == release:
        waited = min(2 * before.waited, LONGEST_WAIT)
        return replace(state, newest=PutOff(release, at.seconds + waited, waited, reason)), ()
    state = replace(state, newest=PutOff(release, at.seconds + FIRST_WAIT, FIRST_WAIT, reason))
    if event.trouble == "missing":
        return _refuse(state, release, event.reason, at)
    fields = {"release": release.number, "model": release.model, "reason": event.reason}
    return state, (Log("warning", "release put off", fields),)


def _refuse(state: State, release: Release, reason: str, at: Moment) -> Step:
    """Show what is wrong with a release."""
    fields = {"release": release.number, "model": release.model, "reason": reason}
    refused = Refused(info_of(release), reason, at.utc)
    return replace(state, refused=refused), (Log("error", "release refused", fields),)


def _away(state: State, reason: str) -> Step:
    """Note that the registry cannot be asked; that is told once."""
    told = Log("warning", "registry away", {"registry": state.registry, "reason": reason})
    return replace(state, away=reason), () if state.away is not None else (told,)


def _back(state: State) -> Step:
    """Note that the registry could be asked; that it is back is told once."""
    told = Log("info", "registry back", {"registry": state.registry})
    return replace(state, away=None), () if state.away is None else (told,)
