"""The transitions of the state machine of releases, a row each."""

from __future__ import annotations

from typing import Any, NamedTuple

from msgspec.structs import replace

from app.serving import effects, events, states
from app.serving.transition import FIRST_WAIT, LONGEST_WAIT, info_of
from models.registry.records import Release
from wort.schemas.releases import Refused

NOW = events.Moment(100.0, "2026-01-01T00:00:00+00:00")


def release(number: int, model: int | None = None) -> Release:
    """A release of a model of its own, or of ``model``."""
    model = number if model is None else model
    return Release(
        number=number,
        model=f"toy@{model}",
        model_id=model,
        checksum=str(model),
        snapshot_id="toy-1",
        location="/srv/toy",
        reason="tried",
        who="a test",
        at="2026-01-01T00:00:00+00:00",
        restores=None,
    )


ONE, TWO, THREE, FOUR = (release(number) for number in (1, 2, 3, 4))
AGAIN_ONE = release(3, model=1)


def refused(of: Release, reason: str = "wrong") -> Refused:
    return Refused(info_of(of), reason, NOW.utc)


def put_off(of: Release, waited: float = FIRST_WAIT, due: float = NOW.seconds + FIRST_WAIT) -> states.PutOff:
    return states.PutOff(of, due, waited, f"release {of.number}: wrong")


class Row(NamedTuple):
    """A transition. ``logged``: the events of the log lines that it writes, which ``done`` leaves out."""

    what: str
    before: states.State
    event: events.Event
    after: states.State
    done: tuple[effects.Effect, ...] = ()
    logged: tuple[str, ...] = ()


FOLLOWING = states.State(states.Settled(ONE), states.Sound(), "wort.sqlite", 1)
"""A server that has run for a while."""

ALONE = states.State(states.Settled(ONE), states.Starting((ONE,)), "wort.sqlite", 1)
ADVICE = "Promote another with `wort models promote`, or name --snapshot and --model."
STARTING = states.State(states.Settled(TWO), states.Starting((TWO, ONE)), "wort.sqlite", 2)


def of(state: states.State, **changes: Any) -> states.State:
    return replace(state, **changes)


TRANSITIONS = [
    # The start.
    Row(
        "no release",
        states.State(),
        events.Started(()),
        states.State(files=states.Unchecked()),
        (effects.ServeStarter(),),
    ),
    Row(
        "releases, the newest of each content",
        states.State(registry="wort.sqlite"),
        events.Started((ONE, TWO, AGAIN_ONE)),
        states.State(states.Settled(AGAIN_ONE), states.Starting((AGAIN_ONE, TWO)), "wort.sqlite", 3),
        (effects.Open(AGAIN_ONE, checked=False),),
    ),
    Row(
        "the newest opens",
        STARTING,
        events.Opened(),
        of(STARTING, files=states.Unchecked(TWO)),
        (effects.Serve(TWO),),
    ),
    Row(
        "the newest is wrong",
        STARTING,
        events.NotOpened("final", "wrong"),
        of(STARTING, files=states.Starting((ONE,), "wrong"), refused=refused(TWO)),
        (effects.Open(ONE, checked=False),),
        ("release refused",),
    ),
    Row(
        "the newest may be right later",
        STARTING,
        events.NotOpened("passing", "wrong"),
        of(STARTING, newest=put_off(TWO), files=states.Starting((ONE,), "wrong")),
        (effects.Open(ONE, checked=False),),
        ("release put off",),
    ),
    Row(
        "the newest has no folder",
        STARTING,
        events.NotOpened("missing", "wrong"),
        of(STARTING, newest=put_off(TWO), files=states.Starting((ONE,), "wrong"), refused=refused(TWO)),
        (effects.Open(ONE, checked=False),),
        ("release refused",),
    ),
    Row(
        "one before it opens",
        of(STARTING, newest=put_off(TWO), files=states.Starting((ONE,), "wrong")),
        events.Opened(),
        of(STARTING, newest=put_off(TWO), files=states.Unchecked(ONE)),
        (effects.Serve(ONE),),
    ),
    Row(
        "none opens",
        of(STARTING, files=states.Starting((ONE,), "wrong.")),
        events.NotOpened("final", "wrong too"),
        of(STARTING, files=states.Starting((), "wrong.")),
        (
            effects.GiveUp(
                f"none of the 2 releases of wort.sqlite can be served. The one in force, 2: wrong. {ADVICE}"
            ),
        ),
    ),
    Row(
        "the only one does not open",
        ALONE,
        events.NotOpened("final", "wrong"),
        of(ALONE, files=states.Starting((), "wrong"), refused=refused(ONE)),
        (effects.GiveUp(f"release 1, the only one of wort.sqlite, cannot be served: wrong. {ADVICE}"),),
        ("release refused",),
    ),
    # The newest release.
    Row(
        "no release yet",
        of(FOLLOWING, newest=states.Unseen()),
        events.RegistryRead(None),
        of(FOLLOWING, newest=states.Unseen()),
    ),
    Row("nothing new", FOLLOWING, events.RegistryRead(ONE), FOLLOWING),
    Row(
        "nothing new, and the registry is back",
        of(FOLLOWING, away="locked"),
        events.RegistryRead(ONE),
        FOLLOWING,
        (),
        ("registry back",),
    ),
    Row(
        "the first release",
        of(FOLLOWING, newest=states.Unseen()),
        events.RegistryRead(ONE),
        of(FOLLOWING, newest=states.Opening(ONE, states.Unseen())),
        (effects.Open(ONE),),
    ),
    Row(
        "a new release",
        FOLLOWING,
        events.RegistryRead(TWO),
        of(FOLLOWING, newest=states.Opening(TWO, states.Settled(ONE))),
        (effects.Open(TWO),),
    ),
    Row(
        "a new release of a number that was seen",
        FOLLOWING,
        events.RegistryRead(release(1, model=7)),
        of(FOLLOWING, newest=states.Opening(release(1, model=7), states.Settled(ONE))),
        (effects.Open(release(1, model=7)),),
    ),
    Row(
        "not due",
        of(FOLLOWING, newest=put_off(TWO, due=NOW.seconds + 0.1)),
        events.RegistryRead(TWO),
        of(FOLLOWING, newest=put_off(TWO, due=NOW.seconds + 0.1)),
    ),
    Row(
        "due",
        of(FOLLOWING, newest=put_off(TWO, due=NOW.seconds)),
        events.RegistryRead(TWO),
        of(FOLLOWING, newest=states.Opening(TWO, put_off(TWO, due=NOW.seconds))),
        (effects.Open(TWO),),
    ),
    Row(
        "another comes before it is due",
        of(FOLLOWING, newest=put_off(TWO)),
        events.RegistryRead(THREE),
        of(FOLLOWING, newest=states.Opening(THREE, put_off(TWO))),
        (effects.Open(THREE),),
    ),
    Row(
        "the registry is away",
        FOLLOWING,
        events.RegistryAway("gone"),
        of(FOLLOWING, away="gone"),
        (),
        ("registry away",),
    ),
    Row("it is away still", of(FOLLOWING, away="gone"), events.RegistryAway("no"), of(FOLLOWING, away="no")),
    Row(
        "the new release opens",
        of(
            FOLLOWING,
            newest=states.Opening(TWO, states.Settled(ONE)),
            files=states.Unchecked(ONE),
            refused=refused(ONE),
        ),
        events.Opened(),
        of(FOLLOWING, newest=states.Settled(TWO), refused=refused(ONE)),
        (effects.Serve(TWO),),
    ),
    Row(
        "a release that was refused opens, of a registry that is back",
        of(FOLLOWING, newest=states.Opening(TWO, put_off(TWO)), refused=refused(TWO), away="gone"),
        events.Opened(),
        of(FOLLOWING, newest=states.Settled(TWO)),
        (effects.Serve(TWO),),
        ("registry back",),
    ),
    Row(
        "a new release opens where nothing was answered",
        of(FOLLOWING, newest=states.Opening(TWO, states.Settled(ONE)), files=states.Condemned()),
        events.Opened(),
        of(FOLLOWING, newest=states.Settled(TWO)),
        (effects.Serve(TWO),),
    ),
    Row(
        "the new release is wrong",
        of(FOLLOWING, newest=states.Opening(TWO, states.Settled(ONE)), away="gone"),
        events.NotOpened("final", "wrong"),
        of(FOLLOWING, newest=states.Settled(TWO), refused=refused(TWO)),
        (),
        ("release refused", "registry back"),
    ),
    Row(
        "the new release may be right later",
        of(FOLLOWING, newest=states.Opening(TWO, put_off(ONE, 32))),
        events.NotOpened("passing", "wrong"),
        of(FOLLOWING, newest=put_off(TWO)),
        (),
        ("release put off",),
    ),
    Row(
        "the new release has no folder",
        of(FOLLOWING, newest=states.Opening(TWO, states.Settled(ONE))),
        events.NotOpened("missing", "wrong"),
        of(FOLLOWING, newest=put_off(TWO), refused=refused(TWO)),
        (),
        ("release refused",),
    ),
    Row(
        "it has none yet",
        of(FOLLOWING, newest=states.Opening(TWO, put_off(TWO, 4)), refused=refused(TWO)),
        events.NotOpened("missing", "wrong"),
        of(FOLLOWING, newest=put_off(TWO, 8, NOW.seconds + 8), refused=refused(TWO)),
    ),
    Row(
        "no wait is longer than the longest",
        of(FOLLOWING, newest=states.Opening(TWO, put_off(TWO, 32))),
        events.NotOpened("passing", "wrong"),
        of(FOLLOWING, newest=put_off(TWO, LONGEST_WAIT, NOW.seconds + LONGEST_WAIT)),
    ),
    Row(
        "the registry goes away meanwhile",
        of(FOLLOWING, newest=states.Opening(TWO, put_off(TWO))),
        events.NotOpened("registry", "gone"),
        of(FOLLOWING, newest=put_off(TWO), away="gone"),
        (),
        ("registry away",),
    ),
    Row(
        "opening fails as nobody foresaw",
        of(FOLLOWING, newest=states.Opening(TWO, states.Settled(ONE))),
        events.StepFailed("bug"),
        of(FOLLOWING, away="bug"),
    ),
    Row("anything else does", FOLLOWING, events.StepFailed("bug"), of(FOLLOWING, away="bug")),
    # The files of what is served.
    Row(
        "time to read them",
        of(FOLLOWING, files=states.Unchecked(ONE), check_due=NOW.seconds),
        events.CheckDue(),
        of(FOLLOWING, files=states.Unchecked(ONE), check_due=NOW.seconds + LONGEST_WAIT),
        (effects.ReadFiles(),),
    ),
    Row(
        "too early",
        of(FOLLOWING, files=states.Unchecked(ONE), check_due=NOW.seconds + 1),
        events.CheckDue(),
        of(FOLLOWING, files=states.Unchecked(ONE), check_due=NOW.seconds + 1),
    ),
    Row(
        "time to find what takes their place",
        of(FOLLOWING, files=states.Altered(ONE)),
        events.CheckDue(),
        of(FOLLOWING, files=states.Altered(ONE), check_due=NOW.seconds + LONGEST_WAIT),
        (effects.ReadReleases(),),
    ),
    Row("sound", of(FOLLOWING, files=states.Unchecked(ONE)), events.FilesSound(), FOLLOWING),
    Row(
        "what was told to be served is altered",
        states.State(files=states.Unchecked()),
        events.FilesAltered("toy-1", "altered"),
        states.State(files=states.Condemned()),
        (effects.Condemn("altered"),),
        ("snapshot damaged",),
    ),
    Row(
        "a release is altered",
        of(FOLLOWING, newest=put_off(TWO), files=states.Unchecked(ONE)),
        events.FilesAltered("toy-1", "altered"),
        of(FOLLOWING, newest=put_off(TWO), files=states.Altered(ONE), refused=refused(ONE, "altered")),
        (effects.Condemn("altered"), effects.ReadReleases()),
        ("release refused",),
    ),
    Row(
        "a release is altered that was to be tried again",
        of(FOLLOWING, newest=put_off(ONE), files=states.Unchecked(ONE)),
        events.FilesAltered("toy-1", "altered"),
        of(FOLLOWING, newest=states.Settled(ONE), files=states.Altered(ONE), refused=refused(ONE, "altered")),
        (effects.Condemn("altered"), effects.ReadReleases()),
        ("release refused",),
    ),
    Row(
        "those before it with another content are tried, the newest first",
        of(FOLLOWING, files=states.Altered(AGAIN_ONE)),
        events.ReleasesRead((ONE, release(0), TWO, AGAIN_ONE, FOUR)),
        of(FOLLOWING, files=states.Seeking(AGAIN_ONE, (TWO, release(0)))),
        (effects.Open(TWO),),
    ),
    Row(
        "there is none",
        of(FOLLOWING, files=states.Altered(AGAIN_ONE)),
        events.ReleasesRead((ONE, AGAIN_ONE, FOUR)),
        of(FOLLOWING, files=states.Condemned()),
    ),
    Row(
        "the registry cannot tell",
        of(FOLLOWING, files=states.Altered(TWO)),
        events.ReleasesAway("gone"),
        of(FOLLOWING, files=states.Altered(TWO)),
        (),
        ("registry away",),
    ),
    Row(
        "one before it opens",
        of(FOLLOWING, newest=states.Settled(THREE), files=states.Seeking(THREE, (TWO, ONE))),
        events.Opened(),
        of(FOLLOWING, newest=states.Settled(THREE)),
        (effects.Serve(TWO),),
    ),
    Row(
        "one before it does not open",
        of(FOLLOWING, files=states.Seeking(THREE, (TWO, ONE))),
        events.NotOpened("passing", "wrong"),
        of(FOLLOWING, files=states.Seeking(THREE, (ONE,), passing=True)),
        (effects.Open(ONE),),
        ("release passed over",),
    ),
    Row(
        "none opens, and one may later",
        of(FOLLOWING, files=states.Seeking(THREE, (ONE,), passing=True)),
        events.NotOpened("final", "wrong"),
        of(FOLLOWING, files=states.Altered(THREE)),
        (),
        ("release passed over",),
    ),
    Row(
        "the registry goes away meanwhile",
        of(FOLLOWING, files=states.Seeking(THREE, (ONE,))),
        events.NotOpened("registry", "gone"),
        of(FOLLOWING, files=states.Altered(THREE)),
        (),
        ("release passed over",),
    ),
    Row(
        "none opens for good",
        of(FOLLOWING, files=states.Seeking(THREE, (ONE,))),
        events.NotOpened("final", "wrong"),
        of(FOLLOWING, files=states.Condemned()),
        (),
        ("release passed over",),
    ),
    Row(
        "opening one fails as nobody foresaw",
        of(FOLLOWING, files=states.Seeking(THREE, (ONE,))),
        events.StepFailed("bug"),
        of(FOLLOWING, files=states.Altered(THREE), away="bug"),
    ),
]
