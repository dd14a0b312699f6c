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
from tests.support.promoted import OTHER, PAIRS, Candidate, ToyRegistry


@pytest.fixture(name="toy_registry")
def toy_registry_fixture(tmp_path: Path) -> ToyRegistry:
    return ToyRegistry(tmp_path)


@pytest.fixture(name="first")
def first_fixture(toy_registry: ToyRegistry) -> Candidate:
    """A candidate that is in force."""
    candidate = toy_registry.candidate(toy_registry.snapshot("one"), 0.1)
    toy_registry.promote(candidate)
    return candidate


@pytest.fixture(name="second")
def second_fixture(toy_registry: ToyRegistry, first: Candidate) -> Candidate:
    """A candidate with a snapshot of its own, which is not in force."""
    assert first.ref
    return toy_registry.candidate(toy_registry.snapshot("two", OTHER), 0.2)


class Clock:
    """A clock that is moved by hand, in seconds."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture(name="clock")
def clock_fixture() -> Clock:
    return Clock()


def follower(
    toy_registry: ToyRegistry, clock: Callable[[], float] = time.monotonic, **settings: Any
) -> Follower:
    return Follower(Settings(database=toy_registry.url, **settings), clock=clock)


def scores(served: Source) -> tuple[float | None, ...]:
    return tuple(result.score for result in served.current.scorer.score(PAIRS))


def served_release(served: Source) -> int | None:
    return served.current.scorer.model_info.release
