"""Which titles are common nouns, by the case of words in the titles of the starter and by its plurals."""

from __future__ import annotations

import pytest

from app.serving.starter import snapshot_path
from snapshots.naming.resolver import Resolver
from snapshots.snapshot import Snapshot


@pytest.fixture(scope="module")
def starter() -> Resolver:
    return Resolver.open(Snapshot.open(snapshot_path()))


@pytest.mark.parametrize(
    "title", ["Truck", "Dog", "Movie", "Punishment", "Capital punishment", "Chemistry", "Bass (fish)"]
)
def test_common_nouns(starter: Resolver, title: str) -> None:
    assert starter.article(title) >= 0
    assert starter.nouns.has(starter.article(title))


@pytest.mark.parametrize("title", ["Italy", "Lviv", "Adidas", "Amazon River", "Harry Potter", "IPhone"])
def test_names(starter: Resolver, title: str) -> None:
    assert starter.article(title) >= 0
    assert not starter.nouns.has(starter.article(title))
