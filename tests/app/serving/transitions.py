"""The transitions of the state machine of releases, a row each."""

from __future__ import annotations

from typing import Any, NamedTuple

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
from app.serving.transition import FIRST_WAIT, LONGEST_WAIT, info_of
from models.registry.records import Release
from wort.schemas.releases import Refused

NOW = Moment(100.0, "2026-01-01T00:00:00+00:00")


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


def put_off(of: Release, waited: float = FIRST_WAIT, due: float = NOW.seconds + FIRST_WAIT) -> PutOff:
    return PutOff(of, due, waited, f"release {of.number}: wrong")


class Row(NamedTuple):
    """A transition. ``logged``: the events of the log lines that it writes, which ``effects`` leaves out."""

    what: str
    before: State
    event: Event
    after: State
    effects: tuple[Effect, ...] = ()
    logged: tuple[str, ...] = ()


FOLLOWING = State(Settled(ONE), Sound(), "wort.sqlite", 1)
"""A server that has run for a while."""

STARTING = State(Settled(TWO), Starting((TWO, ONE)), "wort.sqlite", 2)


def of(state: State, **changes: Any) -> State:
    return replace(state, **changes)


TRANSITIONS = [
    # The start.
    Row("no release", State(), Started(()), State(files=Unchecked()), (ServeStarter(),)),
    Row(
        "releases, the newest of each content",
        State(registry="wort.sqlite"),
        Started((ONE, TWO, AGAIN_ONE)),
        State(Settled(AGAIN_ONE), Starting((AGAIN_ONE, TWO)), "wort.sqlite", 3),
        (Open(AGAIN_ONE, checked=False),),
    ),
    Row("the newest opens", STARTING, Opened(), of(STARTING, files=Unchecked(TWO)), (Serve(TWO),)),
    Row(
        "the newest is wrong",
        STARTING,
        NotOpened("final", "wrong"),
        of(STARTING, files=Starting((ONE,), "wrong"), refused=refused(TWO)),
        (Open(ONE, checked=False),),
        ("release refused",),
    ),
    Row(
        "the newest may be right later",
        STARTING,
        NotOpened("passing", "wrong"),
        of(STARTING, newest=put_off(TWO), files=Starting((ONE,), "wrong")),
        (Open(ONE, checked=False),),
        ("release put off",),
    ),
    Row(
        "the newest has no folder",
        STARTING,
        NotOpened("missing", "wrong"),
        of(STARTING, newest=put_off(TWO), files=Starting((ONE,), "wrong"), refused=refused(TWO)),
        (Open(ONE, checked=False),),
        ("release refused",),
    ),
    Row(
        "one before it opens",
        of(STARTING, newest=put_off(TWO), files=Starting((ONE,), "wrong")),
        Opened(),
        of(STARTING, newest=put_off(TWO), files=Unchecked(ONE)),
        (Serve(ONE),),
    ),
    Row(
        "none opens",
        of(STARTING, files=Starting((ONE,), "wrong.")),
        NotOpened("final", "wrong too"),
        of(STARTING, files=Starting((), "wrong.")),
        (
            GiveUp(
                "none of the 2 releases of wort.sqlite can be served. The one in force, 2: wrong. "
                "Promote another with `wort models promote`, or name --snapshot and --model."
            ),
        ),
    ),
    # The newest release.
    Row("no release yet", of(FOLLOWING, newest=Unseen()), RegistryRead(None), of(FOLLOWING, newest=Unseen())),
    Row("nothing new", FOLLOWING, RegistryRead(ONE), FOLLOWING),
    Row(
        "nothing new, and the registry is back",
        of(FOLLOWING, away="locked"),
        RegistryRead(ONE),
        FOLLOWING,
        (),
        ("registry back",),
    ),
    Row(
        "the first release",
        of(FOLLOWING, newest=Unseen()),
        RegistryRead(ONE),
        of(FOLLOWING, newest=Opening(ONE, Unseen())),
        (Open(ONE),),
    ),
    Row(
        "a new release",
        FOLLOWING,
        RegistryRead(TWO),
        of(FOLLOWING, newest=Opening(TWO, Settled(ONE))),
        (Open(TWO),),
    ),
    Row(
        "a new release of a number that was seen",
        FOLLOWING,
        RegistryRead(release(1, model=7)),
        of(FOLLOWING, newest=Opening(release(1, model=7), Settled(ONE))),
        (Open(release(1, model=7)),),
    ),
    Row(
        "not due",
        of(FOLLOWING, newest=put_off(TWO, due=NOW.seconds + 0.1)),
        RegistryRead(TWO),
        of(FOLLOWING, newest=put_off(TWO, due=NOW.seconds + 0.1)),
    ),
    Row(
        "due",
        of(FOLLOWING, newest=put_off(TWO, due=NOW.seconds)),
        RegistryRead(TWO),
        of(FOLLOWING, newest=Opening(TWO, put_off(TWO, due=NOW.seconds))),
        (Open(TWO),),
    ),
    Row(
        "another comes before it is due",
        of(FOLLOWING, newest=put_off(TWO)),
        RegistryRead(THREE),
        of(FOLLOWING, newest=Opening(THREE, put_off(TWO))),
        (Open(THREE),),
    ),
    Row(
        "the registry is away",
        FOLLOWING,
        RegistryAway("gone"),
        of(FOLLOWING, away="gone"),
        (),
        ("registry away",),
    ),
    Row("it is away still", of(FOLLOWING, away="gone"), RegistryAway("no"), of(FOLLOWING, away="no")),
    Row(
        "the new release opens",
        of(FOLLOWING, newest=Opening(TWO, Settled(ONE)), files=Unchecked(ONE), refused=refused(ONE)),
        Opened(),
        of(FOLLOWING, newest=Settled(TWO), refused=refused(ONE)),
        (Serve(TWO),),
    ),
    Row(
        "a release that was refused opens, of a registry that is back",
        of(FOLLOWING, newest=Opening(TWO, put_off(TWO)), refused=refused(TWO), away="gone"),
        Opened(),
        of(FOLLOWING, newest=Settled(TWO)),
        (Serve(TWO),),
        ("registry back",),
    ),
    Row(
        "a new release opens where nothing was answered",
        of(FOLLOWING, newest=Opening(TWO, Settled(ONE)), files=Condemned()),
        Opened(),
        of(FOLLOWING, newest=Settled(TWO)),
        (Serve(TWO),),
    ),
    Row(
        "the new release is wrong",
        of(FOLLOWING, newest=Opening(TWO, Settled(ONE)), away="gone"),
        NotOpened("final", "wrong"),
        of(FOLLOWING, newest=Settled(TWO), refused=refused(TWO)),
        (),
        ("release refused", "registry back"),
    ),
    Row(
        "the new release may be right later",
        of(FOLLOWING, newest=Opening(TWO, put_off(ONE, 32))),
        NotOpened("passing", "wrong"),
        of(FOLLOWING, newest=put_off(TWO)),
        (),
        ("release put off",),
    ),
    Row(
        "the new release has no folder",
        of(FOLLOWING, newest=Opening(TWO, Settled(ONE))),
        NotOpened("missing", "wrong"),
        of(FOLLOWING, newest=put_off(TWO), refused=refused(TWO)),
        (),
        ("release refused",),
    ),
    Row(
        "it has none yet",
        of(FOLLOWING, newest=Opening(TWO, put_off(TWO, 4)), refused=refused(TWO)),
        NotOpened("missing", "wrong"),
        of(FOLLOWING, newest=put_off(TWO, 8, NOW.seconds + 8), refused=refused(TWO)),
    ),
    Row(
        "no wait is longer than the longest",
        of(FOLLOWING, newest=Opening(TWO, put_off(TWO, 32))),
        NotOpened("passing", "wrong"),
        of(FOLLOWING, newest=put_off(TWO, LONGEST_WAIT, NOW.seconds + LONGEST_WAIT)),
    ),
    Row(
        "the registry goes away meanwhile",
        of(FOLLOWING, newest=Opening(TWO, put_off(TWO))),
        NotOpened("registry", "gone"),
        of(FOLLOWING, newest=put_off(TWO), away="gone"),
        (),
        ("registry away",),
    ),
    Row(
        "opening fails as nobody foresaw",
        of(FOLLOWING, newest=Opening(TWO, Settled(ONE))),
        StepFailed("bug"),
        of(FOLLOWING, away="bug"),
    ),
    Row("anything else does", FOLLOWING, StepFailed("bug"), of(FOLLOWING, away="bug")),
    # The files of what is served.
    Row(
        "time to read them",
        of(FOLLOWING, files=Unchecked(ONE), check_due=NOW.seconds),
        CheckDue(),
        of(FOLLOWING, files=Unchecked(ONE), check_due=NOW.seconds + LONGEST_WAIT),
        (ReadFiles(),),
    ),
    Row(
        "too early",
        of(FOLLOWING, files=Unchecked(ONE), check_due=NOW.seconds + 1),
        CheckDue(),
        of(FOLLOWING, files=Unchecked(ONE), check_due=NOW.seconds + 1),
    ),
    Row(
        "time to find what takes their place",
        of(FOLLOWING, files=Altered(ONE)),
        CheckDue(),
        of(FOLLOWING, files=Altered(ONE), check_due=NOW.seconds + LONGEST_WAIT),
        (ReadReleases(),),
    ),
    Row("sound", of(FOLLOWING, files=Unchecked(ONE)), FilesSound(), FOLLOWING),
    Row(
        "what was told to be served is altered",
        State(files=Unchecked()),
        FilesAltered("toy-1", "altered"),
        State(files=Condemned()),
        (Condemn("altered"),),
        ("snapshot damaged",),
    ),
    Row(
        "a release is altered",
        of(FOLLOWING, newest=put_off(TWO), files=Unchecked(ONE)),
        FilesAltered("toy-1", "altered"),
        of(FOLLOWING, newest=put_off(TWO), files=Altered(ONE), refused=refused(ONE, "altered")),
        (Condemn("altered"), ReadReleases()),
        ("release refused",),
    ),
    Row(
        "a release is altered that was to be tried again",
        of(FOLLOWING, newest=put_off(ONE), files=Unchecked(ONE)),
        FilesAltered("toy-1", "altered"),
        of(FOLLOWING, newest=Settled(ONE), files=Altered(ONE), refused=refused(ONE, "altered")),
        (Condemn("altered"), ReadReleases()),
        ("release refused",),
    ),
    Row(
        "those before it with another content are tried, the newest first",
        of(FOLLOWING, files=Altered(AGAIN_ONE)),
        ReleasesRead((ONE, release(0), TWO, AGAIN_ONE, FOUR)),
        of(FOLLOWING, files=Seeking(AGAIN_ONE, (TWO, release(0)))),
        (Open(TWO),),
    ),
    Row(
        "there is none",
        of(FOLLOWING, files=Altered(AGAIN_ONE)),
        ReleasesRead((ONE, AGAIN_ONE, FOUR)),
        of(FOLLOWING, files=Condemned()),
    ),
    Row(
        "the registry cannot tell",
        of(FOLLOWING, files=Altered(TWO)),
        ReleasesAway("gone"),
        of(FOLLOWING, files=Altered(TWO)),
        (),
        ("registry away",),
    ),
    Row(
        "one before it opens",
        of(FOLLOWING, newest=Settled(THREE), files=Seeking(THREE, (TWO, ONE))),
        Opened(),
        of(FOLLOWING, newest=Settled(THREE)),
        (Serve(TWO),),
    ),
    Row(
        "one before it does not open",
        of(FOLLOWING, files=Seeking(THREE, (TWO, ONE))),
        NotOpened("passing", "wrong"),
        of(FOLLOWING, files=Seeking(THREE, (ONE,), passing=True)),
        (Open(ONE),),
        ("release passed over",),
    ),
    Row(
        "none opens, and one may later",
        of(FOLLOWING, files=Seeking(THREE, (ONE,), passing=True)),
        NotOpened("final", "wrong"),
        of(FOLLOWING, files=Altered(THREE)),
        (),
        ("release passed over",),
    ),
    Row(
        "the registry goes away meanwhile",
        of(FOLLOWING, files=Seeking(THREE, (ONE,))),
        NotOpened("registry", "gone"),
        of(FOLLOWING, files=Altered(THREE)),
        (),
        ("release passed over",),
    ),
    Row(
        "none opens for good",
        of(FOLLOWING, files=Seeking(THREE, (ONE,))),
        NotOpened("final", "wrong"),
        of(FOLLOWING, files=Condemned()),
        (),
        ("release passed over",),
    ),
    Row(
        "opening one fails as nobody foresaw",
        of(FOLLOWING, files=Seeking(THREE, (ONE,))),
        StepFailed("bug"),
        of(FOLLOWING, files=Altered(THREE), away="bug"),
    ),
]
