"""A server that finds, after its start, that what it serves was altered: it turns to what is sound."""

from __future__ import annotations

import errno
import shutil
from typing import Any

import pytest
from structlog.testing import capture_logs

from app.service import create_app
from app.settings import Settings
from snapshots.naming.resolver import Resolver
from snapshots.snapshot import Snapshot
from tests.app.serving.test_switching import altered
from tests.support.patience import until
from tests.support.promoted import OTHER, Candidate, ToyRegistry
from tests.support.releases import (
    Clock,
    clock_fixture,
    first_fixture,
    follower,
    scores,
    second_fixture,
    served_release,
    toy_registry_fixture,
)
from tests.support.served import serving

__all__ = ["clock_fixture", "first_fixture", "second_fixture", "toy_registry_fixture"]

RESOLVER_OPEN = Resolver.open


def test_a_release_that_was_altered_before_the_start_is_found_and_left(
    toy_registry: ToyRegistry, first: Candidate, second: Candidate
) -> None:
    toy_registry.promote(second)
    altered(toy_registry, second)
    model = toy_registry.candidate(second.folder, 0.4)
    toy_registry.promote(model)
    # Three releases of the damaged folder; only the first one has another.
    served = follower(toy_registry, follow_seconds=0)
    with serving(create_app(Settings(), served)):
        until(lambda: served_release(served) == 1)
    assert scores(served) == first.scores
    refused = served.describe().refused
    assert refused is not None
    assert refused.release.number == 4
    assert "esa.values.npy was altered" in refused.reason
    # As one that ran on does, it goes on to what is promoted next, and asks about the refused one no more.
    with capture_logs() as logs:
        served.look()
    assert logs == []
    toy_registry.promote(first)
    served.look()
    assert served_release(served) == 5


def test_a_damaged_snapshot_is_not_shared_with_the_next_model(
    toy_registry: ToyRegistry, first: Candidate
) -> None:
    altered(toy_registry, first)
    served = follower(toy_registry)
    served.check()
    # There is nothing to go back to.
    refused = served.describe().refused
    assert refused is not None
    assert (served_release(served), refused.release.number) == (2, 2)
    toy_registry.promote(toy_registry.candidate(first.folder, 0.3))
    served.look()
    refused = served.describe().refused
    assert refused is not None
    assert (served_release(served), refused.release.number) == (2, 3)


def test_a_damaged_snapshot_is_left_once_the_registry_is_back(
    toy_registry: ToyRegistry, first: Candidate, second: Candidate, clock: Clock
) -> None:
    toy_registry.promote(second)
    altered(toy_registry, second)
    served = follower(toy_registry, clock)
    number = toy_registry.registry.latest_number()
    registry = toy_registry.folder / "wort.sqlite"
    registry.rename(toy_registry.folder / "aside")
    for _ in range(2):
        served.check()
        clock.now += 1
    refused = served.describe().refused
    assert refused is not None
    assert (served_release(served), refused.release.number) == (number, number)
    (toy_registry.folder / "aside").rename(registry)
    clock.now += 60
    served.check()
    assert (served_release(served), scores(served)) == (1, first.scores)


def test_a_damaged_snapshot_is_left_once_there_is_room_for_another(
    toy_registry: ToyRegistry,
    first: Candidate,
    second: Candidate,
    clock: Clock,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    altered(toy_registry, second)
    served = follower(toy_registry, clock)

    def fails(_: Snapshot) -> Any:
        raise OSError(errno.EMFILE, "Too many open files")

    monkeypatch.setattr(Resolver, "open", fails)
    served.check()
    assert served_release(served) == 2
    monkeypatch.setattr(Resolver, "open", RESOLVER_OPEN)
    clock.now += 60
    served.check()
    assert served_release(served) == 1
    # A release that is served is left for nothing that was wrong before it.
    toy_registry.promote(first)
    served.look()
    clock.now += 60
    served.check()
    assert served_release(served) == 3


def test_a_release_put_off_is_waited_for_while_a_damaged_one_is_left(
    toy_registry: ToyRegistry, first: Candidate, second: Candidate, clock: Clock
) -> None:
    altered(toy_registry, second)
    third = toy_registry.candidate(toy_registry.snapshot("three", OTHER), 0.3)
    toy_registry.promote(third)
    away = third.folder.rename(toy_registry.folder / "away")
    served = follower(toy_registry, clock)
    assert served_release(served) == 2
    served.check()
    assert served_release(served) == 1
    shutil.copytree(away, third.folder)
    clock.now += 60
    served.look()
    assert (served_release(served), scores(served)) == (3, third.scores)
