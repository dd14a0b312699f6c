"""The state machine of releases: each transition, and what holds whatever comes."""

from __future__ import annotations

from collections import deque
from typing import Any, NamedTuple, cast, get_args

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from msgspec.structs import replace

from app.serving.states import (
    Altered,
    CheckDue,
    Condemn,
    Condemned,
    Effect,
    Event,
    Files,
    FilesAltered,
    FilesSound,
    GiveUp,
    Log,
    Moment,
    Newest,
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
    Trouble,
    Unchecked,
    Unseen,
)
from app.serving.transition import FIRST_WAIT, LONGEST_WAIT, info_of, transition
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


@pytest.mark.parametrize("row", TRANSITIONS, ids=lambda row: f"{type(row.event).__name__}: {row.what}")
def test_each_transition(row: Row) -> None:
    after, effects = transition(row.before, row.event, NOW)
    assert after == row.after
    assert tuple(effect for effect in effects if not isinstance(effect, Log)) == row.effects
    assert tuple(effect.event for effect in effects if isinstance(effect, Log)) == row.logged


EXAMPLES: dict[type, Any] = {
    Unseen: Unseen(),
    Settled: Settled(ONE),
    PutOff: put_off(ONE),
    Opening: Opening(TWO, Settled(ONE)),
    Starting: Starting((ONE,)),
    Unchecked: Unchecked(ONE),
    Sound: Sound(),
    Altered: Altered(ONE),
    Seeking: Seeking(THREE, (ONE,)),
    Condemned: Condemned(),
}
EVENTS: tuple[Event, ...] = (
    Started((ONE,)),
    RegistryRead(TWO),
    Opened(),
    NotOpened("final", "wrong"),
    CheckDue(),
)
EVENTS += (FilesSound(), FilesAltered("toy-1", "altered"), ReleasesRead((ONE,)), ReleasesAway("gone"))


@pytest.mark.parametrize("event", EVENTS, ids=lambda event: type(event).__name__)
def test_what_is_in_no_row_changes_nothing(event: Event) -> None:
    """An event means something only to those states for which a row says so."""
    rows = [row for row in TRANSITIONS if type(row.event) is type(event)]
    for newest in get_args(Newest):
        for files in get_args(Files):
            meant = any(
                isinstance(row.before.files, files)
                if isinstance(row.before.files, Starting | Unchecked | Altered | Seeking)
                else isinstance(row.before.newest, newest)
                for row in rows
            )
            state = State(EXAMPLES[newest], EXAMPLES[files], "wort.sqlite")
            if not meant and newest is not Opening:
                assert transition(state, event, NOW) == (state, ()), (newest, files)


def test_what_is_shown_of_a_state() -> None:
    assert (FOLLOWING.opening, FOLLOWING.problem) == (None, None)
    assert of(FOLLOWING, newest=Opening(TWO, Settled(ONE))).opening == 2
    assert of(FOLLOWING, newest=put_off(TWO)).problem == "release 2: wrong"
    assert of(FOLLOWING, newest=put_off(TWO), away="gone").problem == "gone"


RELEASES = st.builds(release, st.integers(1, 6), st.integers(1, 3))
TROUBLES = st.sampled_from(get_args(Trouble))


class Releases(RuleBasedStateMachine):
    """A server to which anything happens in any order; its effects are done by noting them."""

    def __init__(self) -> None:
        super().__init__()
        self.state = State(registry="wort.sqlite")
        self.seconds = 0.0
        self.served: Release | str | None = None
        self.opened: Release | None = None
        self.altered = self.damage_said = self.given_up = False
        self.vain: Release | None = None
        self.due: dict[Release, float] = {}

    def happens(self, event: Event, data: st.DataObject) -> None:
        """Let an event happen, and all that comes of it."""
        events, known = deque([event]), self.state.newest
        while events:
            before = self.state
            self.state, effects = transition(before, events.popleft(), Moment(self.seconds, NOW.utc))
            for effect in effects:
                came = self.done(effect, data)
                if came is not None:
                    events.append(came)
            newest, refused = self.state.newest, self.state.refused
            if isinstance(before.newest, Opening) and Serve(before.newest.release) in effects:
                assert refused is None or refused.release != info_of(before.newest.release)
            if isinstance(newest, PutOff) and newest != known:
                assert self.seconds + FIRST_WAIT <= newest.due <= self.seconds + LONGEST_WAIT

    def done(self, effect: Effect, data: st.DataObject) -> Event | None:
        match effect:
            case Open(tried, checked):
                return self.opening(tried, checked, data)
            case Serve(served):
                assert served == self.opened, "what is served was opened, and last"
                self.served, self.opened, self.altered, self.damage_said = served, None, False, False
            case ServeStarter():
                self.served = "starter"
            case ReadFiles():
                outcome = data.draw(st.sampled_from(("sound", "altered", "unread")), "files")
                self.altered = outcome == "altered"
                came: dict[str, Event] = {"sound": FilesSound(), "altered": FilesAltered("toy-1", "altered")}
                return came.get(outcome)
            case ReadReleases():
                away = data.draw(st.booleans(), "away")
                return ReleasesAway("gone") if away else ReleasesRead(tuple(data.draw(st.lists(RELEASES))))
            case Condemn():
                self.damage_said = True
            case GiveUp():
                self.given_up = True
        return None

    def opening(self, tried: Release, checked: bool, data: st.DataObject) -> Event:
        starting = isinstance(self.state.files, Starting)
        assert checked is not starting, "what comes while requests are answered has its files read first"
        if isinstance(self.state.newest, Opening):
            assert tried != self.vain, "what was refused for good is not tried again"
            assert self.seconds >= self.due.get(tried, 0), "what was put off is not tried before it is due"
        elif isinstance(self.state.files, Seeking):
            damaged = self.state.files.release
            assert tried.number < damaged.number
            assert tried.content != damaged.content
        trouble = data.draw(
            st.none() | TROUBLES.filter(lambda kind: not starting or kind != "registry"), "opens"
        )
        if trouble is None:
            self.opened = tried
            return Opened()
        self.opened = None
        return NotOpened(cast(Trouble, trouble), "wrong")

    @initialize(data=st.data(), releases=st.lists(RELEASES, max_size=4))
    def start(self, data: st.DataObject, releases: list[Release]) -> None:
        self.happens(Started(tuple(releases)), data)
        self.note()

    @precondition(lambda self: not self.given_up)
    @rule(data=st.data(), in_force=st.none() | RELEASES)
    def look(self, data: st.DataObject, in_force: Release | None) -> None:
        self.happens(RegistryRead(in_force), data)
        self.note()

    @precondition(lambda self: not self.given_up)
    @rule(data=st.data())
    def look_again(self, data: st.DataObject) -> None:
        """At the same release, as most looks are."""
        newest = self.state.newest
        self.look(data, None if isinstance(newest, Unseen) else newest.release)

    @precondition(lambda self: not self.given_up)
    @rule(data=st.data(), event=st.sampled_from((CheckDue(), RegistryAway("gone"), StepFailed("bug"))))
    def another(self, data: st.DataObject, event: Event) -> None:
        self.happens(event, data)
        self.note()

    @rule(seconds=st.sampled_from((0.5, 1.0, 10.0, 60.0)))
    def time_passes(self, seconds: float) -> None:
        self.seconds += seconds

    def note(self) -> None:
        """What is known of the newest release, for the next time it is seen."""
        newest = self.state.newest
        self.vain = newest.release if isinstance(newest, Settled) else None
        self.due = {newest.release: newest.due} if isinstance(newest, PutOff) else {}

    @invariant()
    def what_is_served_is_sound_or_said_to_be_damaged(self) -> None:
        assert self.altered is self.damage_said
        assert self.damage_said is isinstance(self.state.files, Altered | Condemned)

    @invariant()
    def something_is_served_and_nothing_is_half_done(self) -> None:
        if self.state != State(registry="wort.sqlite"):
            assert (self.served is None) is self.given_up
            assert self.given_up is isinstance(self.state.files, Starting)
            assert not isinstance(self.state.newest, Opening)
            assert not isinstance(self.state.files, Seeking)


TestReleases = Releases.TestCase
TestReleases.settings = settings(max_examples=40, stateful_step_count=20, deadline=None)
