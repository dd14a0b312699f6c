"""The state machine of releases: each transition, and what holds whatever comes."""

from __future__ import annotations

from collections import deque
from typing import Any, cast, get_args

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from app.serving import effects, events, states
from app.serving.transition import FIRST_WAIT, LONGEST_WAIT, info_of, transition
from models.registry.records import Release
from tests.app.serving.transitions import (
    FOLLOWING,
    NOW,
    ONE,
    THREE,
    TRANSITIONS,
    TWO,
    Row,
    of,
    put_off,
    release,
)


@pytest.mark.parametrize("row", TRANSITIONS, ids=lambda row: f"{type(row.event).__name__}: {row.what}")
def test_each_transition(row: Row) -> None:
    after, done = transition(row.before, row.event, NOW)
    assert after == row.after
    assert tuple(effect for effect in done if not isinstance(effect, effects.Log)) == row.done
    assert tuple(effect.event for effect in done if isinstance(effect, effects.Log)) == row.logged


EXAMPLES: dict[type, Any] = {
    states.Unseen: states.Unseen(),
    states.Settled: states.Settled(ONE),
    states.PutOff: put_off(ONE),
    states.Opening: states.Opening(TWO, states.Settled(ONE)),
    states.Starting: states.Starting((ONE,)),
    states.Unchecked: states.Unchecked(ONE),
    states.Sound: states.Sound(),
    states.Altered: states.Altered(ONE),
    states.Seeking: states.Seeking(THREE, (ONE,)),
    states.Condemned: states.Condemned(),
}
EVENTS: tuple[events.Event, ...] = (
    events.Started((ONE,)),
    events.RegistryRead(TWO),
    events.Opened(),
    events.NotOpened("final", "wrong"),
    events.CheckDue(),
)
EVENTS += (
    events.FilesSound(),
    events.FilesAltered("toy-1", "altered"),
    events.ReleasesRead((ONE,)),
    events.ReleasesAway("gone"),
)


@pytest.mark.parametrize("event", EVENTS, ids=lambda event: type(event).__name__)
def test_what_is_in_no_row_changes_nothing(event: events.Event) -> None:
    """An event means something only to those states for which a row says so."""
    rows = [row for row in TRANSITIONS if type(row.event) is type(event)]
    for newest in get_args(states.Newest):
        for files in get_args(states.Files):
            meant = any(
                isinstance(row.before.files, files)
                if isinstance(
                    row.before.files, states.Starting | states.Unchecked | states.Altered | states.Seeking
                )
                else isinstance(row.before.newest, newest)
                for row in rows
            )
            state = states.State(EXAMPLES[newest], EXAMPLES[files], "wort.sqlite")
            if not meant and newest is not states.Opening:
                assert transition(state, event, NOW) == (state, ()), (newest, files)


def test_what_is_shown_of_a_state() -> None:
    assert (FOLLOWING.opening, FOLLOWING.problem) == (None, None)
    assert of(FOLLOWING, newest=states.Opening(TWO, states.Settled(ONE))).opening == 2
    assert of(FOLLOWING, newest=put_off(TWO)).problem == "release 2: wrong"
    assert of(FOLLOWING, newest=put_off(TWO), away="gone").problem == "gone"


RELEASES = st.builds(release, st.integers(1, 6), st.integers(1, 3))
TROUBLES = st.sampled_from(get_args(events.Trouble))


class Releases(RuleBasedStateMachine):
    """A server to which anything happens in any order; its effects are done by noting them."""

    def __init__(self) -> None:
        super().__init__()
        self.state = states.State(registry="wort.sqlite")
        self.seconds = 0.0
        self.served: Release | str | None = None
        self.opened: Release | None = None
        self.altered = self.damage_said = self.given_up = False
        self.vain: Release | None = None
        self.due: dict[Release, float] = {}

    def happens(self, event: events.Event, data: st.DataObject) -> None:
        """Let an event happen, and all that comes of it."""
        coming, known = deque([event]), self.state.newest
        while coming:
            before = self.state
            self.state, done = transition(before, coming.popleft(), events.Moment(self.seconds, NOW.utc))
            for effect in done:
                came = self.done(effect, data)
                if came is not None:
                    coming.append(came)
            newest, refused = self.state.newest, self.state.refused
            if isinstance(before.newest, states.Opening) and effects.Serve(before.newest.release) in done:
                assert refused is None or refused.release != info_of(before.newest.release)
            if isinstance(newest, states.PutOff) and newest != known:
                assert self.seconds + FIRST_WAIT <= newest.due <= self.seconds + LONGEST_WAIT

    def done(self, effect: effects.Effect, data: st.DataObject) -> events.Event | None:
        match effect:
            case effects.Open(tried, checked):
                return self.opening(tried, checked, data)
            case effects.Serve(served):
                assert served == self.opened, "what is served was opened, and last"
                self.served, self.opened, self.altered, self.damage_said = served, None, False, False
            case effects.ServeStarter():
                self.served = "starter"
            case effects.ReadFiles():
                outcome = data.draw(st.sampled_from(("sound", "altered", "unread")), "files")
                self.altered = outcome == "altered"
                came: dict[str, events.Event] = {
                    "sound": events.FilesSound(),
                    "altered": events.FilesAltered("toy-1", "altered"),
                }
                return came.get(outcome)
            case effects.ReadReleases():
                away = data.draw(st.booleans(), "away")
                return (
                    events.ReleasesAway("gone")
                    if away
                    else events.ReleasesRead(tuple(data.draw(st.lists(RELEASES))))
                )
            case effects.Condemn():
                self.damage_said = True
            case effects.GiveUp():
                self.given_up = True
        return None

    def opening(self, tried: Release, checked: bool, data: st.DataObject) -> events.Event:
        starting = isinstance(self.state.files, states.Starting)
        assert checked is not starting, "what comes while requests are answered has its files read first"
        if isinstance(self.state.newest, states.Opening):
            assert tried != self.vain, "what was refused for good is not tried again"
            assert self.seconds >= self.due.get(tried, 0), "what was put off is not tried before it is due"
        elif isinstance(self.state.files, states.Seeking):
            damaged = self.state.files.release
            assert tried.number < damaged.number
            assert tried.content != damaged.content
        trouble = data.draw(
            st.none() | TROUBLES.filter(lambda kind: not starting or kind != "registry"), "opens"
        )
        if trouble is None:
            self.opened = tried
            return events.Opened()
        self.opened = None
        return events.NotOpened(cast(events.Trouble, trouble), "wrong")

    @initialize(data=st.data(), releases=st.lists(RELEASES, max_size=4))
    def start(self, data: st.DataObject, releases: list[Release]) -> None:
        self.happens(events.Started(tuple(releases)), data)
        self.note()

    @precondition(lambda self: not self.given_up)
    @rule(data=st.data(), in_force=st.none() | RELEASES)
    def look(self, data: st.DataObject, in_force: Release | None) -> None:
        self.happens(events.RegistryRead(in_force), data)
        self.note()

    @precondition(lambda self: not self.given_up)
    @rule(data=st.data())
    def look_again(self, data: st.DataObject) -> None:
        """At the same release, as most looks are."""
        newest = self.state.newest
        self.look(data, None if isinstance(newest, states.Unseen) else newest.release)

    @precondition(lambda self: not self.given_up)
    @rule(
        data=st.data(),
        event=st.sampled_from((events.CheckDue(), events.RegistryAway("gone"), events.StepFailed("bug"))),
    )
    def another(self, data: st.DataObject, event: events.Event) -> None:
        self.happens(event, data)
        self.note()

    @rule(seconds=st.sampled_from((0.5, 1.0, 10.0, 60.0)))
    def time_passes(self, seconds: float) -> None:
        self.seconds += seconds

    def note(self) -> None:
        """What is known of the newest release, for the next time it is seen."""
        newest = self.state.newest
        self.vain = newest.release if isinstance(newest, states.Settled) else None
        self.due = {newest.release: newest.due} if isinstance(newest, states.PutOff) else {}

    @invariant()
    def what_is_served_is_sound_or_said_to_be_damaged(self) -> None:
        assert self.altered is self.damage_said
        assert self.damage_said is isinstance(self.state.files, states.Altered | states.Condemned)

    @invariant()
    def something_is_served_and_nothing_is_half_done(self) -> None:
        if self.state != states.State(registry="wort.sqlite"):
            assert (self.served is None) is self.given_up
            assert self.given_up is isinstance(self.state.files, states.Starting)
            assert not isinstance(self.state.newest, states.Opening)
            assert not isinstance(self.state.files, states.Seeking)


TestReleases = Releases.TestCase
TestReleases.settings = settings(max_examples=40, stateful_step_count=20, deadline=None)
