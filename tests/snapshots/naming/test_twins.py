"""Two articles of one thing under two spellings, in the starter, which was assembled of several works."""

from __future__ import annotations

import pytest

from app.serving.starter import snapshot_path
from snapshots.naming.resolver import Resolver
from snapshots.naming.twins import Twins
from snapshots.snapshot import Snapshot


@pytest.fixture(scope="module")
def snapshot() -> Snapshot:
    return Snapshot.open(snapshot_path())


@pytest.fixture(scope="module")
def starter(snapshot: Snapshot) -> Resolver:
    return Resolver.open(snapshot)


@pytest.mark.parametrize(
    ("title", "other"),
    [
        ("Grey wolf", "Gray wolf"),
        ("Gray wolf", "Grey wolf"),
        ("Labour Day", "Labor Day"),
        ("Fertilisation", "Fertilization"),
        ("Human skin colour", "Human skin color"),
        ("Liquid-crystal display", "Liquid crystal display"),
        ("Quran", "Qur'an"),
        ("Qur'an", "Quran"),
    ],
)
def test_who_asks_for_one_is_told_of_the_other(starter: Resolver, title: str, other: str) -> None:
    assert starter.resolve(title).title == title
    assert starter.namesakes(title) == [other]


def test_a_page_that_lists_meanings_is_no_namesake(starter: Resolver) -> None:
    assert starter.article("Oil (disambiguation)") >= 0
    assert "Oil (disambiguation)" not in starter.namesakes("Oil")


@pytest.mark.parametrize(("title", "other"), [("Boeing", "Being"), ("Louver", "Louvre")])
def test_what_is_only_spelt_alike_is_something_else(
    snapshot: Snapshot, starter: Resolver, title: str, other: str
) -> None:
    assert starter.article(other) >= 0
    assert other not in starter.namesakes(title)
    variants = snapshot.trie("title_variants", "<BI")
    twins = Twins(snapshot, starter.article, variants, "en")
    assert twins.best_known(starter.article(title)) == starter.article(title)


@pytest.mark.parametrize("name", ["wolf", "Wolves", "grey wolves", "gray wolves"])
def test_another_name_leads_to_the_one_that_is_linked_the_most(starter: Resolver, name: str) -> None:
    found = starter.resolve(name)
    assert (found.title, found.matched) == ("Gray wolf", "alias")
    assert starter.article("Grey wolf") not in [concept for concept, _ in found.others]
