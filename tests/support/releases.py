"""What the tests of releases share: a registry with a model in force, and what follows it."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from app.serving.follower import Follower
from app.serving.source import Source
from app.settings import Settings
from tests.support.patience import PATIENCE
from tests.support.promoted import OTHER, PAIRS, Candidate, Shelf


@pytest.fixture(name="shelf")
def shelf_fixture(tmp_path: Path) -> Shelf:
    return Shelf(tmp_path)


@pytest.fixture(name="first")
def first_fixture(shelf: Shelf) -> Candidate:
    """A candidate that is in force."""
    candidate = shelf.candidate(shelf.snapshot("one"), 0.1)
    shelf.promote(candidate)
    return candidate


@pytest.fixture(name="second")
def second_fixture(shelf: Shelf, first: Candidate) -> Candidate:
    """A candidate with a snapshot of its own, which is not in force."""
    assert first.ref
    return shelf.candidate(shelf.snapshot("two", OTHER), 0.2)


class Clock:
    """A clock that is moved by hand, in seconds."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture(name="clock")
def clock_fixture() -> Clock:
    return Clock()


def follower(shelf: Shelf, clock: Callable[[], float] = time.monotonic, **settings: Any) -> Follower:
    return Follower(Settings(database=shelf.url, **settings), clock=clock)


def scores(served: Source) -> tuple[float | None, ...]:
    return tuple(result.score for result in served.current.scorer.score(PAIRS))


def served_release(served: Source) -> int | None:
    return served.current.scorer.model_info.release


def until(holds: Callable[[], bool], seconds: float = PATIENCE) -> None:
    """Wait until something holds."""
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.02)
