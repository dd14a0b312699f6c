"""What a server does when something happens to releases, as a pure function: no thread, no file, no clock."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from app.serving import effects, events, states
from app.serving.states import State
from app.wording import ended
from models.registry.records import Release
from wort.schemas.releases import Refused, ReleaseInfo

FIRST_WAIT = 1.0
"""Seconds until a release is tried again that something kept from being opened that may pass. They double, up
to ``LONGEST_WAIT``."""

LONGEST_WAIT = 60.0
"""Seconds until what could not be done is tried again, at the most."""

Step = tuple[State, tuple[effects.Effect, ...]]


def transition(  # noqa: PLR0911, PLR0912  # a table
    state: State, event: events.Event, at: events.Moment
) -> Step:
    """The state after ``event``, and what is to be done; an event that means nothing in a state changes none.

    Effects are done in their order. What comes of one is the next event, before any other.
    """
    match event, state.newest, state.files:
        case events.Started(releases), states.Unseen(), states.Starting():
            return _start(state, releases)
        case events.Opened(), _, states.Starting((release, *_)):
            return replace(state, files=states.Unchecked(release)), (effects.Serve(release),)
        case events.NotOpened(), states.Settled(first) | states.PutOff(first), states.Starting(
            (release, *others), reason
        ):
            done: tuple[effects.Effect, ...] = ()
            if release == first:
                reason = event.reason
                state, done = _not_served(state, release, event, at)
            state = replace(state, files=states.Starting(tuple(others), reason))
            following = effects.Open(others[0], checked=False) if others else _give_up(state, first, reason)
            return state, (*done, following)

        case events.RegistryRead(Release() as release), (
            states.Unseen() | states.Settled() | states.PutOff()
        ) as newest, _ if _is_due(newest, release, at):
            return replace(state, newest=states.Opening(release, newest)), (effects.Open(release),)
        case events.RegistryRead(), _, _:
            return _back(state)
        case events.RegistryAway(reason), _, _:
            return _away(state, reason)
        case events.Opened(), states.Opening(release), _:
            shown = state.refused
            if shown is not None and shown.release == info_of(release):
                shown = None
            state, told = _back(state)
            state = replace(state, newest=states.Settled(release), files=states.Sound(), refused=shown)
            return state, (*told, effects.Serve(release))
        case events.NotOpened("registry", reason), states.Opening(_, before), _:
            return _away(replace(state, newest=before), reason)
        case events.NotOpened(), states.Opening(release), _:
            state, done = _not_served(state, release, event, at)
            state, told = _back(state)
            return state, (*done, *told)

        case events.CheckDue(), _, (states.Unchecked() | states.Altered()) as files:
            if at.seconds < state.check_due:
                return state, ()
            state = replace(state, check_due=at.seconds + LONGEST_WAIT)
            read = effects.ReadFiles if isinstance(files, states.Unchecked) else effects.ReadReleases
            return state, (read(),)
        case events.FilesSound(), _, states.Unchecked():
            return replace(state, files=states.Sound()), ()
        case events.FilesAltered(snapshot, reason), _, states.Unchecked(None):
            damaged = _log("error", "snapshot damaged", snapshot=snapshot, reason=reason)
            return replace(state, files=states.Condemned()), (effects.Condemn(reason), damaged)
        case events.FilesAltered(_, reason), newest, states.Unchecked(Release() as release):
            if isinstance(newest, states.PutOff) and newest.release == release:
                newest = states.Settled(release)
            state = replace(state, newest=newest, files=states.Altered(release))
            state, done = _refuse(state, release, reason, at)
            return state, (*done, effects.Condemn(reason), effects.ReadReleases())
        case events.ReleasesRead(releases), _, states.Altered(release):
            earlier = (each for each in releases if each.number < release.number)
            candidates = _distinct(each for each in earlier if each.content != release.content)
            return _seek(state, states.Seeking(release, candidates))
        case events.ReleasesAway(reason), _, states.Altered():
            return state, (_log("warning", "registry away", registry=state.registry, reason=reason),)
        case events.Opened(), _, states.Seeking(_, (release, *_)):
            return replace(state, files=states.Sound()), (effects.Serve(release),)
        case events.NotOpened(trouble, reason), _, states.Seeking(release, (tried, *others), passing):
            over = _log("warning", "release passed over", release=tried.number, reason=reason)
            seeking = states.Seeking(release, tuple(others), passing or trouble != "final")
            state, done = _seek(state, seeking)
            return state, (over, *done)

        case events.StepFailed(reason), states.Opening(_, before), _:
            return replace(state, newest=before, away=reason), ()
        case events.StepFailed(reason), _, states.Seeking(release):
            return replace(state, files=states.Altered(release), away=reason), ()
        case events.StepFailed(reason), _, _:
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
        return replace(state, files=states.Unchecked()), (effects.ServeStarter(),)
    newest, files = states.Settled(candidates[0]), states.Starting(candidates)
    state = replace(state, newest=newest, files=files, releases=len(releases))
    return state, (effects.Open(candidates[0], checked=False),)


def _give_up(state: State, newest: Release, reason: str) -> effects.GiveUp:
    which = (
        f"release {newest.number}, the only one of {state.registry}, cannot be served"
        if state.releases == 1
        else f"none of the {state.releases:,} releases of {state.registry} can be served. The one in force, "
        f"{newest.number}"
    )
    return effects.GiveUp(
        f"{which}: {ended(reason)} "
        "Promote another with `wort models promote`, or name --snapshot and --model."
    )


def _is_due(newest: states.Known, release: Release, at: events.Moment) -> bool:
    """Whether ``release`` is to be opened: a new one, or one that may be right by now.

    The whole of it is compared: another registry under the same URL may have the same numbers.
    """
    if isinstance(newest, states.Unseen) or release != newest.release:
        return True
    return isinstance(newest, states.PutOff) and at.seconds >= newest.due


def _distinct(releases: Iterable[Release]) -> tuple[Release, ...]:
    """The newest first; of those with the same content the newest alone."""
    by_content: dict[tuple[int, str, str], Release] = {}
    for release in sorted(releases, key=lambda release: release.number, reverse=True):
        by_content.setdefault(release.content, release)
    return tuple(by_content.values())


def _log(level: effects.Level, event: str, **fields: object) -> effects.Log:
    return effects.Log(level, event, fields)


def _seek(state: State, seeking: states.Seeking) -> Step:
    """Open the first of the candidates; with none left, try all again later if that may help."""
    if seeking.candidates:
        return replace(state, files=seeking), (effects.Open(seeking.candidates[0]),)
    left = states.Altered(seeking.release) if seeking.passing else states.Condemned()
    return replace(state, files=left), ()


def _not_served(state: State, release: Release, event: events.NotOpened, at: events.Moment) -> Step:
    """Refuse a release for good, or have it tried again, ever more rarely, which is told once."""
    if event.trouble == "final":
        return _refuse(replace(state, newest=states.Settled(release)), release, event.reason, at)
    before = state.newest.before if isinstance(state.newest, states.Opening) else state.newest
    waited, again = FIRST_WAIT, False
    if isinstance(before, states.PutOff) and before.release == release:
        waited, again = min(2 * before.waited, LONGEST_WAIT), True
    reason = f"release {release.number}: {event.reason}"
    state = replace(state, newest=states.PutOff(release, at.seconds + waited, waited, reason))
    if again:
        return state, ()
    if event.trouble == "missing":
        return _refuse(state, release, event.reason, at)
    told = _log(
        "warning", "release put off", release=release.number, model=release.model, reason=event.reason
    )
    return state, (told,)


def _refuse(state: State, release: Release, reason: str, at: events.Moment) -> Step:
    """Show what is wrong with a release."""
    refused = Refused(info_of(release), reason, at.utc)
    told = _log("error", "release refused", release=release.number, model=release.model, reason=reason)
    return replace(state, refused=refused), (told,)


def _away(state: State, reason: str) -> Step:
    """Note that the registry cannot be asked; that is told once."""
    told = _log("warning", "registry away", registry=state.registry, reason=reason)
    return replace(state, away=reason), () if state.away is not None else (told,)


def _back(state: State) -> Step:
    """Note that the registry could be asked; that it is back is told once."""
    told = _log("info", "registry back", registry=state.registry)
    return replace(state, away=None), () if state.away is None else (told,)
