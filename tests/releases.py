"""What the tests of releases share: a registry with a model in force, and what follows it."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from app.serving.source import Follower, Source
from app.settings import Settings
from tests.promoted import PAIRS, Candidate, Shelf


@pytest.fixture(name="shelf")
def shelf_fixture(tmp_path: Path) -> Shelf:
    return Shelf(tmp_path)


@pytest.fixture(name="first")
def first_fixture(shelf: Shelf) -> Candidate:
    """A candidate that is in force."""
    candidate = shelf.candidate(shelf.snapshot("one"), 0.1)
    shelf.promote(candidate)
    return candidate


def follower(shelf: Shelf, **settings: Any) -> Follower:
    return Follower(Settings(database=shelf.url, **settings))


def scores(served: Source) -> tuple[float | None, ...]:
    return tuple(result.score for result in served.current.scorer.score(PAIRS))


def served_release(served: Source) -> int | None:
    return served.current.scorer.model_info.release


def until(holds: Callable[[], bool], seconds: float = 10) -> None:
    """Wait until something holds."""
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.02)
